"""The sessions of one agent: what it must be told, and what must be known afterwards.

The model is scripted; the client, its hooks and memdeck are the real ones.
"""

from __future__ import annotations

import json
import re
import shlex
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from .agents import TRACE, Agent
from .dialects import Call, Step
from .outcome import Check, Outcome, claim, requests, rows, went
from .screen import Screen
from .stand_in import Aside, StandIn
from .surroundings import Done, Place

BUDGET = "The retry budget of the harbour importer is seven attempts, then it gives up"
PINNED = "Berth numbers are text, since some of them end in a letter"
PROMPT = (
    "How large is the retry budget of the importer? Make check.sh pass with it. "
    "From now on, always run check.sh before a commit."
)
DECISION = "keep the import queue in SQLite"
INSTRUCTION = "always run check.sh before a commit"
FAILURE = "the retry budget is missing from RETRIES"
QUESTION = "Where did we decide to keep the import queue, and why?"
TYPED = 'The pilot\'s $HOME port is `Hamburg`, not "Bremen"'

TURN_S = 120.0
"""Longest time for one turn of a client."""

SETTLE_S = 20.0
"""Longest time until what a finished session taught is in the store, and the drain has ended."""

_BLOCK = re.compile(r"```sh\n(.*?\bmemory slash\b.*?)```", re.DOTALL)


class Story:
    """One agent's story; each part yields the claims that it looked at."""

    def __init__(self, agent: Agent, program: Path, place: Place) -> None:
        self.agent = agent
        self.program = program
        self.place = place
        self.outcome = Outcome(agent.host, agent.name, agent.version)
        self._before: bytes | None = None  # the agent's settings before memdeck was installed

    def tell(self) -> Outcome:
        """All of it, in order; ends early when the agent cannot be connected."""
        for check in self._parts():
            self.outcome.checks.append(check)
        self.rest()
        return self.outcome

    def _parts(self) -> Iterator[Check]:
        self.place.build()
        self._memdeck("remember", BUDGET)
        self._memdeck("remember", PINNED, "--pin")
        self.agent.prepare(self.place)
        self._before = self._settings_bytes()
        connected = self._memdeck("install", self.agent.host)
        yield went(f"`memdeck install {self.agent.host}` connects it", connected)
        if connected.code != 0:
            return
        again = rows(self._memdeck("install", self.agent.host, "--json"))
        yield claim("installing twice changes nothing", bool(again) and not again[0]["changed"])
        if self.agent.asks_trust:
            yield from self._without_trust()
        yield from self._first_session()
        yield from self._prompts_alone()
        yield from self._files_alone()
        yield from self._commands_alone()
        yield from self._slash_command()
        yield from self._disconnected()
        yield from self._in_a_project()

    def _without_trust(self) -> Iterator[Check]:
        """The host runs nothing of ours before the user gives it, with `--trust`."""
        with self.model("untrusted", Step("I do not know it.")) as model:
            yield went("a session without trust ends well", self._turn(model, PROMPT))
        told = any(request.has(BUDGET) for request in model.story)
        is_silent = bool(model.story) and not told
        yield claim("without trust it receives nothing", is_silent, requests(model))
        ill = [one for one in rows(self._memdeck("doctor", "--json")) if not one["ok"]]
        named = any("trust" in one["message"] + one["advice"] for one in ill)
        yield claim("`memdeck doctor` says that trust is missing", named, ill)
        yield went("`--trust` gives it", self._memdeck("install", self.agent.host, "--trust"))

    def _first_session(self) -> Iterator[Check]:
        steps = (
            Step("I will note what is to do first.", self.agent.plan()),
            Step("Let me see how the checks stand.", self.agent.shell("sh check.sh")),
            Step("Now with the retry budget.", self.agent.shell("RETRIES=7 sh check.sh")),
            Step("The checks pass.", self.agent.planned()),
            Step("I will record what we decided.", self.agent.shell(self._learn())),
            Step("The queue stays in SQLite."),
        )
        with self.model("first", *steps) as model:
            yield went("the first session ends well", self._turn(model, PROMPT))
        first = model.story[:1]
        yield claim("the model is asked", bool(first), requests(model))
        pinned = any(request.has(PINNED) for request in first)
        answer = any(request.has(BUDGET) for request in first)
        self.outcome.told = pinned and answer
        yield claim("its first request carries the pinned memory", pinned, requests(model))
        yield claim("its first request carries what answers the prompt", answer, requests(model))
        places = sorted({request.step for request in model.story if request.step is not None})
        yield claim("every tool is used", places == list(range(len(steps))), f"steps {places}")
        yield from self._beside_others()
        yield from self._was_learned()
        yield from self._was_heard()

    def _learn(self) -> str:
        """The command with which the agent records its decision."""
        words = f"We decided to {DECISION}, because a broker would need a server of its own."
        return shlex.join([self.place.program, "learn", words])

    def _beside_others(self) -> Iterator[Check]:
        """Another tool's hook runs beside ours, where nobody needs to trust it first."""
        has_run = (self.place.person / TRACE).exists()
        if self.agent.asks_trust:
            yield claim("trusting ours trusts no other tool's hook", not has_run, TRACE)
        elif self._before is not None:
            yield claim("another tool's hook runs beside ours", has_run, f"no {TRACE}")

    def _was_learned(self) -> Iterator[Check]:
        texts, drained = self._settled()
        self.outcome.memories = len(texts)
        yield went("`memdeck drain` takes in what is left", drained)
        for what, words in (
            ("the agent's decision", DECISION),
            ("the user's instruction", INSTRUCTION),
            ("what made the failing command work", FAILURE),
        ):
            found = any(words in text for text in texts)
            yield claim(f"a memory holds {what}", found, texts or "no memories")
        echo = [text for text in texts if BUDGET in text or PINNED in text]
        yield claim("injected text is not captured", not echo, echo)
        hits = rows(self._memdeck("search", "where is the import queue kept", "--json"))
        found = any(DECISION in str(hit.get("content")) for hit in hits)
        yield claim("`memdeck search` finds the decision", found, f"{len(hits)} hits")

    def _was_heard(self) -> Iterator[Check]:
        marks = (self.place.store / "log" / "fired").glob(f"{self.agent.host}.*")
        self.outcome.fired = sorted(mark.name.partition(".")[2] for mark in marks)
        looked = self._memdeck("doctor", "--json")
        ours = [one for one in rows(looked) if one["name"] == f"{self.agent.host} (user)"]
        heard = any("Last event" in one["message"] for one in ours)
        yield claim("`memdeck doctor` has heard of it", heard, ours or looked.err)
        ill = [f"{one['name']}: {one['message']}" for one in rows(looked) if not one["ok"]]
        yield claim("`memdeck doctor` finds all well", looked.code == 0, ill or looked.err)

    def _prompts_alone(self) -> Iterator[Check]:
        """A decision of the first session is injected with a prompt only."""
        yield self._switch("prompts", "turns")
        with self.model("second", Step("In SQLite, to do without a server.")) as model:
            yield went("the second session ends well", self._turn(model, QUESTION))
        told = any(request.has(DECISION) for request in model.story[:1])
        yield claim("its prompt is answered from the first session", told, requests(model))

    def _files_alone(self) -> Iterator[Check]:
        """Memories of a file are injected only when a tool opens it."""
        yield self._switch("files", "turns")
        opened = self.agent.open(str(self.place.project / "check.sh"))
        with self.model("third", Step("Let me look.", opened), Step("It is short.")) as model:
            yield went("the third session ends well", self._turn(model, "What is in there?"))
        early = any(request.has(INSTRUCTION) for request in model.story[:1])
        late = any(request.has(INSTRUCTION) for request in model.story[1:])
        yield claim("nothing is injected before a file is opened", not early, requests(model))
        yield claim("opening a file injects its memories", late, requests(model))

    def _commands_alone(self) -> Iterator[Check]:
        """A fix is injected only with a command that failed before."""
        yield self._switch("commands", "turns")
        run = self.agent.shell("sh check.sh")
        with self.model("again", Step("Let me check.", run), Step("Now I know.")) as model:
            yield went("the fourth session ends well", self._turn(model, "Do they pass?"))
        is_injected = any(request.has("RETRIES=7 sh check.sh") for request in model.story[1:])
        text = "a command that failed before injects its fix"
        yield claim(text, is_injected, requests(model))

    def _slash_command(self) -> Iterator[Check]:
        """/remember, with words that a shell would read."""
        run = Step("I will keep it.", lambda texts: self.as_asked(texts, TYPED))
        steps = run, Step("Kept.")
        with self.model("slash", *steps) as model:
            words = self.agent.slash("remember", TYPED, model.url)
            yield went("a session with /remember ends well", self.run(words, model))
        shown = any("remembered" in text for one in model.story[-1:] for text in one.texts)
        yield claim("the model sees that it was remembered", shown, requests(model))
        self._memdeck("drain")
        listed = self._memdeck("list", "Hamburg", "--json")
        kept = [str(row["content"]) for row in rows(listed)]
        seen = kept or listed
        yield claim("/remember keeps the words as they were typed", kept == [TYPED], seen)

    def _disconnected(self) -> Iterator[Check]:
        left = self._memdeck("uninstall", self.agent.host)
        yield went(f"`memdeck uninstall {self.agent.host}` takes it out", left)
        same = self._settings_bytes() == self._before
        yield claim("its settings are byte for byte as before", same, self._settings_bytes())
        rest = [str(path) for path in self._settings() if b"memdeck" in path.read_bytes()]
        yield claim("no settings of the agent name memdeck afterwards", not rest, rest)

    def _in_a_project(self) -> Iterator[Check]:
        """Connected for everybody who works in the repository, and taken out again."""
        (self.place.store / "config.toml").unlink()
        before = self.place.git("status", "--short").out
        trust = ["--trust"] if self.agent.asks_trust else []
        words = [self.agent.host, "--scope", "project"]
        yield went("the project can be connected", self._memdeck("install", *words, *trust))
        with self.model("project", Step("In SQLite, to do without a server.")) as model:
            yield went("a session of the project ends well", self._turn(model, QUESTION))
        told = any(request.has(DECISION) for request in model.story[:1])
        yield claim("the project's session is told what was decided", told, requests(model))
        with self.model("project-slash", Step("That is how it stands.")) as model:
            status = self.run(self.agent.slash("mem", "status", model.url), model)
            yield went("a session of the project with /mem ends well", status)
        marks = ("memory slash mem", "above is what memdeck printed")
        found = any(request.has(mark) for request in model.story[:1] for mark in marks)
        yield claim("the project's own /mem is found", found, requests(model))
        yield went("the project can be disconnected", self._memdeck("uninstall", *words))
        after = self.place.git("status", "--short").out
        yield claim("nothing of it is left in the repository", after == before, after)

    def _switch(self, *groups: str) -> Check:
        """The user names the groups of events they want, and installs again."""
        text = f"[hooks]\nevents = {json.dumps(groups)}\n"
        config = self.place.store / "config.toml"
        config.write_text(text)
        config.chmod(0o600)
        trust = ["--trust"] if self.agent.asks_trust else []
        installed = self._memdeck("install", self.agent.host, *trust)
        return went(f"installing again follows {' and '.join(groups)}", installed)

    def as_asked(self, texts: Sequence[str], words: str) -> Call:
        """What a model does that follows a command's text: run its block, with the `words`."""
        blocks = [block for text in texts for block in _BLOCK.findall(text)]
        if not blocks:
            return self.agent.shell("echo 'no command was given'")
        return self.agent.shell(re.sub(r"\(here: [^\n]*\)", lambda _: words, blocks[-1]))

    def _settled(self) -> tuple[list[str], Done]:
        """The memories that came of the agent's session, once the user's instruction is there.

        The agent recorded its decision before the session's file was read.
        """
        until = time.monotonic() + SETTLE_S
        while True:
            drained = self._memdeck("drain", "--json")
            words = ["list", f"agent:{self.agent.host}", "--limit", "100", "--json"]
            texts = [str(row["content"]) for row in rows(self._memdeck(*words))]
            is_there = any(INSTRUCTION in text for text in texts)
            if is_there or time.monotonic() > until:
                return texts, drained
            time.sleep(0.5)

    def rest(self) -> None:
        """Wait until no drain of a session's is at work, which would write into what is removed."""
        until = time.monotonic() + SETTLE_S
        while time.monotonic() < until:
            done = rows(self._memdeck("drain", "--json"))
            if done and done[0]["ran"] and not done[0]["records"]:
                return
            time.sleep(0.5)

    def _settings_bytes(self) -> bytes | None:
        path = self.place.person / self.agent.settings
        return path.read_bytes() if path.exists() else None

    def _settings(self) -> list[Path]:
        """What the agent reads in the user's folders; what it keeps of sessions is not meant."""
        folders = (".claude", ".codex", ".agents", ".gemini", ".config")
        suffixes = (".json", ".toml", ".js", ".ts", ".md", ".yaml")
        return [
            path
            for folder in folders
            for path in (self.place.person / folder).rglob("*")
            if path.suffix in suffixes and path.is_file() and "node_modules" not in path.parts
        ]

    @contextmanager
    def model(self, name: str, *steps: Step, aside: Aside | None = None) -> Iterator[StandIn]:
        """A model for one session, whose requests are left in the scratch folder."""
        with StandIn(steps, aside) as model:
            yield model
        asked = [[one.method, one.path, one.step, one.body] for one in model.requests]
        (self.place.root / f"{name}.json").write_text(json.dumps(asked, indent=1))

    def _turn(self, model: StandIn, prompt: str) -> Done:
        return self.run(self.agent.command(prompt, model.url), model)

    def screen(self, model: StandIn) -> Screen:
        """The agent on a screen, asking `model`."""
        words = [str(self.program), *self.agent.on_screen(model.url)]
        return Screen(self.place, words, self.agent.environment(model.url))

    def run(self, words: list[str], model: StandIn) -> Done:
        given = self.agent.environment(model.url)
        return self.place.run([str(self.program), *words], given, limit_s=TURN_S)

    def _memdeck(self, *words: str) -> Done:
        return self.place.memdeck(*words)
