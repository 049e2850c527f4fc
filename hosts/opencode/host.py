"""OpenCode, whole: its plugin of ours is one file, made from our template, and taken away whole.

OpenCode has no hooks that run a command; a plugin inside its process calls ours. A file of that
name that is not ours is left alone.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
from collections.abc import Mapping, Sequence

from ...core.agents import Scope
from ...core.models.client import (
    Call,
    Dialect,
    NoReply,
    Output,
    Reply,
    dollars,
    events_in,
    last_words,
    message_in,
    table,
    total,
)
from ...db.home import Home
from .. import settings
from ..commands import Command, CommandForm, Texts, asks, line, page
from ..install import HookFiles, HookStatus, Host, Shape, events_of
from ..settings import FilePlan, change, chosen_home
from . import wire

FILES = HookFiles(*wire.HOOK_FILES)


TEMPLATE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "plugin.js")
"""The plugin with places for the hook's path, the home and the events that are asked for."""

_MARK = re.compile(r"^//[^\n]*`memdeck install opencode` wrote this file", re.MULTILINE)
_HOOK, _HOME, _EVENTS, _SEAL = "@HOOK@", "@HOME@", "@EVENTS@", "@SEAL@"


class OpenCode:
    """Installing into OpenCode's folder of plugins."""

    host: str = "opencode"
    files = FILES

    def wanted(self, groups: Sequence[str]) -> dict[str, Shape]:
        """By event, how these groups of events would have us called: there is one way only."""
        return {event: {} for event in events_of(self.host, groups)}

    def plan(self, path: str, home: Home, groups: Sequence[str], program: str) -> FilePlan:
        """What installing would do to the plugin."""
        before, problems = _read(path)
        if problems:
            return FilePlan(change(path, before, before), problems)
        notes = ["OpenCode loads the plugin when it is started next."]
        is_edited = _is_edited(before)
        if is_edited:
            notes.append(_kept(path))
        after = plugin(program, home, groups)
        return FilePlan(change(path, before, after, is_shared=is_edited), (), tuple(notes))

    def plan_uninstall(self, path: str) -> FilePlan:
        """What uninstalling would do to the plugin; a foreign file is not ours to go."""
        before, problems = _read(path)
        if problems:
            return FilePlan(change(path, before, before), problems if before is None else ())
        is_edited = _is_edited(before)
        planned = change(path, before, None, is_shared=is_edited)
        return FilePlan(planned, (), (_kept(path),) if is_edited else ())

    def status(self, path: str, scope: Scope) -> HookStatus:
        """How our plugin stands; changes nothing."""
        data, problems = _read(path)
        if problems or data is None:
            return HookStatus(scope, path, problems)
        text = data.decode("utf-8", "replace")
        program, home = _place_in(text, _HOOK), _place_in(text, _HOME)
        events = _place_in(text, _EVENTS).split()
        shape: Shape = {} if _is_of_template(text) else {"template": "another"}
        entries = tuple((event, shape) for event in events)
        programs, homes = (program,) if program else (), (home,) if home else ()
        return HookStatus(scope, path, entries=entries, programs=programs, homes=homes)


def plugin(executable: str, home: Home, groups: Sequence[str]) -> bytes:
    """The plugin that calls `executable` for `home`, for the events of `groups`."""
    events = " ".join(events_of("opencode", groups))
    text = _template()
    for position, value in ((_HOOK, executable), (_HOME, chosen_home(home)), (_EVENTS, events)):
        text = text.replace(position, _in_quotes(value))
    return text.replace(_SEAL, _seal(text)).encode()


def _template() -> str:
    with open(TEMPLATE, encoding="utf-8") as file:
        return file.read()


def _in_quotes(text: str) -> str:
    """`text` as it may stand in a JavaScript string, whichever its quotes are."""
    visible = json.dumps(text)[1:-1]
    return "".join(f"\\u{ord(c):04x}" if c in "'`$" else c for c in visible)


def _place_in(text: str, position: str) -> str:
    """What stands in our plugin where the template has `place`; "" when it is not found."""
    line = next(line for line in _template().splitlines() if position in line)
    pattern = re.sub("@[A-Z]+@", ".*", re.escape(line).replace(position, "(.*)"))
    match = re.search(f"^{pattern}$", text, re.MULTILINE)
    try:
        return str(json.loads(f'"{match[1]}"')) if match else ""
    except ValueError:
        return ""


def _seal(text: str) -> str:
    """By it an edited plugin is told from one that an earlier version wrote."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _is_edited(data: bytes | None) -> bool:
    """Whether a plugin of ours is not as it was written; False where it was not sealed yet."""
    text = (data or b"").decode("utf-8", "replace")
    seal = _place_in(text, _SEAL)
    return seal != "" and _seal(text.replace(seal, _SEAL)) != seal


def _kept(path: str) -> str:
    return f"It was edited: {path}{settings.BACKUP_SUFFIX} keeps it as it was."


def _is_of_template(text: str) -> bool:
    """Whether `text` was made from the template that we have now."""
    pattern = re.sub("@[A-Z]+@", ".*", re.escape(_template()))
    return re.fullmatch(pattern, text) is not None


def _read(path: str) -> tuple[bytes | None, tuple[str, ...]]:
    """Our plugin at `path` (None without one), and why it must not be touched."""
    try:
        data = settings.bytes_at(path)
    except OSError as error:
        return None, (f"{path} cannot be read: {error.strerror}.",)
    if data is not None and not _MARK.search(data.decode("utf-8", "replace")):
        return data, (f"{path} is not ours; it was left as it is.",)
    return data, ()


def _write(item: Command, program: str, home: str | None) -> Texts:
    command = line(item, program, home, shlex.quote)
    text = asks(command, f"/{item.name}", "$ARGUMENTS")
    return [(f"{item.name}.md", page({"description": f"{item.about}: {item.hint}"}, text))]


_TOOLS = (
    "* bash edit read glob grep list task webfetch websearch codesearch external_directory lsp"
    " skill todowrite todoread question"
).split()


def _arguments(call: Call) -> list[str]:
    model = ["-m", call.model] if call.model else []
    return [
        "opencode", "run", "--format", "json", *model, "--title", "memdeck review",
        "Answer what follows.",
    ]  # fmt: skip


def _environment(_call: Call) -> Mapping[str, str]:
    """No tool at all: unlike the other hosts it lets the model run commands without asking.

    Each tool by its name, since a person's own setting for one would win over `*`.
    """
    return {
        "OPENCODE_PERMISSION": json.dumps(dict.fromkeys(_TOOLS, "deny")),
        "OPENCODE_AUTO_SHARE": "false",  # it would put the prompt on a public page
        "OPENCODE_DISABLE_SHARE": "true",
        "OPENCODE_DISABLE_AUTOUPDATE": "true",
    }


def _read_answer(done: Output, _call: Call) -> Reply:
    """The text parts, one after the other."""
    words: list[str] = []
    costs: list[float] = []
    tokens_in = tokens_out = None
    trouble: str | None = None
    for event in events_in(done.stdout):
        part = table(event.get("part"))
        if event.get("type") == "text" and isinstance(part.get("text"), str):
            words.append(part["text"])
        elif event.get("type") == "step_finish":
            if (cost := dollars(part.get("cost"))) is not None:
                costs.append(cost)
            tokens = table(part.get("tokens"))
            tokens_in = total(tokens_in, tokens.get("input"))
            tokens_out = total(tokens_out, tokens.get("output"), tokens.get("reasoning"))
        elif event.get("type") == "error":
            trouble = message_in(event.get("error")) or "The session failed."
    # A model without a price in its tables is reported to cost 0: that says nothing.
    paid = sum(costs) or None
    if trouble is not None or done.code or not words:
        raise NoReply("failed", trouble or last_words(done), cost_usd=paid)
    return Reply("\n".join(words), paid, tokens_in, tokens_out)


def _forget(stdout: str) -> list[str] | None:
    """It stores every session, and its login lies in the same file: the session is deleted."""
    for event in events_in(stdout):
        session = event.get("sessionID")
        if isinstance(session, str) and re.fullmatch(r"ses_\w{1,80}", session):
            return ["opencode", "session", "delete", session]
    return None


HOST = Host(
    wire=wire,
    installer=OpenCode(),
    commands=CommandForm(FILES, "commands", _write),
    headless=Dialect(_arguments, _read_answer, _environment, _forget),
)
