"""What people's files rely on: each setting with its default.

`settings_contract.json` was recorded from a version that is in use; what it names must be there.
What is new is added by `MEMDECK_RECORD=1 pytest tests/core/test_settings_contract.py`.
"""

import json
import os
from pathlib import Path

from pydantic import BaseModel

RECORD = Path(__file__).with_name("settings_contract.json")
WITHOUT_EFFECT = {"capture.max_written_length"}  # never had one, and is passed over now


def settings(model, before=""):
    """Each setting by its place, with its default as JSON."""
    for name, field in model.model_fields.items():
        value = field.get_default(call_default_factory=True)
        if isinstance(value, BaseModel):
            yield from settings(type(value), f"{before}{name}.")
        else:
            yield f"{before}{name}", json.loads(json.dumps(value, default=list))


def test_each_setting_is_still_there_with_its_default(core):
    now = dict(settings(type(core.policy)))
    if os.environ.get("MEMDECK_RECORD"):
        RECORD.write_text(json.dumps(now, indent=1) + "\n", "utf-8")
    recorded = json.loads(RECORD.read_text("utf-8"))
    assert len(recorded) > 40
    assert {name: now.get(name) for name in recorded if name not in WITHOUT_EFFECT} == {
        name: value for name, value in recorded.items() if name not in WITHOUT_EFFECT
    }


def test_what_is_gone_is_passed_over(configured):
    core = configured("[capture]\nmax_written_length = 700")
    assert core.settings_problems() == []
    assert core.policy == configured().policy
