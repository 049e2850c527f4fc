"""Sessions of `benchmarks year`, turn by turn: an answer can use what its prompt was told."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from .gallery.dialogue import Dialogue, Step
from .gallery.play import Player
from .year_facts import Fact, Move

SAYS = ("{}", "{}", "Remember: {}", "From now on: {}")  # half in the source's own words alone
FINDS = ("{}", "{}", "I looked into it. {}", "Done. {}")
OVERTURNS = ("This no longer holds: {} ", "Not any more: {} ", "")
DUE = 3  # questions of a session at most


@dataclass(frozen=True)
class Turn:
    """A prompt with what the agent does and says then."""

    prompt: str
    does: tuple[Step, ...]
    answer: str
    file: str = ""  # the family that the prompt is about
    fact: Fact | None = None  # what the prompt needs


def lived(dialogue: Dialogue, turns: Sequence[Turn], folder: Path, chance: Random) -> Player:
    """Live a session through hooks and drains; its player, who knows what was heard."""
    player = Player(dialogue, folder)
    player.hear(player.dialect.started())
    for number, turn in enumerate(turns):
        if number:
            player.tell(player.dialect.turn_ended())
            player.drain()
        player.hear(player.dialect.prompt(turn.prompt))
        answer = turn.answer
        if turn.fact and turn.fact.text in player.heard[-1] and chance.random() < 1 / 3:
            answer = f"I go by this: {turn.fact.text}"
        steps = (Step("prompt", turn.prompt), *turn.does, Step("answer", answer))
        player.dialogue = replace(player.dialogue, steps=(*player.dialogue.steps, *steps))
        player.write(len(player.dialogue.steps))
        for step in turn.does:
            if step.kind == "todos":
                new = [{"content": text, "status": status} for text, status in step.todos]
                player.tell(player.dialect.todos(player.todos, new))
                player.todos = new
    player.tell(player.dialect.turn_ended())
    player.tell(player.dialect.ended())
    player.drain()
    return player


def turns_of(
    new: Sequence[Fact], asked: Sequence[tuple[Fact, str]], over: Sequence[Fact], chance: Random
) -> Iterator[Turn]:
    """What a session asks, says and finishes."""
    for fact, question in asked:
        yield Turn(question, (), "I look at it.", fact.file, fact)
    for fact in new:
        edit = Step("edit", path=fact.file, before=("old",), after=("new",))
        gone = chance.choice(OVERTURNS).format(fact.follows) if fact.follows else ""
        if fact.by == "task":
            todo = Step("todos", todos=((fact.text, "in_progress"),))
            yield Turn(
                "What is left to do there? Note it.", (todo,), "It is on the list.", fact.file
            )
        elif fact.by == "person":
            yield Turn(
                gone + chance.choice(SAYS).format(fact.text), (edit,), "Understood.", fact.file
            )
        else:
            found = gone + chance.choice(FINDS).format(fact.text)
            yield Turn(fact.title, (edit,), found, fact.file)
    for fact in over:
        todo = Step("todos", todos=((fact.text, "completed"),))
        yield Turn("Finish what is open there.", (todo,), "That is done.", fact.file)
    if not (new or asked or over):
        yield Turn("Run the tests.", (), "They pass.")


class Tree:
    """The work trees of the projects: real git, so that a file's fate can be asked of it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def write(self, project: str, files: Sequence[str], day: str) -> None:
        """Have these files, committed on that day (ISO 8601)."""
        root = self._folder / project
        if not (root / ".git" / "objects").is_dir():
            root.mkdir(parents=True, exist_ok=True)
            self._git(root, day, "init", "-q", "-b", "main")
        new = [file for file in files if not (root / file).exists()]
        for file in new:
            (root / file).parent.mkdir(parents=True, exist_ok=True)
            (root / file).write_text(f"{file}\n", "utf-8")
        if new:
            self._git(root, day, "add", "--", *new)
            self._git(root, day, "commit", "-qm", "Add files")

    def move(self, move: Move, day: str) -> None:
        """Remove a file, or give it its new name."""
        root = self._folder / move.project
        if not (root / move.file).exists():
            return
        how = ("mv", move.file, move.name) if move.name else ("rm", "-q", move.file)
        self._git(root, day, *how)
        self._git(root, day, "commit", "-qm", f"{'Rename' if move.name else 'Remove'} {move.file}")

    @staticmethod
    def _git(root: Path, day: str, *arguments: str) -> None:
        who = ("-c", "user.name=a", "-c", "user.email=a@localhost", "-c", "gc.auto=0")
        when = {"GIT_AUTHOR_DATE": day, "GIT_COMMITTER_DATE": day, "PATH": "/usr/bin:/bin"}
        subprocess.run(["git", "-C", str(root), *who, *arguments], check=True, env=when)
