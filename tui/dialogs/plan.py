"""What is about to be written, to the last line, and the yes without which nothing is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Button, Static

from ...core.agents import NAMES, FileChange, SetupPlan
from ..text import button_label, counted, plain, showable, tilde
from .questions import Dialog

MOST_DIFF_LINES = 2_000
"""Lines of one file's difference that are laid out; a settings file has some dozens."""

WIDEST = 110  # cells of the dialog
SHARE = (0.96, 0.92)  # of the screen's width and height that a dialog may take
AROUND = 7  # cells of frame, air and scrollbar
TAKEN = ((24, 8), (16, 6), (0, 4))
"""From which height of the screen on, how many lines frame, air, title and buttons take."""


@dataclass(frozen=True, slots=True)
class Instructions:
    """One file, and the texts in it that are not stored yet, without secrets."""

    path: str
    entries: tuple[str, ...]
    scope: str  # "project" for a file of the project's, "global" for one of the user's

    @property
    def reach(self) -> str:
        """For which projects the memories are, in words."""
        return "for every project" if self.scope == "global" else "for this project"


@dataclass(frozen=True, slots=True)
class Section:
    """One thing that is about to happen, or cannot."""

    title: str
    lines: tuple[Content, ...]
    does_something: bool


def of_plan(plan: SetupPlan) -> Section:
    """What installing or uninstalling one agent would change."""
    verb = "Disconnect" if plan.is_removal else "Connect"
    lines = [Content.styled(f"✗ {showable(problem)}", "$text-error") for problem in plan.problems]
    can = plan.is_needed and not plan.problems
    if not plan.problems and not plan.is_needed:
        lines.append(Content.styled("Nothing would change.", "$text-muted"))
    for number, change in enumerate(
        problem for problem in plan.changes if can and problem.is_needed
    ):
        lines += [*([Content("")] if number else []), *_change(change)]
    if can and plan.notes:
        lines.append(Content(""))
        lines += [
            Content.assemble(("note  ", "$text-warning"), plain(problem)) for problem in plan.notes
        ]
    title = f"{verb} {NAMES[plan.host]} · {plan.scope}{_files_of(plan) if can else ''}"
    return Section(title, tuple(lines), can)


def _files_of(plan: SetupPlan) -> str:
    """` · 1 file changed, 6 new`."""
    needed = [change for change in plan.changes if change.is_needed]
    new = sum(change.before is None for change in needed)
    gone = sum(change.after is None for change in needed)
    counts = ((len(needed) - new - gone, "changed"), (new, "new"), (gone, "deleted"))
    first, *more = [(count, word) for count, word in counts if count]
    text = [f"{counted(first[0], 'file')} {first[1]}", *(f"{count} {word}" for count, word in more)]
    return f" · {', '.join(text)}"


def of_file(file: Instructions) -> Section:
    """Which memories an instruction file would become."""
    lines = [Content.assemble(("+ ", "$text-success"), plain(entry)) for entry in file.entries]
    words = counted(len(file.entries), "instruction")
    title = f"Remember {words} of {tilde(file.path)}, {file.reach}"
    return Section(title, tuple(lines), bool(file.entries))


def _change(change: FileChange) -> list[Content]:
    """One file: its path, what becomes of it, and the difference line by line."""
    what = "new file" if change.before is None else "deleted" if change.after is None else "changed"
    lines = [Content.assemble(plain(tilde(change.path), "bold"), (f"  {what}", "$text-muted"))]
    diff = change.diff.splitlines()
    lines += [_diff_line(line) for line in diff[:MOST_DIFF_LINES] if not _is_name(line)]
    if len(diff) > MOST_DIFF_LINES:
        lines.append(
            Content.styled(
                f"… and {counted(len(diff) - MOST_DIFF_LINES, 'line')} more", "$text-muted"
            )
        )
    return lines


def _is_name(line: str) -> bool:
    """Whether a line of the difference only names the file, which was said already."""
    return line.startswith(("--- ", "+++ "))


def _diff_line(line: str) -> Content:
    style = {"+": "$text-success", "-": "$text-error", "@": "$text-accent"}.get(
        line[:1], "$text-muted"
    )
    return plain(line, style)


class PlanDialog(Dialog[bool]):
    """Answers whether to do it; the answer is no unless the person says yes."""

    HELP = "Shows what would be written, line by line. Nothing is, unless you press `y`."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "yes", "Yes", id="plan.yes"),
        Binding("n,escape", "no", "No", id="plan.no"),
        Binding("j,down", "scroll(1)", "Down", id="plan.down", show=False),
        Binding("k,up", "scroll(-1)", "Up", id="plan.up", show=False),
        Binding("g,home", "end(-1)", "Top", id="plan.top", show=False),
        Binding("G,end", "end(1)", "Bottom", id="plan.bottom", show=False),
        Binding("ctrl+d,pagedown", "page(1)", "Page down", id="plan.page_down", show=False),
        Binding("ctrl+u,pageup", "page(-1)", "Page up", id="plan.page_up", show=False),
        Binding("enter", "hint", "What y does", id="plan.hint", show=False),
    ]

    def __init__(self, sections: Sequence[Section]) -> None:
        super().__init__()
        self._sections = sections
        self._title = sections[0].title if len(sections) == 1 else "Everything that would change"
        self._can_say_yes = any(section.does_something for section in sections)

    def compose(self) -> ComposeResult:
        with Vertical(id="plan", classes="dialog"):
            yield Static(plain(self._title), classes="dialog-title")
            with VerticalScroll(id="plan-scroll"):
                yield Static(self._text(), id="plan-text", markup=False)
            with Horizontal(classes="buttons"):
                no = "Change nothing" if self._can_say_yes else "Close"
                yield Button(button_label(no, "esc"), id="plan-no")
                yes = Button(button_label("Do it", "y"), id="plan-yes")
                yes.display = self._can_say_yes
                yield yes

    def _text(self) -> Content:
        lines: list[Content] = []
        for number, section in enumerate(self._sections):
            lines += [Content("")] if number else []
            if len(self._sections) > 1:
                lines.append(plain(section.title, "bold $text-accent"))
            lines += section.lines
        return Content("\n").join(lines)

    def on_mount(self) -> None:
        """Keys scroll."""
        self._scroll.focus()

    def on_resize(self) -> None:
        """As high as the text, and no higher than the screen lets it be."""
        cells = min(WIDEST, int(self.size.width * SHARE[0])) - AROUND
        rows = len(self._text().wrap(max(cells, 1)))
        taken = next(taken for least, taken in TAKEN if self.size.height >= least)
        room = int((self.size.height - 1) * SHARE[1]) - taken  # the last line has the keys
        self._scroll.styles.height = max(min(rows, room), 1)
        says = f"{rows:,} lines: j k to scroll, G to the end" if rows > room else ""
        self.query_one("#plan").border_subtitle = says

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Where nothing would happen there is nothing to say yes to."""
        return self._can_say_yes if action == "yes" else super().check_action(action, parameters)

    @property
    def _scroll(self) -> VerticalScroll:
        return self.query_one("#plan-scroll", VerticalScroll)

    def action_scroll(self, lines: int) -> None:
        self._scroll.scroll_relative(y=lines, animate=False)

    def action_page(self, direction: int) -> None:
        self._scroll.scroll_relative(y=direction * (self._scroll.size.height - 1), animate=False)

    def action_end(self, direction: int) -> None:
        if direction > 0:
            self._scroll.scroll_end(animate=False)
        else:
            self._scroll.scroll_home(animate=False)

    def action_hint(self) -> None:
        """Say what `y` does: reading to the end and `enter` is no yes."""
        if not self._can_say_yes:
            self.dismiss(False)
            return
        what = "; ".join(section.title for section in self._sections if section.does_something)
        self.notify(f"y does it: {what}. esc changes nothing.", markup=False)

    @on(Button.Pressed, "#plan-yes")
    def action_yes(self) -> None:
        """Do it."""
        self.dismiss(True)

    @on(Button.Pressed, "#plan-no")
    def action_no(self) -> None:
        """Leave everything as it is."""
        self.dismiss(False)
