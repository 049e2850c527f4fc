"""The settings page names every field, with its default and its range."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel

from memdeck.core.config.policy import PRESETS, Policy
from memdeck.core.config.settings import load_policy

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
    file = tmp_path / "config.toml"
    file.write_text(example[1], encoding="utf-8")
    policy = load_policy([str(file)])
    assert policy.recall.max_pinned == 3
    assert policy.app.keymap == {"memory.forget": "x,delete"}


def test_the_keymap_ids_of_the_page_are_those_that_the_app_takes():
    from memdeck.tui.acts import every_act
    from memdeck.tui.stage import VIEWS

    spaces = (
        "app|view|memory|list|query|inbox|verdict|conflict|recall|receipt|audit|agents|switch|setup"
        "|teaching|profile|health|home|session|pane|tidy|settings"
    )
    table = PAGE.partition("Ids for `[app.keymap]`")[2].partition("Keys are named")[0]
    listed = set(re.findall(rf"`((?:{spaces})\.[a-z_]+)`", table))
    taken = set(every_act()) | {f"view.{name}" for name in VIEWS}
    assert listed == taken
