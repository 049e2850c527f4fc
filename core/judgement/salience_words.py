"""The signs of a sentence in words that a person reads: `show --why`, the Inbox."""

from __future__ import annotations

_SIGNS = {
    "modal": "says what must or must not be",
    "universal": "holds always, never or only",
    "reason": "gives a reason",
    "contrast": "sets one thing against another",
    "we": "speaks of us or the users",
    "i": "speaks of the speaker",
    "you": "speaks to the other",
    "intends": "announces what comes next",
    "did": "reports what was done",
    "asks": "asks",
    "orders": "tells how to do it",
    "requests": "asks for work to be done now",
    "states": "states how things are",
    "wants": "says what somebody wants",
    "refuses": "objects",
    "unit": "has an amount with its unit",
    "version": "names a version",
    "when": "names a time",
    "trouble": "speaks of a fault",
    "cause": "names a cause",
    "hedges": "is not sure",
    "points": "begins by pointing at something",
    "work": "speaks of the change at hand",
    "mark": "carries a tick or an emoji",
    "leads": "leads up to something",
    "passes": "reports success",
    "quotes": "quotes",
    "labelled": "begins with a label",
    "takes_back": "takes something back",
    "flag": "names a flag or variable",
    "denies": "denies something",
    "option": "is a numbered option or phase",
    "choice": "chooses",
    "code": "holds code",
    "path": "names a file",
    "name": "names something in the code",
    "num": "holds a number",
    "url": "holds a link",
}
_PLACES = {
    "first": "stands first in its message",
    "last": "stands last in its message",
    "middle": "stands in the middle of its message",
    "closing": "closes the agent's work",
    "after-error": "follows an error",
    "after-refusal": "follows an interruption or a refused call",
    "alone": "is the whole message",
    "lower": "begins in lower case",
    "open-ended": "ends without a full stop",
    "kind-item": "is an item of a list",
    "kind-heading": "is a heading",
    "kind-cell": "is a row of a table",
    "kind-text": "is running text",
    "wide": "is written in Chinese, Japanese or Korean",
}
_AROUND = {
    "unanswered": "nothing was said after it",
    "reaction-asks": "the person then asked",
    "reaction-refuses": "the person then objected",
    "reaction-trouble": "the person then spoke of a fault",
    "reaction-wants": "the person then said what they want",
    "reaction-requests": "the person then asked for more work",
    "reaction-takes_back": "it was then taken back",
    "other-asks": "answers a question",
    "other-refuses": "answers an objection",
    "other-trouble": "answers words about a fault",
    "other-wants": "answers a wish",
    "other-requests": "answers a request",
}
_ELSEWHERE = {
    "person-before": "the person had said its words before",
    "agent-before": "the agent had said its words before",
    "person-later": "the person comes back to it",
    "agent-later": "the agent comes back to it",
    "closing": "an answer that closes the work says it again",
    "shown-before": "tools had shown its words before",
    "written-before": "its words had just been written into a file",
    "written-after": "its words were then written into a file",
}


def in_words(name: str) -> str:
    """What a sign of `salience` says, "" for one that says nothing to a person."""
    head, _, rest = name.partition(":")
    if head == "who":
        return "the person said it" if rest == "P" else "the agent said it"
    if head in ("P", "A"):
        return _placed(rest)
    if head[-1:] == "s" and rest in _SIGNS:
        return _SIGNS[rest]
    if head[-1:] == "x":
        return " and ".join(_SIGNS.get(each, each) for each in rest.split("+"))
    if head[-1:] in "wfpbtg" and rest:
        many = " " in rest
        start = "begins with " if head[-1] in "fg" else ""
        return f"{start}the word{'s' if many else ''} “{rest}{'…' if head[-1] == 'p' else ''}”"
    if name[1:2] in ("<", ">") and name[2:] in _SIGNS:
        return f"the sentence {'before' if name[1] == '<' else 'after'} it {_SIGNS[name[2:]]}"
    if name[1:2] == "~":
        return _ELSEWHERE.get(name[2:-1], "")
    if name[1:2] == "@":
        return _AROUND.get(name[2:], "")
    return ""


def _placed(name: str) -> str:
    if name in _PLACES:
        return _PLACES[name]
    for start, words in (
        ("length", "its length"),
        ("of", "how many sentences its message has"),
        ("turn", "the length of its message"),
    ):
        if name.startswith(start) and name[len(start) :].isdigit():
            return words
    return ""
