"""The form for a memory: each field is checked, nothing typed is lost."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.suggester import SuggestFromList
from textual.widgets import Input, Static, TextArea

from ..core.ingest.drafts import MOMENTS, NUMBERS, WORDS
from ..core.text.times import moment
from ..core.values import (
    CATEGORIES,
    PRIVACIES,
    SCOPES,
    TYPES,
    Memory,
    importance_10,
    importance_from_10,
)
from ..db.errors import ManagerError, StaleEdit
from .dialogs import Confirm, Dialog
from .lanes import may_ask
from .text import one_line, plain

if TYPE_CHECKING:
    from ..core.compat import MemoryCoordinator
    from .app import MemoryApp

Save = Callable[[dict[str, Any], int | None], Awaitable[object]]
"""(changed fields, the revision that they change) -> the result."""

Reread = Callable[[], Awaitable[Memory]]


class EditMemory(Dialog[object | None]):
    """Edits a memory, or writes a new one; returns the result of `save`, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "save", "Save", priority=True),
        Binding("tab", "app.focus_next", "Next field"),
        Binding("escape", "leave", "Cancel"),
    ]

    def __init__(
        self,
        memory: Memory | None,
        save: Save,
        reread: Reread | None = None,
        about: str = "",
        *,
        saves_unchanged: bool = False,
    ) -> None:
        super().__init__()
        self._memory = memory
        self._save_it, self._reread = save, reread
        self._about = about
        self._saves_unchanged = saves_unchanged  # save unchanged fields too
        self._before: Mapping[str, str] = (
            fields_of(memory) if memory is not None else dict.fromkeys(FIELDS, "")
        )
        self._fields = tuple(self._before)
        self._words = WORDS.get(memory.type, {}) if memory is not None else {}
        self._revision = memory.revision if memory is not None else None

    def compose(self) -> ComposeResult:
        title = "Edit memory" if self._memory is not None else "New memory"
        with Vertical(id="edit", classes="dialog"):
            yield Static(title, classes="dialog-title", markup=False)
            yield Static("", id="edit-notice", markup=False)
            with VerticalScroll(id="edit-fields", can_focus=False):
                yield from self._content_field()
                for name in self._fields:
                    if name != "content":
                        yield from self._line_field(name)

    def _content_field(self) -> ComposeResult:
        area = TextArea(
            self._before["content"],
            id="edit-content",
            soft_wrap=True,
            show_line_numbers=False,
            tab_behavior="focus",
            compact=True,
            placeholder=HINTS["content"],
        )
        area.cursor_blink = False
        yield area
        yield Static("", id="problem-content", classes="edit-problem", markup=False)

    def _line_field(self, name: str) -> ComposeResult:
        with Horizontal(classes="edit-row"):
            label = name.removeprefix(OWN).replace("_", " ")
            if self._memory is not None and name != label and label in FIELDS:
                label = f"{self._memory.type} {label}"
            yield Static(label, classes="edit-label", markup=False)
            value = self._before[name]
            choices = CHOICES.get(name) or self._words.get(name.removeprefix(OWN), ())
            words = SuggestFromList(choices) if choices else None
            hint = "by rule" if words else HINTS.get(name, "")
            box = Input(value, hint, suggester=words, id=f"edit-{name}", compact=True)
            box.cursor_blink, box.select_on_focus = False, False
            yield box
        yield Static("", id=f"problem-{name}", classes="edit-problem", markup=False)

    def on_mount(self) -> None:
        for content in self.query(TextArea):  # none where the app is left at this moment
            content.move_cursor(content.document.end)
            content.focus()
        if self._about and self.query("#edit-notice"):
            self._say(self._about, "$text-warning")

    # -- the fields of the form

    def texts(self) -> dict[str, str]:
        """Return every field as it is written now."""
        boxes = {
            name: self.query_one(f"#edit-{name}") for name in self._fields if name != "content"
        }
        written = {name: box.value for name, box in boxes.items() if isinstance(box, Input)}
        return {**written, "content": self.query_one("#edit-content", TextArea).text}

    @property
    def is_changed(self) -> bool:
        """Return True if there are unsaved changes."""
        return bool(changed(self._before, self.texts()))

    def _say(self, text: str, style: str = "$text-error") -> None:
        self.query_one("#edit-notice", Static).update(plain(text, style))
        self.query_one("#edit-notice").set_class(bool(text), "-shown")

    def _mark(self, problems: Mapping[str, str]) -> None:
        """Show each problem under its field, and go to the first."""
        for name in self._fields:
            line = self.query_one(f"#problem-{name}", Static)
            problem = problems.get(name, "")
            line.update(plain(problem, "$text-error"))
            line.set_class(name in problems, "-shown")
        for name in ("content", *self._fields):
            if name in problems:
                self.query_one(f"#edit-{name}").focus()
                line = self.query_one(f"#problem-{name}", Static)
                self.call_after_refresh(line.scroll_visible, animate=False)
                break

    # -- saving and leaving

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_save()

    @may_ask
    async def action_save(self) -> bool:
        texts = self.texts()
        names = changed(self._before, texts)
        if self._memory is not None and not names and not self._saves_unchanged:
            self.dismiss(None)
            return True
        wanted = {name: texts[name] for name in names} if self._memory is not None else texts
        plain_ones = {name: text for name, text in wanted.items() if not name.startswith(OWN)}
        values, problems = read_fields(plain_ones)
        if own := {name.removeprefix(OWN): wanted[name] for name in wanted.keys() - plain_ones}:
            assert self._memory is not None
            details = self._memory.details
            values["details"] = {name: read_own(name, details.get(name), own[name]) for name in own}
        self._mark(problems)
        if problems:
            return False
        self._say("")
        try:
            outcome = await self._save_it(values, self._revision)
        except StaleEdit:  # a second save writes only the fields changed here
            if self._reread is not None:
                self._revision = (await self._reread()).revision
            self._say("Changed elsewhere meanwhile. ctrl+s again keeps yours.", "$text-warning")
        except ManagerError as error:
            field = OWN + str(error).partition(" ")[0].removeprefix("details.")
            problem = f"{error} {error.hint}".strip()
            self._mark({field: problem} if field in self._fields else {})
            self._say("" if field in self._fields else problem)
        else:
            self.dismiss(outcome)
            return True
        return False

    def guard_leaving(self) -> bool:
        """Ask before unsaved changes are dropped; return True if it asked."""
        if not self.is_changed:
            return False
        names = ", ".join(changed(self._before, self.texts())).replace("content", "text")
        names = names.replace(OWN, "")
        question = Confirm(
            "Leave without saving?",
            f"Written and not saved: {names}.",
            "Discard changes",
            no_label="Keep editing",
        )
        self.app.push_screen(question, lambda is_sure: is_sure and self.dismiss(None))
        return True

    def action_leave(self) -> None:
        if not self.guard_leaving():
            self.dismiss(None)


async def edited(
    desk: MemoryApp,
    memory: Memory,
    about: str = "",
    *,
    write: Callable[[MemoryCoordinator, dict[str, Any], int | None], Memory] | None = None,
    saves_unchanged: bool = False,
) -> Memory | None:
    """Return the memory as saved in its form, by `write` or `core.edit`; None if it was not
    saved."""

    def edit(core: MemoryCoordinator, fields: dict[str, Any], revision: int | None) -> Memory:
        return core.edit(memory.id, expected_revision=revision, **fields)

    async def save(fields: dict[str, Any], revision: int | None) -> object:
        return await desk.write_agreed(lambda core: (write or edit)(core, fields, revision))

    async def reread() -> Memory:
        return await desk.pages.run(lambda core: core.show(memory.id))

    form = EditMemory(memory, save, reread, about, saves_unchanged=saves_unchanged)
    saved = await desk.ask(form)
    return saved if isinstance(saved, Memory) else None


FIELDS = ("title", "type", "category", "scope", "importance", "tags", "files", "due", "expires",
          "privacy", "content")  # fmt: skip
"""In the order in which form and file show them."""

CHOICES: Mapping[str, tuple[str, ...]] = {
    "type": TYPES,
    "category": CATEGORIES,
    "scope": SCOPES,
    "privacy": PRIVACIES,
}

HINTS: Mapping[str, str] = {
    "title": "made from the text when empty",
    "importance": "1 to 10",
    "tags": "separated by commas",
    "files": "separated by commas",
    "due": "2026-11-30, or 2026-11-30 14:00",
    "expires": "2026-12-31, or empty for never",
    "content": "the text to remember",
}


OWN = "own-"  # before the name of a field that only the memory's type has
_KEPT = ("status", "source_sessions", "evidence_count", "usage_count", "success_rate", "scope",
         "privacy_until")  # fmt: skip


def own_of(memory: Memory) -> list[str]:
    """Return the fields of a memory's type that the user sets: no moments, no counters.

    A task ends by `done`.
    """
    details = memory.details.items()
    hidden = (*_KEPT, *MOMENTS)
    return [
        name for name, value in details if name not in hidden and not isinstance(value, Mapping)
    ]


def read_own(name: str, before: object, text: str) -> Any:
    """Return the value of a field as the core takes it, which checks it; items end with `;`."""
    if isinstance(before, list | tuple):
        return [part.strip() for part in text.split(";") if part.strip()]
    is_number = name in NUMBERS or isinstance(before, int | float)
    is_number = is_number and text.strip().removeprefix("-").isdecimal()
    return int(text) if is_number else text.strip() or None


def fields_of(memory: Memory) -> dict[str, str]:
    values = ((name, memory.details[name]) for name in own_of(memory))
    own = {
        OWN + name: "; ".join(map(str, value))
        if isinstance(value, list | tuple)
        else str("" if value is None else value)
        for name, value in values
    }
    return {
        "title": one_line(memory.title),
        "type": memory.type,
        "category": memory.category,
        "scope": memory.scope,
        "importance": str(importance_10(memory.importance)),
        "tags": ", ".join(memory.tags),
        "files": ", ".join(memory.files),
        "due": _local(memory.due),
        "expires": _local(memory.expires),
        "privacy": memory.privacy,
        "content": memory.content,
        **own,
    }


def _local(at: datetime | None) -> str:
    return "" if at is None else at.astimezone().strftime("%Y-%m-%dT%H:%M")


def read_field(name: str, text: str) -> Any:
    """Return the value of a field for the core. Raises ValueError with the allowed values."""
    if name in CHOICES and text not in CHOICES[name]:
        raise ValueError(f"{name} is one of {', '.join(CHOICES[name])}, not {text!r}.")
    if name == "importance":
        if not text.isdecimal() or not 1 <= int(text) <= 10:
            raise ValueError(f"{name}: A whole number from 1 to 10, not {text!r}.")
        return importance_from_10(int(text))
    if name in ("tags", "files"):
        return tuple(part.strip() for part in text.split(",") if part.strip())
    if name in ("due", "expires"):
        return moment(text, ahead=True) if text else None
    return text


def read_fields(texts: Mapping[str, str]) -> tuple[dict[str, Any], dict[str, str]]:
    """Return (values as the core takes them, problems by field). Empty choices are left out."""
    values: dict[str, Any] = {}
    problems: dict[str, str] = {}
    for name, text in texts.items():
        if name == "content":
            if text.strip():
                values[name] = text
            else:
                problems[name] = "There is nothing to remember."
        elif text.strip() or name not in (*CHOICES, "importance"):
            try:
                values[name] = read_field(name, text.strip())
            except ValueError as error:
                problems[name] = str(error)
    return values, problems


def changed(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    return [name for name in after if after[name] != before.get(name, "")]
