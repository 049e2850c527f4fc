"""What a text is about: the files it names, and the programs and technologies among its words."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

MAX_FILES = 8
MAX_TAGS = 8


def words(text: str) -> frozenset[str]:
    """The words of `text`, as tables of them are easiest to read and change."""
    return frozenset(text.split())


PROGRAMS = words(
    """
    uv pip pipx poetry pdm conda tox nox pytest ruff mypy black isort pyright alembic celery
    gunicorn uvicorn npm npx pnpm yarn bun deno node tsc eslint prettier vite vitest jest playwright
    cargo rustc rustup go gofmt make cmake ninja bazel gradle mvn docker podman kubectl helm
    terraform ansible git gh svn psql sqlite3 redis-cli curl wget ssh rsync bash sh zsh sed awk jq
    rg php composer ruby bundle rails rake mix dotnet java javac swift xcodebuild flutter dart
    """
)
_TECHNOLOGIES = words(
    """
    postgres postgresql mysql mariadb sqlite redis kafka rabbitmq mongodb elasticsearch kubernetes
    docker terraform graphql grpc django flask fastapi react vue typescript python rust aws s3 nginx
    oauth jwt ci
    """
)
_SAME = {"postgresql": "postgres", "mariadb": "mysql"}
# Ordinary words, too: a program only where they stand in code.
_ONLY_IN_CODE = words(
    "go make node bun rails rake mix dart swift sh bash bundle black deno ruby php jest"
)
_NO_FILES = words("node.js vue.js next.js nuxt.js three.js d3.js express.js react.js backbone.js")

_SUFFIX = (
    r"(?:py|pyi|ipynb|[jt]sx?|mjs|cjs|vue|svelte|go|rs|java|kts?|rb|php|c|cc|cpp|h|hpp|cs|swift|"
    r"scala|exs?|dart|sql|sh|bash|zsh|md|rst|txt|toml|ya?ml|jsonl?|ini|cfg|conf|env|lock|xml|"
    r"html?|s?css|proto|graphql|tf|gradle|csv|tcss)"
)
_PATH = re.compile(
    rf"(?<![\w/:.@-])((?:~|\.{{1,2}})?/?(?:[\w.@+-]+/)*[\w.@+-]*\w\.{_SUFFIX})(?![\w/-]|\((?!\d))"
    r"(?::\d+(?:[-:]\d+)?)?|(?<![\w/:.@-])((?:[\w.-]+/)*(?:Makefile|Dockerfile|Jenkinsfile|"
    r"Procfile|Gemfile|justfile))\b"
)
_CODE = re.compile(r"`([^`\n]+)`")
_TERM = re.compile(r"[A-Za-z][\w+-]*")
_CONCRETE = re.compile(
    r"`[^`]+`|\w+\(\)|\b\w+_\w+|\b[a-z]+[A-Z]\w*|\b[A-Z][a-z]+[A-Z]\w*|\b[A-Z]{2,}\b|"
    r"(?<!\w)/[\w-]+|\d"
    r"|\b[a-z][\w-]*\.[\w-]+\.[a-z]{2,}\b"
    r"|\b[\w.-]{2,}/(?=[\s,.;)]|$)|\b\w{2,}/\w{3,}|\b[A-Z][a-z]+-[A-Z]\w*|"
    r"(?<!^)(?<![.:] )\b[A-Z][a-z]{2,}"
)


def files_in(text: str, root: str | None) -> tuple[str, ...]:
    """The files that `text` names, in order, relative to `root` where they lie under it."""
    named = (m[1] or m[2] for m in _PATH.finditer(text))
    return unique(relative(p, root) for p in named if p.lower() not in _NO_FILES)[:MAX_FILES]


def relative(path: str, root: str | None) -> str:
    """`path` seen from `root`; a path outside of it stays as it is."""
    path = os.path.normpath(path)
    if root and os.path.isabs(path):
        base = os.path.normpath(root)
        if path.startswith(base.rstrip("/") + "/"):
            return path[len(base.rstrip("/")) + 1 :]
    return path


def with_short_paths(text: str, root: str | None) -> str:
    """`text` with the project's folder cut from its paths."""
    base = os.path.normpath(root) if root else "/"
    return text if base == "/" else text.replace(base + "/", "")


def tags_in(text: str) -> tuple[str, ...]:
    """Programs and technologies named in `text`, small, at most `MAX_TAGS`."""
    in_code = {word.lower() for code in _CODE.findall(text) for word in _TERM.findall(code)}
    found = []
    for word in _TERM.findall(text):
        small = word.lower()
        if small in _TECHNOLOGIES:
            found.append(_SAME.get(small, small))
        elif small in PROGRAMS and (small in in_code or small not in _ONLY_IN_CODE):
            found.append(small)
    return unique(found)[:MAX_TAGS]


def is_concrete(text: str) -> bool:
    """Whether `text` names something one could look up: code, a path, a number, a proper name."""
    return bool(_CONCRETE.search(text) or _PATH.search(text) or tags_in(text))


def unique(items: Iterable[str]) -> tuple[str, ...]:
    """`items` in order, each once, without empty ones."""
    return tuple(dict.fromkeys(item for item in items if item))
