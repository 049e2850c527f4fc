"""Redaction against goals 1 to 3 of the reliability page: found, left alone, quick.

Recall is measured on documented forms (`redaction_vectors`), apart for those that rules may be
tuned on and those that only measure; damage on notes, placeholders and the prose of this machine.
"""

import inspect
import os
import re
import subprocess
import sys
import sysconfig
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from memdeck.core.redaction.redact import redact

from . import redaction_notes as notes
from . import redaction_vectors as vectors
from . import report

PARAGRAPHS = 6_000
HOSTILE_BYTES = 100_000
_LONG = re.compile(r'"""(.+?)"""', re.DOTALL)
RUNS = 9

HOSTILE = """a|=|token=|?token=|password is |key|-|--password |eyJ|eyJaaaaaaaaaa.|sk-|://|://a:b
http://a:b@|@|a@a.|cookie: a=|authorization: bearer |curl -u |mysql -p|0|4111 |0123456789abcdef-
AccountKey=|$6$a|-----BEGIN RSA PRIVATE KEY-----|-----END |[REDACTED:|password>|\\|token(|A|q~
name value |aB3dE5gH7jK9|-----BEGIN PRIVATE KEY-----~AAAA~|secret,|token: |key=key=|pass|psk="|{"
kind: Secret~data:~  a: |token ::::|\u200b|\x1b[|jdbc:oracle:thin:|/|../|a.b.|Zz9+""".replace(
    "~", "\n"
)


def run() -> None:
    """Print every figure of goals 1 to 3."""
    rows: list[tuple[str, str, str]] = []
    figures: dict[str, object] = {}

    def note(name: str, value: float, goal: str, form: str = "{:.2%}") -> None:
        rows.append((name, form.format(value), goal))
        figures[name] = value

    for name, is_dev in (("tuned on", True), ("held out", False)):
        by_kind = recall_by_kind(is_dev=is_dev)
        note(f"recall, {len(by_kind)} kinds {name}", mean(by_kind.values()), ">= 95 %")
        figures[f"by kind, {name}"] = {k: round(v, 3) for k, v in sorted(by_kind.items()) if v < 1}
    keys = list(vectors.private_keys())
    note("private keys", mean(v.secret not in redact(v.text).value for v in keys), "100 %")
    note("benign notes changed", mean(map(is_changed, notes.benign())), "<= 0.5 %")
    note("placeholders changed", mean(map(is_changed, notes.placeholders())), "<= 2.5 %")
    prose = paragraphs(PARAGRAPHS)
    changed = [text for text in prose if set(redact(text).removed) - {"email"}]
    note(f"documentation changed, of {len(prose):,}", len(changed) / len(prose), "<= 0.2 %")
    figures["documentation kinds"] = Counter(k for t in changed for k in redact(t).removed)
    note("redacted again, the same", idempotence(prose), ">= 99.9 %", "{:.3%}")
    note("ms per 500 characters", ms_per_500(prose), "<= 1", "{:.3f}")
    note("ms to import", import_ms(), "<= 30", "{:.1f}")
    times = {shape: hostile_seconds(shape, HOSTILE_BYTES) for shape in shapes()}
    worst = max(times, key=lambda shape: times[shape])
    note("worst hostile 100 kB, s", times[worst], "<= 1", "{:.3f}")
    growth = {
        shape: spent / hostile_seconds(shape, HOSTILE_BYTES // 4)
        for shape, spent in times.items()
        if spent > 0.02  # what is quicker says nothing in the noise of a clock
    }
    note("most growth from 25 to 100 kB", max(growth.values()), "about 4", "{:.1f}")
    figures["worst shape"] = worst
    report.table("Redaction", ("figure", "measured", "goal"), rows)
    report.save("redaction", figures)


def mean(values: Iterable[float]) -> float:
    """The mean; 0 of nothing."""
    listed = list(values)
    return sum(listed) / len(listed) if listed else 0.0


def is_changed(text: str) -> bool:
    return redact(text).value != text


def recall_by_kind(*, is_dev: bool) -> dict[str, float]:
    """The share of each kind's vectors whose secret is gone, 0-1."""
    found: dict[str, list[bool]] = defaultdict(list)
    for vector in vectors.vectors():
        if vectors.is_dev(vector.kind) is is_dev:
            found[vector.kind].append(vector.secret not in redact(vector.text).value)
    return {kind: mean(values) for kind, values in found.items()}


def paragraphs(most: int) -> list[str]:
    """Prose that lies on this machine: docstrings of the standard library, manuals, licences."""
    found: dict[str, None] = {}
    for text in _documents():
        for part in text.split("\n\n"):
            part = part.strip()
            if 80 <= len(part) <= 2_000 and len(part.split()) >= 10:
                found[part] = None
    listed = list(found)
    step = max(1, len(listed) // most)
    return listed[::step][:most]


def _documents() -> Iterator[str]:
    for path in sorted(Path(sysconfig.get_path("stdlib")).glob("*.py")):
        for text in _LONG.findall(path.read_text("utf-8", "replace")):
            yield inspect.cleandoc(text)
    for folder, _, names in os.walk(sysconfig.get_path("purelib")):
        for name in sorted(names):
            if name.endswith((".md", ".rst", "METADATA")) or name.startswith("LICENSE"):
                yield Path(folder, name).read_text("utf-8", "replace")


def idempotence(prose: list[str]) -> float:
    """The share of redacted texts that a second redaction leaves alone, 0-1."""
    texts = [*prose, *notes.benign(), *(vector.text for vector in vectors.vectors(1))]
    once = [redact(text).value for text in texts]
    return mean(redact(text).value == text for text in once)


def ms_per_500(prose: list[str]) -> float:
    """Milliseconds of this process for 500 characters of prose: the median of several runs."""
    size = sum(map(len, prose))
    spent = []
    for _ in range(3):
        started = time.process_time()
        for text in prose:
            redact(text)
        spent.append((time.process_time() - started) * 1000 * 500 / size)
    return report.median(spent)


def import_ms() -> float:
    """Milliseconds that loading the rules costs beyond the standard library, the least of many."""
    base = "import re, unicodedata, dataclasses, typing, collections, functools, time\n"
    code = base + (
        "import memdeck; started = time.perf_counter()\n"
        "import memdeck.core.redaction.redact\n"
        "print((time.perf_counter() - started) * 1000)"
    )
    command = [sys.executable, "-c", code]
    return min(float(subprocess.check_output(command, text=True)) for _ in range(RUNS))


def shapes() -> list[str]:
    """Pieces that, repeated, have made redactors go back and forth."""
    return [piece for piece in HOSTILE.split("|") if piece]


def hostile_seconds(shape: str, size: int) -> float:
    """Seconds of this process for `size` characters of one piece over and over."""
    text = shape * (size // len(shape))
    started = time.process_time()
    redact(text)
    return time.process_time() - started
