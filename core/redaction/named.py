"""Credentials known by their name: `password = …`, `"api_key": "…"`, "the token is …".

The search starts from a credential word, takes in the whole name around it, and asks three
things: is the name that of a secret, is a value tied to it, and does the value look like one?
Each step looks a bounded way to the left and right, so that the time stays linear.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from .shapes import (
    changes,
    has_digits,
    has_letters,
    is_command,
    is_component,
    is_label,
    is_placeholder,
    is_reference,
    is_repeated,
    looks_generated,
    pattern,
    wordy_share,
)
from .words import (
    COMMON,
    COMPONENTS,
    ENDINGS,
    KEY_OF,
    NOT_THE_VALUE,
    PASSWORD,
    PUBLIC,
    SECRET,
)

LITERALS = (
    "pass", "pwd", "psk", "secret", "token", "key", "cred", "auth", "pw", "kennwort", "contrase",
    "senha", "пароль", "密码", "密碼", "パスワード", "비밀번호", "hasło", "wachtwoord",
)  # fmt: skip

_WORD = (
    r"pass(?:word|wort|wd|phrase|code)?|pwd|(?<![a-z])(?:pw|psk)\b|secret|token|key|cred(?:ential)?s?|auth"
    r"|kennwort|contrase[nñ]a|senha|mot de passe|пароль|密[码碼]|パスワード|비밀번호|hasło"
    r"|wachtwoord"
)
_OTHER_CASE = (
    "[\u0131\u017f]"  # dotless i and long s: one letter with i and s where case is ignored
)
_LEFT = 60  # characters of a name before the word in it
_RIGHT = r"[\w.-]{0,60}"
_WORD_BEFORE = r"([A-Za-z]{2,16})[ \t-]\Z"
_PARTS = r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\dA-Za-z_]+"

_STRONG = r"(?P<strong>:{1,3}=|=>|->|<-|[=!]==?|\|\|=|\?\?=|[?+.]=|=|[:：](?!//))"
_LINK = (
    r"\\{0,3}[\"'`]?[\])]{0,2}(?:"
    # name: X / value: Y, as in lists of environment variables
    r"[ \t]{0,4},?\s{0,40}\\{0,3}[\"']?(?i:value)\\{0,3}[\"']?[ \t]{0,4}(?P<pair>[:=])[ \t]{0,4}"
    # <name>value, <key>name</key><string>value, <name>name</name><value>value
    r"|(?:[ \t][^<>\n]{0,60})?(?P<tag>>)(?:\s{0,20}<(?:string|value)>)?\s{0,40}(?:<!\[CDATA\[)?"
    r"|(?P<key></(?i:key|name)>)\s{0,20}<(?i:string|value)>\s{0,20}"
    # name = value, name: Type = value, name (of something) : value
    r"|(?:[ \t]{0,4}:[ \t]{0,4}[A-Za-z][\w.\[\]?<>]{0,24}(?=[ \t]{0,16}:?=)"
    r"|[ \t]{1,4}(?P<word>[A-Za-z]\w{0,15})"
    r"|[ \t]\([^()\n]{1,40}\))?"
    r"[ \t]{0,16}" + _STRONG + r"(?:[ \t]{1,4}[|>][+-]?[ \t]{0,4}\n[ \t]{1,40}"  # a block of YAML
    r"|[ \t]{0,16}|\s{0,40}(?=[\"']))"
    # name,value, of a table: only what looks generated
    r"|(?P<csv>,)(?=[^\s\"'`,]{16,512}(?:[,\s]|\Z))"
    # setName("value"), ("name", "value"): the value must be quoted
    r"|(?P<call>[ \t]{0,2}\(|[ \t]{0,2},)[ \t]{0,4}(?=\\{0,3}[bfru]?[\"'`])"
    # the name for X is value, name - value
    r"|(?:[ \t](?:for|of|on|at|in|to|from)[ \t](?:[^\n=:;.]|\.(?=\S)){1,48}?(?=[ \t:]))??[ \t]{0,3}"
    r"(?P<prose>:|(?<=[ \t])(?:(?i:is(?: now)?|was|to|as|equals|ist|est|es)[ \t]{0,2}:?|[=>|–—-]))"
    r"[ \t]{1,3}"
    r"|(?P<blank>[ \t]{1,8})"
    r")"
)
_LONGEST_BARE = 512  # characters
_VALUE = (
    r"(?:@|[bfruBFRU]{1,2}(?=[\"'`]))?(?:"
    r"\\{1,3}\"(?P<escaped>[^\"\\\n]{1,4096}+)\\{1,3}\""
    r"|\"(?P<double>(?:[^\"\\\n]|\\.){1,4096}+)\""
    r"|'(?P<single>(?:[^'\\\n]|\\.){1,4096}+)'"
    r"|`(?P<tick>[^`\n]{1,4096}+)`"
    rf"|[\"'`]{{0,3}}(?P<bare>[^\s\"'`<>]{{1,{_LONGEST_BARE}}}+))"
)
_REST = r"[^\s\"'`<>]*"  # of a bare value longer than that: taken along, not looked at
_NEXT_NAME = r"[,;&|?][A-Za-z_][\w.-]*[=:]"
_NESTED = r"([A-Za-z_][\w.-]{0,60})=(?=[^=])"
_IS_KEY = r"\\{0,3}[\"'`][ \t]{0,4}(?::|=>)"
_TRAILING = ".,;:…"  # an ellipsis may be ours: the text was cut behind the value
_IDENTIFIER = r"[A-Za-z_$][\w$]*(?:(?:\.|::|->|-)[A-Za-z_$][\w$]*)*"
_COMMIT = r"[0-9a-f]{7,40}"
_JUDGED = (
    r"(?i)(?<![\w.-])(?:tests|checks|typechecks|specs|suites|builds|jobs|pipelines|linters|steps|assertions"
    r"|scenarios|hooks|runs|examples|cases|ci)"
    r"(?:[ \t]{1,3}(?:now|all|still|also|both|then|again|should|must|will|do|to)){0,3}[ \t]{1,3}\Z"
)
_SENTENCE = (
    r"(?i)\b(?:must|please|enter|your|required|should|the|is|are|at least|cannot|forgot|for|with)\b"
)


class Found(NamedTuple):
    """Where a named value stands, and what kind of secret its name says it is."""

    start: int
    end: int
    kind: str


class _Tie(NamedTuple):
    """How a value is tied to its name."""

    is_strong: bool  # by an operator, not by a word or a blank
    is_blank: bool  # by nothing but a blank
    is_quoted: bool
    is_code: bool  # quoted by backticks
    is_setting: bool  # NAME=value, as in an .env file
    is_assigned: bool  # by "=", or quoted as code and settings quote
    is_cell: bool  # of a table
    is_listed: bool  # "name", "value": perhaps two words of a list
    is_verdict: bool  # "tests pass:"
    ends_line: bool


def named_values(text: str, lowered: str) -> Iterator[Found]:
    """Every value that a credential word claims; `lowered` is `text.lower()`."""
    if not any(literal in lowered for literal in LITERALS):
        return
    # Where all letters have lower-case ones of their own, the search need not ask for each.
    is_plain = len(lowered) == len(text) and not pattern(_OTHER_CASE).search(lowered)
    hits = pattern(_WORD if is_plain else f"(?i){_WORD}")
    behind = 0  # end of the last value found: words inside it are its own
    for hit in hits.finditer(lowered if is_plain else text):
        if hit.start() < behind:
            continue
        found = _value_of(text, hit.start(), hit.end())
        if found:
            behind = found.end
            yield found


def _value_of(text: str, start: int, end: int) -> Found | None:
    right = pattern(_RIGHT).match(text, end)
    first, least = start, max(0, start - _LEFT)
    while first > least and (text[first - 1].isalnum() or text[first - 1] in "_.-"):
        first -= 1
    last = right.end() if right else end
    if text[max(0, first - 3) : first] == "://":
        return None  # the user of an address, whose rules know where the password ends
    name = text[first:last]
    while name[-1] in ".-":  # the end of a sentence, a dash
        name, last = name[:-1], last - 1
    kind = kind_of_name(name, _word_before(text, first))
    link = pattern(_LINK).match(text, last) if kind else None
    value = pattern(_VALUE).match(text, link.end()) if link else None
    if not (kind and link and value) or (link["call"] and not kind_of_name(name.split(".")[-1])):
        return None
    if link["strong"] == ":" and (link["word"] or "").lower() in NOT_THE_VALUE | COMPONENTS:
        return None  # "password policy: …", "auth method: …"
    group = value.lastgroup or "bare"
    begin, stop = value.span(group)
    if group == "bare":
        bare = value[group].partition(",")[0] if link["csv"] else value[group]
        stop = begin + len(_bare(bare))
    is_strong = any(link[tie] for tie in ("strong", "pair", "tag", "key", "call", "csv"))
    tie = _Tie(
        is_strong=is_strong,
        is_blank=bool(link["blank"]),
        is_quoted=group != "bare",
        is_code=group == "tick",
        is_setting=link["strong"] == "=" and (name.isupper() or not link[0].strip("=")),
        is_assigned="=" in link[0] or group not in ("bare", "tick"),
        is_cell=bool(link["csv"]),
        is_listed="," in (link["call"] or ""),
        is_verdict=name.lower() == "pass" and _is_verdict(text, first),
        ends_line=text[stop : stop + 1] in ("", "\n", ",", ";"),
    )
    if tie.is_listed and pattern(_IS_KEY).match(text, stop):
        return None  # "season pass", "kind": …
    if not _is_secret(text[begin:stop], kind, name, tie):
        return None
    rest = pattern(_REST).match(text, stop) if stop - begin == _LONGEST_BARE else None
    return Found(begin, rest.end() if rest else stop, kind)


def _is_verdict(text: str, start: int) -> bool:
    """Whether what stands before `start` passes: "all tests pass". A "test pass" is a password."""
    return pattern(_JUDGED).search(text, max(0, start - 48), start) is not None


def _word_before(text: str, start: int) -> str:
    found = pattern(_WORD_BEFORE).search(text, max(0, start - 18), start)
    return found[1].lower() if found else ""


@lru_cache(maxsize=1_024)  # a text says the same few names over and over
def kind_of_name(name: str, before: str = "") -> str | None:
    """The kind of secret a name stands for, None if for none; `before` is the word in front.

    >>> kind_of_name("DB_PASSWORD"), kind_of_name("token", "api"), kind_of_name("public_key")
    ('password', 'token', None)
    """
    parts = [part.lower() for part in pattern(_PARTS).findall(name)]
    if not parts or parts[-1] in NOT_THE_VALUE or PUBLIC.intersection(parts) or before in PUBLIC:
        return None
    last, previous = parts[-1], parts[-2] if len(parts) > 1 else before
    if PASSWORD.intersection((*parts[-2:], name.lower())) or last.endswith(
        ("password", "passwd", "passwort", "pwd")
    ):
        return "password"
    if last.endswith("token") or last == "tokens":
        return "token"
    if parts[-2:] == ["key", "base"] or (parts[0] == "x" and last == "key"):
        return "api-key"  # SECRET_KEY_BASE, X-Acme-Key
    if last in ("key", "keys") or last.endswith(("apikey", "accesskey", "secretkey")):
        is_known = previous in KEY_OF or last not in ("key", "keys")
        return "api-key" if is_known else "key"
    if SECRET.intersection(parts[-2:]) or last.endswith(ENDINGS):
        return "secret"
    return None


def _bare(value: str) -> str:
    """An unquoted value without what follows it: the next `name=`, brackets, punctuation."""
    follower = pattern(_NEXT_NAME).search(value)
    if follower and not value.startswith(("$", "{")):
        value = value[: follower.start()]
    nested = pattern(_NESTED).match(value)
    if nested and kind_of_name(nested[1]):
        return nested[1]  # name=name=value: the inner name has its own turn
    for opening, closing in ("()", "[]", "{}"):
        at = value.find(closing)
        if at > 0 and opening not in value[:at]:
            value = value[:at]
    return value.rstrip(_TRAILING) or value


def _is_secret(value: str, kind: str, name: str, tie: _Tie) -> bool:
    if len(value) < 4 or (not tie.is_quoted and value.endswith(("[", "("))):
        return False  # parts["password"]: cut at the quote
    if tie.is_cell:
        is_secret = looks_generated(value, 16)
    elif kind == "password":
        is_secret = _is_password(value, name, tie)
    elif kind == "key":  # a key of what? only a value that can be nothing else
        is_secret = tie.is_strong and looks_generated(value, 20)
    elif tie.is_blank:
        shortest = 12 if tie.is_quoted else 16
        is_secret = looks_generated(value, shortest) and changes(value) >= 4 and not is_label(value)
    else:
        shortest = 8 if tie.is_quoted or tie.is_setting else 10
        is_named = is_label(value) and not tie.is_assigned  # prose speaks of things by name
        is_secret = looks_generated(value, shortest) and not is_named
        is_secret = is_secret or _is_plain_setting(value, name, tie)
    return is_secret and not (is_placeholder(value) or is_reference(value))


def _is_plain_setting(value: str, name: str, tie: _Tie) -> bool:
    """JWT_SECRET=correcthorsebattery: in a setting even words are the secret itself."""
    is_word = value.isalnum() and len(value) >= 8 and value.lower() not in COMMON
    return tie.is_setting and name.isupper() and is_word and not is_repeated(value)


def _is_password(value: str, name: str, tie: _Tie) -> bool:
    is_mixed = has_digits(value) and has_letters(value)
    has_symbol = not value.replace("_", "").replace("-", "").replace(".", "").isalnum()
    if value.lower().strip("()[]{}") in COMMON or value.lower() == name.lower():
        return False
    if name.lower() == "pass" and not tie.is_strong:
        return False  # "to pass to httplib2"
    if tie.is_verdict:  # "all tests pass: a1b2c3d4e5" names a commit
        return looks_generated(value) and pattern(_COMMIT).fullmatch(value) is None
    if not tie.is_assigned and (is_component(value) or (tie.is_code and is_command(value))):
        return False
    if tie.is_blank:
        is_strange = is_mixed and (has_symbol or changes(value) >= 2)
        return len(value) >= 8 and is_strange and wordy_share(value) < 0.8
    if tie.is_listed:
        return (is_mixed or has_symbol) and " " not in value
    if " " in value:
        return tie.is_quoted and tie.is_strong and not pattern(_SENTENCE).search(value)
    if tie.is_quoted:
        return tie.is_strong or is_mixed or has_symbol or len(value) >= 6
    if not tie.is_strong:
        return len(value) >= 5 and (is_mixed or (has_symbol and value[-1:].isalnum()))
    if name.lower() == "pass" and not tie.is_setting:
        return is_mixed  # "12 tests pass: all"
    is_name = pattern(_IDENTIFIER).fullmatch(value) is not None
    if not is_name or (is_mixed and "_" not in value and "." not in value):
        return True
    if name.isupper() and tie.is_setting:
        return True
    return value.isalpha() and (tie.ends_line or (tie.is_setting and len(value) >= 6))
