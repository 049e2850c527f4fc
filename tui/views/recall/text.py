"""The keys of Recall and of Receipts, and their words for empty places."""

from __future__ import annotations

from collections.abc import Sequence

from ...acts import FILTER_ACT, ZOOM_ACT, Act, of_no_row
from ...dialogs.questions import Choice
from ...text import cut
from ...widgets.nothing import NothingLine
from ...widgets.recall_rows import Item

SETTING_ACTS = of_no_row(
    Act("recall.host", "", "Host", "choose('host')",
        "The next host: Claude, Gemini, Codex, and so on."),
    Act("recall.policy", "", "Budget", "choose('policy')",
        "The next budget policy: adaptive, five-type, tiered."),
    Act("recall.compare", "", "Compare", "choose('compare')",
        "Two budget policies side by side; again: the presets; again: one."),
    Act("recall.profile", "", "Ranking", "choose('profile')",
        "The next ranking profile: blend, multiplicative, additive."),
    Act("recall.context", "", "Context", "choose('context')",
        "How much of the model's context is left."),
    Act("recall.other", "", "Other", "choose('other')",
        "Beside each other: the next policy at the right."),
)  # fmt: skip
"""With what a prompt is tried out: `f` offers them."""

PREVIEW_ACTS = (
    Act("recall.ask", "c", "Ask", "ask", "Puts the cursor into the prompt.", of_row=False),
    Act("recall.facets", "f", "Host, budget", "settings",
        "For which host, with which budget, ranking and context; and what to compare.",
        of_row=False),
    *SETTING_ACTS,
    Act("recall.past", "apostrophe", "Past prompts", "take('past')",
        "Takes a prompt that an agent was asked.", key_display="'", of_row=False),
    Act("recall.receipts", "I", "Receipts", "turn('receipts')", "What agents were told until now.",
        of_row=False),
)  # fmt: skip
"""What works while a prompt is tried out."""

RECEIPT_ACTS = (
    Act("receipt.replay", "R", "Replay", "receipt('today')",
        "What the same prompt would get today; again: only what it got then."),
    Act("receipt.helpful", "plus", "Helpful", "change('helpful')",
        "It helped: it ranks higher from now on.", key_display="+"),
    Act("receipt.unhelpful", "minus", "Not helpful", "change('unhelpful')",
        "It did not help: it ranks lower from now on.", key_display="-"),
    Act("receipt.only", "f", "Only", "receipt('only')",
        "Lists only receipts that name a memory, or only what was left out; again: all.",
        of_row=False),
    Act("receipt.memory", "", "This memory", "receipt('memory')",
        "Only receipts that name this memory; again: all."),
    Act("receipt.try", "c", "Try", "take('receipt')", "Takes its prompt to try it out."),
    Act("receipt.next", "right_square_bracket", "Next", "step(1)", "The next receipt.",
        show=False, key_display="]"),
    Act("receipt.previous", "left_square_bracket", "Previous", "step(-1)",
        "The previous receipt.", show=False, key_display="["),
    Act("recall.preview", "I", "Recall", "turn('preview')", "Goes back to trying a prompt.",
        of_row=False),
)  # fmt: skip
"""What works among receipts."""

ITEM_ACTS = (
    Act("recall.open", "enter", "Open", "open",
        "Opens the memory on the Deck; on a receipt, goes to what it told."),
    Act("recall.pin", "p", "Pin", "change('pin')",
        "Pins the memory, so that it comes first; or unpins."),
    Act("recall.more", "greater_than_sign", "Raise", "change('more')",
        "Raises the memory's importance by one.", key_display=">"),
    Act("recall.less", "less_than_sign", "Lower", "change('less')",
        "Lowers the memory's importance by one.", key_display="<"),
    Act("recall.edit", "e", "Edit", "change('edit')",
        "Corrects the memory; on a receipt, shows what its prompt gets before and after."),
    Act("recall.forget", "x", "Forget", "change('forget')",
        "Forgets the memory; on a receipt, shows what its prompt gets before and after."),
    Act("recall.demote", "", "Demote", "change('demote')",
        "Lets the memory count for less: unpins it, else gives it importance 1; with the proof."),
)  # fmt: skip
"""What is done to the memory under the cursor. Each change is one entry and one undo."""

RECALL_ACTS = (
    ITEM_ACTS[0],
    *PREVIEW_ACTS[:2],
    PREVIEW_ACTS[-1],
    *ITEM_ACTS[1:],
    *RECEIPT_ACTS[:5],
    RECEIPT_ACTS[-1],
    *PREVIEW_ACTS[2:-1],
    *RECEIPT_ACTS[5:-1],
    FILTER_ACT,
    Act("recall.left_out", "", "Left out", "left_out",
        "Lists only what was left out, with the reasons; again, all.", show=False, of_row=False),
    Act("recall.copy", "y", "Copy", "copy", "Copies the very text that is injected."),
    Act("recall.pane", "", "Pane", "pane(1)",
        "The next pane; where one has room, it takes its place.", show=False, of_row=False),
    ZOOM_ACT,
)  # fmt: skip
"""What works on Recall, beside what works everywhere."""

ONLY_ACTS = tuple(act for act in RECALL_ACTS if act.id in ("receipt.memory", "recall.left_out"))
"""What `f` offers among receipts."""

MENU_ACTS = (*ITEM_ACTS, *RECEIPT_ACTS[1:3], ONLY_ACTS[0])
"""What the mouse offers for a memory."""

HELP = """\
## Recall
What an agent would be told with a prompt, word for word, and why. `c` writes a prompt, `I` shows
what agents were told until now.
"""

CONTEXTS = (8_000, 20_000, 50_000, 100_000, 200_000)
"""Tokens of context left that the menu offers."""

UNPROVEN_BY = "Its prompt was not kept, so there is no before and after to show."
ALL_TOLD = "Nothing was left out."
NO_PROMPT = "Write a prompt first: c puts the cursor there."
NO_MEMORY = "There is no memory here."
NOT_KEPT = "Its prompt was not kept, only its mark."
NOT_TOLD = "Only what was told can be helpful."
NO_RECEIPT = "No agent was told anything yet."
RETIRED = "It is retired: nothing here changes it."
GONE = "It is purged: nothing is left of it."
ELSEWHERE = "It belongs to another project: here it is only read."


def context_choices(current: int | None, assumed: int) -> list[Choice]:
    """How much context is left: what is assumed when a host does not say, a number, another."""
    choices = [Choice("", f"{assumed:,}", "unless the host says", "a", current is None)]
    choices += [
        Choice(str(tokens), f"{tokens:,}", "tokens", str(place), current == tokens)
        for place, tokens in enumerate(CONTEXTS, 1)
    ]
    return [*choices, Choice("?", "another number", key="n")]


def read_tokens(text: str) -> int | None:
    """The number that `text` says: `64000`, `64,000` or `64k`; None when it says none."""
    word = text.strip().lower().replace(",", "").replace("_", "").replace(" ", "")
    factor = {"k": 1_000, "m": 1_000_000}.get(word[-1:], 1)
    digits = word[:-1] if factor > 1 else word
    if not digits.isascii() or not digits.isdecimal() or len(digits) > 9:
        return None
    return min(int(digits) * factor, 10_000_000)


def nothing_asked(has_past: bool) -> Sequence[NothingLine]:
    """No prompt yet: what this place is for, and what to do."""
    lines = [
        NothingLine("What would an agent be told?", is_title=True),
        NothingLine(),
        NothingLine(
            "Type or paste a prompt above, and see the very text that would be injected with it,"
            " what it costs, and what was left out and why."
        ),
        NothingLine(),
        NothingLine("write a prompt", key="c"),
    ]
    if has_past:
        lines.append(NothingLine("take one that an agent was asked", key="'"))
    lines.append(NothingLine("see what agents were told until now", key="I"))
    return lines


def nothing_answers(meant: str | None, instead: Sequence[str]) -> Sequence[NothingLine]:
    """No memory has anything to do with the prompt, and none is pinned.

    `meant` is the prompt with mended words, `instead` what else would find something, in lines.
    """
    mended = [NothingLine(f"did you mean  {cut(meant, 50)}", key="enter")] if meant else []
    return (
        NothingLine("Nothing would be injected.", is_title=True),
        NothingLine(),
        NothingLine("No memory of this project speaks of it, and none is pinned."),
        *(NothingLine(line) for line in instead),
        NothingLine(),
        *mended,
        NothingLine("try other words", key="c"),
        NothingLine("to the Deck: all that is known", key="1"),
    )


def nothing_told(is_filtered: bool) -> Sequence[NothingLine]:
    """No receipts: what they are, and how they come about."""
    if is_filtered:
        return (
            NothingLine("No agent was told this memory yet.", is_title=True),
            NothingLine(),
            NothingLine("When recall injects it, the receipt stands here: when, for whom, why."),
            NothingLine(),
            NothingLine("all receipts", key="f"),
            NothingLine("try a prompt", key="I"),
        )
    return (
        NothingLine(NO_RECEIPT, is_title=True),
        NothingLine(),
        NothingLine(
            "Each time recall tells an agent something, the receipt stands here: what, why, how"
            " much of the budget it took, and what was left out."
        ),
        NothingLine(),
        NothingLine("connect your agents, so that they ask", key="6"),
        NothingLine("try a prompt yourself", key="I"),
    )


TYPED = frozenset(act.action.partition("(")[0] for act in RECALL_ACTS)
IN_PREVIEW = frozenset(act.action for act in PREVIEW_ACTS) | {"take('meant')"}
IN_RECEIPTS = frozenset(act.action for act in RECEIPT_ACTS)
OF_ITEMS = frozenset(act.action for act in ITEM_ACTS)


def of_item(item: Item | None, action: str) -> str:
    """Why an act cannot be done to the memory under the cursor; "" where it can."""
    if item is None or item.is_gone:
        return NO_MEMORY if item is None else GONE
    if action == "open":
        return ""
    return RETIRED if item.retired_as is not None else "" if item.is_here else ELSEWHERE


def whole_action(action: str, *parameters: str) -> str:
    """The action as an act names it: `choose('host')`, `step(1)`."""
    written = ", ".join(one if one.lstrip("-").isdigit() else f"'{one}'" for one in parameters)
    return f"{action}({written})" if written else action
