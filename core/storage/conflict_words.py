"""The words by which statements oppose each other, as data: another language is another table.

Words stand in their plain form; `conflict_stems` brings the inflected ones back to it.
"""

from __future__ import annotations

from .conflict_common import groups, word_set

# --- opposites (002-24): the first half says yes, the second no

OPPOSITE_ACTS = {
    pair[0]: (frozenset(pair[0].split()) | frozenset(pair[1].split()), frozenset(pair[2].split()))
    for pair in groups(
        """
        enable | activate | disable deactivate
        add | introduce | remove delete
        allow | permit | forbid prohibit ban disallow deny block
        keep | retain preserve | drop discard abandon
        prefer | favour favor | avoid
        start | begin launch | stop halt
        include | | exclude omit
        show | display | hide
        increase | grow | decrease lower reduce shrink
        accept | approve | reject decline refuse
        encrypt | | decrypt
        """
    )
}
"""Verbs: who "disables X" says of X what "does not enable X" says. Concept -> (yes, no)."""

OPPOSITE_STATES = {
    pair[0]: (frozenset(pair[0].split()) | frozenset(pair[1].split()), frozenset(pair[2].split()))
    for pair in groups(
        """
        enable | on | off
        true | yes | false
        public | | private
        async | asynchronous | sync synchronous
        require | mandatory compulsory obligatory | optional
        support | | unsupported
        automatic | automatically automated | manual manually
        before | | after
        local | | remote
        internal | | external
        mutable | | immutable
        strict | | loose lenient
        safe | | unsafe
        valid | | invalid
        ascend | | descend
        eager | eagerly | lazy lazily
        blocking | | nonblocking non-blocking
        inside | within | outside
        case-sensitive | | case-insensitive
        stateful | | stateless
        nullable | | non-null nonnull
        maximum | max | minimum min
        """
    )
}
"""States: they oppose each other, and leave what stands beside them as it is."""

NEGATIONS = word_set("not no never without neither nor cannot nothing none nobody")
"""Words that deny what follows, up to the end of the clause."""

NEGATING_PHRASES = groups(
    """
    instead|of
    rather|than
    no|longer
    refrain|from
    in|place|of
    as|opposed|to
    """
)

RELATIVES = word_set("that which who whose")
"""A denial right behind them describes a thing and denies nothing of it."""

HARMLESS_PHRASES = groups(
    """
    not|only
    not|just
    not|yet
    not|more|than
    not|less|than
    no|more|than
    no|less|than
    no|fewer|than
    no|later|than
    no|earlier|than
    no|longer|than
    no|matter
    no|one|else
    if|not
    whether|or|not
    """
)
"""They hold a negation and deny nothing."""

CLAUSE_BREAKS = word_set(
    "but because since so while whereas then otherwise unless except when if before after until "
    "although though which who where hence therefore"
)
"""A denial does not reach past them."""

REASONS = word_set("because since otherwise so hence therefore")
"""What follows them says why, not what."""

# --- change (superseded), doubt and condition (ambiguous)

CHANGES = groups(
    """
    now
    nowadays
    no|longer
    anymore
    any|more
    from|now|on
    as|of
    switched|to
    switched|from
    switched|over
    switch|from
    moved|to
    moved|from
    moved|away
    migrated|to
    migrated|from
    replaced
    replaces
    instead|of
    renamed
    upgraded
    downgraded
    changed|to
    changed|from
    dropped
    raised|to
    lowered|to
    increased|to
    reduced|to
    is|gone
    are|gone
    used|to|be
    deprecated
    obsolete
    since|version
    superseded
    """
)
SWITCHES = word_set("move switch migrate rename change upgrade go raise lower increase reduce")
GONE = word_set("gone dropped deprecated obsolete retired removed replaced")
FROM_NOW = (("from", "now", "on"),)
NO_CHANGES = groups(
    """
    right|now
    for|now
    by|now
    until|now
    """
)

HEDGES = groups(
    """
    maybe
    perhaps
    probably
    possibly
    presumably
    apparently
    might
    seems
    seem
    i|think
    i|guess
    i|believe
    not|sure
    could|be
    for|now
    right|now
    for|the|moment
    temporarily
    experimental
    unclear
    """
)

EXCEPTIONS = groups(
    """
    except
    unless
    other|than
    apart|from
    with|the|exception
    """
)

UPPER_BOUNDS = groups(
    """
    at|most
    or|less
    or|fewer
    up|to
    less|than
    fewer|than
    no|more|than
    no|later|than
    below
    under
    max
    maximum
    """
)
LOWER_BOUNDS = groups(
    """
    at|least
    or|more
    more|than
    no|less|than
    no|earlier|than
    above
    min
    minimum
    """
)
"""An upper and a lower bound of one thing get along."""

POSSIBLE = groups(
    """
    can
    may
    could
    supports
    support|for
    we|support
    """
)
"""One way among others: naming another one takes nothing back."""

PREDICATES = word_set(
    "is are was were be use uses used using must should has have need needs run runs live lives "
    "listen listens store stored keep kept write written read deploy deployed install call called "
    "name named point points start starts default defaults go goes put load hold holds contain "
    "set save host ship send sent format build built prefer targets target returns return exits "
    "exit polls poll expires expire lasts last takes take costs cost serves served publish "
    "requires require expects expect speaks opens closes wants asks "
    "upgraded downgraded moved switched migrated replaced renamed changed raised lowered "
    "published belongs belong allow allowed hashed"
)
"""A sentence that links its subject to a value has one of them; a heading or a badge has none."""

ADDITIONS = groups(
    """
    as|well
    too
    also
    additionally
    both
    either
    in|addition
    another
    besides
    """
)
"""One more value beside the one that is known."""

SITUATIONS = {
    "environment": {
        "production": "production prod live",
        "staging": "staging stage preprod",
        "test": "test tests testing",
        "ci": "ci",
        "local": "local locally laptop laptops",
        "development": "dev development",
        "demo": "demo demos",
        "sandbox": "sandbox",
        "preview": "preview",
    },
    "platform": {
        "windows": "windows",
        "linux": "linux ubuntu debian",
        "macos": "macos mac osx darwin",
        "ios": "ios",
        "android": "android",
        "arm": "arm arm64 aarch64",
        "x86": "x86 amd64 x86_64",
    },
    "season": {
        "winter": "winter",
        "summer": "summer",
        "spring": "spring",
        "autumn": "autumn",
        "weekend": "weekend weekends",
        "weekdays": "weekday weekdays",
        "night": "night nights nightly",
    },
    "side": {
        "client": "client frontend browser",
        "server": "server backend",
    },
}
"""Where a statement holds: dimension -> situation -> its words. Two of one dimension differ."""

SUBJECT_ENDS = word_set("is are was were must should can has have will do does may need needs")
"""After an opening like "during regattas" the word before one of these is the subject."""

NAMED = word_set(
    "bucket branch host queue topic region cluster channel flag role database schema table image "
    "user account namespace job container volume network group zone tenant index secret file"
)
"""What stands after one of them with a hyphen is a name: "the bucket uploads-prod"."""

FINITE = word_set("is are was were")
RESUMES = word_set("use must always should run do is are it they keep we you then")
"""After "and" they begin a clause of their own."""

WHERE_VERBS = word_set(
    "live run host store keep deploy listen read write start point go locate load save serve send "
    "ship put log build connect publish push upload hash show return begin belong"
)
TOWARDS = word_set("in on at to from into under as")
"""After one of the verbs they name its object, not merely where it holds."""

EVERYWHERE = word_set(
    "project repo repository code codebase app application here everywhere general"
)
"""Places that narrow nothing down."""

WHEN = word_set("when if while whenever unless once during wherever")
PLACES = word_set("in on for at to inside within under during per between into onto")

METHODS = word_set("GET PUT POST PATCH DELETE HEAD OPTIONS")
"""Names although they look like words; only when written in capitals."""

SPLICES = word_set("the it its this that these they he she there we our you")
"""After a comma they begin a sentence of its own, mostly the reason for the first."""

# --- what failed (003-10)

FAILURES = groups(
    """
    does|not|work
    do|not|work
    did|not|work
    not|work
    not|working
    never|worked
    no|good
    gave|up|on
    gave|up
    give|up|on
    backed|out
    turned|out|too
    turned|out|wrong
    dead|end
    failed
    fails
    fail
    broke
    breaks
    broken
    crashed
    crashes
    hung
    hangs
    deadlocked
    deadlocks
    abandoned
    reverted
    unusable
    """
)
CHRONIC = groups(
    """
    not|work
    not|working
    never|worked
    gave|up
    give|up
    backed|out
    turned|out|too
    turned|out|wrong
    dead|end
    no|good
    abandoned
    unusable
    reverted
    failed|to
    """
)
"""Failures of the approach itself; the others are events that may happen to any."""

ATTEMPTS = word_set("tried trying attempted attempting tested experimented experiment attempt")
ADVICE = word_set(
    "use run prefer always build install cache deploy store keep write set enable choose pick go "
    "call start add put switch make read test wrap mock pin split batch retry load import share "
    "mount copy move generate render parse serve format lint check compile bundle apply create"
)
"""Verbs by which an instruction begins."""
ADVISING = word_set("use uses using prefer always should must works with via through")

REMEDIES = word_set(
    "fixed fix fixing solved resolved workaround cleanup repaired corrected healed mended retried "
    "finally succeeded worked works remedied"
)
"""After one of these a failure is over: the approach is not refuted."""
