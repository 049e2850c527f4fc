"""What a person puts off: todos, reminders and promises, with when and how urgent."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from .rules import Rule, rx
from .times import dated, due_date
from .weights import importance_of

_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|"
    r"(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b)"
)
_DATE = (
    rf"(?:\d{{4}}-\d\d(?:-\d\d)?|(?:the\ )?\d{{1,2}}(?:st|nd|rd|th)?(?:\ of)?\ {_MONTH}|{_MONTH}"
    rf"(?:\ \d{{1,2}}(?:st|nd|rd|th)?\b)?|(?:the\ )?\d{{1,2}}(?:st|nd|rd|th)\b|{_DAY}|"
    r"q[1-4]\b|(?:the\ )?end\ of\ (?:the\ |this\ |next\ )?\w+|next\ \w+)"
)
_AFTER = (
    r"(?:(?:is|are)\ (?:out|done|merged|released|live|finished|ready|over|back|up|available|"
    r"installed|open|gone|here|through|in\ place)|arrives?|opens?|lands?|goes\ live|comes?\ back|"
    r"ships?|returns?)"
)
_OCCASION = (
    r"(?:later|next\ (?:week|sprint|month|quarter|year|release|time)|someday|some\ day|eventually|"
    r"at\ some\ point|tomorrow|one\ day|sooner\ or\ later|down\ the\ (?:road|line)|"
    rf"(?:on|by|before|this)\ {_DAY}|(?:by|before|on|until)\ {_DATE}|by\ the\ \d|"
    r"(?:after|before)\ the\ \w+|once\ \w+|as\ soon\ as\ \w+|when\ we\ (?:get\ to|have)|"
    rf"when\ [^,.]{{2,60}}\ {_AFTER}|"
    r"(?:by|at)\ (?:the\ )?end\ of|in\ (?:a|one|two|three|four|six|a\ few|a\ couple\ of|\d+)\ "
    r"(?:days?|weeks?|sprints?|months?)|in\ (?:a|another|its\ own)\ (?:separate\ |follow-?up\ )?"
    r"(?:pr|session|branch|ticket)|follow[\s-]?up)"
)
# "next week", "once the rooms are open,": what may stand before "we have to".
_FIRST = (
    r"(?:later|eventually|tomorrow|next\ \w+|at\ some\ point|someday|one\ day|next\ time\ "
    r"[^,]{2,60}|"
    r"(?:after|before)\ (?:the|our)\ [^,]{2,60}?|once\ [^,]{2,60}?|when\ [^,]{2,60}?|"
    rf"(?:on|by|before|at)\ {_DATE}|"
    r"in\ [\w\ ]{1,14}?(?:days?|weeks?|sprints?|months?)(?:,\ when\ [^,]{2,60})?)"
)
_MERELY = (
    r"(?!\ (?:talk|discuss|see|meet|chat|look|continue|go|know|leave|understand|think|stop|wait|"
    r"sleep|eat|be\ (?:away|off|out|back)|\w+\ (?:that|this|it|them))\b)"
)
INTENTION = Rule(
    "intention",
    rx(
        r"^(?:(?:todo(?:\ ?\([^()]{1,40}\))?|to\ do|to-do|fixme|follow[\s-]?up|for\ later|"
        r"later|backlog|note\ to\ self|reminder\ for\ (?:later|me|us))\s?[:–—-]|"
        r"reminder\s?[:–—-]?\ (?=to\b))\s*(?P<said>\S.*)$"
        rf"|^(?=(?:please\ )?remind\ (?:me|us)\b|.*\b{_OCCASION}\b)(?!.*\b(?:always|never|every|"
        r"each)\b)"
        rf"(?:(?:please\ )?remind\ (?:me|us)(?:,[^,]{{2,30}},)?|(?:{_FIRST},?\ )?"
        r"(?:i|we|someone|somebody)(?:\ (?:still\ |also\ |really\ )?(?:needs?|have|has|want|plan|"
        r"intend|"
        r"ought|promised|got)\ to|'ll|\ will|\ should|\ must)|"
        r"we're\ going\ to|(?:later|eventually|tomorrow|next\ \w+|at\ some\ point|someday),|"
        r"(?:someday|eventually)\ (?:i|we)\b|follow[\s-]?up\ (?:with|on)\b)"
        rf"{_MERELY}(?:\s\S+){{2,}}"
        r"|^let's\ (?=.*\b(?:later|next\ (?:week|sprint|month|release)|follow[\s-]?up|separate\ pr|"
        r"another\ (?:pr|session|day)|after\ the\ \w+|once\ \w+)\b)(?!(?:talk|discuss|see|look|"
        r"\w+\ (?:that|this|it|them))\b)"
        r"\S+(?:\s\S+){2,}$"
        # A plan is put off by its own words, and so is what is "still" or "also" needed.
        r"|^(?:i|we)(?:'re|\ are|'m|\ am)?\ (?:plan(?:ning)?|(?:still|also)\ (?:need|have))\ to\ "
        r"(?!(?:talk|discuss|see|meet|chat|look|continue|go|ask|know|"
        r"understand)\b)\S+(?:\s\S+){2,}$"
        # A day by which something is over or has to be.
        rf"|^(?:by|before|until)\ {_DATE}[^,]{{0,30}}?,?\ (?:the|our|all|\w+s)\ "
        rf".{{3,80}}?\b(?:must|has\ to|"
        r"have\ to|needs?\ to|should)\ (?!pass\b)\S+"
        r"|^(?!(?:it|this|that|he|she|they)\b).{5,100}?\b(?:ends?|expires?|runs\ out|goes\ away|"
        r"(?:is|are|gets?)\ (?:being\ )?(?:switched\ off|shut\ down|turned\ off|retired|removed|"
        r"sunset|"
        rf"due|discontinued|closed))\ (?:on|in|by|at|before)?\ ?{_DATE}.{{0,30}}?[,;:–—]\s(?:so\ |"
        rf"and\ |"
        r"then\ |by\ then\ |until\ then\ )*(?:we|i)\b(?:\s\S+){2,}"
    ),
    "task_progress",
    "prospective",
    importance_of("intention"),
    0.8,
    "todo",
    ("todo",),
    lasts=True,
)

PRIORITIES: tuple[tuple[int, re.Pattern[str]], ...] = tuple(
    (priority, rx(rf"\b(?:{words})\b"))
    for priority, words in (
        (
            1,
            r"no\ (?:rush|hurry)|not\ urgent|whenever\ (?:you|we|there)|lowest\ priority|p4",
        ),
        (5, r"urgent(?:ly)?|asap|critical|blocker|blocking|immediately|top\ priority|p0"),
        (
            2,
            r"some\ ?day|one\ day|eventually|at\ some\ point|low\ priority|nice\ to\ have|p3",
        ),
        (4, r"important|high\ priority|soon|p1"),
    )
)
"""Priority 1 (least) to 5 by a person's words (000-12); the first row that fits, else 3."""

_REMINDER = re.compile(
    r"^(?:please )?remind (?:me|us)\b(?:, [^,]{2,30},)?(?:\s(?:to|that|about)\b)?\s*|^to (?=\w)",
    re.IGNORECASE,
)
_FOLLOW_UP = re.compile(r"\bfollow[\s-]?up\b", re.IGNORECASE)
_COMMITMENT = re.compile(
    r"^(?:(?:later|tomorrow|next \w+|(?:after|once|when) [^,]{2,60}),? )?(?:i|we)"
    r"(?:'ll| will| promised)\b",
    re.IGNORECASE,
)
_TOUCHING = re.compile(
    r"\b(?:(?:when(?:ever)?|next time|once|if) (?:i|you|we|somebody|someone|anyone)(?:'re| are)? "
    r"(?:next |ever |again )?(?:touch\w*|edit\w*|open\w*|work\w* (?:on|in|with)|chang\w+|"
    r"refactor\w*|rewrit\w+|com(?:e|ing) back to|get to|go (?:in|back)\w*|are in|in)"
    r"|while (?:in|touching|editing|working on))\s[^,;]{2,80}",
    re.IGNORECASE,
)
_EVENT = re.compile(
    r"\b(?:after|once|when|before|as soon as|until)\s(?!it\b|that\b|this\b)"
    r"(?:(?!\s(?:we|i|someone) (?:have|must|need|should|want|will)\b)[^,.;]|\.(?=\w)){3,80}",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Intention:
    """The parts of a put-off task (000-12)."""

    text: str
    kind: str  # todo, reminder, followup or commitment
    priority: int  # 1-5; 5 is the most urgent
    trigger_type: str  # time, event or context
    trigger: str  # the words that name the occasion, or ""
    due: datetime | None

    def details(self) -> dict[str, Any]:
        """The fields of the prospective table."""
        return {
            "intention_type": self.kind,
            "trigger_type": self.trigger_type,
            "trigger_condition": self.trigger,
            "priority": self.priority,
            "status": "pending",
        }


def intention(text: str, said_at: datetime | None) -> Intention:
    """What `text` puts off, said at `said_at`.

    It waits for a day that is named (time), else for a place in the work ("when you touch
    billing.py", context), else for something to happen ("once the release is out", event).
    """
    kind = "todo"
    bare = _REMINDER.sub("", text)
    if bare != text:
        kind = "reminder"
    elif _FOLLOW_UP.search(text):
        kind = "followup"
    elif _COMMITMENT.match(text):
        kind = "commitment"
    due = due_date(text, said_at)
    place, event = _TOUCHING.search(text), _EVENT.search(text)
    occasion = (place or event or [""])[0] if due is None else f"by {due:%Y-%m-%d}"
    trigger_type = "time" if due else "event" if event and not place else "context"
    return Intention(
        dated(bare, due), kind, priority_of(text), trigger_type, occasion.rstrip(" .!"), due
    )


def priority_of(text: str) -> int:
    """How urgent `text` says it is, 1-5, by `PRIORITIES`."""
    return next((priority for priority, words in PRIORITIES if words.search(text)), 3)


def intention_fields(text: str) -> Mapping[str, Any]:
    """The fields of a put-off task whose text is all that is known; days need `due` beside it."""
    return intention(text, None).details()
