"""Secrets and personal data known by nothing but their own shape.

random_strings   more than 4 bits a character, filtered by shape and context
headless_keys    private keys whose beginning was cut off
emails           addresses of people, not of packages, remotes or decorators
card_numbers     payment cards, checked by Luhn's sum
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache

from .shapes import (
    LOOKS_AT,
    changes,
    entropy,
    is_hex,
    is_placeholder,
    is_uuid,
    looks_generated,
    pattern,
    wordy_share,
)
from .words import FILE_ENDINGS, NOT_PEOPLE

ENTROPY_BITS = 4.0  # bits a character; a candidate has more
ENTROPY_LENGTH = 20  # characters; a candidate has more
LONGEST_SECRET = 512  # characters; what is longer is a picture, a font or a certificate
LOOKS_BACK = 40  # characters before a candidate that may say what it is
_SHORTEST_PART = 12  # characters; a random token holds one unbroken run of at least so many
_RARE = 10  # at most one character in so many is - or _ in URL-safe base64; 1 in 32 by chance

_CANDIDATE = r"(?<![A-Za-z0-9+/_.~@%-])[A-Za-z0-9+/_.~-]{21,}+={0,2}"
_PARTS = r"[A-Za-z0-9+/=]+"

# What the words before a candidate may say: this is public, or says which, not what.
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
    """Spans of more than 20 characters with more than 4.0 bits a character, which nothing explains.

    Hex, UUIDs, digests, paths, addresses, identifiers made of words, ids of providers' objects,
    public keys, certificates and pictures are explained; so is what "commit", "integrity", "id"
    and the like announce.
    """
    public = list(_public_blocks(text))
    for found in pattern(_CANDIDATE).finditer(text):
        start, value = found.start(), found[0].rstrip(".")
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
    """Whether nothing about the value itself explains it."""
    if entropy(value) <= ENTROPY_BITS or is_hex(value) or is_uuid(value) or is_placeholder(value):
        return False
    if pattern(_PUBLIC_MARK).match(value) or pattern(_DATA_HEAD).match(value):
        return False
    return not _is_path(value) and _has_random_part(value)


def _public_blocks(text: str) -> Iterator[tuple[int, int]]:
    """Where certificates and public keys stand."""
    end = 0
    for heading in pattern(_PUBLIC_BLOCK).finditer(text) if _PUBLIC_END[:5] in text else ():
        if heading.start() >= end:
            end = text.find(_PUBLIC_END, heading.end())
            end = len(text) if end < 0 else end
            yield heading.start(), end


def _has_random_part(value: str) -> bool:
    """Whether one run of it is long and random; versions and class lists have none."""
    if "." not in value and value.count("-") + value.count("_") <= len(value) / _RARE:
        value = value.replace("-", "+").replace("_", "+")  # they are digits of URL-safe base64
    longest = max(pattern(_PARTS).findall(value), key=len, default="")
    return (
        len(longest) >= _SHORTEST_PART
        and not is_hex(longest)
        and looks_generated(longest)
        and changes(value) >= min(len(value), LOOKS_AT) / 5
        and wordy_share(value) < 0.4
    )


def _is_path(value: str) -> bool:
    """Whether it is part of a path, an address or a dotted name."""
    if value.startswith("//"):
        return True
    if value.startswith(("/", "./", "../", "~/")) and value.count("/") > 1:
        return True
    if "/" not in value:
        return "." in value and all(len(part) < _SHORTEST_PART for part in value.split("."))
    parts = [part for part in re.split(r"[/.]", value) if part]
    return any(part.isalpha() and part.islower() and wordy_share(part) == 1.0 for part in parts)


def headless_keys(text: str) -> Iterator[tuple[int, int]]:
    """Spans of private keys whose beginning was cut off: lines of base64 before their END."""
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
    """Spans of e-mail addresses, but for those in `keep` (lower-case).

    No addresses: `git@host:path`, `pkg@1.2`, `name@sha256:…`, `@decorator`, `x@v4`, `icon@2x.png`,
    `unit@1.service`, user@host of ssh and rsync, and senders that nobody reads (noreply@).
    """
    if "@" not in text:
        return
    for found in pattern(_EMAIL).finditer(text):
        address = found[0].lower()
        local, host = address.rsplit("@", 1)
        if local in NOT_PEOPLE or address in keep or host == _FORGE_ADDRESS:
            continue
        if host.rsplit(".", 1)[1] in FILE_ENDINGS or pattern(_VERSION_HOST).match(host):
            continue
        before = text[max(0, found.start() - 80) : found.start()]
        if pattern(_REMOTE_PATH).match(text, found.end()) or pattern(_REMOTE_SHELL).search(before):
            continue
        yield found.span()


def card_numbers(text: str) -> Iterator[tuple[int, int]]:
    """Spans of payment card numbers: a known issuer, and a sum that comes out.

    Digits in one run that a word counts (`order 4…`, `id=4…`) are none: one in ten has that sum.
    """
    if not pattern(_SOME_DIGITS).search(text):
        return
    for found in pattern(_CARD).finditer(text):
        digits = re.sub(r"\D", "", found[0])
        if not (pattern(_CARD_START).match(digits) and luhn(digits)):
            continue
        before = text[max(0, found.start() - LOOKS_BACK) : found.start()]
        if digits != found[0] or not pattern(_COUNTED_BEFORE).search(before):
            yield found.span()


def luhn(digits: str) -> bool:
    """Whether Luhn's sum of the digits is a multiple of ten."""
    doubled = (sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2])
    return (sum(doubled) + sum(int(digit) for digit in digits[-1::-2])) % 10 == 0
