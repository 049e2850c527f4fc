"""An evaluation set for retrieval: invented projects, written as sessions, with questions.

Everything follows from two files of hand-written facts in `data/`; no chance is involved but a
fixed seed. What makes it hard is what makes real stores hard: most answers leave the name of what
they are about to the memories around them, every fact is also true of a dozen other things in
the same words, and questions use other words, slips of the finger, identifiers or times.

Questions are split by what they ask (a fixed hash of the aspect), so that no wording of a
tuned question or answer occurs among the held-out ones.
"""

import random
import tomllib
import zlib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

DATA = Path(__file__).parent / "data"

NOW = datetime(2026, 3, 20, 9, 30, tzinfo=UTC)
"""When the questions are asked; a Friday."""

SESSIONS = 4  # a thing
ASKED = 8  # questions a thing, beside those about times
AGENTS = ("claude", "codex", "gemini", "opencode")
STYLES = ("bare",) * 11 + ("named",) * 5 + ("coded",) * 4
KINDS = ("direct", "paraphrase", "typo", "identifier", "direct", "other name", "agent", "path")

GOALS = {
    "en": (
        "Working on the {name} today, goal: make it ready for the spring release.",
        "Session about the {name} ({other}): clean up after the incident.",
        "Started on the {name}; {path} needs a second pair of eyes.",
        "Back at the {name}, that is the {other}: finish what the last session left.",
    ),
    "de": (
        "Heute geht es um {name}: bereit machen für das Frühjahr.",
        "Sitzung zu {name} ({other}): nach dem Vorfall aufräumen.",
        "Mit {name} angefangen; {path} braucht einen zweiten Blick.",
        "Wieder bei {name}, also {other}: den Rest vom letzten Mal erledigen.",
    ),
}
NOISE = {
    "en": (
        "Ran all {n} tests, everything passed after the second run.",
        "Compared notes with the {rival}; it does the same in another way, nothing to change.",
        "Talked about rate limits, timeouts and retries in general; no decision.",
        "Renamed a few variables and pushed {n} lines to the branch.",
        "Read {rival_path} for an hour to see how its state is stored.",
        "Reviewer asked for smaller commits; split the change into {n} parts.",
        "The {rival} came up in the meeting: its owner is on leave until Monday.",
        "Updated the changelog and the library versions, the build is green.",
        "Opened ticket {n} for the index and the migration of the {rival}.",
        "Coffee machine broken again, stand-up moved to {n} past ten.",
    ),
    "de": (
        "Alle {n} Tests liefen durch, nach dem zweiten Anlauf.",
        "Mit {rival} verglichen, dort ist es anders gelöst, nichts zu ändern.",
        "Über Begrenzungen, Wartezeiten und Wiederholungen gesprochen, nichts entschieden.",
        "Ein paar Variablen umbenannt und {n} Zeilen geschoben.",
        "{rival_path} gelesen, um zu sehen, wie der Zustand dort gespeichert wird.",
        "Die Durchsicht wünscht kleinere Änderungen, in {n} Teile zerlegt.",
        "{rival} kam in der Besprechung vor: wer zuständig ist, kommt erst am Montag wieder.",
        "Bibliotheken aktualisiert, der Build ist grün.",
        "Ticket {n} für den Index und die Migration von {rival} angelegt.",
    ),
}
AGENT_ASKS = {"en": "what did {agent} note: {ask}", "de": "was hat {agent} notiert: {ask}"}
SPANS = {  # days ago: how a user says it
    "en": ((1, "yesterday"), (9, "last week"), (21, "three weeks ago"), (50, "in January")),
    "de": ((1, "gestern"), (9, "letzte Woche"), (21, "vor drei Wochen"), (50, "im Januar")),
}


class Asked(NamedTuple):
    """One question, and the key of the one memory that answers it."""

    text: str
    answer: str
    project: str
    is_held_out: bool  # it lies in the half that no weight was tuned on


def evaluation_set() -> tuple[dict[str, list[dict[str, Any]]], list[Asked]]:
    """Memories by project, in the import format, and the questions about them.

    The same at each call: about 3,500 memories and 600 questions.
    """
    projects = tomllib.loads((DATA / "retrieval_projects.toml").read_text("utf-8"))["project"]
    aspects = tomllib.loads((DATA / "retrieval_aspects.toml").read_text("utf-8"))["aspect"]
    memories: dict[str, list[dict[str, Any]]] = {}
    questions: list[Asked] = []
    for project in projects:
        rng = random.Random(project["name"])
        told = [_Told(project, thing, aspects, rng) for thing in project["things"]]
        listed = [memory for one in told for memory in one.memories]
        memories[project["name"]] = sorted(listed, key=lambda memory: memory["created_at"])
        questions += [question for one in told for question in one.questions]
    return memories, questions


class _Told:
    """The sessions about one thing, and what is asked about it."""

    def __init__(
        self,
        project: dict[str, Any],
        thing: dict[str, Any],
        aspects: list[dict[str, Any]],
        rng: random.Random,
    ) -> None:
        self.project, self.thing, self.rng = project, thing, rng
        self.memories: list[dict[str, Any]] = []
        self.questions: list[Asked] = []
        languages = project["languages"]
        plan = [languages[number % len(languages)] for number in range(SESSIONS)]
        days = sorted(rng.sample(range(25, 110), SESSIONS), reverse=True)
        waiting = rng.sample(aspects, len(aspects))
        facts = []
        for number, language in enumerate(plan):
            mine = [aspect for aspect in waiting if language in aspect][: rng.randint(5, 7)]
            waiting = [aspect for aspect in waiting if aspect not in mine]
            facts += self._session(f"{number}", language, days[number], mine)
        self._again(plan[0], facts)
        for place, fact in enumerate(rng.sample(facts, min(ASKED, len(facts)))):
            self._ask(KINDS[place % len(KINDS)], *fact)

    def _words(self, language: str) -> dict[str, Any]:
        name = self.thing["de"] if language == "de" else self.thing["name"]
        rival = self.rng.choice([one for one in self.project["things"] if one is not self.thing])
        return {
            **self.thing,
            "name": name,
            "n": self.rng.randint(3, 400),
            "rival": rival["de"] if language == "de" else rival["name"],
            "rival_path": rival["path"],
        }

    def _session(
        self, number: str, language: str, day: int, aspects: list[dict[str, Any]]
    ) -> list[tuple[dict[str, Any], str, str, str, str]]:
        """Tell one session; (aspect, language, value, agent, key) of each fact in it."""
        session = f"{self.project['name']}-{self.thing['ident']}-{number}"
        agent = self.rng.choice(AGENTS)
        start = NOW - timedelta(days=day, hours=self.rng.randint(0, 5))
        texts: list[tuple[str, Any]] = []
        for aspect in aspects:
            value, style = self.rng.choice(aspect["values"]), self.rng.choice(STYLES)
            texts.append((aspect[language][style], (aspect, value)))
        texts += [(text, None) for text in self.rng.sample(NOISE[language], 5)]
        self.rng.shuffle(texts)
        texts.insert(0, (self.rng.choice(GOALS[language]), None))
        facts = []
        for place, (text, fact) in enumerate(texts):
            key = f"{session}-{place}"
            words = self._words(language)
            if fact:
                words["v"] = fact[1]
                facts.append((fact[0], language, fact[1], agent, key))
            category = fact[0]["category"] if fact else "task_progress"
            self.memories.append(
                {
                    "content": text.format(**words),
                    "key": key,
                    "session": session,
                    "agent": agent,
                    "type": "semantic" if fact else "episodic",
                    "category": category,
                    "importance": round(self.rng.uniform(0.3, 0.9), 2),
                    "tags": [fact[0]["id"]] if fact and self.rng.random() < 0.15 else [],
                    "files": [self.thing["path"]] if self.rng.random() < 0.25 else [],
                    "created_at": (start + timedelta(minutes=4 * place)).isoformat(),
                }
            )
        return facts

    def _again(self, language: str, facts: list[Any]) -> None:
        """A decision is replaced by a new one, and then both are queried by time."""
        held = [fact for fact in facts if fact[1] == language]
        aspect, _, old, _, _ = self.rng.choice(held)
        others = [value for value in aspect["values"] if value != old]
        spans = SPANS[language]
        day, when = self.rng.choice(spans[:3])
        repeated = {**aspect, "values": [self.rng.choice(others)]}
        for fact in self._session("again", language, day, [repeated]):
            ask = aspect[language]["ask"].format(**{**self._words(language), "v": fact[2]})
            said = f"{ask.rstrip('?')} {when}?" if language == "en" else f"{when}: {ask}"
            self._add(said, fact)

    def _ask(self, kind: str, *fact: Any) -> None:
        aspect, language, value, agent, _ = fact
        words = {**self._words(language), "v": value}
        form = aspect[language]["paraphrase" if kind == "paraphrase" else "ask"]
        if kind == "identifier":
            words["name"] = self.thing["ident"]
        elif kind == "path":
            words["name"] = self.thing["path"]
        elif kind == "other name":
            words["name"] = self.thing["other"]
        text = form.format(**words)
        if kind == "typo":
            text = _slip(text, self.rng)
        elif kind == "agent":
            text = AGENT_ASKS[language].format(agent=agent, ask=text)
        self._add(text, fact)

    def _add(self, text: str, fact: Any) -> None:
        aspect, *_, key = fact
        is_held_out = zlib.crc32(aspect["id"].encode()) % 2 == 1
        self.questions.append(Asked(text, key, self.project["name"], is_held_out))


def _slip(text: str, rng: random.Random) -> str:
    """`text` with a slip of the finger in two of its longer words."""
    words = text.split(" ")
    long = [place for place, word in enumerate(words) if len(word.strip("?:,")) >= 6]
    for place in rng.sample(long, min(2, len(long))):
        word = words[place]
        at = rng.randint(2, len(word.strip("?:,")) - 3)
        kind = rng.randrange(3)
        if kind == 0:  # two letters the wrong way round
            word = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        elif kind == 1:  # one left out
            word = word[:at] + word[at + 1 :]
        else:  # one typed twice
            word = word[:at] + word[at] + word[at:]
        words[place] = word
    return " ".join(words)
