"""A memory's Markdown is shown as it is meant, and nothing in it acts."""

from typing import Any

from rich.style import Style

from memdeck import MemoryCoordinator

TEXT = """\
# How to release

Run `make release` **before noon**, as [the page](https://x.org/r) says.

- first the tag
  - signed
- then the build
- [x] tagged

```python
def build(name: str) -> None:
    print("made", name)  # said once
```

| step | who |
|------|-----|
| tag  | Ada |
"""

HOSTILE = """\
# [red]not red[/red] \x1b[31m

- [@click=app.quit]quit[/] `[/]` **[bold]**

```python
x = "\x1b]8;;http://evil\x07" \u202e [link=http://evil]
```

[here](javascript:alert\u200b1) <script>no</script>
"""


def ink_of(person: Any, text: str) -> Style:
    """The style in which `text` stands in the detail."""
    region = person.deck.detail.region
    for strip in person.app.screen._compositor.render_strips()[region.y : region.bottom]:
        for segment in strip.crop(region.x, region.right):
            if text in segment.text:
                assert segment.style is not None
                return segment.style
    raise AssertionError(f"{text!r} is not on the screen:\n{person.screen}")


async def test_markdown_is_rendered_and_code_has_colours(open_app: Any, core: MemoryCoordinator):
    core.remember(TEXT, title="Releases")
    async with open_app(size=(200, 60)) as person:
        screen = person.screen
        assert "```" not in screen.split("Memory")[-1]
        assert "• then the build" in screen
        assert "  • signed" in screen
        assert "[x] tagged" in screen
        assert "the page (https://x.org/r)" in screen
        assert ink_of(person, "before noon").bold
        assert ink_of(person, "How to release").underline
        plain = ink_of(person, "(name: ").color
        assert ink_of(person, "def").color != plain
        assert ink_of(person, "made").color not in (plain, ink_of(person, "def").color)
        assert ink_of(person, "# said once").italic
        assert "tag   Ada" in screen


async def test_a_hostile_text_is_only_shown(open_app: Any, core: MemoryCoordinator):
    core.remember(HOSTILE, title="Hostile")
    async with open_app(size=(200, 60)) as person:
        screen = person.screen
        assert "\x1b" not in screen
        assert "\u202e" not in screen
        assert "[@click=app.quit]quit[/] [/] [bold]" in screen
        assert "[red]not red[/red]" in screen
        assert "[link=http://evil]" in screen
        assert "<script>no</script>" in screen
        for y in range(person.deck.detail.region.y, person.deck.detail.region.bottom):
            for segment in person.app.screen._compositor.render_strips()[y]:
                assert segment.style is None or segment.style.link is None
                assert segment.style is None or "@click" not in segment.style.meta


async def test_what_is_no_markdown_stands_as_it_was_written(open_app: Any, core: MemoryCoordinator):
    core.remember(
        "Berths are:\none for the ferry\n   two for tugs, 3 * 4 = 12 lines", title="Berths"
    )
    async with open_app(size=(200, 60)) as person:
        assert "   two for tugs, 3 * 4 = 12 lines" in person.screen


async def test_words_that_were_looked_for_are_found_in_rendered_text(
    open_app: Any, core: MemoryCoordinator
):
    core.remember(TEXT, title="Releases")
    async with open_app(size=(200, 60), query="noon") as person:
        assert ink_of(person, "noon").underline
