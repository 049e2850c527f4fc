"""README, changelog and manual can be understood at first reading: short sentences, plain words."""

import inspect
import re
import statistics
from pathlib import Path

import click
import pytest

from memdeck.cli.root import root

ROOT = Path(__file__).resolve().parents[2]
PAGES = {
    str(page.relative_to(ROOT)): page
    for page in (ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted(ROOT.glob("docs/**/*.md")))
}
FORBIDDEN = re.compile(
    r"\b(told|tells|telling|heard|stands|tak(?:e|es|en|ing) down|l(?:ay|ays|aid) down"
    r"|bears? out|borne out|the person|whoever|likewise|anew|mends?|mended|upkeep|undoable"
    r"|out of recall|in so many words)\b",
    re.IGNORECASE,
)
FENCE = re.compile(r"^ *(`{3}|~{3}).*?^ *\1\s*$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
CODE = re.compile(r"`[^`]*`")
ITEM = re.compile(r"([-*]|\d+\.)\s+")
HEADLESS = {"what", "who", "whoever", "whatever", "that"}
MOST_WORDS, MEAN_WORDS, HEADLESS_SHARE, SEMICOLONS = 35, 18.0, 0.02, 3.0  # a thousand words


def plain(text):
    """A page without code blocks, link targets and code spans, each of which counts as one word."""
    return CODE.sub("CODE", LINK.sub(r"\1", FENCE.sub("", text)))


def sentences(text):
    """The prose sentences of a page with their words; headings, tables and pictures left out."""
    blocks: list[list[str]] = [[]]
    for line in map(str.strip, plain(text).splitlines()):
        item = ITEM.match(line)
        is_prose = bool(line) and line[0] not in "#|!<>"
        if item or not is_prose:
            blocks.append([])
        if is_prose:
            blocks[-1].append(line[item.end() :] if item else line)
    split = [
        (sentence, re.findall(r"[A-Za-z’'-]+", sentence))
        for block in blocks
        for sentence in re.split(
            r'(?<=[.!?:])\s+(?=["“(A-Z])', re.sub(r"[*_]", "", " ".join(block))
        )
    ]
    return [(sentence, words) for sentence, words in split if len(words) >= 4]


def faults(text):
    """Return what a reader would stumble over, each with the words concerned."""
    prose = sentences(text)
    count = max(1, sum(len(words) for _, words in prose))
    bad = [f"too long: {sentence}" for sentence, words in prose if len(words) > MOST_WORDS]
    if prose and (mean := statistics.mean(len(words) for _, words in prose)) > MEAN_WORDS:
        bad.append(f"mean sentence of {mean:.1f} words")
    headless = [s for s, words in prose if words[0].lower() in HEADLESS and not s.endswith("?")]
    if len(headless) > HEADLESS_SHARE * len(prose):
        bad += [f"headless: {sentence}" for sentence in headless]
    semicolons = [sentence for sentence, _ in prose if ";" in sentence]
    if sum(sentence.count(";") for sentence in semicolons) * 1000 > SEMICOLONS * count:
        bad += [f"semicolon: {sentence}" for sentence in semicolons]
    return bad + [f"forbidden: {word}" for word in FORBIDDEN.findall(plain(text))]


@pytest.mark.parametrize("name", sorted(PAGES))
def test_a_page_can_be_understood_at_first_reading(name):
    assert faults(PAGES[name].read_text(encoding="utf-8")) == []


def helps(command, name, above=None):
    """Each line of help with the command or option that it describes, this command's and below."""
    context = click.Context(
        command, info_name=name, parent=above, help_option_names=["-h", "--help"]
    )  # click keeps the help option that it makes first
    yield name, inspect.cleandoc(command.help or "")
    for option in command.params:
        record = option.get_help_record(context)
        if record and record[1]:
            yield f"{name} {record[0]}", record[1]
    if isinstance(command, click.Group):
        for word in command.list_commands(context):
            inner = command.get_command(context, word)
            assert inner is not None
            yield from helps(inner, f"{name} {word}", context)


def test_help_can_be_understood_at_first_reading(subtests):
    """The first line of a command is at most 60 characters, as lists of commands cut it there."""
    for name, text in helps(root, "memdeck"):
        with subtests.test(name=name):
            assert [fault for fault in faults(text) if not fault.startswith("mean")] == []
            if " -" not in name and name != "memdeck":
                assert len(text.splitlines()[0]) <= 60


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("The hook writes one line. You read it in the app.", None),
        ("What waits is listed here, and it stays.", "headless"),
        ("What can you see in this list?", None),
        ("Memories age; candidates age faster than those.", "semicolon"),
        ("The agent is told nothing about it.", "forbidden"),
        ("Run `memdeck tell told` in a folder.", None),
        ("```sh\nwhat is told; here\n```\n", None),
        ("| What is told | in a table |", "forbidden"),
        ("A word " * 20, "too long"),
        ("The word after " * 7 + ".", "mean"),
        ("## What a heading says\n\nMemories are listed in this table.", None),
    ],
)
def test_the_rules_refuse_and_let_through(text, fault):
    assert [line.split(":")[0].split()[0] for line in faults(text)][:1] == (
        [fault.split()[0]] if fault else []
    )
