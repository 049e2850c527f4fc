"""Exports of other tools become transcripts whose lines are those that labels name."""

import json

import pytest

from memdeck.training.collect import forms
from memdeck.training.sessions import turns_of

SPECSTORY = """\
_**User (2026-01-02 10:00Z)**_

Keep the tide table in UTC.

---

_**Agent (model x)**_

<think>hm</think>
It is in UTC now.

_**User (2026-01-02 10:05Z)**_

And the berths?

_**Assistant**_

They have no time.
"""
AIDER = """\
# aider chat started at 2026-01-02 10:00:00

> Aider v0.80
#### Keep three tries.
#### The gateway bans us.
Done.
```
code
```
#### /exit

# aider chat started at 2026-01-03 10:00:00

#### Another chat.
Yes.
"""
OPENCODE = json.dumps(
    {
        "messages": [
            {"info": {"role": "user"}, "parts": [{"type": "text", "text": "Look."}]},
            {
                "info": {"role": "assistant"},
                "parts": [
                    {"type": "text", "text": "hidden", "synthetic": True},
                    {"type": "tool", "state": {"status": "error", "error": "no such file"}},
                    {"type": "text", "text": "It is gone."},
                ],
            },
        ]
    }
)


def read(tmp_path, name, text, part=None):
    path = tmp_path / f"{name}.jsonl"
    path.write_bytes(next(forms(name, text.encode(), part or {})))
    return [(one.line, one.kind, one.text) for one in turns_of(path)]


@pytest.mark.parametrize(
    ("name", "text", "part", "said"),
    [
        (
            "x00-specstory",
            SPECSTORY,
            {"prompts": [1, 1]},
            [(1, "user", "And the berths?"), (2, "assistant", "They have no time.")],
        ),
        (
            "x00-aider",
            AIDER,
            {"chats": [0, 0]},
            [(1, "user", "Keep three tries.\nThe gateway bans us."), (2, "assistant", "Done.")],
        ),
    ],
)
def test_a_part_of_an_export_is_taken_line_by_line(tmp_path, name, text, part, said):
    assert read(tmp_path, name, text, part) == said


def test_a_whole_export_hides_thoughts_and_tells_failed_calls_in_two_lines(tmp_path):
    lines = [(line, text) for line, _, text in read(tmp_path, "x00-specstory", SPECSTORY)]
    assert lines[:2] == [(1, "Keep the tide table in UTC."), (2, "It is in UTC now.")]
    told = read(tmp_path, "x00-opencode", OPENCODE)
    assert [(line, kind) for line, kind, _ in told] == [
        (1, "user"),
        (2, "tool_call"),
        (3, "tool_result"),
        (4, "assistant"),
    ]


def test_an_agents_own_transcript_is_taken_as_it_is():
    assert list(forms("x00-codex", b'{"type": "session_meta"}\n', {})) == [
        b'{"type": "session_meta"}\n'
    ]


def test_opencodes_json_is_offered_as_an_export_and_as_it_is():
    made, raw = forms("x00-opencode", OPENCODE.encode(), {})
    assert raw == OPENCODE.encode()
    assert made != raw
    assert len(list(forms("x00-aider", AIDER.encode(), {"chats": [0, 0]}))) == 1
