"""The script behind the pictures: what it does to an SVG, and which pictures it takes."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "screenshots" / "take.py"


@pytest.fixture(scope="module")
def take() -> ModuleType:
    spec = importlib.util.spec_from_file_location("take_pictures", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up by name
    spec.loader.exec_module(module)
    return module


SVG = """<style>
    @font-face {
        font-family: "Fira Code";
        src: url("https://example.invalid/FiraCode-Regular.woff2") format("woff2");
    }
    .terminal-123-matrix { font-family: Fira Code, monospace; font-size: 20px; }
    .terminal-123-title { font-family: arial; }
</style><text class="terminal-123-r1" x="0"> a</text>"""


def test_a_picture_stands_on_its_own(take: ModuleType):
    picture = take.picture(SVG)

    assert "@font-face" not in picture
    assert "https://" not in picture
    assert "'DejaVu Sans Mono', monospace; font-size: 20.264px" in picture
    assert "'DejaVu Sans', sans-serif" in picture
    assert '<text xml:space="preserve" class="terminal-r1"' in picture


def test_every_picture_is_taken_unless_fewer_are_asked_for(take: ModuleType):
    every = list(take.wanted([]))
    some = list(take.wanted(["deck", "--theme", "memdeck-light", "--size", "80x24"]))

    varied = [shot for shot in take.SHOTS if shot.is_varied]
    sized = [shot for shot in take.SHOTS if shot.is_sized]
    plain = len(take.SHOTS) - len(varied) - len(sized)
    in_all = len(take.THEMES) * len(take.SIZES)
    assert len(every) == len(varied) * in_all + len(sized) * len(take.SIZED) + plain
    assert {shot.name for shot, _, _ in every} == {shot.name for shot in take.SHOTS}
    assert [(shot.name, theme, size) for shot, theme, size in some] == [
        ("deck", "memdeck-light", (80, 24))
    ]
