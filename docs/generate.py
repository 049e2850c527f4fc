"""Write the generated parts of the manual: commands, settings and glossary.

`make reference` writes them. A part stands between `<!-- begin NAME -->` and `<!-- end -->`, and a
test compares all of them with what this module returns.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import click

ROOT = Path(__file__).resolve().parents[1]
PART = re.compile(r"(<!-- begin ([\w:.-]+) -->\n).*?(<!-- end -->)", re.DOTALL)
PAGES = ("command-line", "settings", "glossary")
EVERYWHERE = {"as_json", "project", "home", "help"}  # options of every command
TOP = "top"


def generated(page: str, parts: Mapping[str, str]) -> str:
    """Return a page with its generated parts as they should be. Raises KeyError for others."""
    return PART.sub(lambda match: f"{match[1]}\n{parts[match[2]]}\n\n{match[3]}", page)


def all_parts() -> dict[str, str]:
    """Return the text of each part by its name."""
    return {**dict(_commands()), **dict(_settings()), **dict(_glossary())}


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return (
        "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
        .replace("| --- ", "|---")
        .replace("--- |", "---|")
    )


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _commands() -> Iterator[tuple[str, str]]:
    from memdeck.cli.root import SECTIONS, root

    above = click.Context(root, info_name="memdeck", **root.context_settings)
    for section, names in SECTIONS.items():
        parts = []
        for name in names:
            command = root.get_command(above, name)
            assert command is not None
            parts += _command(command, f"memdeck {name}", above)
        yield f"commands:{section}", "\n\n".join(parts)


def _command(command: click.Command, name: str, above: click.Context) -> list[str]:
    """Return the paragraphs of one command: its help, options, example, and its own commands."""
    context = click.Context(command, info_name=name, parent=above)
    usage = " ".join((name, *command.collect_usage_pieces(context)))
    parts = [f"### {name}", f"```text\n{usage}\n```", inspect.cleandoc(command.help or "")]
    rows = []
    for option in command.params:
        record = option.get_help_record(context)
        if record and record[1] and option.name not in EVERYWHERE:
            rows.append((f"`{_cell(record[0])}`", _cell(record[1])))
    if rows:
        parts.append(_table(("Option", "Effect"), rows))
    examples = [line.strip() for line in (command.epilog or "").splitlines()]
    if lines := [line for line in examples if line.startswith("memdeck")]:
        parts.append("```sh\n" + "\n".join(lines) + "\n```")
    if isinstance(command, click.Group):
        rows = []
        for word in command.list_commands(context):
            inner = command.get_command(context, word)
            assert inner is not None
            usage = " ".join((word, *inner.collect_usage_pieces(context)[1:]))
            records = (
                option.get_help_record(context)
                for option in inner.params
                if isinstance(option, click.Option) and option.name not in EVERYWHERE
            )
            own = [record[0] for record in records if record]
            rows.append(
                (
                    f"`{_cell(' '.join((usage, *(f'[{text}]' for text in own))))}`",
                    _cell(inspect.cleandoc(inner.help or "")),
                )
            )
        parts.append(_table(("Command", "What it does"), rows))
    return parts


def _settings() -> Iterator[tuple[str, str]]:
    from memdeck.core.config.settings import settings_in

    tables: dict[str, list[tuple[str, ...]]] = {}
    for path, rule, about in settings_in():
        section = ".".join(path[:-1]) or TOP
        value = rule.default
        default = (
            str(value).lower()
            if isinstance(value, bool)
            else "[" + ", ".join(f'"{item}"' for item in value) + "]"
            if isinstance(value, tuple)
            else "{}"
            if isinstance(value, Mapping)
            else f'"{value}"'
            if isinstance(value, str)
            else str(value)
        )
        row = (f"`{path[-1]}`", f"`{default}`", _cell(rule.allowed), _cell(about))
        tables.setdefault(section, []).append(row)
    for section, rows in tables.items():
        yield f"settings:{section}", _table(("Field", "Default", "Values", "Meaning"), rows)


def _glossary() -> Iterator[tuple[str, str]]:
    text = (ROOT / "GLOSSARY.md").read_text("utf-8")
    for heading, body in re.findall(
        r"^## (.+?)\n\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL
    ):
        rows = [
            (term, meaning)
            for term, meaning, owner in re.findall(r"^\| (.+?) \| (.+?) \| (.+?) \|$", body, re.M)
            if owner != "Owner" and "---" not in term
        ]
        yield f"glossary:{heading.replace(chr(32), chr(45))}", _table(("Term", "Meaning"), rows)


if __name__ == "__main__":
    parts = all_parts()
    for name in PAGES:
        path = ROOT / "docs" / "reference" / f"{name}.md"
        path.write_text(generated(path.read_text("utf-8"), parts), "utf-8")
