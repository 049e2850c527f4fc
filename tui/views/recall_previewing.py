"""Recall's trying out: from the prompt and the choices to what an agent would be told.

The answer is worked out in a lane while one types; the newest question wins, and the keys' echo
never waits for it.
"""

from __future__ import annotations

import asyncio
from typing import TypeVar

from textual import on, work
from textual.content import Content
from textual.widgets import TextArea

from ...core.errors import StoreUnusable
from ..dialogs.ask import Ask
from ..dialogs.menu import Choice, Menu, shortened
from ..text import counted, one_line
from ..typeahead import asks
from ..widgets.budget_bar import fill_of
from ..widgets.injection_account import Told
from ..widgets.recall_prompt import PromptArea
from ..widgets.recall_rows import TOLD
from .inbox_words import cannot_be_read
from .recall_acts import context_choices, nothing_answers, nothing_asked, read_tokens
from .recall_asking import (
    HOSTS,
    POLICIES,
    PROFILES,
    Defaults,
    Preview,
    Question,
    defaults,
    past_prompts,
    preview,
)
from .recall_showing import Showing

T = TypeVar("T")
TYPING_SECONDS = 0.1  # the next key comes sooner, and cancels the question
BUSY_SECONDS = 0.3  # an answer that takes longer is announced


class Previewing(Showing):
    """What is tried out, and what came of it."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.defaults = Defaults(POLICIES[0], PROFILES[0], 100_000, has_past=False)
        self.host = HOSTS[0]
        self.context_left: int | None = None  # what the host does not say
        self.policy, self.other = POLICIES[0], POLICIES[1]
        self.profile = PROFILES[0]
        self.compares = False
        self.preview: Preview | None = None
        self.is_old = False  # something changed while nobody looked
        self._has_chosen = False  # whether the person chose since the settings were asked for

    # -- asking

    @work(exclusive=True, group="recall-defaults")
    async def take_defaults(self) -> None:
        """Begin with what is configured."""
        self._has_chosen = False
        known = await self.app.slow.run(defaults)
        self.defaults = known
        if not self._has_chosen:  # a key may be quicker than the settings
            self.policy, self.profile = known.policy, known.profile
            self.other = following(POLICIES, known.policy)
        self.compute()

    @property
    def questions(self) -> list[Question]:
        """What is asked now: one question, or two that differ in their policy."""
        policies = [self.policy, self.other] if self.compares else [self.policy]
        text = self.prompt.text
        return [
            Question(text, self.host, self.context_left, policy, self.profile)
            for policy in policies
        ]

    @on(TextArea.Changed, "#recall-prompt")
    def _typed(self, event: TextArea.Changed) -> None:
        event.stop()
        self.compute(TYPING_SECONDS)

    @work(exclusive=True, group="recall")
    async def compute(self, wait: float = 0.0) -> None:
        """Work out what would be told; an older question is given up."""
        self.is_old = False
        await asyncio.sleep(wait)
        if self.among_receipts:
            self.is_old = True
            return
        questions = self.questions
        if not questions[0].prompt.strip():
            self.preview = None
            self.say_nothing(nothing_asked(self.defaults.has_past))
            self.say_line()
            return
        busy = self.set_timer(BUSY_SECONDS, self._say_busy)
        try:
            found = await self.app.slow.run(lambda core: preview(core, questions))
        except StoreUnusable as error:
            self.say_nothing(cannot_be_read(str(error), error.hint))
            raise
        finally:
            busy.stop()
        if self.among_receipts:  # one went to them meanwhile: the panes are theirs
            self.is_old = True
            return
        self.preview = found
        if found.items or any(told.text for told in found.tolds):
            self.show_answers(found.tolds, found.items, found.more_left_out)
        else:
            self.say_nothing(nothing_answers(found.meant, found.tolds[0].instead))
        self.say_line()

    # -- what is narrowed

    @work(exclusive=True, group="recall-filter")
    async def narrow(self, wait: float = 0.0) -> None:
        """List what fits the filter only."""
        await asyncio.sleep(wait)
        await self.apply_filter(self.box.text)

    async def apply_filter(self, text: str) -> None:
        """Look up which memories fit."""
        if not text.strip():
            self.narrow_items(None)
            return
        fitting = set(await self.app.search.run(lambda core: core.fitting(text)))
        if text == self.box.text and not self.among_receipts:  # else it was for another list
            self.narrow_items(fitting)

    # -- the line beneath the prompt

    def _say_busy(self) -> None:
        self._say(Content.styled("working …", "$text-muted"))

    def say_line(self) -> None:
        """The choices, and what came of them in numbers."""
        found = self.preview
        if found is None:
            self._say()
            return
        told = found.tolds[0]
        fill = fill_of(told.tokens, told.budget, self.app.glyphs)
        count = sum(one.sides[0].state == TOLD for one in found.items)
        mark = (f"{fill.glyph} ", fill.ink)
        tokens = f"{told.tokens:,} of {told.budget:,}"
        if self.compares:
            tokens = " | ".join(f"{one.tokens:,} of {one.budget:,}" for one in found.tolds)
            brief = " | ".join(f"{one.tokens:,}" for one in found.tolds)
            self._say(
                Content.assemble(mark, f"{tokens} tokens"),
                Content.assemble(mark, f"{brief} tokens"),
            )
            return
        self._say(
            Content.assemble(mark, f"{count} told · {tokens} tokens"),
            Content.assemble(mark, f"{count} told · {tokens}"),
            Content.assemble(mark, tokens),
        )

    def _say(self, *outcome: Content) -> None:
        context = self.context_left
        tokens = self.defaults.context if context is None else context
        left = f"{tokens:,} assumed" if context is None else f"{tokens:,}"
        brief = f"{tokens // 1000:,}k" if tokens >= 1000 else str(tokens)
        choices = [
            ("h", "host", self.host, self.host),
            ("c", "context", left, brief),
            ("b", "budget", self.policy, self.policy),
            *([("B", "beside", self.other, self.other)] if self.compares else []),
            ("r", "ranking", self.profile, self.profile),
        ]
        self.line.say(choices, *outcome)

    def budget_of(self, width: int, told: Told) -> list[Content]:
        """The budget, and how long recall takes lately."""
        found = None if self.among_receipts else self.preview
        return self.writer(width).budget(told, found.health if found is not None else None)

    # -- choosing

    def action_host(self) -> None:
        """The next host."""
        self.host = following(HOSTS, self.host)
        self._chosen()

    def action_policy(self) -> None:
        """The next budget policy; beside each other the two stay different."""
        self.policy = following(POLICIES, self.policy, self.other if self.compares else None)
        self._chosen()

    def action_other(self) -> None:
        """The next policy at the right."""
        self.other = following(POLICIES, self.other, self.policy)
        self._chosen()

    def action_profile(self) -> None:
        """The next ranking profile."""
        self.profile = following(PROFILES, self.profile)
        self._chosen()

    def action_compare(self) -> None:
        """Two policies beside each other, or one."""
        self.compares = not self.compares
        if self.other == self.policy:
            self.other = following(POLICIES, self.policy)
        self._chosen()

    def _chosen(self) -> None:
        self._has_chosen = True
        self._say()
        self.compute()
        self.refresh_bindings()

    @asks
    async def action_context(self) -> None:
        """How much of the model's context is left."""
        menu = Menu("Context left", context_choices(self.context_left, self.defaults.context))
        chosen = await self.app.ask(menu)
        if chosen is None:
            return
        if chosen == "?":
            about = "In tokens: 64000, 64,000 or 64k. The budget is a share of it."
            chosen = await self.app.ask(Ask("Context left", about))
            if chosen is None:
                return
            if (tokens := read_tokens(chosen)) is None:
                self.app.notify(
                    "Write it like 64000 or 64k.",
                    title="That is no number of tokens.",
                    severity="warning",
                    markup=False,
                )
                return
            self.context_left = tokens
        else:
            self.context_left = int(chosen) if chosen else None
        self._chosen()

    @asks
    async def action_past(self) -> None:
        """Take a prompt that an agent was asked."""
        found = await self.app.slow.run(past_prompts)
        choices = [
            Choice(str(place), shortened(one_line(prompt)), host)
            for place, (host, prompt) in enumerate(found)
        ]
        about = counted(len(found), "prompt") + " of this project, the newest first"
        chosen = await self.app.ask(Menu("Past prompts", choices, about))
        if chosen is not None:
            host, prompt = found[int(chosen)]
            self.try_out(prompt, host)

    def action_try_meant(self) -> None:
        """Ask what was probably meant, where the prompt as it stands has no answer."""
        if self.preview is not None and self.preview.meant:
            self.try_out(self.preview.meant)

    def try_out(self, prompt: str, host: str | None = None) -> None:
        """Put this prompt there, as this host would ask it."""
        if host in HOSTS:
            self.host = host
        self.remove_class("-receipts")
        self.forget_filter()
        with self.prompt.prevent(TextArea.Changed):
            self.prompt.take(prompt)
        self._chosen()
        self.screen.set_focus(self.items)

    # -- to and from the prompt

    def action_ask(self) -> None:
        """Into the prompt; where it has no place of its own it takes one."""
        self.add_class("-asking")
        self.screen.set_focus(self.prompt)

    @on(PromptArea.Left)
    def _prompt_left(self, event: PromptArea.Left) -> None:
        event.stop()
        self.remove_class("-asking")
        self.screen.set_focus(self.nothing if self.has_class("-empty") else self.items)


def following(choices: tuple[str, ...], now: str, without: str | None = None) -> str:
    """The choice after `now`, round and round, never `without`."""
    rest = [one for one in choices if one != without or one == now]
    return rest[(rest.index(now) + 1) % len(rest)]
