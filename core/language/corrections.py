"""How users and agents correct or revoke, in every language that has a file.

The words are data (`corrects` in each file; "~" is a space). A question, a guess and what is only
supposed correct nothing, and quoted words are masked first.
"""

from __future__ import annotations

from ..text.sentences import masked_quotes, sentences
from .phrases import GAP, correcting

MOST_CUES = 4  # at the beginning of one sentence: "Wait, no, wrong: …"
READ = 8_000  # characters of a prompt; notices may stand before its words
LEAST_REVOKED = 4  # words of a statement that is named to be revoked: fewer name nothing

_QUOTES = " \t\"'`“”„‚‘’«»"

_FILLER = correcting(rf"^(?:<filler>\b{GAP})+(?=\S)")
_DENIES = correcting(rf"^<denies>{GAP}<please>?[.!]*")
_CUE = correcting(rf"^(?:<denies>{GAP}<please>?[.!]*|<takes_back>\b{GAP}|<from_now_on>[\s,:—–-]*)")
_FROM_NOW_ON = correcting(r"\b<from_now_on>\b[\s,:—–-]*")
_INSIDE = correcting(r"\b(?:<from_now_on>|<is_change>)\b")
_TAKES_BACK = correcting(r"^<takes_back>\b")
_WITHDRAWS = correcting(r"^<takes_back>\b\s*(?:$|[.,;!—–])")
_REVOKES_BEFORE = correcting(
    r"^(?:(?:(?:<following>\s)?<over>|<revoked>)\s*(?::|\s[–—-]+\s)|<revokes>\b)[\s,]*"
)
_REVOKES_AFTER = correcting(r"[\s,;:—–-]+(?:<it>\s)?<over>[\s.!]*$")
_GUESSES = correcting(r"\b<guesses>\b")
_DOUBTS = correcting(r"\?\s*$|\b<doubts>\b|^<supposes>\b|<mocks>|🙄|🙃|😏")


def begins_correction(text: str) -> bool:
    """Return True if `text` corrects something: "no, …", "from now on …", "… no longer …"."""
    masked, rest = masked_quotes(text), after_cues(text)
    if _DOUBTS.search(masked) or _DOUBTS.search(masked_quotes(rest)):
        return False
    return len(rest) < len(text) or bool(_INSIDE.search(masked) or revoked_in(text))


def only_sets_a_rule(text: str) -> bool:
    """Return True if a correcting sentence says "from now on", and refuses nothing."""
    masked = masked_quotes(text)
    bare = _FROM_NOW_ON.sub("", masked)
    return bare != masked and not begins_correction(bare)


def takes_back(text: str) -> bool:
    """Return True if a speaker withdraws their own words: "scratch that", "I was wrong: …"."""
    masked = masked_quotes(text)
    return not _DOUBTS.search(masked) and bool(_TAKES_BACK.match(masked[_filler(masked) :]))


def guesses(text: str) -> bool:
    """Return True if a statement is hedged: "my guess is …", "probably", "I assume"."""
    return _GUESSES.search(masked_quotes(text)) is not None


def withdraws(text: str) -> bool:
    """Return True if a sentence takes back what was said before it, and says nothing else."""
    masked = masked_quotes(text)
    return _WITHDRAWS.match(masked[_filler(masked) :]) is not None


def denies(prompt: str) -> bool:
    """Return True if a prompt begins by saying that what the agent said or did is wrong."""
    first = next(iter(sentences(prompt[:READ])), None)
    masked = masked_quotes(first.text) if first else ""
    return _DENIES.match(masked[_filler(masked) :]) is not None


def after_cues(text: str) -> str:
    """Return what a sentence says behind the cues it begins with; all of it without any."""
    masked, start = masked_quotes(text), 0
    for _ in range(MOST_CUES):
        at = start + _filler(masked[start:])
        match = _CUE.match(masked[at:])
        if not match or not match.end():
            break
        start = at + match.end()
    return text[start:].strip()


def revoked_in(text: str) -> str:
    """Return the statement that a sentence says to hold no longer; "" if it says no such thing."""
    masked = masked_quotes(text)
    start = _filler(masked)
    if before := _REVOKES_BEFORE.match(masked[start:]):
        lead, rest = text[: start + before.end()], text[start + before.end() :]
    elif after := _REVOKES_AFTER.search(masked):
        lead, rest = text[after.start() :], text[start : after.start()]
    else:
        return ""
    rest = rest.strip(_QUOTES)
    is_doubted = _DOUBTS.search(lead) or text.rstrip(_QUOTES).endswith("?")
    return "" if is_doubted or len(rest.split()) < LEAST_REVOKED else rest


def _filler(masked: str) -> int:
    """Return where the words end that stand before a cue and mean nothing."""
    match = _FILLER.match(masked)
    return match.end() if match else 0
