"""Recall's trying out: from the prompt and the choices to what an agent would be told.

The answer is worked out in a lane while one types; the newest question wins, and the keys' echo
never waits for it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widget import Widget
from textual.widgets import TextArea

from ....core.errors import StoreUnusable
from ...dialogs.questions import Ask, Choice, Menu, shortened
from ...text import counted, one_line, showable
from ...typeahead import asks
from ...view import View
from ...widgets.bars import fill_of
from ...widgets.nothing import cannot_be_read
from ...widgets.recall_rows import TOLD
from .model import (
    HOSTS,
    POLICIES,
    PRESETS,
    PROFILES,
    Answer,
    Defaults,
    Question,
    defaults,
    past_prompts,
    preview,
)
from .panes import Panes
from .text import context_choices, nothing_answers, nothing_asked, read_tokens

LONGEST_PROMPT = 20_000  # characters; recall reads no more of one
PLACEHOLDER = "Type or paste a prompt, as you would to an agent."


class PromptArea(TextArea):
    """Text to write; `enter` goes on to what it gets, a paste keeps its lines."""

    HELP = """\
## Prompt
Type or paste what you would ask an agent: the answer follows as you type. `enter` goes to it.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "leave", "To the answer", id="prompt.leave"),
        Binding("escape", "leave", "To the answer", show=False, id="prompt.escape"),
    ]

    class Left(Message):
        """The person is done with the prompt."""

    def __init__(self, *, id: str) -> None:
        super().__init__(
            id=id,
            soft_wrap=True,
            show_line_numbers=False,
            tab_behavior="focus",
            compact=True,
            placeholder=PLACEHOLDER,
            highlight_cursor_line=False,
        )
        self.cursor_blink = False

    async def _on_key(self, event: events.Key) -> None:
        if event.key == "enter":  # a line feed only comes by pasting
            event.stop()
            event.prevent_default()
            self.action_leave()

    async def _on_paste(self, event: events.Paste) -> None:
        room = LONGEST_PROMPT - len(self.text)
        # terminals send the ends of pasted lines as they send the key
        text = event.text.replace("\r\n", "\n").replace("\r", "\n")
        clean = showable(text[: max(room, 0)])
        if clean != event.text:
            event.stop()
            event.prevent_default()
            await super()._on_paste(events.Paste(clean))

    def on_blur(self) -> None:
        """Where it has one line, how a prompt begins says more than how it ends."""
        self.scroll_home(animate=False)

    def on_focus(self) -> None:
        """Where one goes on writing."""
        self.scroll_cursor_visible()

    def action_leave(self) -> None:
        """On to the answer."""
        self.post_message(self.Left())

    def take(self, prompt: str) -> None:
        """Put this prompt there, with the cursor at its end."""
        self.text = showable(prompt[:LONGEST_PROMPT])
        self.move_cursor(self.document.end)
        if not self.has_focus:
            self.call_after_refresh(self.scroll_home, animate=False)


OFFERED_BY = "f"


class SettingsLine(Widget):
    """One line: the choices with the key that offers them, and at the right what came of it."""

    ALLOW_SELECT = False

    class Chosen(Message):
        """A choice was clicked: the next one of its kind."""

        def __init__(self, what: str) -> None:
            super().__init__()
            self.what = what

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.choices: list[tuple[str, str, str, str]] = []  # kind, name, value, short value
        self.outcome: tuple[Content, ...] = ()  # the first that fits is shown
        self.instead: Content | None = None  # fills the line

    def say(self, choices: list[tuple[str, str, str, str]], *outcome: Content) -> None:
        """The choices, and what came of them: the longest wording that fits."""
        self.choices, self.outcome, self.instead = choices, outcome, None
        self.refresh()

    def say_instead(self, content: Content) -> None:
        """Something else."""
        self.instead = content
        self.refresh()

    def render(self) -> Content:
        room = self.size.width - 2
        if self.instead is not None:
            return self.instead.truncate(max(room, 0), ellipsis=True)
        without = (Content(""),)
        tries = [(form, self.outcome or without) for form in ("long", "short")]
        # the keys say more than the outcome, which stands in the panes too
        tries += [("short", without), ("bare", self.outcome), ("bare", without)]
        for form, outcomes in tries:
            left = self._left(form)
            for right in outcomes:
                gap = room - left.cell_length - right.cell_length
                if gap >= (2 if right.cell_length else 0):
                    return left + Content(" " * gap) + right
        return self._left("bare").truncate(max(room, 0), ellipsis=True)

    def _left(self, form: str) -> Content:
        parts = []
        for place, (kind, name, value, short) in enumerate(self.choices):
            pieces: list[tuple[str, str]] = []
            if form != "bare" and not place:
                pieces.append((f"{OFFERED_BY} ", "bold $footer-key-foreground"))
            if form == "long" and name:
                pieces.append((f"{name} ", "$text-muted"))
            pieces.append((value if form == "long" else short, "$foreground"))
            goes = Style.from_meta({"memdeck_choice": kind})
            parts.append(Content.assemble(*pieces).stylize(goes))
        return Content("  " if form == "long" else " · " if form == "bare" else " ").join(parts)

    def on_click(self, event: Any) -> None:
        kind = event.style.meta.get("memdeck_choice")
        if kind:
            event.stop()
            self.post_message(self.Chosen(kind))


COMPARED = ("", "policies", "presets")
"""What is shown beside each other, in this order: nothing, two budgets, the presets."""

BUSY_SECONDS = 0.3  # an answer that takes longer is announced


class Trial:
    """What is tried out, and what came of it.

    `is_left` says whether one went elsewhere meanwhile: the panes are others' then. `ask` is
    called when a person chose otherwise.
    """

    def __init__(
        self,
        view: View,
        panes: Panes,
        line: SettingsLine,
        *,
        is_left: Callable[[], bool],
        ask: Callable[[], object],
    ) -> None:
        self.app = view.app
        self._view, self._panes, self._line = view, panes, line
        self._is_left, self._ask = is_left, ask
        self.prompt = PromptArea(id="recall-prompt")
        self.pane = Vertical(self.prompt, id="recall-ask", classes="pane")
        self.defaults = Defaults(POLICIES[0], PROFILES[0], 100_000, has_past=False)
        self.host = HOSTS[0]
        self.context_left: int | None = None  # what the host does not say
        self.policy, self.other = POLICIES[0], POLICIES[1]
        self.profile = PROFILES[0]
        self.compares = ""  # one of COMPARED
        self.preview: Answer | None = None
        self.is_old = False  # something changed while nobody looked
        self._asking = 0  # questions that are being answered
        self._has_chosen = False  # whether the person chose since the settings were asked for

    @property
    def meant(self) -> str:
        """What was probably meant, where the prompt as it stands has no answer; or ""."""
        return (self.preview.meant or "") if self.preview is not None else ""

    # -- asking

    async def take_defaults(self) -> None:
        """Begin with what is configured."""
        self._has_chosen = False
        configured = await self.app.slow.run(defaults)
        self.defaults = configured
        if not self._has_chosen:  # a key may be quicker than the settings
            self.policy, self.profile = configured.policy, configured.profile
            self.other = following(POLICIES, configured.policy)

    @property
    def questions(self) -> list[Question]:
        """What is asked now: one question, two that differ in their budget, one a preset."""
        text = self.prompt.text
        one = Question(text, self.host, self.context_left, self.policy, self.profile)
        if self.compares == "policies":
            return [one, replace(one, policy=self.other)]
        if self.compares == "presets":
            return [replace(one, preset=preset) for preset in PRESETS]
        return [one]

    async def work_out(self) -> None:
        """Show what would be told."""
        if self._is_left():
            self.is_old = True
            return
        questions = self.questions
        if not questions[0].prompt.strip():
            self.preview = None
            self._panes.say_nothing(nothing_asked(self.defaults.has_past))
            self.say_line()
            return
        busy = self._view.set_timer(BUSY_SECONDS, self._say_busy)
        self._asking += 1
        try:
            answer = await self.app.slow.run(lambda core: preview(core, questions))
        except StoreUnusable as error:
            self._panes.say_nothing(cannot_be_read(str(error), error.hint))
            raise
        finally:
            self._asking -= 1
            busy.stop()
        if self._is_left():
            self.is_old = True
            return
        self.preview = answer
        if answer.items or any(told.text for told in answer.tolds):
            self._panes.show(answer)
        else:
            self._panes.say_nothing(nothing_answers(answer.meant, answer.tolds[0].instead))
        self.say_line()

    async def narrow(self, text: str) -> None:
        """List the memories that fit only."""
        if not text.strip():
            self._panes.narrow(None)
            return
        fitting = set(await self.app.search.run(lambda core: core.fitting(text)))
        if text == self._view.box.text and not self._is_left():  # else it was for another list
            self._panes.narrow(fitting)

    # -- the line beneath the prompt

    def _say_busy(self) -> None:
        if self._asking:  # else the answer came while this was on its way
            self._say(Content.styled("working …", "$text-muted"))

    def say_line(self) -> None:
        """The choices, and what came of them in numbers."""
        answer = self.preview
        if answer is None:
            self._say()
            return
        told = answer.tolds[0]
        fill = fill_of(told.tokens, told.budget, self.app.glyphs)
        count = sum(one.sides[0].state == TOLD for one in answer.items)
        tokens = f"{told.tokens:,} of {told.budget:,}"
        wordings: tuple[str, ...] = (f"{count} told · {tokens} tokens", f"{count} told · {tokens}")
        wordings += (tokens,)
        if self.compares:
            whole = " | ".join(f"{one.tokens:,} of {one.budget:,}" for one in answer.tolds)
            brief = " | ".join(f"{one.tokens:,}" for one in answer.tolds)
            wordings = (f"{whole} tokens", f"{brief} tokens", brief)
        mark = (f"{fill.glyph} ", fill.ink)
        self._say(*(Content.assemble(mark, wording) for wording in wordings))

    def _say(self, *outcome: Content) -> None:
        context = self.context_left
        tokens = self.defaults.context if context is None else context
        left = f"{tokens:,} assumed" if context is None else f"{tokens:,}"
        brief = f"{tokens // 1000:,}k" if tokens >= 1000 else str(tokens)
        choices = [
            ("host", "host", self.host, self.host),
            ("context", "context", left, brief),
            ("policy", "budget", self.policy, self.policy),
            *([("other", "beside", self.other, self.other)] if self.compares == "policies" else []),
            ("profile", "ranking", self.profile, self.profile),
        ]
        self._line.say(choices, *outcome)

    # -- choosing

    def choose(self, what: str) -> None:
        """The next host, budget policy, policy at the right or ranking; one answer or more.

        Beside each other the two policies stay different.
        """
        if what == "context":
            self._choose_context()
            return
        if what == "host":
            self.host = following(HOSTS, self.host)
        elif what == "policy":
            is_beside = self.compares == "policies"
            self.policy = following(POLICIES, self.policy, self.other if is_beside else None)
        elif what == "other":
            self.other = following(POLICIES, self.other, self.policy)
        elif what == "profile":
            self.profile = following(PROFILES, self.profile)
        elif what == "compare":
            self.compares = following(COMPARED, self.compares)
            if self.other == self.policy:
                self.other = following(POLICIES, self.policy)
        elif what == "alone":
            self.compares = ""
        self._chosen()

    def _chosen(self) -> None:
        self._has_chosen = True
        self._say()
        self._ask()
        self._view.refresh_bindings()

    @asks
    async def _choose_context(self) -> None:
        """How much of the model's context is left."""
        menu = Menu("Context left", context_choices(self.context_left, self.defaults.context))
        chosen = await self.app.ask(menu)
        if chosen == "?":
            about = "In tokens: 64000, 64,000 or 64k. The budget is a share of it."
            chosen = await self.app.ask(Ask("Context left", about))
            if chosen is not None and (tokens := read_tokens(chosen)) is None:
                self.app.notify(
                    "Write it like 64000 or 64k.",
                    title="That is no number of tokens.",
                    severity="warning",
                    markup=False,
                )
                return
            chosen = None if chosen is None else str(tokens)
        if chosen is not None:
            self.context_left = int(chosen) if chosen else None
            self._chosen()

    @asks
    async def take_past(self) -> None:
        """Take a prompt that an agent was asked."""
        prompts = await self.app.slow.run(past_prompts)
        choices = [
            Choice(str(place), shortened(one_line(prompt)), host)
            for place, (host, prompt) in enumerate(prompts)
        ]
        about = counted(len(prompts), "prompt") + " of this project, the newest first"
        chosen = await self.app.ask(Menu("Past prompts", choices, about))
        if chosen is not None:
            host, prompt = prompts[int(chosen)]
            self.try_out(prompt, host)

    def try_out(self, prompt: str, host: str | None = None) -> None:
        """Put this prompt there, as this host would ask it."""
        if host in HOSTS:
            self.host = host
        self._view.remove_class("-receipts")
        self._panes.forget_filter()
        with self.prompt.prevent(TextArea.Changed):
            self.prompt.take(prompt)
        self._chosen()
        self._view.screen.set_focus(self._panes.items)


def following(choices: tuple[str, ...], now: str, without: str | None = None) -> str:
    """The choice after `now`, round and round, never `without`."""
    rest = [one for one in choices if one != without or one == now]
    return rest[(rest.index(now) + 1) % len(rest)]
