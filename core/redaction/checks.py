"""The last word on a match: does the part that would be taken out hold a secret?

A rule names its check. Each gets the part and the whole match, so that it can look at the
neighbours the rule has matched.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from .shapes import (
    changes,
    has_digits,
    is_placeholder,
    is_reference,
    looks_generated,
    pattern,
)
from .words import COMMON, EXAMPLE_PASSWORDS, EXAMPLE_USERS

_PORT = r"\d{1,5}[/?#]"
_SESSION = r"(?i)(?:sess|auth|token|sid|csrf|xsrf|jwt|login|user|secret|remember)[\w.%-]*="
_COOKIE_VALUE = r"=([^;\s]+)"
_PASSWORD_PART = r"(?i)(?:pass\w{0,6}|pwd)[\"']?[ \t]*=?[ \t]*[\"']?\Z"

Check = Callable[[str, re.Match[str]], bool]


def _any(_value: str, _match: re.Match[str]) -> bool:
    return True


def _token(value: str, _match: re.Match[str]) -> bool:
    return not is_placeholder(value)


def _generated(value: str, _match: re.Match[str]) -> bool:
    return not is_placeholder(value) and not is_reference(value) and looks_generated(value)


def _credential(value: str, _match: re.Match[str]) -> bool:
    """What follows a scheme of authorization: anything but a word."""
    is_strange = has_digits(value) or changes(value) > 1 or value[-1] == "="
    return (is_strange or len(value) >= 32) and not (is_placeholder(value) or is_reference(value))


def _userinfo(value: str, match: re.Match[str]) -> bool:
    """The password of an address: not a port before a path, not `user:password`."""
    if is_placeholder(value) or is_reference(value):
        return False
    is_example = match[1].lower() in EXAMPLE_USERS and value.lower() in EXAMPLE_PASSWORDS
    return not is_example and not pattern(_PORT).match(value)


def _query(value: str, match: re.Match[str]) -> bool:
    """The value of a parameter: a password as it is, anything else if it looks generated."""
    if is_placeholder(value) or is_reference(value) or value.lower() in COMMON:
        return False
    name = match[0][: match.start(1) - match.start()]
    return pattern(_PASSWORD_PART).search(name) is not None or looks_generated(value)


def _option(value: str, match: re.Match[str]) -> bool:
    """The argument of an option: not the next option, not the name of what it stands for."""
    if value.startswith("-") or value.lower().strip(".,;:)]}") in COMMON:
        return False
    if is_placeholder(value) or is_reference(value) or (value.isupper() and value.isalpha()):
        return False
    if match[0].startswith("--") and not re.match(r"(?i)--[\w-]*(?:pass|pwd)", match[0]):
        return looks_generated(value)
    return True


def _mixed(value: str, _match: re.Match[str]) -> bool:
    """The second half of `user:secret` in a sentence: letters with digits or symbols."""
    is_word = value.isalpha() or value.isdigit()
    return not (is_word or is_placeholder(value) or is_reference(value) or value.startswith("//"))


def _cookie(value: str, _match: re.Match[str]) -> bool:
    """A cookie that knows who somebody is; colours and languages may stay."""
    values = pattern(_COOKIE_VALUE).findall(value)
    if all(is_placeholder(one) or is_reference(one) for one in values):
        return False
    return pattern(_SESSION).search(value) is not None or any(map(looks_generated, values))


CHECKS: dict[str, Check] = {
    "any": _any,
    "token": _token,
    "generated": _generated,
    "credential": _credential,
    "userinfo": _userinfo,
    "query": _query,
    "option": _option,
    "mixed": _mixed,
    "cookie": _cookie,
}
