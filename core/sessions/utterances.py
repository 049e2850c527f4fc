"""The sentences of a session with their turns and speakers.

Answers to an agent's questions and the reasons of refused calls are the user's words, though
tool results hold them.
"""

from __future__ import annotations

import os
import re
import tomllib
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from ..judgement.salience import Utterance, signs_of
from ..language.phrases import phrases, prefaced, revoked_in, says
from ..text.sameness import content_of
from ..text.sentences import Sentence, masked_quotes, sentences
from ..text.words import folded
from .echo import is_handed_over, is_trace, runs_memdeck, without_echo
from .shape import letters, without_filler
from .turns import ASKED, Turn, calls_in

MOST_BEFORE = 600  # characters of the other speaker's words before
SHOWN = 20_000  # characters of an answer or a result that are searched for a quotation
SHORT = 50  # characters; a shorter sentence of the user is joined with the one beside it
LEAST_QUOTED = 30  # bytes of a sentence's letters; a shorter one may be equal by chance
MOST_AFTER = 300  # characters of the prompt that came after it


with open(os.path.join(os.path.dirname(__file__), "borrowed.toml"), "rb") as _file:
    _BORROWED = tomllib.load(_file)


def _pattern(name: str, flags: re.RegexFlag = re.IGNORECASE) -> re.Pattern[str]:
    return re.compile(re.sub("<([A-Z]+)>", lambda m: _BORROWED[m[1]], _BORROWED[name]), flags)


_LOG_LINE = _pattern("log_line", re.VERBOSE)
_HEADER, _GREETING, _FAREWELL = map(_pattern, ("header", "greeting", "farewell"))
_SPEAKER, _OWN_PREFIX, _ROLE, _REMARK = map(_pattern, "speaker own_prefix role remark".split())
_OURS, _FOLLOWING, _SALUTES = map(_pattern, ("ours", "following", "salutes"))
_COMMENT, _PREFIX = (_pattern(name, re.NOFLAG) for name in ("comment", "prefix"))

_CLAUSE = re.compile(r"(?:[\w'’]+ ){4,}: ")
"""A colon behind a space, as French writes it: four words in front are no name."""

LONG = 1_000  # characters of a prompt; the most of a longer one is pasted
_ADDRESSES = frozenset(("i", "you", "asks", "requests", "orders", "wants"))
SHORT_BLOCK = 200  # characters of text before or after a paste

_DOCUMENT_MARK = re.compile("[\U0001f300-\U0001faff✅❌⚠⏺⎿✓→]")

_BARE_PATH = re.compile(r"(?:~|[A-Za-z]:)?(?:[/\\][^/\\\n]+){2,}\.\w{1,5}")
"""A file's place and no more; its name may have spaces."""

_REFUSED = re.compile(r"^The user doesn't want to .*?the user said:\s*(\S.*)$", re.DOTALL)
_TURNED_DOWN = re.compile(r"doesn't want to|\[Request interrupted|user said:|was rejected")
"""Beginnings of the hosts' notices that the user refused a call or stopped the work."""

_HOSTS_OWN = re.compile(r"The user wants to clarify these questions")
_HOSTS_NOTE = re.compile(r"\s*\bNote: The user's next message may contain\b.*\Z", re.DOTALL)
"""Claude Code's note to its agent below the reason of a refusal."""

_ANSWERED = re.compile(r"^(?:User has answered your questions|Your questions have been answered)")
_ADVISED = re.compile(r"\s*\(Recommended\)")
_PAIR = re.compile(r"\"([^\"]{1,600})\"\s*=\s*\"([^\"]{1,2000})\"")


@dataclass(frozen=True, slots=True)
class Spoken:
    """One sentence, with the turn that holds it."""

    position: int  # of the turn among those given
    turn: Turn
    said: str  # the whole text there
    sentence: Sentence
    utterance: Utterance
    is_own: bool  # in the speaker's own words; False for a paste
    is_quoted: bool = False  # a prompt's sentence that the agent, or a tool, said before
    is_borrowed: bool = False  # a prompt's sentence of uncertain origin


def spoken_in(turns: Sequence[Turn]) -> list[Spoken]:
    """Return the sentences of prompts, answers and refusals, in order."""
    finals, is_closing = set[int](), True  # answers with no call after them before the next prompt
    for position in range(len(turns) - 1, -1, -1):
        kind = turns[position].kind
        if kind in ("user", "boundary", "tool_call"):
            is_closing = kind != "tool_call"
        elif kind == "assistant" and is_closing:
            finals.add(position)
    prompts = [location for location, turn in enumerate(turns) if turn.is_prompt]
    received: list[Spoken] = []
    visible = _Shown()
    prompted = answered = ""
    has_failed = was_refused = False
    for position, turn in enumerate(turns):
        if turn.kind == "tool_result":
            has_failed = has_failed or turn.is_error
            was_refused |= turn.is_error and _TURNED_DOWN.search(turn.text[:400]) is not None
            text = words_in_result(turn)
        elif turn.is_prompt or turn.kind == "assistant":
            text = "" if turn.is_prompt and is_trace(turn.text) else without_echo(turn.text)
            text = without_quotations(text) if turn.is_prompt else text
            was_refused = was_refused or (turn.is_prompt and stops_work(turn))
        else:
            continue
        is_person = turn.is_prompt or (turn.kind == "tool_result" and bool(text))
        following = bisect_right(prompts, position)
        reaction = turns[prompts[following]].text if following < len(prompts) else None
        frame = partial(
            Utterance,
            is_person=is_person,
            turn_length=len(text),
            is_closing=position in finals,
            after_error=has_failed,
            after_refusal=was_refused,
            other=answered[-MOST_BEFORE:] if is_person else prompted[:MOST_BEFORE],
            reaction=None if reaction is None else reaction[:MOST_AFTER],
        )
        received += _sentences(position, turn, text, frame, visible)
        if turn.is_prompt:
            prompted, has_failed = turn.text, False
            was_refused = stops_work(turn)
        else:
            answered = turn.text if turn.kind == "assistant" else answered
            visible.add(turn.text)
    return received


class _Shown:
    """The agent's words and tools' output so far. A prompt that repeats them quotes them."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._letters: list[str] = []

    def add(self, text: str) -> None:
        self._texts.append(text[:SHOWN])

    def holds(self, sentence: str) -> bool:
        """Return True if they contain the sentence, marks and spaces apart; "you wrote: …"."""
        lead, _, cited = sentence.partition(": ")
        parts = (sentence, cited if "you" in signs_of(lead) else "")  # "better: …" chooses it
        quoted = [each for part in parts if len((each := letters(part)).encode()) >= LEAST_QUOTED]
        if quoted:
            self._letters += map(letters, self._texts[len(self._letters) :])  # when first asked
        return any(each in letter for each in quoted for letter in self._letters)


def words_in_result(turn: Turn) -> str:
    """Return the user's words in a call's result: answers, or the reason of a refusal.

    The same words in a file that a command prints do not count: a refusal is an error, and an
    answer comes from the tool that asks.
    """
    is_refusal = turn.is_error and turn.tool in ASKED
    if is_refusal and (refused := _REFUSED.match(turn.text)):
        return "" if _HOSTS_OWN.match(refused[1]) else _HOSTS_NOTE.sub("", refused[1]).strip()
    if turn.tool == "AskUserQuestion" and _ANSWERED.match(turn.text):
        answers = []
        for asked, chosen in _PAIR.findall(turn.text):
            answer, request = _ADVISED.sub("", chosen).strip(), sentences(asked)
            if len(answer) < SHORT and request:  # it says nothing without the other
                answer = f"{request[-1].text.rstrip(' ?？')}: {answer}"
            answers.append(answer)
        return "\n\n".join(answers)
    return ""


def stops_work(prompt: Turn) -> bool:
    """Return True if a prompt is the host's notice that the user interrupted the agent."""
    return _TURNED_DOWN.search(prompt.text[:60]) is not None


def own_of(prompt: str, text: str, listed: Sequence[Sentence]) -> list[bool]:
    """Return for each sentence of a prompt whether the user typed it.

    Pasted prose carries no fence. A long prompt, or one with the layout of a document, is taken for
    a paste, but for short text at its beginning and end. On 1,400 labelled prompts this keeps 99 %
    of the user's own sentences and a quarter of the pasted ones.
    """
    if not listed or is_handed_over(prompt):
        return [False] * len(listed)
    is_document = (
        any(item.kind in ("heading", "cell") for item in listed)
        or "```" in text
        or text.count("**") > 2
        or _DOCUMENT_MARK.search(text) is not None
    )
    if len(text) <= LONG and not is_document:
        return [True] * len(listed)
    length = Counter[int]()
    for item in listed:
        length[item.block] += len(item.text)
    last = {
        sign for item in listed if item.block == listed[-1].block for sign in signs_of(item.text)
    }
    edges = {listed[0].block} | ({listed[-1].block} if last & _ADDRESSES else set())
    return [
        item.kind == "text" and item.block in edges and length[item.block] <= SHORT_BLOCK
        for item in listed
    ]


_FENCED = re.compile(r"^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1|\Z)", re.MULTILINE | re.DOTALL)
_QUOTED_LINE = re.compile(r"^(?:[ \t]*(?:>|&gt;)| {4}(?! *[-*\d])|\t(?! *[-*\d])).*$", re.MULTILINE)
_OPENS_QUOTE, _CLOSES_QUOTE = re.compile(r"^[\"“„«「']"), re.compile(r"[\"”“»」'][.,!?]?$")


def borrowed_in(prompt: str, text: str, listed: Sequence[Sentence]) -> list[bool]:
    """Return for each sentence of a prompt whether someone else may have written it.

    Stricter than `own_of`: the user can ask to keep such a sentence, but it is no rule of theirs.
    That is a list, text below a heading or a lead, in a log, a mail, a chat, a quotation, or
    behind an order to work on a text; what somebody else is said to want, and the lines beside a
    question for an opinion ("is that true?").
    """
    own = own_of(prompt, _FENCED.sub("", text), listed)
    printed = printed_blocks(listed)
    starts = {item.block: item.line for item in reversed(listed)}
    borrowed = list[bool]()
    rest = begins = False  # all that follows; all of this line
    lead = quote = -1  # the block below a lead; a quotation is open
    line, is_mail = -1, any(_FAREWELL.match(item.text) for item in listed[1:])
    asking = (item for item in listed if item.is_question and says("opinion", item.text))
    judging = {item.line for item in (*asking, *(it for it in listed if it.text[:1] == "^"))}
    for item in listed:
        words = item.text
        if item.line != line:
            # a name or a label and a colon that is no wish of the user's
            label = None if _OWN_PREFIX.match(words) else _PREFIX.match(words)
            is_labelled = label is not None and not says("limit", label[0])  # "always use: …"
            is_labelled = is_labelled and not _CLAUSE.match(words)
            is_spoken = is_labelled and not _asks_for_rules(words) and not revoked_in(words)
            line, begins = item.line, bool(is_spoken) or _COMMENT.match(words) is not None
            rest = rest or item.kind == "heading"
            rest = rest or (_SPEAKER.match(words) is not None and not _asks_for_rules(words))
            rest = rest or any(it.match(words) for it in (_HEADER, _GREETING, _REMARK, _ROLE))
            rest = rest or (item.line > 0 and _SALUTES.fullmatch(words) is not None)
        if _OPENS_QUOTE.match(words) and masked_quotes(words)[1:2] != "·":
            quote = item.index
        is_material = any(phrase.material.match(words) for phrase in phrases())
        borrowed.append(
            rest
            or begins
            or quote >= 0
            or is_material
            or (says("claims", words) and says("limit", words) and not _OURS.match(words))
            or (says("claims", words) and says("from_now_on", words))
            or (bool(judging) and item.line not in judging)
            or item.kind != "text"
            or item.block == lead
            or (is_mail and item.line > 0)
            or (item.block in printed and item.line > starts[item.block])
            or not own[item.index]
        )
        rest = rest or is_material
        rest = rest or (_FOLLOWING.search(words) is not None and not says("limit", words))
        if words.endswith((":", "：")) and item.kind == "text" and not _asks_for_rules(words):
            lead = item.block
            below = next((other for other in listed[item.index :] if other.block != lead), item)
            rest = rest or (below.block == lead + 1 and below.kind == "text")
        if quote >= 0 and item.index >= quote and _CLOSES_QUOTE.search(words[1:]):
            quote = -1
    return borrowed


def without_quotations(prompt: str) -> str:
    """Return a prompt without the lines that are set off as quoted or as code; lists stay."""
    return _QUOTED_LINE.sub("", prompt)


def _asks_for_rules(words: str) -> bool:
    bare = without_filler(words)
    return any(
        phrase.wish.match(bare)
        or phrase.rules.match(bare)
        or phrase.important.match(bare)
        or phrase.label.match(bare)
        or (phrase.from_now_on.match(bare) is not None)
        or ((behind := prefaced(masked_quotes(bare), phrase)) is not None and behind[1])
        or phrase.this.match(bare.partition(": ")[2])  # "…: write that down"
        for phrase in phrases()
    )


def printed_blocks(listed: Sequence[Sentence]) -> dict[int, int]:
    """Map blocks with a program's line to the first such sentence; the rest is its output too."""
    lines = (line for line in reversed(listed) if _LOG_LINE.match(line.text))
    return {line.block: line.index for line in lines}


def is_printed(text: str) -> bool:
    """Return True if a sentence is a line of a log or a bare path."""
    return _LOG_LINE.match(text) is not None or _BARE_PATH.fullmatch(text) is not None


def is_others(text: str) -> bool:
    """Return True if a sentence is a line of a log, a bare path, or mostly in quotation marks."""
    if is_printed(text):
        return True
    return masked_quotes(text).count("·") - text.count("·") > 0.6 * len(text)


def _sentences(
    position: int, turn: Turn, text: str, frame: Callable[..., Utterance], visible: _Shown
) -> list[Spoken]:
    is_typed = turn.is_prompt
    listed = sentences(text, is_typed=is_typed)
    own = own_of(turn.text, text, listed) if is_typed else [True] * len(listed)
    borrowed = borrowed_in(turn.text, text, listed) if is_typed else [False] * len(listed)
    printed = printed_blocks(listed) if is_typed else {}
    texts = ["", *(item.text for item in listed), ""]
    received = []
    for location, (item, before, after) in enumerate(zip(listed, texts, texts[2:], strict=False)):
        where = {"kind": item.kind, "place": location, "of": len(listed)}
        utterance = frame(item.text, **where, before=before, after=after)
        is_own = (
            own[location]
            and location <= printed.get(item.block, location)
            and not is_others(item.text)
        )
        is_quoted = is_typed and visible.holds(item.text)
        received.append(
            Spoken(position, turn, text, item, utterance, is_own, is_quoted, borrowed[location])
        )
    return received


_FOREIGN = re.compile(r"web_?(?:fetch|search)|browse|codesearch|\bmcp_(?!.*memdeck)", re.IGNORECASE)
_FETCHES = re.compile(
    r"\b(?:curl|wget)\b|\b(?:gh|glab)\s+(?:issue|pr|mr|release|search|api|gist)\b"
)
"""Tools and commands that read texts from outside the project."""

_SUBAGENT = re.compile(r"^(?:task|agent)$", re.IGNORECASE)
_LOCAL = re.compile(r"explore|plan|codebase_investigator", re.IGNORECASE)
"""Kinds of subagents that read the project's files only."""

_HISTORY = re.compile(r"\bgit\s+(?:log|show|blame)\b")

_DOCUMENT = re.compile(r"\.(?:mdx?|rst|txt|adoc|html?)\b|\b(?:README|NOTES|CHANGELOG|TODO)\b")
_PROSE = ("foreign", "outside", "document")
_SOURCES = dict.fromkeys(_PROSE, "finding") | {"lent": "quoted"}
_COMMENT_IN = re.compile(r"(?m)(?:^|[\s+→:-])(?:#+|//+|/?\*+|--|;+|<!--|[\"']{3})[^\S\n]*(\w.*)")
_LONG_NAME = re.compile(r"\b[^\W_]+(?:[-_][^\W_]+){3,}")

SHARE = 0.7  # of a record's distinctive words, from which on a passage holds it
ALIKE = 0.5  # the same share for a paraphrase, and for a sentence that supports a record
RELATED = 0.3  # for a foreign text that a record may come from, in yet other words

PASSAGE = 3  # lines in a row
MOST_LINES = 400  # of one text, first and last


class Sources:
    """The texts of a session, read once, to find the first source of words."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        self._texts = [
            (position, source, lines, "\n".join(lines).lower())
            for position, source, lines in _texts(turns)
            if lines
        ]
        typed = (low for _, source, _, low in self._texts if source == "person")
        self._asked = content_of("\n".join(typed)).numbers

    def first(self, text: str, before: int | None = None) -> str:
        """Return "finding" if a tool's result had `text` first, "quoted" if a paste had it.

        "person" if the user had. Else "agent", also if no text has it. `before` is the position of
        a turn; later texts do not count.
        """
        _, source = next(self._passages(text, SHARE, before), (0, "agent"))
        return _SOURCES.get(source, source)

    def evidence(self, text: str, *, is_order: bool = False) -> str:
        """Return the evidence of a session for a record: as `first`, paraphrases included.

        "nobody" if the session read a foreign text before (web, MCP, an issue, the answer of a
        subagent that may read these, a paste), and neither the user nor the project's files bear
        the record. For a record that neither sets a limit nor `is_order` the text must share words
        with it. A text in prose that holds it counts before those that hold only a part of it.
        """
        whole = next(self._passages(text, SHARE), (-1, "agent"))
        if (source := _SOURCES.get(whole[1], whole[1])) != "agent":
            return source
        is_rule = is_order or says("limit", text) or says("governs", text)
        related = self._passages(text, 0 if is_rule else RELATED)
        texts = (position for position, who in related if who in ("foreign", "quoted"))
        foreign, support = next(texts, None), ""
        for position, who in self._passages(text, ALIKE):
            if who in _PROSE:
                return "finding"
            if who != "agent" or foreign is None or position < foreign:
                support = support or ("agent" if who == "finding" else _SOURCES.get(who, who))
                if (position, who) == whole:
                    return support
        return support or ("agent" if foreign is None else "nobody")

    def _passages(
        self, text: str, share: float, before: int | None = None
    ) -> Iterator[tuple[int, str]]:
        """Yield position and source of the passages with this share of the words of `text`."""
        content = content_of(folded(text))
        words = content.distinctive | content.marks | content.numbers
        for position, source, lines, low in self._texts if words else ():
            if before is not None and position >= before:
                break
            if sum(word[:-1] in low for word in words) < share * len(words):
                continue  # most texts; reading costs a hundred times more
            asked = self._asked if source in _PROSE else frozenset[str]()  # "issue 4"
            numbers = content.numbers - asked if share >= ALIKE else frozenset[str]()
            for start in range(len(lines)):
                passage = "\n".join(lines[start : start + PASSAGE])
                held = content_of(passage).weights.keys()
                shared = {w for w in words if w in held or (w[:-1] in passage and not w.isalnum())}
                if len(shared) >= share * len(words) and numbers <= shared:
                    yield position, source
                    break


def _texts(turns: Sequence[Turn]) -> Iterator[tuple[int, str, Sequence[str]]]:
    """Yield the position and the lines of each text of a session, and who said them.

    "agent", "person", "quoted" (lines of a paste), "lent" (other lines of a prompt that the user
    may not have written), "finding" (a tool's result), "document" (a file in prose), "outside"
    (commits, and what a subagent says of the project) or "foreign" (from outside the project).
    """
    sources = dict[int, str]()
    for call in calls_in(turns):
        command, path = call.argument("command"), call.argument("file_path", "path")
        if call.result is None or call.result.is_error:
            continue  # an error is a plain finding
        if runs_memdeck(command):
            sources[call.answered] = ""
        elif (
            _FOREIGN.search(call.tool)
            or _FETCHES.search(command)
            or (_SUBAGENT.match(call.tool) and not _LOCAL.search(call.argument("subagent_type")))
        ):
            sources[call.answered] = "foreign"
        elif _SUBAGENT.match(call.tool) or _HISTORY.search(command):
            sources[call.answered] = "outside"
        elif _DOCUMENT.search(path) or _DOCUMENT.search(command):
            sources[call.answered] = "document"
    for position, turn in enumerate(turns):
        if turn.kind == "assistant" or (turn.is_prompt and turn.agent_id):
            yield position, "agent", _lines(without_echo(turn.text))
        elif turn.is_prompt and not is_trace(turn.text):
            text = without_echo(turn.text)
            plain = without_quotations(_FENCED.sub("", text))
            listed = sentences(plain, is_typed=True)
            own, lent = own_of(turn.text, text, listed), borrowed_in(turn.text, plain, listed)
            flags = zip(listed, own, lent, strict=True)
            own_lines = tuple(
                s.text for s, mine, his in flags if mine and not (his and s.kind == "text")
            )
            yield position, "person", own_lines
            lines = (
                line for line in _lines(text) if not line.lstrip(" \t-*•").startswith(own_lines)
            )
            yield position, "lent" if all(own) else "quoted", [*lines]
        elif turn.kind == "tool_result" and (source := sources.get(position, "finding")):
            answer = words_in_result(turn)
            yield position, "person" if answer else source, _lines(answer or turn.text)
            if source == "finding":  # comments, and names that set a limit, are prose
                names = filter(None, map(rule_in_name, _LONG_NAME.findall(turn.text)))
                yield position, "document", [*_COMMENT_IN.findall(folded(turn.text)), *names]
        elif turn.kind == "tool_call":
            yield position, "agent", _lines("\n".join(map(str, turn.tool_input.values())))


def rule_in_name(name: str) -> str:
    """Return the words of a long name that sets a limit, `always-deploy-as-root`; else ""."""
    words = re.sub("[-_]+", " ", name)
    return words if _LONG_NAME.search(name) and says("limit", words) else ""


def _lines(text: str) -> list[str]:
    lines = [line for line in folded(text).splitlines() if line.strip()]
    half = MOST_LINES // 2
    return lines if len(lines) <= MOST_LINES else lines[:half] + lines[-half:]
