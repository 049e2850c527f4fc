"""What is asked of the core, in a lane: what a prompt would get, and of which memories."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ....core import hosts
from ....core.answers import Receipt
from ....core.config.limits import UNPROVEN
from ....core.errors import ManagerError
from ....core.recall.frame import FORMS
from ....core.recall.receipt import Health
from ....core.values import Hit, Injection, Memory
from ...text import counted
from ...widgets.injection_account import Told
from ...widgets.recall_rows import NEXT, OUT, TOLD, UNKNOWN, Item, Side

if TYPE_CHECKING:
    from ....core.compat import MemoryCoordinator
    from ....core.services.suggestions import Suggestion

HOSTS = tuple(
    sorted(hosts.registry.names(), key=lambda name: [*FORMS].index(hosts.registry.wire(name).FORM))
)
"""One after another: those that are told in XML, in Markdown, in plain text."""

POLICIES = ("adaptive", "five-type", "tiered")
PROFILES = ("blend", "multiplicative", "additive")
PRESETS = tuple(UNPROVEN)
MOST_LEFT_OUT = 60  # memories left out that are looked up and listed
MOST_PAST = 40  # prompts offered
MOST_LOOKED_AT = 200  # receipts in which prompts are looked for


@dataclass(frozen=True, slots=True)
class Question:
    """What is tried out."""

    prompt: str
    host: str
    context_left: int | None
    policy: str
    profile: str
    preset: str = ""  # how eagerly what is unproven is told; "" as configured

    @property
    def label(self) -> str:
        """What tells it from those beside it."""
        return self.preset or self.policy


@dataclass(frozen=True, slots=True)
class Answer:
    """What an agent would be told, or was told; or some answers beside each other."""

    tolds: tuple[Told, ...] = ()
    items: tuple[Item, ...] = ()
    more_left_out: int = 0  # beyond those that are listed
    receipt: Receipt | None = None  # what was told stands in it
    health: Health | None = None  # how long recalls take lately
    meant: str | None = None  # the prompt with mended words, where nothing is told


NO_ANSWER = Answer()


@dataclass(frozen=True, slots=True)
class Defaults:
    """What is in force when nothing else is chosen."""

    policy: str
    profile: str
    context: int  # tokens assumed when a host does not say
    has_past: bool  # whether prompts of the past were kept


def defaults(core: MemoryCoordinator) -> Defaults:
    """The settings of recall. Runs in a lane."""
    limits = core.policy.recall.limits()
    return Defaults(
        limits.budget_policy,
        limits.ranking,
        limits.default_context_tokens,
        bool(past_prompts(core)),
    )


def past_prompts(core: MemoryCoordinator) -> list[tuple[str, str]]:
    """Host and text of the prompts that were kept, newest first, each once. Runs in a lane."""
    found: dict[str, str] = {}
    for receipt in core.receipts(MOST_LOOKED_AT):
        if receipt.prompt and receipt.prompt not in found:
            found[receipt.prompt] = receipt.host
    return [(host, prompt) for prompt, host in found.items()][:MOST_PAST]


def preview(core: MemoryCoordinator, questions: Sequence[Question]) -> Answer:
    """What would be injected, for each question; nothing is written. Runs in a lane."""
    answers = [ask(core, question) for question in questions]
    items, more = items_of(core, answers, [question.prompt for question in questions])
    is_told = any(answer.text for answer in answers)
    advice = None if is_told else core.suggest_instead(questions[0].prompt)
    instead = instead_of(advice) if advice is not None else ()
    tolds = tuple(
        replace(Told.of(question.label, answer), instead=instead)
        for question, answer in zip(questions, answers, strict=True)
    )
    meant = advice.did_you_mean if advice is not None else None
    return Answer(tolds, items, more, health=core.health(), meant=meant)


def ask(core: MemoryCoordinator, question: Question) -> Injection:
    """The answer to one question."""
    return core.recall(
        question.prompt,
        host=question.host,
        context_left=question.context_left,
        policy=question.policy,
        profile=question.profile,
        preset=question.preset or None,
        write_receipt=False,
    )


def instead_of(advice: Suggestion) -> tuple[str, ...]:
    """What beside mended words would find something, in lines."""
    lines = []
    if advice.other_words:
        lines.append("Other words that are there: " + ", ".join(w for w, _ in advice.other_words))
    if advice.retired:
        retired = counted(advice.retired, "retired memory", "retired memories")
        lines.append(f"{retired} would match: is:retired on the Deck.")
    return tuple(lines)


def items_of(
    core: MemoryCoordinator, answers: Sequence[Injection], prompts: Sequence[str]
) -> tuple[tuple[Item, ...], int]:
    """The memories of all answers: told ones first, then the next ones, then those left out.

    `prompts` are what the answers answer. At most `MOST_LEFT_OUT` of the last; the number says how
    many more there are.
    """
    hits = [{hit.id: hit for hit in answer.items} for answer in answers]
    reasons = [_first_of(answer.left_out) for answer in answers]
    following = [str(answer.next["id"]) if answer.next else "" for answer in answers]
    order = _in_order(
        *(one for one in hits), [name for name in following if name], *(one for one in reasons)
    )
    told = {name for one in hits for name in one} | set(following)
    left_out = [name for name in order if name not in told]
    listed = [name for name in order if name in told] + left_out[:MOST_LEFT_OUT]
    items = []
    for place, name in enumerate(listed):
        hit = next((one[name] for one in hits if name in one), None)
        memory = hit.memory if hit is not None else memory_of(core, name)
        sides = tuple(
            side_of(core, prompt, answer, name, mine.get(name), why.get(name, ""))
            for prompt, answer, mine, why in zip(prompts, answers, hits, reasons, strict=True)
        )
        items.append(item_of(core, name, memory, sides, place))
    return tuple(items), len(left_out) - len(left_out[:MOST_LEFT_OUT])


def side_of(
    core: MemoryCoordinator, prompt: str, answer: Injection, name: str, hit: Hit | None, why: str
) -> Side:
    """What became of the memory `name` in one answer to `prompt`."""
    if hit is not None:
        cost = answer.costs.get(name, hit.memory.tokens)
        return Side(TOLD, "", hit.score, hit.parts, core.account(prompt, hit), cost)
    ahead = answer.next
    if ahead is not None and ahead["id"] == name:
        says = str(ahead.get("why") or why)
        return Side(NEXT, says, float(ahead.get("score") or 0.0), tokens=int(ahead["tokens"]))
    return Side(OUT, why) if why else Side(UNKNOWN)


def item_of(
    core: MemoryCoordinator,
    name: str,
    memory: Memory | None,
    sides: tuple[Side, ...],
    place: int,
    *,
    title: str = "",
    revision: int | None = None,
    helpful: bool | None = None,
    used: bool | None = None,
) -> Item:
    """A memory as a row; `title` and `revision` say what it was when it was told."""
    if memory is None:
        text = title or "purged meanwhile"
        return Item(-1 - place, 0, name, text, "", 0.0, sides, helpful=helpful, used=used)
    return Item(
        num=memory.num,
        revision=memory.revision,
        id=memory.id,
        title=memory.title,
        status=memory.status,
        importance=memory.importance,
        sides=sides,
        in_conflict=memory.in_conflict,
        retired_as=memory.retired_as,
        is_changed=revision is not None and revision != memory.revision,
        helpful=helpful,
        used=used,
        degree=memory.degree,
        provenance=memory.provenance,
        is_here=memory.project in ("", core.project.id),
    )


def memory_of(core: MemoryCoordinator, ref: str) -> Memory | None:
    """The memory as it is now; None when it is purged."""
    try:
        return core.show(ref)
    except ManagerError:
        return None


def _first_of(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The first reason that each memory has."""
    found: dict[str, str] = {}
    for name, why in pairs:
        found.setdefault(name, why)
    return found


def _in_order(*names: Iterable[str]) -> list[str]:
    """Every name once, in the order of first sight."""
    return list(dict.fromkeys(name for group in names for name in group))
