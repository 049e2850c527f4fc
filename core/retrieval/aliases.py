"""Other words for the same thing: `auth` also finds what speaks of "authentication" (002-14)."""

from collections.abc import Mapping, Sequence

GROUPS: tuple[tuple[str, ...], ...] = (
    ("auth", "authentication", "authorization", "login"),
    ("db", "database"),
    ("api", "endpoint", "endpoints"),
    ("config", "configuration", "settings"),
    ("env", "environment"),
    ("deps", "dependencies", "packages"),
    ("ci", "pipeline", "workflow"),
    ("k8s", "kubernetes"),
    ("postgres", "postgresql", "psql"),
    ("js", "javascript"),
    ("ts", "typescript"),
    ("py", "python"),
    ("repo", "repository"),
    ("docs", "documentation", "readme"),
    ("ui", "frontend"),
    ("perf", "performance", "latency"),
    ("msg", "message", "messages"),
    ("creds", "credentials", "secrets"),
    ("dir", "directory", "folder"),
    ("async", "asynchronous"),
    ("i18n", "internationalization", "translation"),
    ("a11y", "accessibility"),
    ("dedupe", "dedup", "deduplication", "duplicate"),
    ("prod", "production"),
    ("dev", "development"),
    ("err", "error", "exception"),
    ("lint", "linter", "linting"),
    ("migration", "migrations", "migrate"),
)
"""Built-in synonyms. Every word of a group stands for the others."""

_BUILT_IN = {
    word: tuple(other for other in group if other != word) for group in GROUPS for word in group
}


def synonyms(word: str, own: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Other words for `word` (lower case): the project's own if it has any, else the built-in.

    The project's own also count backwards, from a synonym to its word. An empty list of its own
    means that the word stands for itself only.
    """
    if word in own:
        return tuple(own[word])
    backwards = tuple(key for key, others in own.items() if word in others)
    return backwards + tuple(other for other in _BUILT_IN.get(word, ()) if other not in backwards)
