"""The registry of acts: footer, help, palette, `:` line and keys all read it from here.

An act is a key with a name and a sentence of help. A change is an act that writes: one core
call in the write lane, one journal entry, one undo.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from textual.binding import Binding, BindingType
from textual.keys import format_key

from ..core.answers import Entry
from ..core.documents.entry import act_words
from ..core.errors import ManagerError, NotFound
from ..core.services.bulk import Effect, Target, Written, special
from ..core.values import Memory
from .text import counted, cut, escaped, quoted

if TYPE_CHECKING:
    from ..core.compat import MemoryCoordinator
    from .changes import Progress


NO_KEY = "none-"
"""What the name of a key begins with that only a keymap replaces."""


@dataclass(frozen=True, slots=True)
class Act:
    """Something a person can do, and the key that does it."""

    id: str  # never changes: the user's keymap names it
    key: str  # "": only the palette and the `:` line have it
    label: str  # at most two words, for the footer
    action: str
    help: str  # a sentence
    show: bool = True
    key_display: str | None = None
    priority: bool = False
    of_row: bool = True  # of the row under the cursor, or of those that are marked

    @property
    def group(self) -> str:
        """The namespace of the id: `memory`, `list`, `app`."""
        return self.id.partition(".")[0]

    def key_in(self, keymap: Mapping[str, str]) -> str:
        """The first of its keys, as a person reads it; `keymap` has their own, by ids of acts."""
        if own := keymap.get(self.id):
            return format_key(own.partition(",")[0].strip())
        return self.key_display or format_key(self.key.partition(",")[0])

    def bindings(self) -> list[Binding]:
        """Return Textual's bindings, one for each key: only the first has `key_display`.

        An act without a key gets one that no terminal sends, so that a keymap can give it one.
        """
        return [
            Binding(
                key,
                self.action,
                self.label,
                show=self.show and bool(self.key),
                key_display=None if position else self.key_display,
                priority=self.priority,
                tooltip=self.help,
                id=self.id,
            )
            for position, key in enumerate((self.key or f"{NO_KEY}{self.id}").split(","))
        ]


def of_no_row(*acts: Act) -> tuple[Act, ...]:
    """These acts, none of which is about a row of the list."""
    return tuple(replace(act, of_row=False) for act in acts)


FILTER_ACT = Act(
    "list.filter", "slash", "Filter", "filter", "Narrows the list by words.", key_display="/",
    of_row=False,
)  # fmt: skip
"""What `/` does in every view; two of them know it under an older id."""

ZOOM_ACT = Act(
    "app.zoom",
    "z",
    "Zoom",
    "zoom",
    "Gives the pane all the room; again to give it back.",
    show=False,
    of_row=False,
)

COPY_ACT = Act("memory.copy", "y", "Copy", "copy",
    "Copies what is lit or marked, or exports what is listed to a file.", show=False,
    of_row=False)  # fmt: skip
TRANSCRIPT_ACT = Act("memory.transcript", "o", "Transcript", "transcript",
    "Opens the transcript in your editor, at the line it comes from.", show=False)  # fmt: skip
"""What several screens have."""

UNDO = Act(
    "app.undo", "u", "Undo", "app.undo", "Undoes the newest act. Asks if it was done elsewhere.",
    of_row=False,
)  # fmt: skip
"""Screens list it after their own verdicts, so that the footer shows it there."""

REDO = Act("app.redo", "ctrl+r", "Redo", "redo", "Does again what was just undone.", show=False)

APP_ACTS = of_no_row(
    UNDO,
    REDO,
    Act("app.help", "question_mark,f1", "Help", "help", "Every key that works here.",
        key_display="?"),
    Act("app.palette", "colon,ctrl+p", "Palette", "command_palette",
        "Find acts, screens, memories and settings by some of their letters.",
        show=False, key_display=":"),
    Act("app.quit", "q", "Quit", "leave", "Leaves memdeck.", show=False),
    Act("app.quit_now", "ctrl+q", "Quit", "leave", "Leaves memdeck, from anywhere.",
        show=False, priority=True),
    Act("app.messages", "f2", "Messages", "app.messages",
        "The notices of this run, with the details of errors.", show=False),
)  # fmt: skip
"""What works on every view."""

VIEW_ACTS = of_no_row(
    Act("pane.left", "h", "Left", "pane(-1)", "The pane to the left.", show=False),
    Act("pane.right", "l", "Right", "pane(1)", "The pane to the right.", show=False),
    Act("list.next_match", "n", "Next match", "match(1)", "The next one that `/` found.",
        show=False),
    Act("list.previous_match", "N", "Match before", "match(-1)",
        "The one before that `/` found.", show=False),
)  # fmt: skip
"""What every view can do, each in its own way."""

SWITCH_ACTS = of_no_row(
    Act("switch.auto", "", "Record sessions", "app.setup('auto_memory')",
        "Captures memories from sessions: one session, this project, everywhere."),
    Act("switch.incognito", "", "Incognito", "app.setup('incognito')",
        "Captures nothing for a while: one session, this project, everywhere."),
)  # fmt: skip
MODEL_ACTS = of_no_row(
    Act("setup.extractor", "", "Model", "app.setup('extractor')",
        "Chooses the model of yours that reads each session once, or none."),
)  # fmt: skip
SETUP_ACTS = (*SWITCH_ACTS, *MODEL_ACTS)
"""What works on every view, by its name."""

MEMORY_ACTS = (
    Act("memory.open", "enter", "Open", "open", "Opens the memory for reading."),
    Act("list.mark", "space", "Mark", "mark('row')", "Marks the row and goes to the next."),
    Act("memory.pin", "p", "Pin", "change('pin')",
        "Injected at starts, as many as fit; again to unpin."),
    Act("memory.edit", "e", "Edit", "ask('edit')", "Edits the memory in a form."),
    Act("memory.forget", "x", "Forget", "change('forget')",
        "Never injected again. Can be undone."),
    UNDO,
    Act("memory.restore", "r", "Restore", "change('restore')", "Restores a retired memory."),
    Act("query.focus", "slash", "Search", "filter", "Puts the cursor into the query.",
        key_display="/", of_row=False),
    Act("memory.new", "c", "New", "ask('new')", "Writes a new memory.", of_row=False),
    Act("memory.why", "w", "Why", "detail",
        "Why it matches, all numbers, and the history of the memory."),
    COPY_ACT,
    TRANSCRIPT_ACT,
    Act("memory.tags", "t", "Tags", "ask('tags')", "Adds and removes tags.", show=False),
    Act("memory.done", "d", "Done", "change('done')",
        "Ends a finished task: it is not injected again.", show=False),
    Act("memory.injections", "i", "Injected", "injections",
        "Where and why it was injected.", show=False),
    Act("memory.editor", "E", "Editor", "ask('editor')", "Edits the memory in $EDITOR.",
        show=False),
    Act("list.order", "O", "Order", "ask('order')", "Chooses the order.",
        show=False, of_row=False),
    Act("list.facets", "f", "Narrow", "ask('facets')",
        "Narrows the result by status, type, tag and others.", show=False, of_row=False),
    Act("list.range", "v", "Range", "mark('range')", "Marks from here to where you go.",
        show=False),
    Act("list.mark_all", "A", "Mark all", "mark('all')",
        "Marks every row of the result for one act on all.", show=False, of_row=False),
    Act("memory.still_true", "", "Still true", "change('still_true')",
        "Confirms a memory that is to be verified."),
    Act("memory.links", "", "Links", "ask('links')", "Goes to something it is linked to."),
    Act("memory.session", "", "Session", "session", "Opens the session it was learned in."),
    Act("memory.file", "", "Open file", "ask('file')",
        "Opens the file that it names in your editor, at its line."),
    Act("memory.project", "", "Its project", "ask('project')",
        "Opens the project that it belongs to."),
    Act("list.saved_queries", "", "Saved queries", "ask('saved_queries')",
        "Opens a saved query: `is:me` lists your own preferences.", of_row=False),
    Act("list.save_query", "", "Save query", "ask('save_query')",
        "Saves the query under a name.", of_row=False),
    Act("list.remove_query", "", "Remove query", "ask('remove_query')",
        "Removes a saved query.", of_row=False),
    ZOOM_ACT,
)  # fmt: skip
"""What works in Memories."""


def bindings(acts: Iterable[Act], steps_out: str = "") -> list[BindingType]:
    """Textual's bindings for these acts; in a view escape steps out, under an id of its own."""
    made: list[BindingType] = [binding for act in acts for binding in act.bindings()]
    if steps_out:
        made.append(Binding("escape", "step_out", "Back", show=False, id=steps_out))
    return made


@dataclass(frozen=True, slots=True)
class Change:
    """An act that writes."""

    name: str
    verb: str  # how the preview begins
    past: str  # how the notice begins
    none: str  # the notice when it applies to none of the rows
    applies: Callable[[Target], bool]
    write: Callable[[MemoryCoordinator, list[str]], list[Memory]]


def _is_live(target: Target) -> bool:
    return target.is_live


CHANGES = {
    change.name: change
    for change in (
        Change(
            "pin", "Pin", "Pinned", "Pinned already",
            lambda item: item.is_live and item.status != "pinned",
            lambda core, ids: core.pin(ids),
        ),
        Change(
            "unpin", "Unpin", "Unpinned", "Not pinned",
            lambda item: item.is_live and item.status == "pinned",
            lambda core, ids: core.unpin(ids),
        ),
        Change(
            "forget", "Forget", "Forgot", "Forgotten already", _is_live,
            lambda core, ids: core.forget(ids),
        ),
        Change(
            "done", "End", "Done with", "Not a task that is open",
            lambda item: item.is_live and item.type == "prospective",
            lambda core, ids: core.done(ids),
        ),
        Change(
            "still_true", "Keep as true", "Still true:", "Retired", _is_live,
            lambda core, ids: core.services.staleness.confirm(ids),
        ),
        Change(
            "restore", "Restore", "Restored", "Not retired: nothing to restore",
            lambda item: not item.is_live,
            lambda core, ids: core.restore(ids),
        ),
    )
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Done:
    """What a change did: for the notice."""

    ids: tuple[str, ...]
    sentence: str  # plain text and markup-safe
    error: ManagerError | None = None  # what ended it before its time


def done_with(written: Written, past: str, none: str) -> Done:
    """What came of an act on memories, in words: `past` begins the notice, `none` is all of it."""
    if not written.targets:
        return Done((), none)
    stopped = f"Stopped with {written.left:,} left. " if written.left else ""
    sentence = f"{stopped}{past} {described(written.targets)}."
    return Done(written.ids, sentence, written.error)


def change_of(core: MemoryCoordinator, name: str, nums: Sequence[int]) -> Change:
    """The change of that name; `pin` takes the pin away where every memory has one."""
    if name == "pin" and all(
        target.status == "pinned" for target in core.services.bulk.targets(nums)
    ):
        name = "unpin"
    return CHANGES[name]


def preview(core: MemoryCoordinator, name: str, nums: Sequence[int]) -> tuple[Change, Effect]:
    """The change of that name, and what it would do to these memories. Runs in a lane."""
    change = change_of(core, name, nums)
    return change, core.services.bulk.preview(nums, change.applies)


def carry_out(core: MemoryCoordinator, name: str, nums: Sequence[int], progress: Progress) -> Done:
    """Apply the change `name` to the memories it applies to, as one act. Runs in the write lane.

    Raises ManagerError.
    """
    change = change_of(core, name, nums)

    def write(ids: list[str]) -> Sequence[str]:
        change.write(core, ids)
        return ()

    written = core.services.bulk.carry_out(nums, change.applies, write, progress)
    done = done_with(written, change.past, f"{change.none}.")
    if change.name != "pin" or not done.ids:
        return done
    pins = core.services.recall.pins()
    return replace(
        done,
        sentence=f"{done.sentence} {len(pins.injected)} of {pins.count} pins fit into a start.",
    )


def described(targets: Sequence[Target]) -> str:
    """The one memory by its title, or how many there are and what is special about them."""
    if len(targets) == 1:
        return quoted(targets[0].title, 22)
    what = special(targets)
    return counted(len(targets), "memory", "memories") + (f": {what}" if what else "")


def foretold(verb: str, effect: Effect) -> str:
    """What an act would do, in a line: `Forget 12: 2 pinned, 1 in a conflict`."""
    what = f": {effect.special}" if effect.special else ""
    alone = f" · leaves {effect.left_alone:,} as they are" if effect.left_alone else ""
    return f"{verb} {effect.count:,}{what}{alone}"


def with_undone(core: MemoryCoordinator, entry: Entry) -> tuple[Entry, Entry | None]:
    """An undo together with the act it took back."""
    try:
        taken = core.act(entry.undoes) if entry.undoes is not None else None
        if taken is None or taken.group is not None or len(taken.memories) < 2:
            return entry, taken
        # the trail also lists it under what it linked or compared: that was not changed
        changed = {
            difference.key
            for difference in core.differences(taken.seq)
            if difference.table == "memory"
        }
        retained = tuple(difference for difference in taken.memories if difference in changed)
        return entry, replace(taken, memories=retained or taken.memories[:1])
    except NotFound:  # older than the trail
        return entry, None


def plain_entry_words(entry: Entry) -> str:
    """Return an entry as plain text: `forget “Queue timeout”`."""
    if len(entry.memories) > 1:
        return f"{act_words(entry)} of {counted(len(entry.memories), 'memory', 'memories')}"
    return f"{act_words(entry)} “{cut(entry.title, 40)}”" if entry.title else act_words(entry)


def entry_words(entry: Entry) -> str:
    """Return an entry for a sentence of markup: `forget “Queue timeout”`, `edit of 12 memories`."""
    return escaped(plain_entry_words(entry))
