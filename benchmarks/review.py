"""How well the built-in reviewers tell what is worth keeping, and how long they take.

Captures labelled by a person, data/captures.jsonl: `keep`, and `trivial` for what the trivial
filter should catch (000-53: precision over 80 %, recall over 90 %). A text's hash says which part
it belongs to: rules were tuned on "dev" (about 40 %) alone, so "held-out" tells how they do on
texts they were not written against.
"""

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from memdeck.core.answers import Neighbour
from memdeck.core.review.panel import built_in_panel
from memdeck.core.review.panel import review as reviewed
from memdeck.core.review.reviewer import ReviewDecision, Subject
from memdeck.core.storage.kinds import category_of, memory_type
from memdeck.core.storage.triviality import trivial_because

from . import report

FILE = Path(__file__).parent / "data" / "captures.jsonl"
DEV_SHARE = 40  # percent
LEAST = 50  # characters (000-22)
LEAST_OF_A_PERSON = 30  # where a person laid something down, as core/capturing.py has it
WEIGHTS = {  # importance of the extraction rules, as core/capture/rules*.py have them
    "remember": 0.85, "always-never": 0.85, "from-now-on": 0.85, "correction": 0.8,
    "decision": 0.8, "prohibition": 0.8, "contrast": 0.75, "preference": 0.7, "limit": 0.7,
    "warning": 0.6, "cause": 0.6, "turned-out": 0.6, "error-fix": 0.65, "project-fact": 0.65,
    "declared": 0.6, "intention": 0.6, "open-todo": 0.55, "because": 0.55,
    "subagent-finding": 0.5, "outcome": 0.45,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Labelled:
    """One capture, and what a person says of it."""

    subject: Subject
    keep: bool
    trivial: bool

    @property
    def part(self) -> str:
        digest = hashlib.sha256(self.subject.content.encode()).hexdigest()
        return "dev" if int(digest[:8], 16) % 100 < DEV_SHARE else "held-out"


@dataclass(frozen=True, slots=True)
class Score:
    """How a yes-or-no answer compares with the labels. Shares are 0-1."""

    right: int  # said yes, and so it is
    wrong: int  # said yes, and it is not
    missed: int  # said no, and it is

    @property
    def precision(self) -> float:
        return self.right / (self.right + self.wrong) if self.right else 0.0

    @property
    def recall(self) -> float:
        return self.right / (self.right + self.missed) if self.right else 0.0

    @property
    def f1(self) -> float:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


def labelled() -> list[Labelled]:
    """All captures of the file, in its order."""
    rows = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]
    return [_labelled(row) for row in rows]


def _labelled(row: dict[str, object]) -> Labelled:
    content, rule = str(row["content"]), str(row["rule"])
    category = category_of(content)
    known = row.get("known", [])
    assert isinstance(known, list)
    subject = Subject(
        content=content,
        type=memory_type(content, category),
        category=category,
        importance=WEIGHTS.get(rule.partition(".")[2], 0.5),
        rule=rule,
        neighbours=tuple(Neighbour(id=str(n), content=text) for n, text in enumerate(known)),
    )
    return Labelled(subject, bool(row["keep"]), bool(row["trivial"]))


def too_short_or_filler(subject: Subject) -> str | None:
    """What the filter before the reviewers says (000-22, 000-23)."""
    by_person = subject.rule.startswith("person.")
    return trivial_because(subject.content, LEAST_OF_A_PERSON if by_person else LEAST)


def decide(subject: Subject) -> ReviewDecision:
    """The built-in panel's decision."""
    return reviewed(subject, built_in_panel(), heuristic=too_short_or_filler)


def is_filtered(subject: Subject) -> bool:
    """Whether the trivial filter takes it: by itself, or by two trivial votes (000-29)."""
    if too_short_or_filler(subject):
        return True
    return sum(vote.is_trivial for vote in decide(subject).votes) >= 2


def is_kept(subject: Subject) -> bool:
    """Whether it gets past the filter and the panel."""
    return too_short_or_filler(subject) is None and decide(subject).is_accepted


def compare(
    items: Iterable[Labelled], says: Callable[[Subject], bool], label: Callable[[Labelled], bool]
) -> Score:
    """The answers of `says` against the labels."""
    pairs = [(says(item.subject), label(item)) for item in items]
    return Score(
        right=sum(said and true for said, true in pairs),
        wrong=sum(said and not true for said, true in pairs),
        missed=sum(true and not said for said, true in pairs),
    )


def score_of(part: str) -> dict[str, Score]:
    """The scores on one part: "dev" or "held-out"."""
    items = [item for item in labelled() if item.part == part]
    return {
        "trivial filter": compare(items, is_filtered, lambda item: item.trivial),
        "kept": compare(items, is_kept, lambda item: item.keep),
    }


def times_ms(items: Sequence[Labelled]) -> list[float]:
    """Milliseconds of computing for each review; each text is read for the first time."""
    spent = []
    for item in items:
        started = time.process_time()
        decide(item.subject)
        spent.append((time.process_time() - started) * 1000)
    return spent


def run() -> None:
    """Print what the trivial filter and the panel get right on both parts, and their time."""
    spent = times_ms(labelled())
    rows, figures = [], {}
    for part in ("dev", "held-out"):
        for name, score in score_of(part).items():
            shares = [f"{share:.1%}" for share in (score.precision, score.recall, score.f1)]
            rows.append((part, name, *shares, score.wrong, score.missed))
            figures[f"{name} @ {part}"] = {
                "precision": score.precision,
                "recall": score.recall,
                "f1": score.f1,
            }
    header = ("part", "answer", "precision", "recall", "F1", "wrong", "missed")
    report.table("What is worth keeping, without a model", header, rows)
    figures["time"] = {"median_ms": report.median(spent), "p95_ms": report.quantile(spent, 0.95)}
    print(
        f"  a review takes {report.median(spent):.2f} ms, p95 {report.quantile(spent, 0.95):.2f} ms"
    )
    report.save("review", figures)
