"""What one agent learns reaches the others: the MCP tools in all five clients, and their memories.

Each client's model calls `memory_search` and `memory_learn`. Then Claude Code writes into its own
memory, one command shares it, and a rule in AGENTS.md shows that nobody receives what it loads. MCP
Inspector judges the server.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from .agents import AGENTS, Copilot
from .agents.agent import Agent
from .dialects import Call, Step
from .outcome import Check, Outcome, claim, requests, rows, went
from .stand_in import StandIn
from .story import BUDGET, TURN_S, Story
from .surroundings import Done, Place

HOST = "sharing"
NAME = "Sharing"

PLAYERS: tuple[Agent, ...] = (*AGENTS, Copilot())

ASKED = "How large is the retry budget of the importer?"
LEARNED = "The {} sluice opens two hours before high water, since the tide lifts the sill"
OWN = "Berth fees are rounded to whole crowns before VAT, as the harbour office bills them"
ABOUT_OWN = "How are the berth fees rounded before VAT?"
RULE = "Name every crane by its quay and number in log lines"
ABOUT_RULE = "How do I name a crane in log lines?"
SHOWN_S = 2.0
"""Longest time until a fact that an agent wrote is listed."""


class Inspector:
    """MCP Inspector's command line."""

    host = "inspector"
    name = "MCP Inspector"
    package = "@modelcontextprotocol/inspector"
    version = "0.15.0"
    program = "mcp-inspector"


class Sharing:
    """The story; each part yields the claims that it looked at."""

    def __init__(self, programs: Mapping[str, Path], place: Place) -> None:
        self.place = place
        self.inspector = programs.get(Inspector.host)
        self.stories = {
            a.host: Story(a, programs[a.host], place) for a in PLAYERS if a.host in programs
        }
        self.outcome = Outcome(HOST, NAME, "-")

    def tell(self) -> Outcome:
        """All of it, in order."""
        for check in self._parts():
            self.outcome.checks.append(check)
        for story in self.stories.values():
            story.rest()
        return self.outcome

    def _parts(self) -> Iterator[Check]:
        self.place.build()
        self.place.memdeck("remember", BUDGET)
        (self.place.project / "AGENTS.md").write_text(f"- {RULE}.\n")
        for host, story in self.stories.items():
            story.agent.prepare(self.place)
            trust = ["--trust"] if story.agent.asks_trust else []
            yield went(f"`memdeck install {host}`", self.place.memdeck("install", host, *trust))
        for story in self.stories.values():
            yield from self._tools(story)
        if "claude" in self.stories:
            yield from self._own_memory()
        yield from self._said_once()
        if self.inspector:
            yield from self._inspected(self.inspector)

    def _tools(self, story: Story) -> Iterator[Check]:
        """The model searches and learns through the client's MCP."""
        agent, words = story.agent, LEARNED.format(story.agent.host)
        steps = (
            Step("Let me look.", Call(f"{agent.tools}memory_search", {"query": "retry budget"})),
            Step("I will note it.", Call(f"{agent.tools}memory_learn", {"content": words})),
            Step("Seven."),
        )
        with story.model(f"{agent.host}-tools", *steps) as model:
            yield went(
                f"{agent.name}: a session with MCP ends well", self._turn(story, model, ASKED)
            )
        texts = [text for request in model.story for text in request.texts if '"hits"' in text]
        has_hits = any(BUDGET in text for text in texts)
        yield claim(f"{agent.name}: memory_search answers the model", has_hits, requests(model))
        is_stored = any(
            request.has('"outcome"') and request.has("stored") for request in model.story[-1:]
        )
        yield claim(f"{agent.name}: memory_learn answers the model", is_stored, requests(model))
        records = [row for row in self._list() if words in str(row["content"])]
        is_one = [(row["status"], row["agent"]) for row in records] == [("candidate", agent.host)]
        yield claim(f"{agent.name}: the record is a candidate of this agent", is_one, records)

    def _own_memory(self) -> Iterator[Check]:
        """Claude Code writes a fact into its own memory; one command later, all others have it."""
        story = self.stories["claude"]
        folder = "".join(c if c.isalnum() else "-" for c in str(self.place.project.resolve()))
        memory = self.place.person / ".claude" / "projects" / folder / "memory"
        page = (
            f"---\nname: fees\ndescription: Rounding\nmetadata:\n  type: project\n---\n\n{OWN}.\n"
        )
        files = {"fees.md": page, "MEMORY.md": "- [Fees](fees.md) — rounding\n"}
        write = [
            Call("Write", {"file_path": str(memory / n), "content": t}) for n, t in files.items()
        ]
        steps = (Step("I note it.", write[0]), Step("And its line.", write[1]), Step("Noted."))
        with story.model("claude-memory", *steps) as model:
            yield went(
                "Claude Code: a session that remembers ends well", self._turn(story, model, OWN)
            )
        facts, took = list[dict[str, object]](), list[float]()
        for _ in range(3):  # the machine also does other things
            since = time.monotonic()
            facts = [one for one in self._facts() if OWN in str(one["text"])]
            took.append(round(time.monotonic() - since, 1))
        is_shown = bool(facts) and min(took) < SHOWN_S
        yield claim("its fact is listed within two seconds", is_shown, (facts, took))
        if not facts:
            return
        shared = self.place.memdeck("sources", "take", str(facts[0]["id"]), "--share", "--yes")
        yield went("one command shares it", shared)
        for host, other in self.stories.items():
            if host != "claude":
                with other.model(f"{host}-shared", Step("To whole crowns.")) as model:
                    self._turn(other, model, ABOUT_OWN)
                count = sum(text.count(OWN) for one in model.story[:1] for text in one.texts)
                yield claim(
                    f"{other.agent.name} receives it once", count == 1, (count, requests(model))
                )

    def _said_once(self) -> Iterator[Check]:
        """A rule that is in AGENTS.md and in the deck is in no first request twice."""
        taken = self.place.memdeck("sources", "take", "AGENTS.md", "--yes")
        yield went("a rule of AGENTS.md is taken", taken)
        for story in self.stories.values():
            with story.model(f"{story.agent.host}-rule", Step("By quay and number.")) as model:
                self._turn(story, model, ABOUT_RULE)
            count = sum(text.count(RULE) for one in model.story[:1] for text in one.texts)
            yield claim(
                f"{story.agent.name} has the rule once", count == 1, (count, requests(model))
            )

    def _inspected(self, program: Path) -> Iterator[Check]:
        """Inspector lists every tool and calls each."""
        server = [str(program), "--cli", self.place.program, "mcp"]
        listed = self.place.run([*server, "--method", "tools/list"], {}, limit_s=TURN_S)
        yield went("Inspector lists the tools", listed)
        names = [tool["name"] for tool in json.loads(listed.out or "{}").get("tools", [])]
        [own] = [
            row["id"] for row in self._list() if LEARNED.format("claude") in str(row["content"])
        ] or [""]
        arguments = {
            "memory_search": ["query=retry budget"],
            "memory_recall": [f"prompt={ASKED}"],
            "memory_show": [f'ids=["{own}"]'],
            "memory_learn": [f"content={LEARNED.format('inspector')}"],
            "memory_feedback": [f"id={own}", "helped=true"],
            "memory_forget": [f"id={own}"],
        }
        yield claim("and no other", sorted(names) == sorted(arguments), names)
        for name, given in arguments.items():
            words = [word for one in given for word in ("--tool-arg", one)]
            call = [*server, "--method", "tools/call", "--tool-name", name, *words]
            done = self.place.run(call, {}, limit_s=TURN_S)
            answered = done.code == 0 and '"structuredContent"' in done.out
            yield claim(f"Inspector calls {name}", answered, done.err + done.out)

    def _facts(self) -> list[dict[str, object]]:
        listed = rows(self.place.memdeck("sources", "--json"))
        return [one for one in listed if one["kind"] == "fact"]

    def _list(self) -> list[dict[str, object]]:
        return rows(self.place.memdeck("list", "--limit", "100", "--json"))

    def _turn(self, story: Story, model: StandIn, prompt: str) -> Done:
        return story.run(story.agent.command(prompt, model.url), model)
