"""Rules of redaction: marked tokens, places, named credentials, random strings, personal data."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import NamedTuple

from .shapes import (
    COMMON,
    COMPONENTS,
    ENDINGS,
    FILE_ENDINGS,
    KEY_OF,
    LOOKS_AT,
    NOT_PEOPLE,
    NOT_THE_VALUE,
    PASSWORD,
    PUBLIC,
    SECRET,
    WIDE,
    changes,
    entropy,
    has_digits,
    has_letters,
    is_command,
    is_component,
    is_hex,
    is_label,
    is_placeholder,
    is_reference,
    is_repeated,
    is_uuid,
    looks_generated,
    pattern,
    wordy_share,
)


class Rule(NamedTuple):
    """One way in which a secret is written.

    The pattern is run only where the lower-cased text holds one of the `literals`. `group` is the
    part that is removed, -1 the last one filled. `check` names one of `CHECKS`. Quantifiers are
    bounded, so that the time stays linear.
    """

    kind: str
    literals: tuple[str, ...]
    pattern: str
    group: int
    check: str


def _rules() -> dict[str, tuple[Rule, ...]]:
    """Return the rules of `rules.tsv` by section. A pattern's `<NAME>` is replaced by that part."""
    parts: dict[str, str] = {}
    sections: dict[str, list[Rule]] = {}
    with open(os.path.join(_FOLDER, "rules.tsv"), encoding="utf-8") as file:
        lines = [line for line in file.read().split("\n") if line and not line.startswith("#")]
    section = list[Rule]()
    for line in lines:
        if line.startswith("["):
            section = sections.setdefault(line.strip("[]"), [])
        elif not sections:
            name, _, part = line.partition(" = ")
            parts[name] = part
        else:
            kind, literals, group, check, text = line.split("\t")
            text = re.sub("<([A-Z]+)>", lambda part: parts.get(part[1], part[0]), text)
            section.append(Rule(kind, tuple(literals.split("|")), text, int(group), check))
    return {name: tuple(rules) for name, rules in sections.items()}


_FOLDER = os.path.dirname(os.path.abspath(__file__))
_TABLE = _rules()
FIRST, TOKENS, PLACES = (_TABLE[name] for name in ("first", "tokens", "places"))
"""Secrets of several parts, run first; tokens that carry a mark; secrets known by their place."""

_LAST = r"[^\s.,;:!?…\"'`<>()\[\]{}“”„«»「」。，！？]"  # no punctuation ends a value

_WIDE = f"(?-i:[{WIDE}])"
_DENIES = r"(?:not?|nicht|kein\w*|never|pas|non?|não|nie|не)\b"
_OF = "for|of|in|on|to|from|and|für|von|para|d(?:el?|u|es|a|o)|pour|per|dla|для"


_GROUP = r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
_NOUN = re.compile(rf"(?:{_GROUP}|[^|()])+")  # one of the alternatives, with the groups in it


def _needed(noun: str) -> set[str]:
    """Return words of which a text that the pattern `noun` matches has one.

    The longest outside the groups of the pattern, or those of its last group if nothing is outside.
    """
    plain = re.sub(rf"{_GROUP}\??|\[[^]]*\]|.\?", " ", noun)
    word = max(re.split(r"[^\w]+", plain), key=len)
    return {word} if word else {*re.findall(r"\w+", re.findall(_GROUP, noun)[-1])}


def _in_sentences() -> tuple[Rule, ...]:
    """Credentials that a sentence names, in the words of `sentences.toml`: a rule for each kind."""
    with open(os.path.join(_FOLDER, "sentences.toml"), "rb") as file:
        languages = tomllib.load(file).values()
    links, fillers = ("|".join(each[name] for each in languages) for name in ("is", "now"))
    word = rf"(?:(?<={_WIDE})|(?<=[ \t]))(?:{links})(?:(?!\w)|(?<={_WIDE}))"
    linked = rf"(?:[:：=—–]|->|(?<=['’])s(?=\s)|{word})"
    verbless = [each for each in languages if each.get("needs_no_verb")]
    as_words = "|".join(each["as"] for each in languages if "as" in each)
    made = []
    for kind, between, those in (
        ("password", linked, languages),
        ("token", linked, languages),
        ("password", r"(?<=\s)(?=\S*\d)", verbless),
        ("token", r"(?<=\s)(?=\S*\d)", verbless),
        ("password", "", languages),  # the value is before its name
        ("token", "", languages),
    ):
        nouns = "|".join(each[kind] for each in those)
        needed = (_needed(noun) for each in those for noun in _NOUN.findall(each[kind].lower()))
        words = set[str]().union(*needed)
        pattern = (
            rf"(?i)(?:(?<!\w)|(?<={_WIDE})|(?={_WIDE}))(?P<noun>{nouns})s?(?![a-z_])[\"'`]?"
            rf"(?P<between>(?:[ \t]+[^\W\d_][\w'’/.-]{{0,24}}){{0,6}}?)[ \t]*(?:,[ \t])?{between}"
            rf"[ \t]*[:：]?[ \t]*(?:(?:{fillers})[ \t]*[:：]?[ \t]*)?"
            r"(?:[\"“”„«「『]([^\"“”„«»「」『』\n]{4,120})[\"“”»」』]"
            rf"|['‘`]?((?:(?![\s\"'`<>])[!-~]){{4,200}}(?<={_LAST})(?={_WIDE}|\W|\Z)"
            rf"|[^\s\"'`<>“”„«»「」]{{3,199}}{_LAST}))"
        )
        if not between:
            pattern = (
                rf"(?i)(?<![^\s\"'`(])((?:(?![\"'`(])[!-~]){{4,99}}{_LAST}[!?]{{0,2}})[\"'`]?"
                r"[ \t]+(?P<between>)"
                rf"(?:(?:{as_words})[ \t]|(?:{links})[ \t](?!{_DENIES})(?=[^\W\d_]+[ \t]))"
                rf"[ \t]*(?:[^\W\d_]+[ \t]+){{0,4}}?(?P<noun>{nouns})"
                rf"(?=[ \t]*(?:$|[.,;!?)\n]|(?:{_OF})\b))"
            )
        made.append(Rule(kind, tuple(words), pattern, -1 if between else 1, "sentence"))
    return tuple(made)


IN_SENTENCES = _in_sentences()


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
_named_PARTS = r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\dA-Za-z_]+"

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
    # name,value, of a table: only generated values
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
_REST = r"[^\s\"'`<>]*"  # the rest of a longer bare value, which is removed unchecked
_NEXT_NAME = r"[,;&|?][A-Za-z_][\w.-]*[=:]"
_NESTED = r"([A-Za-z_][\w.-]{0,60})=(?=[^=])"
_IS_KEY = r"\\{0,3}[\"'`][ \t]{0,4}(?::|=>)"
_TRAILING = ".,;:…"  # an ellipsis may be ours: the text was cut behind the value
_IDENTIFIER = r"(?:[^\W\d]|\$)[\w$]*(?:(?:\.|::|->|-)(?:[^\W\d]|\$)[\w$]*)*"
_COMMIT = r"[0-9a-f]{7,40}"
_JUDGED = (
    r"(?i)(?<![\w.-])(?:tests|checks|typechecks|specs|suites|builds|jobs|pipelines|linters|steps|assertions"
    r"|scenarios|hooks|runs|examples|cases|ci)"
    r"(?:[ \t]{1,3}(?:now|all|still|also|both|then|again|should|must|will|do|to)){0,3}[ \t]{1,3}\Z"
)
_SENTENCE = (
    r"(?i)\b(?:must|please|enter|your|required|should|the|is|are|at least|cannot|forgot|for|with)\b"
)


class NamedValue(NamedTuple):
    """The place of a named value, and the kind of secret by its name."""

    start: int
    end: int
    kind: str


class _Tie(NamedTuple):
    """The connection of a value with its name."""

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


def named_values(text: str, lowered: str) -> Iterator[NamedValue]:
    """Yield every value that a credential word claims; `lowered` is `text.lower()`."""
    if not any(literal in lowered for literal in LITERALS):
        return
    # Where all letters have lower-case ones of their own, the search need not ask for each.
    is_plain = len(lowered) == len(text) and not pattern(_OTHER_CASE).search(lowered)
    hits = pattern(_WORD if is_plain else f"(?i){_WORD}")
    behind = 0  # end of the last value found: words inside it are its own
    for hit in hits.finditer(lowered if is_plain else text):
        if hit.start() < behind:
            continue
        value_of = _value_of(text, hit.start(), hit.end())
        if value_of:
            behind = value_of.end
            yield value_of


def _value_of(text: str, start: int, end: int) -> NamedValue | None:
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
    before = pattern(_WORD_BEFORE).search(text, max(0, first - 18), first)
    kind = kind_of_name(name, before[1].lower() if before else "")
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
        # "all tests pass"; but "test pass" is a password
        is_verdict=name.lower() == "pass"
        and pattern(_JUDGED).search(text, max(0, first - 48), first) is not None,
        ends_line=text[stop : stop + 1] in ("", "\n", ",", ";"),
    )
    if tie.is_listed and pattern(_IS_KEY).match(text, stop):
        return None  # "season pass", "kind": …
    if not _is_secret(text[begin:stop], kind, name, tie):
        return None
    rest = pattern(_REST).match(text, stop) if stop - begin == _LONGEST_BARE else None
    return NamedValue(begin, rest.end() if rest else stop, kind)


@lru_cache(maxsize=1_024)  # a text says the same few names over and over
def kind_of_name(name: str, before: str = "") -> str | None:
    """Return the kind of secret that a name means, None for none; `before` is the word in front.

    >>> kind_of_name("DB_PASSWORD"), kind_of_name("token", "api"), kind_of_name("public_key")
    ('password', 'token', None)
    """
    parts = [part.lower() for part in pattern(_named_PARTS).findall(name)]
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
    """Return an unquoted value without the next `name=`, brackets and punctuation behind it."""
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
        is_named = is_label(value) and not tie.is_assigned  # prose uses names of things
        is_secret = looks_generated(value, shortest) and not is_named
        if tie.is_setting and name.isupper():  # JWT_SECRET=correcthorsebattery: words, but a secret
            is_word = value.isalnum() and len(value) >= 8 and value.lower() not in COMMON
            is_secret = is_secret or (is_word and not is_repeated(value))
    return is_secret and not (is_placeholder(value) or is_reference(value))


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


ENTROPY_BITS = 4.0  # bits a character; a candidate has more
ENTROPY_LENGTH = 20  # characters; a candidate has more
LONGEST_SECRET = 512  # characters; longer strings are pictures, fonts or certificates
LOOKS_BACK = 40  # characters before a candidate that may explain it
_SHORTEST_PART = 12  # characters; a random token holds one unbroken run of at least so many
_RARE = 10  # at most one character in so many is - or _ in URL-safe base64; 1 in 32 by chance

_CANDIDATE = r"(?<![A-Za-z0-9+/_.~@%-])[A-Za-z0-9+/_.~-]{21,}+={0,2}"
_strings_PARTS = r"[A-Za-z0-9+/=]+"

# Words before a candidate that mean: this is public, or only an id.
_PUBLIC_BEFORE = (
    r"(?i)(?:sha-?\d{0,3}|digest|integrity|commit|checksum|e-?tag|fingerprint|thumbprint|hash|nonce"
    r"|public(?:[_ -]?key)?|cert(?:ificate)?|signature|host ?key|known_hosts"
    r"|ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-\w+|sk-\w+@openssh\.com|\bid|[a-z]_id|[a-z]Id|uuid|guid|trace|span|request|cursor"
    r"|revision|version|build|\bref|chunk|bundle|asset|cache[_ -]?key|h1:|go\.sum|image|font"
    r"|base64,?|data:[\w/+.-]+;base64,|@)[\s\"'`:=(\[{,>]{0,8}(?:is\s)?[\"'`]?\Z"
)
# Integrity strings and the ids of providers' objects.
_PUBLIC_MARK = (
    r"(?:sha(?:1|256|384|512)[-:=]|h1:|md5-|msg_|toolu_|req_|run_|thread_|call_|resp_|chatcmpl-|asst_|file-"
    r"|evt_|pi_|cus_|ch_|in_|sub_|price_|prod_|acct_|cs_|seti_|pm_|arn:|urn:|pk_(?:live|test)_|pk\.eyJ|phc_"
    r"|srvtoolu_|batch_|ft[:-]|step_|vs_|session_|build-|image-|chunk-|rs_|fc_|ws_|i-|sg-|ami-|vpc-|subnet-)"
)
# How pictures, fonts, archives, certificates, JSON and public keys begin in base64.
_DATA_HEAD = (
    r"(?:iVBORw0KGgo|/9j/|R0lGOD|UklGR|PHN2Zy|PD94bWw|AAAAB3NzaC1|AAAAC3NzaC1|AAAAE2Vj|MII[A-K]|LS0tLS1CRUdJTi"
    r"|H4sI|UEsDB|JVBERi|d09GM|d09GRg|AGFzbQ|eyJ|AAEAAAA|T1RUTw|Qk[0-9A-Z]|AAABAA|SUQz|//uQ|GkXfo|PCFET|PGh0b)"
)
_PUBLIC_BLOCK = r"-----BEGIN (?!.{0,40}PRIVATE)[^-\n]{1,40}-----"
_PUBLIC_END = "-----END "

_KEY_END = r"-----END[A-Z0-9 ]{0,40} PRIVATE KEY(?: BLOCK)?-----"
_KEY_LINE = r"[ \t>]{0,40}[A-Za-z0-9+/=]{4,100}\s{0,2}"

_EMAIL = (
    r"(?<![\w.%+@/:-])[\w.%+-]{1,64}+@(?:[A-Za-z0-9\u00a1-\uffff-]{1,63}+\.){1,6}[A-Za-z\u00a1-\uffff]{2,24}"
    r"(?![\w@-]|\.\w)"
)
_FORGE_ADDRESS = "users.noreply.github.com"
_REMOTE_SHELL = (
    r"\b(?:ssh|scp|sftp|rsync|mosh|sshfs|ssh-copy-id|git clone|git remote)\b[^\n]{0,60}\Z"
)
_REMOTE_PATH = r":[~/\w]"
_VERSION_HOST = r"v?\d+(?:\.\d|x\.)"

_CARD = (
    r"(?<![\w.-])(?:\d{4}[ -]\d{4}[ -]\d{4}[ -]\d{4}|3[47]\d\d[ -]?\d{6}[ -]?\d{5}|\d{16})"
    r"(?![\w-]|\.\d)"
)
_SOME_DIGITS = r"[2-6]\d{3}[ -]?\d{4}"  # so all of them begin; quicker to look for
_COUNTED_BEFORE = (
    r"(?i)(?:order|invoice|ticket|timestamp|time|epoch|id|seq|offset|nonce|\bno)[ =:#\"'.]{0,4}\Z"
)
_CARD_START = r"4|5[1-5]|2(?:2[2-9]|[3-6]|7[01]|720)|3[47]|6(?:011|5|4[4-9])"


def random_strings(text: str) -> Iterator[tuple[int, int]]:
    """Yield unexplained spans of more than 20 characters with more than 4.0 bits a character.

    Hex, UUIDs, digests, paths, addresses, identifiers made of words, ids of providers' objects,
    public keys, certificates and pictures are explained; so are values behind "commit",
    "integrity", "id" and the like.
    """
    public = list(_public_blocks(text))
    for matches in pattern(_CANDIDATE).finditer(text):
        start, value = matches.start(), matches[0].rstrip(".")
        if not ENTROPY_LENGTH < len(value) <= LONGEST_SECRET or not _looks_random(value):
            continue
        if start and text[start - 1] in "\\#":  # an escaped character, a place in a page
            continue
        if any(begin <= start < end for begin, end in public):
            continue
        before = text[max(0, start - LOOKS_BACK) : start]
        if not pattern(_PUBLIC_BEFORE).search(before):
            yield start, start + len(value)


@lru_cache(maxsize=2_048)  # a session names the same few paths over and over
def _looks_random(value: str) -> bool:
    """Return True if the form of the value does not explain it."""
    if entropy(value) <= ENTROPY_BITS or is_hex(value) or is_uuid(value) or is_placeholder(value):
        return False
    if pattern(_PUBLIC_MARK).match(value) or pattern(_DATA_HEAD).match(value):
        return False
    return not _is_path(value) and _has_random_part(value)


def _public_blocks(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of certificates and public keys."""
    end = 0
    for heading in pattern(_PUBLIC_BLOCK).finditer(text) if _PUBLIC_END[:5] in text else ():
        if heading.start() >= end:
            end = text.find(_PUBLIC_END, heading.end())
            end = len(text) if end < 0 else end
            yield heading.start(), end


def _has_random_part(value: str) -> bool:
    """Return True if one run of it is long and random; versions and class lists have none."""
    if "." not in value and value.count("-") + value.count("_") <= len(value) / _RARE:
        value = value.replace("-", "+").replace("_", "+")  # they are digits of URL-safe base64
    longest = max(pattern(_strings_PARTS).findall(value), key=len, default="")
    return (
        len(longest) >= _SHORTEST_PART
        and not is_hex(longest)
        and looks_generated(longest)
        and changes(value) >= min(len(value), LOOKS_AT) / 5
        and wordy_share(value) < 0.4
    )


def _is_path(value: str) -> bool:
    """Return True if it is part of a path, an address or a dotted name."""
    if value.startswith("//"):
        return True
    if value.startswith(("/", "./", "../", "~/")) and value.count("/") > 1:
        return True
    if "/" not in value:
        return "." in value and all(len(part) < _SHORTEST_PART for part in value.split("."))
    parts = [part for part in re.split(r"[/.]", value) if part]
    return any(part.isalpha() and part.islower() and wordy_share(part) == 1.0 for part in parts)


def headless_keys(text: str) -> Iterator[tuple[int, int]]:
    """Yield spans of private keys whose beginning was cut off: lines of base64 before their END."""
    for ending in pattern(_KEY_END).finditer(text) if _PUBLIC_END in text else ():
        start = ending.start()
        while start:
            line = text.rfind("\n", 0, start - 1) + 1
            if not pattern(_KEY_LINE).fullmatch(text, line, start):
                break
            start = line
        if start < ending.start():
            yield start, ending.end()


def emails(text: str, keep: Collection[str] = ()) -> Iterator[tuple[int, int]]:
    """Yield spans of e-mail addresses, but for those in `keep` (lower-case).

    No addresses: `git@host:path`, `pkg@1.2`, `name@sha256:…`, `@decorator`, `x@v4`, `icon@2x.png`,
    `unit@1.service`, user@host of ssh and rsync, and senders without a reader (noreply@).
    """
    if "@" not in text:
        return
    for matches in pattern(_EMAIL).finditer(text):
        address = matches[0].lower()
        local, host = address.rsplit("@", 1)
        if local in NOT_PEOPLE or address in keep or host == _FORGE_ADDRESS:
            continue
        if host.rsplit(".", 1)[1] in FILE_ENDINGS or pattern(_VERSION_HOST).match(host):
            continue
        before = text[max(0, matches.start() - 80) : matches.start()]
        if pattern(_REMOTE_PATH).match(text, matches.end()) or pattern(_REMOTE_SHELL).search(
            before
        ):
            continue
        yield matches.span()


def card_numbers(text: str) -> Iterator[tuple[int, int]]:
    """Yield spans of payment card numbers: a known issuer, and a sum that comes out.

    Digits in one run that a word counts (`order 4…`, `id=4…`) are none: one in ten has that sum.
    """
    if not pattern(_SOME_DIGITS).search(text):
        return
    for matches in pattern(_CARD).finditer(text):
        digits = re.sub(r"\D", "", matches[0])
        if not (pattern(_CARD_START).match(digits) and luhn(digits)):
            continue
        before = text[max(0, matches.start() - LOOKS_BACK) : matches.start()]
        if digits != matches[0] or not pattern(_COUNTED_BEFORE).search(before):
            yield matches.span()


def luhn(digits: str) -> bool:
    """Return True if Luhn's sum of the digits is a multiple of ten."""
    doubled = (sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2])
    return (sum(doubled) + sum(int(digit) for digit in digits[-1::-2])) % 10 == 0
