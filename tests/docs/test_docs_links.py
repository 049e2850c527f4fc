"""Every relative link of the manual leads to a file, and to a heading in it where one is named."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
IMAGE = re.compile(r"!\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^(```|~~~).*?^\1\s*$", re.MULTILINE | re.DOTALL)


def prose(page):
    """A page without its code blocks."""
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def anchors(page):
    """The anchors that a page's headings get."""
    found: set[str] = set()
    for heading in re.findall(r"^#{1,6} +(.+?)\s*$", prose(page), re.MULTILINE):
        plain = re.sub(r"[^\w\- ]", "", heading.lower().replace("`", ""))
        found.add(plain.replace(" ", "-"))
    return found


def targets(page):
    """Where a page links to, inside this repository."""
    text = prose(page)
    found = LINK.findall(text) + IMAGE.findall(text)
    return [target for target in found if not re.match(r"[a-z][a-z0-9+.-]*:", target)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_relative_link_leads_somewhere(page):
    broken = []
    for target in targets(page):
        path, _, anchor = target.partition("#")
        place = (page.parent / path).resolve() if path else page
        if not place.exists() or (anchor and anchor not in anchors(place)):
            broken.append(target)
    assert broken == []


def test_the_navigation_names_every_page():
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    pages = {page.relative_to(ROOT / "docs").as_posix() for page in PAGES[1:]}
    assert {page for page in pages if f": {page}\n" not in navigation} == set()


def test_every_page_begins_with_its_title_and_ends_with_a_newline():
    for page in PAGES[1:]:
        text = page.read_text(encoding="utf-8")
        head = "---\nsearch:\n  exclude: true\n---\n\n" * (page.parent.name == "dev")
        assert text.startswith(f"{head}# "), page.name
        assert text.endswith("\n"), page.name
        assert not text.endswith("\n\n"), page.name
