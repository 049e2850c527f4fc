"""Whatever a session holds: extraction ends, stays bounded and makes sound captures."""

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdeck.benchmarks.gallery.extract import extract
from memdeck.core.sessions.turns import KINDS, Turn
from memdeck.tests.vocabulary import CATEGORIES, TYPES

UNITS = (
    "we decided ",
    "always never ",
    "the x should not ",
    "`",
    '"',
    "<private>",
    "**a ",
    "[a](",
    "a/b/",
    "A. ",
    "use a, ",
    "- > # ",
    "Idempotency-Key store keys ",
    "\x1b[0m\u202e\x00",
    "keep 3 days only ",
    "no, ",
    "we plan to ",
    "once the a ",
    "remind me, ",
    "until the end of ",
    "i suggest using ",
    "that is not ",
    "open: ",
    "a still has to be ",
    "please now ",
    "= 1 failed ",
    "𝕏é",
    "data is wrong, exclude ",
    "a is only ever ",
    "it comes from `a` ",
    "`a` b, so c ",
    "x must be y ",
    "their api is at a.b.",
    "naming: a is b, ",
    "by 1 may the a must ",
    "I was wrong about a, ",
    "wir haben immer a, nicht ",
    "Alle a müssen b, weil ",
    "siempre que no se usa, ",
    "todas las a deben b porque ",
    "no a over b, ",
    "10.0.0.1/8 a.b-",
    "\n",
)


MOST_S = 3.0
"""Of processor time, a text; the slowest takes an eighth. What grew by the square took nine."""


def in_time(turns):
    began = time.process_time()
    captures = extract(turns, session="s1", project_root="/p")
    assert time.process_time() - began < MOST_S
    check(captures)


def check(captures):
    for capture in captures:
        assert 0 < len(capture.content) <= 500
        assert 0 < len(capture.title) <= 80
        assert capture.category in CATEGORIES
        assert capture.type in TYPES
        assert 0 <= capture.importance <= 1
        assert 0 <= capture.confidence <= 1
        json.dumps(dict(capture.details))
        assert len(repr(capture.envelope)) < 10_000
    refs = [capture.origin.ref for capture in captures]
    assert len(set(refs)) == len(refs)
    assert len(captures) <= 100


@pytest.mark.slow
def test_a_text_of_one_repeated_piece_is_judged_in_time(subtests):
    for unit in UNITS:
        with subtests.test(unit=unit):
            text = (unit * 10_000)[:10_000]
            sentence = (unit * 990)[:990].replace("\n", " ")
            turns = [
                Turn(
                    "tool_call",
                    tool="Bash",
                    tool_input={"command": text[:1900]},
                    line=1,
                    call_id="c",
                ),
                Turn("tool_result", text, is_error=True, line=2, call_id="c"),
                Turn("user", f"Release {text}", line=3, uuid="u2"),
                Turn(
                    "tool_call",
                    tool="Write",
                    line=3,
                    call_id="w",
                    tool_input={"file_path": "/p/a.py", "content": f"def a():\n{text}"},
                ),
                Turn("user", text, line=3, uuid="u3"),
                Turn("user", f"{sentence}. {sentence}.", line=4, uuid="u4"),
                Turn("assistant", text, line=5, uuid="u5"),
                Turn("assistant", f"{sentence}. {sentence}.", line=6, uuid="u6"),
            ]
            in_time(turns)


@pytest.mark.slow
def test_a_prompt_of_64_kb_is_judged_in_time(subtests):
    rows = ["`a` is only ever b, so ", "wir haben das nie, ", "a.b-c/d_", " "]
    for unit in rows:
        with subtests.test(unit=unit):
            text = (unit * 64_000)[:64_000]
            many = ". ".join((unit * 990)[:500] for _ in range(130))
            turns = [
                Turn("user", text, line=1, uuid="u1"),
                Turn("user", many, line=2, uuid="u2"),
                Turn("tool_call", tool="Bash", tool_input={"command": "make"}, line=3, call_id="c"),
                Turn("tool_result", text, is_error=True, line=4, call_id="c"),
                Turn("assistant", many, line=5, uuid="u5"),
            ]
            in_time(turns)


pieces = st.sampled_from(
    (
        "always", "never", "we decided", "use", "not", "because", "it", "this", "`make x`", "pip",
        "the cause was", "remember that", "no,", "Postgres", "app/x.py:12", "now", "returns", ".",
        "?", "\n", "\n\n", "```", "> ", "- ", '"', "<private>", "</private>", "must", "keys",
        "idempotency_keys", "tomorrow", "it comes from", "nobody", "immer", "nicht", "siempre",
        "no", "only ever", "exclude", "until", "over", "everywhere", "port 8080", "remind me to",
        "48 hours", "only", "don't", ":", ",",
    )
)  # fmt: skip
talk = st.lists(pieces, max_size=40).map(" ".join) | st.text(max_size=200)


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(("user", "queued", "assistant")), talk), max_size=6))
def test_any_talk_gives_sound_captures(said):
    turns = [Turn(kind, text, line=n, uuid=f"u{n}") for n, (kind, text) in enumerate(said, 1)]
    check(extract(turns, session="s1", project_root="/p", is_judged=True))
    captures = extract(turns, session="s1", project_root="/p")
    check(captures)
    assert extract(turns, session="s1", project_root="/p") == captures


values = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=30)
    | st.lists(st.text(), max_size=2)
)
FIELDS = "command file_path old_string new_string content edits todos taskId subject"
TOOLS = "Bash Edit MultiEdit Write Read TodoWrite TaskCreate TaskUpdate Agent"
names, tools = st.sampled_from(FIELDS.split()), st.sampled_from([*TOOLS.split(), ""])


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(
    st.lists(
        st.builds(
            Turn,
            kind=st.sampled_from(KINDS),
            text=talk,
            tool=tools,
            tool_input=st.dictionaries(names, values, max_size=4),
            is_error=st.booleans(),
            line=st.integers(1, 50),
            uuid=st.uuids().map(str),
            call_id=st.sampled_from(("", "a", "b", "c")),
        ),
        max_size=14,
    )
)
def test_any_turns_give_sound_captures(turns):
    check(extract(turns, session="s1", project_root="/p"))


def test_no_turns_give_no_captures():
    assert extract([], session="s1") == []


def test_a_pasted_rule_book_does_not_fill_the_inbox(session):
    session.asks("\n".join(f"- From now on, module {n} needs a ticket." for n in range(80)))
    assert [bool(one.filtered) for one in session.captures()] == [False] * 12 + [True]
