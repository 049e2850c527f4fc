"""The settings page names every field, with its default and its range."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel

from memdeck import open_memory
from memdeck.core.config.policy import PRESETS, Policy
from memdeck.tui.app import MemoryApp

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| `([^`|]+)` \|([^|]*)\|([^|]*)\|([^|]*)\|$", re.MULTILINE)
TOP = "At the top"


def fields(model: type[BaseModel] = Policy, section: str = "") -> Iterator[tuple[str, str, Any]]:
    """(section, name, field) of every setting; tables are sections."""
    for name, field in model.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from fields(kind, f"{section}.{name}".strip("."))
        else:
            yield section, name, field


def sections() -> dict[str, str]:
    """The page's text by its headings of the second rank."""
    parts = re.split(r"^## (.+)$", PAGE, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_every_setting_stands_in_its_table_with_default_and_range(subtests):
    for section, name, field in fields():
        with subtests.test(section=section, name=name):
            rows = {row[0]: row[1:] for row in ROW.findall(sections()[section or TOP])}
            assert name in rows, f"{section}.{name} is not on the page"
            default, allowed, meaning = (cell.strip() for cell in rows[name])
            value = field.get_default(call_default_factory=True)
            assert tomllib.loads(f"value = {default.strip('`')}")["value"] == value
            if get_origin(field.annotation) is Literal:
                assert set(re.findall(r'"([^"]+)"', allowed)) == set(get_args(field.annotation))
            for bound in ("ge", "le"):
                for one in field.metadata:
                    if (limit := getattr(one, bound, None)) is not None:
                        assert limit in [
                            float(number) for number in re.findall(r"`([\d.]+)`", allowed)
                        ]
            assert len(meaning) > 10


def test_every_row_of_a_table_is_a_setting():
    known = {(section or TOP, name) for section, name, _ in fields()}
    tables = {section for section, _ in known}
    shown = {
        (heading, row[0])
        for heading, text in sections().items()
        if heading in tables
        for row in ROW.findall(text)
        if row[0] not in PRESETS
    }
    assert shown == known


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


def test_the_app_takes_each_keymap_id_of_the_page(tmp_path):
    """That it takes no other, tests/tui/test_key_contract.py sees."""
    table = PAGE.partition("Ids for `[app.keymap]`")[2].partition("Keys are named")[0]
    ids = re.findall(r"`([a-z]+\.[a-z_]+)`", table)
    assert len(ids) > 100
    config = tmp_path / "config.toml"
    config.write_text("[app.keymap]\n" + "".join(f'"{one}" = "f12"\n' for one in ids))
    assert MemoryApp(str(tmp_path), None).problems == []
    config.write_text('[app.keymap]\n"memory.forge" = "f12"\n')
    assert MemoryApp(str(tmp_path), None).problems == ["keymap: no act is called memory.forge."]
