"""The generated parts of the manual are current, and its settings file works."""

import importlib.util
import re
from pathlib import Path

import pytest

from memdeck import open_memory
from memdeck.core.config.settings import PRESETS, settings_in
from memdeck.tui.app import MemoryApp

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = ROOT / "docs" / "reference"
PAGE = (REFERENCE / "settings.md").read_text(encoding="utf-8")
_SPEC = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
generate = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(generate)


@pytest.mark.parametrize("page", generate.PAGES)
def test_the_generated_parts_are_current(page):
    """If not, run `make reference`."""
    text = (REFERENCE / f"{page}.md").read_text(encoding="utf-8")
    assert generate.generated(text, generate.all_parts()) == text


def test_every_setting_is_on_the_page():
    sections = {".".join(path[:-1]) or generate.TOP for path, *_ in settings_in()}
    assert sections == set(re.findall(r"begin settings:([\w.]+)", PAGE))
    assert all(len(about) > 10 for _, _, about in settings_in())


def test_the_presets_have_the_numbers_of_the_table():
    rows = re.findall(r"^\| `(\w+)` \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$", PAGE, re.MULTILINE)
    assert {name: tuple(map(float, numbers)) for name, *numbers in rows} == {
        name: tuple(map(float, numbers.values())) for name, numbers in PRESETS.items()
    }


def test_the_example_of_the_page_is_a_good_settings_file(tmp_path):
    example = re.search(r"^```toml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert example is not None
    (tmp_path / "config.toml").write_text(example[1], encoding="utf-8")
    with open_memory(tmp_path, "harbour") as core:
        policy = core.policy
        assert not core.settings_problems()
    assert policy.recall.max_pinned == 3
    assert policy.app.keymap == {"memory.forget": "x,delete"}


def test_a_keymap_id_that_does_not_exist_is_named(tmp_path):
    (tmp_path / "config.toml").write_text('[app.keymap]\n"memory.forge" = "f12"\n')
    assert MemoryApp(str(tmp_path), None).problems == ["keymap: no act is called memory.forge."]
