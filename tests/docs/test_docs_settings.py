"""The settings page names every setting, with its default and what it may be."""

import re
import tomllib
from pathlib import Path

from memdeck import open_memory
from memdeck.core.config.policy import PRESETS
from memdeck.core.config.settings import settings_in
from memdeck.tui.app import MemoryApp

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| `([^`|]+)` \|([^|]*)\|([^|]*)\|([^|]*)\|$", re.MULTILINE)
TOP = "At the top"


def sections() -> dict[str, str]:
    """The page's text by its headings of the second rank."""
    parts = re.split(r"^## (.+)$", PAGE, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_the_tables_of_the_page_are_the_settings():
    expected = {(".".join(path[:-1]) or TOP, path[-1]): rule for path, rule, _ in settings_in()}
    rows = {
        (heading, row[0]): row[1:]
        for heading, text in sections().items()
        if heading in {section for section, _ in expected}
        for row in ROW.findall(text)
        if row[0] not in PRESETS
    }
    assert rows.keys() == expected.keys()
    for key, rule in expected.items():
        default, allowed, meaning = (cell.strip() for cell in rows[key])
        value = tomllib.loads(f"value = {default.strip('`')}")["value"]
        assert (tuple(value) if isinstance(value, list) else value) == rule.default, key
        if rule.kind == "choice":
            assert set(re.findall(r'"([^"]+)"', allowed)) == set(rule.choices), key
        if rule.kind in ("whole", "number"):
            ends = [float(number) for number in re.findall(r"`([\d.]+)`", allowed)]
            assert {rule.low, rule.high} <= set(ends), key
        assert len(meaning) > 10


def test_the_presets_have_the_numbers_of_the_table():
    rows = {row[0]: row[1:] for row in ROW.findall(sections()["promotion"])}
    for preset, numbers in PRESETS.items():
        assert [float(cell) for cell in rows[preset]] == list(map(float, numbers.values()))


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
