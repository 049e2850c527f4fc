"""Our entries in Claude Code's settings: put in, found again, taken out, nothing else touched.

Each event gets one group of our own at the end of its list; it is recognised by its command,
never by its place. Uninstalling gives the very bytes back when nobody else changed the file.
"""

from __future__ import annotations

import difflib
import os
import re
import shlex
import shutil
import sys
from dataclasses import dataclass, replace
from typing import Any

from ..db.errors import Refused
from ..db.home import Home
from . import claude, json_edit, settings_file

SCOPES = ("user", "project", "local")

_FRESH = "{}\n"
_TIMEOUT_S = 10  # also lifts SessionEnd over its default of 1.5 s
_OURS = re.compile(
    r"(?:^|[\s/\\'\"])memdeck(?:-hook(?:\.exe)?|\s+hook)['\"]?\s+(?:--cli[= ])?claude\b"
)

Entry = tuple[str, dict[str, Any]]  # event, group


@dataclass(frozen=True, slots=True)
class Plan:
    """What a change of the settings would do. `before` or `after` is None where no file is."""

    scope: str
    path: str
    before: bytes | None
    after: bytes | None
    diff: str  # unified, for the person who decides
    problems: tuple[str, ...] = ()  # reasons why it cannot be done
    notes: tuple[str, ...] = ()  # what the person should know or do
    drops_backup: bool = False  # the backup has been put back, so it is no longer needed

    @property
    def is_needed(self) -> bool:
        """Whether the file would change."""
        return self.before != self.after


def settings_path(scope: str, project_dir: str | None = None) -> str:
    """The settings file of `scope`: user, project (shared) or local (project, personal)."""
    if scope == "user":
        folder = os.environ.get("CLAUDE_CONFIG_DIR") or os.path.expanduser("~/.claude")
        return os.path.join(os.path.abspath(folder), "settings.json")
    if scope not in SCOPES:
        raise Refused(f"There is no scope {scope!r}.", hint="Use user, project or local.")
    folder = os.path.join(os.path.abspath(project_dir or os.getcwd()), ".claude")
    return os.path.join(folder, "settings.json" if scope == "project" else "settings.local.json")


def plan(scope: str, project_dir: str | None, home: Home, *, executable: str | None = None) -> Plan:
    """What installing would change; writes nothing.

    `executable` is the hook's absolute path; by default the one beside this interpreter.
    """
    path = settings_path(scope, project_dir)
    found = settings_file.read(path)
    program = executable or find_executable()
    problems = list(found.problems) + ([] if program else ["memdeck-hook was not found."])
    if problems:
        return Plan(scope, path, found.data, found.data, "", tuple(problems))
    wanted = entries(program or "", home)
    notes = _notes(scope, found)
    if _by_event(entries_in(found.text)) == _by_event(wanted):
        return Plan(scope, path, found.data, found.data, "", notes=notes)
    text = with_entries(_original(found) or _FRESH, wanted)
    return _planned(scope, path, found.data, text.encode(), notes)


def plan_uninstall(scope: str, project_dir: str | None = None) -> Plan:
    """What uninstalling would change; writes nothing."""
    path = settings_path(scope, project_dir)
    found = settings_file.read(path)
    if found.problems or found.data is None or not _has_ours(found.text):
        return Plan(scope, path, found.data, found.data, "", found.problems)
    original = _original(found)
    after = None if original is None else original.encode()
    if original is None or original == found.backup_text:
        return replace(_planned(scope, path, found.data, after, ()), drops_backup=True)
    notes = (
        ()
        if found.backup_text is None
        else (f"{path}{settings_file.BACKUP_SUFFIX} keeps the file as it first was.",)
    )
    return _planned(scope, path, found.data, after, notes)


def apply(planned: Plan, home: Home) -> None:
    """Carry out `planned`. Raises Refused when it has problems or the file changed since."""
    if planned.problems:
        raise Refused(" ".join(planned.problems), hint="Nothing was changed.")
    if not planned.is_needed:
        return
    home.prepare()
    with settings_file.installing(home):
        if settings_file.read(planned.path).data != planned.before:
            raise Refused(f"{planned.path} was changed meanwhile.", hint="Run it again.")
        backup = planned.path + settings_file.BACKUP_SUFFIX
        if planned.before is not None and not _has_ours(planned.before.decode()):
            settings_file.write(backup, planned.before, new_mode=0o600)
        if planned.after is None:
            settings_file.delete(planned.path, with_folder=planned.scope != "user")
        else:
            mode = 0o600 if planned.scope == "user" else 0o644
            settings_file.write(planned.path, planned.after, new_mode=mode)
        if planned.drops_backup and os.path.exists(backup):
            os.unlink(backup)


def entries(executable: str, home: Home) -> list[Entry]:
    """The groups that we register, by event, in the order of `claude.EVENTS`."""
    found: list[Entry] = []
    for event in claude.EVENTS:
        group: dict[str, Any] = {}
        if event == "PostToolUse":
            group["matcher"] = "|".join(claude.TODO_TOOLS)
        handler = {"type": "command", "command": command(executable, event, home)}
        group["hooks"] = [{**handler, "timeout": _TIMEOUT_S}]
        found.append((event, group))
    return found


def command(executable: str, event: str, home: Home) -> str:
    """The shell command for `event`. It cannot exit 2, which would block the agent."""
    place = ""
    if os.environ.get("MEMDECK_HOME") or home.path != Home().path:
        place = f"MEMDECK_HOME={shlex.quote(home.path)} "
    return f"{place}{shlex.quote(executable)} claude {event} || exit 0"


def find_executable() -> str | None:
    """The absolute path of `memdeck-hook`: beside this interpreter, else on the PATH."""
    name = "memdeck-hook.exe" if sys.platform == "win32" else "memdeck-hook"
    beside = os.path.join(os.path.dirname(os.path.abspath(sys.executable)), name)
    if os.access(beside, os.X_OK):
        return beside
    found = shutil.which("memdeck-hook")
    return os.path.abspath(found) if found else None


def is_ours(handler: object) -> bool:
    """Whether `handler` runs our hook, in this spelling or an older one."""
    line = handler.get("command") if isinstance(handler, dict) else None
    return isinstance(line, str) and _OURS.search(line) is not None


def entries_in(text: str) -> list[Entry]:
    """Our groups in `text`, in its order."""
    return [
        (event.key or "", group.node.value)
        for event in _events(text)
        for group in event.node.parts
        if any(is_ours(part.node.value) for part in _handlers(group.node))
    ]


def with_entries(text: str, wanted: list[Entry]) -> str:
    """`text` with `wanted` at the ends of its lists."""
    for event, group in wanted:
        root = json_edit.parse(text)
        hooks = root.member("hooks")
        if hooks is None:
            text = json_edit.insert(text, root, "hooks", {event: [group]})
        elif (groups := hooks.member(event)) is None:
            text = json_edit.insert(text, hooks, event, [group])
        else:
            text = json_edit.insert(text, groups, None, group)
    return text


def without_entries(text: str) -> str:
    """`text` without our handlers, and without what only held them."""
    while (shorter := _without_one(text)) is not None:
        text = shorter
    return text


def _without_one(text: str) -> str | None:
    """`text` without one of our handlers, or None when it has none.

    With the handler go its group, its event and `hooks`, as far as each held nothing else.
    """
    root = json_edit.parse(text)
    for event in _events(text):
        for place, group in enumerate(event.node.parts):
            handlers = _handlers(group.node)
            ours = [i for i, part in enumerate(handlers) if is_ours(part.node.value)]
            if not ours:
                continue
            hooks = root.member("hooks")
            assert hooks is not None  # _events found it
            if len(handlers) > 1:
                box = group.node.member("hooks")
                assert box is not None  # _handlers found it
                return json_edit.remove(text, box, ours[0])
            if len(event.node.parts) > 1:
                return json_edit.remove(text, event.node, place)
            if len(hooks.parts) > 1:
                return json_edit.remove(text, hooks, hooks.index(event.key or ""))
            return json_edit.remove(text, root, root.index("hooks"))
    return None


def _events(text: str) -> list[json_edit.Part]:
    """The members of `hooks` that are lists."""
    hooks = json_edit.parse(text).member("hooks")
    return [part for part in hooks.parts if part.node.is_array] if hooks else []


def _handlers(group: json_edit.Node) -> list[json_edit.Part]:
    box = group.member("hooks") if group.is_object else None
    return box.parts if box is not None and box.is_array else []


def _by_event(found: list[Entry]) -> list[Entry]:
    return sorted(found, key=lambda entry: entry[0])


def _has_ours(text: str) -> bool:
    return bool(entries_in(text))


def _original(found: settings_file.Found) -> str | None:
    """The settings without us: the backup if only we changed it, else what removal leaves.

    None when there was no file before us.
    """
    if found.data is None:
        return None
    ours = entries_in(found.text)
    if not ours:
        return found.text
    if found.backup_text is not None and with_entries(found.backup_text, ours) == found.text:
        return found.backup_text
    if found.backup_text is None and with_entries(_FRESH, ours) == found.text:
        return None
    return without_entries(found.text)


def _notes(scope: str, found: settings_file.Found) -> tuple[str, ...]:
    notes = ["Claude Code reads the change at once; a new workspace must be trusted first."]
    if found.link_target:
        notes.append(f"The file is a link; {found.link_target} is written.")
    if scope == "project":
        notes.append("This file is shared: the command names a path on this machine.")
    if json_edit.parse(found.text).value.get("disableAllHooks") is True:
        notes.append("disableAllHooks is set, so that no hook runs.")
    return tuple(notes)


def _planned(
    scope: str, path: str, before: bytes | None, after: bytes | None, notes: tuple[str, ...]
) -> Plan:
    lines = difflib.unified_diff(
        (before or b"").decode().splitlines(keepends=True),
        (after or b"").decode().splitlines(keepends=True),
        path if before is not None else os.devnull,
        path if after is not None else os.devnull,
    )
    shown = "".join(line if line.endswith("\n") else line + "\n" for line in lines)
    return Plan(scope, path, before, after, shown, (), notes)
