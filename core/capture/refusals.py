"""What makes a sentence not worth keeping: the moment, doubt, talk, status, questions."""

from __future__ import annotations

from .rules import rx

ONE_OFF = rx(
    r"\b(?:for\ now|right\ now|this\ (?:time|once|week|sprint|one)|just\ once|once\ only|yet(?=$|"
    r"[\s.!,;]*$)|today|tonight|at\ the\ moment|for\ the\ moment|temporarily|in\ the\ meantime|"
    r"until\ (?:i|we|you)|(?:this|that|"
    r"the\ current)\ (?:pr|pull\ request|commit|branch|change|file|function|test|line|method|"
    r"class|session|task|ticket|bug|issue|step|run|attempt))\b"
    r"|^(?!.*\b(?:always|never|every|each|whenever)\b).*\bbefore\ (?:i|you)\ (?:merge|push|go|"
    r"leave)\b"
)
"""Words that tie an instruction to the moment."""

EMPTY = rx(
    r"\b(?:tests?|checks?|build|ci|linter|suite)\b.*\b(?:pass(?:es)?|green|compiles?|succeeds?)\b"
    r"|\b(?:anything|everything|something|stuff|things)[.!]*$"
)
"""What goes without saying, or says nothing."""

HEDGED = rx(
    r"\b(?:might|maybe|perhaps|possibly|probably|likely|presumably|i\ (?:think|guess|believe|"
    r"suspect|assume|wonder)|seems?|appears?\ to|could\ be|not\ sure|should\ (?:now\ )?(?:work|"
    r"fix|be\ fine)|looks\ like|apparently|suspect)\b"
)
"""Words of doubt; a guess is no finding."""

TALK = rx(
    r"^(?:i'll|i\ will|i'm|i\ am|let\ me|let's|next|now\ (?:i|let|we)|going\ to|would\ you|"
    r"do\ you|shall|should\ i|if\ you|you\ can|you\ could|you\ may|feel\ free|happy\ to|want\ me|"
    r"to\ (?:run|test|use|try)\b|first,?\ i|you're\ right|understood|noted|got\ it|apolog|sorry|"
    r"good\ (?:point|catch|question)|thanks|great|perfect|looking|checking|reading|running|"
    r"here(?:'s|\ is|\ are)|the\ following|changes:|files?\ changed)\b"
    r"|\bmemor(?:y|ies)\b.*\b(?:pinned|saved|stored|added|forgotten|noted|updated|recorded)\b"
    r"|\b(?:saved|noted|recorded|remembered|stored)\b.*\bmemor(?:y|ies)\b|\bi'll\ remember\b|"
    r"\bproject\ memory\b"
    r"|\b(?:let\ me\ know|would\ you\ like|do\ you\ want)\b"
)
"""How agents open, promise and close; not one of these is worth keeping."""

STATUS = rx(
    r"^(?:all\ )?(?:\d+\s)?(?:\w+\s){0,3}(?:tests?|checks?|suite|build|lint(?:er)?|types?|ci|"
    r"pipeline)\b(?:\s\S+){0,3}?\s"
    r"(?:pass(?:es|ed|ing)?|succeed(?:s|ed)?|green|clean|ok|fail(?:s|ed|ing)?|work(?:s|ed)?)\b"
    r"|\b(?:pr|pull\ request|branch|commit)\b(?:\s\S+){0,4}?\s(?:open|merged|ready|pushed|"
    r"created|up)\b"
    r"|\b\d+\s(?:passed|failed)\b|^everything\b|^all\ (?:done|good|green|set)\b|"
    r"\bran\ (?:the\ )?tests\b"
)
"""Where things stood at the moment."""

TROUBLE = rx(
    r"\b(?:fail(?:s|ed|ing|ure|ures)?|crash(?:es|ed|ing)?|errors?|broken?|breaks|wrong|slow|"
    r"hangs?|hung|leaks?|duplicates?|flaky|bug|issue|problem|times?\ out|timeout|timed\ out|"
    r"missing|does\ ?n[o']t\ (?:work|start|load|build|run)|can't|cannot|500|404|deadlock|"
    r"corrupt(?:ed|s)?|stuck|throws?|exception|killed|oom|segfault|freez\w+|loses?|lost)\b"
)
"""A person describes trouble, which an agent's finding may explain."""

ORDERS = rx(
    r"^(?:always|never|only|do\ not|don't|run|use|start|call|keep|put|store|set|open|check|ask|log|"
    r"write|wait|restart|install|build|deploy|seed|migrate|read|treat|avoid|prefer)\b"
)
"""What is to be remembered is an instruction."""

TELLS_A_FACT = rx(
    r"^(?:the|our|we|all|every|each|\w+s?)\b.*?\b(?:is|are|lives?|runs?|needs?|requires?|uses?|"
    r"has|have|must|expects?|takes?|costs?|deploys?|belongs?)\b"
)
"""What is to be remembered tells how something is."""

_ASKING = rx(
    r"^(?:should|can|could|would|is|are|does|did|was|were|will|why|what|how|which|who|where|whose|"
    r"do\ (?:we|you|i|they|the)|have\ (?:we|you)|has|isn't|aren't|doesn't|don't\ (?:we|you)|"
    r"any\ idea|wondering|i\ wonder)\b"
)


def asks(masked: str) -> bool:
    """Whether a sentence without a question mark asks all the same."""
    return _ASKING.match(masked) is not None and not masked.rstrip().endswith((".", "!"))
