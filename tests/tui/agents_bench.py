"""A machine with agents on it, for the app to show: the outside world, made up."""

import difflib
from pathlib import Path

from memdeck import Refused
from memdeck.core.agents import AgentState, EventMark, FileChange, Finding, Host, Scope, SetupPlan

HOSTS = ("claude", "codex", "gemini", "opencode")  # of this machine
NOW_MS = 1_773_999_000_000  # 2026-03-20 09:30 UTC, where the clock of every test stands
MINUTE_MS = 60_000
EVENTS = ("SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd")
WELL = Finding("program", True, "It can be run.")
SETTINGS = '{\n  "theme": "dark"\n}\n'


def an_agent(host: Host, **more: object) -> AgentState:
    """An agent that is here and not connected, unless told otherwise."""
    plain = AgentState(
        host=host,
        is_present=True,
        program=f"/usr/local/bin/{host}",
        scopes=(),
        is_trusted=None,
        events=(),
        latency_p50_ms=None,
        latency_p95_ms=None,
        last_error="",
        findings=(WELL,),
        folder=f"~/.{host}",
    )
    return plain._replace(**more)


def marks(*minutes: int | None) -> tuple[EventMark, ...]:
    """Events that came so many minutes ago; None: never."""
    return tuple(
        EventMark(name, None if ago is None else NOW_MS - ago * MINUTE_MS)
        for name, ago in zip(EVENTS, minutes, strict=False)
    )


def a_busy_machine() -> tuple[AgentState, ...]:
    """Four agents, each in another state, and things to mend."""
    return (
        an_agent(
            "claude",
            scopes=("user",),
            events=marks(2, 2, 14, None, 180),
            latency_p50_ms=41.4,
            latency_p95_ms=88.0,
            findings=(
                WELL,
                Finding("events", True, "All five events that are wanted are asked for."),
                Finding(
                    "clash",
                    False,
                    "claude-mem injects memories as well: agents are told twice.",
                    "Disable its plugin: `claude plugin disable claude-mem`.",
                ),
                Finding(
                    "path",
                    False,
                    "The hook starts /opt/old/bin/memdeck-hook, which is gone.",
                    "Run `memdeck install claude`.",
                    "claude:path",
                ),
            ),
        ),
        an_agent(
            "codex",
            scopes=("user",),
            is_trusted=False,
            events=marks(None, None, None),
            last_error="2026-03-20T08:12:44Z codex Stop: the payload is no JSON object",
            findings=(
                Finding(
                    "trust", False, "Codex runs no hook of ours yet.", "Start codex and say yes."
                ),
            ),
        ),
        an_agent("gemini"),
        an_agent("opencode", is_present=False, program="", findings=()),
    )


class Machine:
    """Agents that can be connected: `plan` and `apply` change files in `folder`."""

    def __init__(self, folder: Path, states: tuple[AgentState, ...] | None = None) -> None:
        self.folder = folder
        self.states = {one.host: one for one in states or map(an_agent, HOSTS)}
        self.findings: tuple[Finding, ...] = ()
        self.fixed: list[str] = []
        self.looks = 0
        self.refuses = ""  # why nothing can be written

    def survey(self) -> tuple[AgentState, ...]:
        self.looks += 1
        return tuple(self.states.values())

    def path_of(self, host: Host, scope: Scope = "user") -> Path:
        return self.folder / f"{host}-{scope}.json"

    def plan(self, host: Host, scope: Scope = "user", *, remove: bool = False) -> SetupPlan:
        if scope == "local" and host == "gemini":
            problem = "Gemini CLI knows no settings of this kind."
            return SetupPlan(host, scope, remove, (), problems=(problem,))
        path = self.path_of(host, scope)
        before = path.read_text() if path.exists() else None
        ours = SETTINGS.replace("}", f'  "hooks": "memdeck-hook {host}"\n}}')
        after = (SETTINGS if before else None) if remove else ours
        lines = difflib.unified_diff(
            (before or "").splitlines(), (after or "").splitlines(), lineterm="", n=1
        )
        change = FileChange(
            str(path),
            None if before is None else before.encode(),
            None if after is None else after.encode(),
            "\n".join(lines),
        )
        notes = ("Start codex once and trust the hooks.", "Codex asks anew when they change.")
        notes = notes if host == "codex" and not remove else ()
        return SetupPlan(host, scope, remove, (change,), notes=notes)

    def apply(self, plan: SetupPlan) -> None:
        if self.refuses:
            raise Refused(self.refuses, hint="Nothing was changed.")
        for change in plan.changes:
            if change.after is None:
                Path(change.path).unlink(missing_ok=True)
            else:
                Path(change.path).write_bytes(change.after)
        state = self.states[plan.host]
        kept = tuple(one for one in state.scopes if one != plan.scope)
        scopes = kept if plan.is_removal else (*kept, plan.scope)
        self.states[plan.host] = state._replace(scopes=scopes)

    def fix(self, finding: Finding) -> str:
        if self.refuses:
            raise Refused(self.refuses, hint="Nothing was changed.")
        self.fixed.append(finding.fix)
        for host, state in self.states.items():
            mended = tuple(
                one._replace(ok=True, message="It was mended [/b].") if one == finding else one
                for one in state.findings
            )
            self.states[host] = state._replace(findings=mended)
        return f"Mended {finding.name} [of all]."

    def examine(self) -> tuple[Finding, ...]:
        return self.findings


def told(machine: Machine, host: Host) -> str:
    """What the settings of an agent hold; "" without a file."""
    path = machine.path_of(host)
    return path.read_text() if path.exists() else ""
