"""All four clients in one user's folders at once, with commands of the user's own.

Default events, memories there from the start, no screen; Codex in its sandbox, the store outside of
what that may write.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator, Mapping, Sequence
from pathlib import Path

from . import screen
from .agents import AGENTS, Agent, Codex
from .dialects import Step
from .outcome import Check, Outcome, claim, requests, rows, went
from .stand_in import Aside, StandIn
from .story import BUDGET, PINNED, TYPED, Story
from .surroundings import Place

HOST = "together"
NAME = "Together"

COMMAND = "berths"
COMMAND_TEXT = "Count the berths of the harbour, and name the longest."
SKILL = "tides"
SKILL_TEXT = "Read the table of tides, and say when the water is highest."

TASK = "Find out how large the retry budget of the harbour importer is, and where it is read."
SENT = "Have somebody look up what the importer allows itself, please."
QUERY = "How large is the retry budget of the importer?"
FOUND = "The importer must never read its budget twice in check.sh:1, since that is where it is set"
OTHER = "The lighthouse keeper is called Ines and lives on the north mole"

OURS = ("memory slash", "(memdeck). Only when the user writes")
"""Words of our commands and of Codex's skills, which no other's request may carry."""


class Together:
    """The story of all that could be installed; each part yields the claims that it looked at."""

    def __init__(self, programs: Mapping[str, Path], place: Place) -> None:
        self.place = place
        self.agents = [agent for agent in AGENTS if agent.host in programs]
        self.stories = {
            agent.host: Story(agent, programs[agent.host], place) for agent in self.agents
        }
        self.outcome = Outcome(HOST, NAME, "-")

    def tell(self) -> Outcome:
        """All of it, in order."""
        for check in self._parts():
            self.outcome.checks.append(check)
        return self.outcome

    def _parts(self) -> Iterator[Check]:
        self.place.build()
        self.place.memdeck("remember", BUDGET)
        self.place.memdeck("remember", PINNED, "--pin")
        self.place.memdeck("remember", OTHER)
        for agent in self.agents:
            agent.prepare(self.place)
        own = self._own_commands()
        for agent in self.agents:
            trust = ["--trust"] if agent.asks_trust else []
            yield went(
                f"`memdeck install {agent.host}`", self.place.memdeck("install", agent.host, *trust)
            )
        told = []
        for agent in self.agents:
            yield from self._own_command(agent)
            told.append(self.outcome.told)
            yield from self._our_command(agent)
            yield from self._subagent(agent)
            yield from self._on_screen(agent)
        self.outcome.told = all(told)
        if HOST_OF_SANDBOX in self.stories:
            yield from self._sandbox()
        yield from self._doctor()
        for agent in self.agents:
            left = self.place.memdeck("uninstall", agent.host)
            yield went(f"`memdeck uninstall {agent.host}`", left)
        same = all(path.read_text() == text for path, text in own.items())
        yield claim("the user's own commands are as they were", same, list(own))
        folder = self.place.person / ".agents" / "skills"
        shared = [path.name for path in folder.iterdir()]
        yield claim("nothing but theirs lies where several agents look", shared == [SKILL], shared)

    def _own_commands(self) -> dict[Path, str]:
        """What the user had before memdeck came: a command for each, and a skill for several."""
        markdown = f"---\ndescription: Count\n---\n{COMMAND_TEXT}\n"
        skill = f"---\nname: {SKILL}\ndescription: Tides of the harbour\n---\n{SKILL_TEXT}\n"
        own = {
            f".claude/commands/{COMMAND}.md": markdown,
            f".gemini/commands/{COMMAND}.toml": f'prompt = "{COMMAND_TEXT}"\n',
            f".config/opencode/commands/{COMMAND}.md": markdown,
            f".agents/skills/{SKILL}/SKILL.md": skill,
        }
        for name, text in own.items():
            path = self.place.person / name
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.write_text(text)
        return {self.place.person / name: text for name, text in own.items()}

    def _own_command(self, agent: Agent) -> Iterator[Check]:
        """A command of the user's own as the first words of a session, memories there."""
        is_skill = agent.host == HOST_OF_SANDBOX
        name, text = (SKILL, SKILL_TEXT) if is_skill else (COMMAND, COMMAND_TEXT)
        story = self.stories[agent.host]
        with story.model(f"{agent.host}-own", Step("There are nine.")) as model:
            done = story.run(agent.slash(name, "", model.url), model)
            yield went(f"{agent.name}: a session with /{name} ends well", done)
        first = model.story[:1]
        is_found = any(request.has(text) for request in first)
        yield claim(f"{agent.name}: /{name} of the user's own is found", is_found, _seen(model))
        self.outcome.told = any(request.has(PINNED) for request in first)
        yield claim(f"{agent.name}: it receives what is pinned", self.outcome.told, _seen(model))
        names = [words for words in OURS if any(one.has(words) for one in model.requests)]
        yield claim(f"{agent.name}: it carries no command or skill of ours", not names, names)
        is_renamed = any(word in done.err.lower() for word in ("renamed", "conflict"))
        yield claim(f"{agent.name}: no command got another name", not is_renamed, done.err)

    def _our_command(self, agent: Agent) -> Iterator[Check]:
        """/remember under its own name, in each of them."""
        story = self.stories[agent.host]
        words = f"{TYPED} with {agent.host}"
        run = Step("I will keep it.", lambda texts: story.as_asked(texts, words))
        steps = run, Step("Kept.")
        with story.model(f"{agent.host}-remember", *steps) as model:
            done = story.run(agent.slash("remember", words, model.url), model)
            yield went(f"{agent.name}: a session with /remember ends well", done)
        kept = [str(row["content"]) for row in rows(self.place.memdeck("list", "--json"))]
        yield claim(f"{agent.name}: /remember keeps the words", words in kept, kept)

    def _subagent(self, agent: Agent) -> Iterator[Check]:
        """A subagent receives what fits its task, and nothing else."""
        calls = agent.send(TASK)
        if not calls:
            return
        story, fact = self.stories[agent.host], f"{FOUND} ({agent.host})."
        aside = Aside(Step(fact), agent.theirs or SENT, bool(agent.theirs))
        steps = (*(Step("Let me see.", call) for call in calls), Step("It is in the file."))
        with story.model(f"{agent.host}-subagent", *steps, aside=aside) as model:
            done = story.run(agent.command(SENT, model.url), model)
            yield went(f"{agent.name}: a session with a subagent ends well", done)
        asked = [text for request in model.subagents[:1] for text in request.texts]
        yield claim(f"{agent.name}: a subagent is sent", bool(asked), requests(model))
        # Codex's begins with all that stands in the context of the agent that sends it.
        known = [text for request in model.story[:1] for text in request.texts]
        inherited = known if agent.theirs else []
        fits = _count(BUDGET, asked) > _count(BUDGET, inherited)
        yield claim(f"{agent.name}: the subagent receives what fits its task", fits, asked[-6:])
        stray = _count(OTHER, asked) > _count(OTHER, inherited)
        yield claim(f"{agent.name}: the subagent receives nothing else", not stray, asked[-6:])
        story.rest()

    def _on_screen(self, agent: Agent) -> Iterator[Check]:
        """The same as a user sees it: a command of their own, then a question."""
        if not screen.is_there():
            print(f"  {agent.name} could not be played on the screen: no tmux here", flush=True)
            return
        own, text = (
            (f"${SKILL}", SKILL_TEXT)
            if agent.host == HOST_OF_SANDBOX
            else (f"/{COMMAND}", COMMAND_TEXT)
        )
        story = self.stories[agent.host]
        where = f"{agent.name} on the screen"
        steps = (Step("There are nine."),)
        with story.model(f"{agent.host}-screen", *steps) as model, story.screen(model) as shown:
            asked = shown.answer(agent.asks_first)
            if agent.asks_trust:
                is_others = "1 hook is new" in asked
                yield claim(
                    f"{where}: only the other tool's hook waits for trust", is_others, asked
                )
            heard = shown.say(own, lambda: bool(model.story))
            yield claim(f"{where}: {own} arrives", heard, shown.text)
            found = any(request.has(text) for request in model.story[:1])
            yield claim(f"{where}: {own} of the user's own is found", found, _seen(model))
            told = any(request.has(PINNED) for request in model.story[:1])
            yield claim(f"{where}: it receives what is pinned", told, _seen(model))
            heard = shown.say(QUERY, lambda: any(one.has(QUERY) for one in model.story))
            yield claim(f"{where}: a question arrives", heard, shown.text)
            told = any(one.has(QUERY) and one.has(BUDGET) for one in model.story)
            yield claim(f"{where}: it receives what matches", told, _seen(model))
            calm = not any(
                word in shown.text.lower() for word in ("renamed", "conflict", "hook error")
            )
            yield claim(f"{where}: nothing is amiss", calm, shown.text)
            yield claim(f"{where}: it can be left", shown.leave(agent.leaving), shown.text)
        names = [words for words in OURS if any(one.has(words) for one in model.story)]
        yield claim(f"{where}: it carries no command or skill of ours", not names, names)

    # --- Codex, in a sandbox that may write in the project alone

    def _sandbox(self) -> Iterator[Check]:
        story = self.stories[HOST_OF_SANDBOX]
        probe = self.place.run([str(story.program), "sandbox", "--", "true"], {}, limit_s=60)
        if probe.code != 0:
            print(f"  Codex's sandbox does not run here: {probe.err.strip()[-200:]}", flush=True)
            return
        model = yield from self._sandboxed("mem", "status")
        texts = [text for request in model.story[-1:] for text in request.texts]
        printed = next((text for text in texts if "can only be read from here" in text), "")
        yield claim("Codex's sandbox: $mem status is answered", "memories" in printed, _seen(model))
        is_calm = not any(word in printed for word in ("damaged", "memdeck rebuild", "Traceback"))
        yield claim("Codex's sandbox: it raises no alarm", is_calm, printed)
        told = any(request.has(PINNED) for request in model.story[:1])
        yield claim("Codex's sandbox: the hooks inject what is pinned", told, _seen(model))

        words = "The lighthouse is painted every spring"
        model = yield from self._sandboxed("remember", words)
        texts = [text for request in model.story[-1:] for text in request.texts]
        why = next((text for text in texts if "can only be read from here. Nothing" in text), "")
        yield claim("Codex's sandbox: $remember says why it cannot", bool(why), _seen(model))
        has_failed = "exited with code 3" in why
        yield claim("Codex's sandbox: it fails, with exit code 3", has_failed, why)
        kept = [str(row["content"]) for row in rows(self.place.memdeck("list", "--json"))]
        yield claim("Codex's sandbox: nothing is kept", words not in kept, kept)

        roots = f"sandbox_workspace_write.writable_roots={json.dumps([str(self.place.store)])}"
        yield from self._sandboxed("remember", words, "-c", roots)
        kept = [str(row["content"]) for row in rows(self.place.memdeck("list", "--json"))]
        yield claim("Codex's sandbox: let in, $remember keeps the words", words in kept, kept)

        if screen.is_there():
            yield from self._outside()

    def _outside(self) -> Iterator[Check]:
        """On the screen the user is asked whether $remember may run outside, and says yes."""
        story, codex = self.stories[HOST_OF_SANDBOX], Codex()
        words = "The fog horn sounds twice in a minute"
        steps = (
            Step("Let me see.", lambda texts: story.as_asked(texts, words)),
            Step("I may not.", lambda texts: codex.outside(story.as_asked(texts, words))),
            Step("It is kept."),
        )
        with story.model("sandbox-screen", *steps) as model, story.screen(model) as shown:
            shown.answer(codex.asks_first)
            heard = shown.say(f"$remember {words}", lambda: bool(model.story))
            yield claim("Codex's sandbox on the screen: $remember arrives", heard, shown.text)
            asked = shown.allow("Would you like to run", "y")
            yield claim("Codex's sandbox on the screen: the user is asked", asked, shown.text)
            ended = shown.leave(codex.leaving)
            yield claim("Codex's sandbox on the screen: it can be left", ended, shown.text)
        failed = [one for one in model.story if one.has("can only be read from here. Nothing")]
        yield claim("Codex's sandbox on the screen: inside it fails", bool(failed), requests(model))
        kept = [str(row["content"]) for row in rows(self.place.memdeck("list", "--json"))]
        yield claim(
            "Codex's sandbox on the screen: allowed, the words are kept", words in kept, kept
        )

    def _sandboxed(self, name: str, words: str, *more: str) -> Generator[Check, None, StandIn]:
        story = self.stories[HOST_OF_SANDBOX]
        run = Step("Let me see.", lambda texts: story.as_asked(texts, words))
        with story.model(f"sandbox-{name}-{len(more)}", run, Step("That is all.")) as model:
            command = Codex().sandboxed(f"${name} {words}", model.url, *more)
            done = story.run(command, model)
            yield went(f"Codex's sandbox: a session with ${name} ends well", done)
        return model

    def _doctor(self) -> Iterator[Check]:
        self.place.memdeck("drain")
        looked = self.place.memdeck("doctor", "--json")
        ill = [f"{one['name']}: {one['message']}" for one in rows(looked) if not one["ok"]]
        yield claim("`memdeck doctor` finds all well", looked.code == 0, ill or looked.err)


HOST_OF_SANDBOX = Codex.host


def _count(words: str, texts: Sequence[str]) -> int:
    return sum(words in text for text in texts)


def _seen(model: StandIn) -> str:
    asked = [text for request in model.story[:1] for text in request.texts[-6:]]
    return f"{requests(model)}: {asked}"
