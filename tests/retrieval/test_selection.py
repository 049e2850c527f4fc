"""Who may be shown, how many, and conflicts kept together."""

import pytest

from memdeck.core.answers import Neighbour
from memdeck.core.config.limits import RecallLimits
from memdeck.core.ingest.duplicates import near_duplicate
from memdeck.core.retrieval.selection import (
    Ranked,
    Viewer,
    distinct,
    hidden_because,
    shortlist,
    spread,
    units,
)
from memdeck.core.text.sameness import says_otherwise, says_the_same


@pytest.fixture
def viewer(now_ms):
    return Viewer("harbour", "s1", None, now_ms)


def ranked_all(images):
    return [Ranked(image, 1.0 - place / 100, {}) for place, image in enumerate(images)]


def ids(ranked):
    return [one.id for one in ranked]


def test_a_plain_memory_of_the_project_is_visible(an_image, viewer):
    assert hidden_because(an_image(), viewer) is None


def test_what_may_not_be_shown_is_hidden_with_the_reason(an_image, viewer, subtests):
    """003-07; projects never see each other; retired memories stay away."""
    rows = [
        ({"project": "shipyard"}, "another project"),
        ({"retired_at": 5, "retired_as": "forgotten"}, "forgotten"),
        ({"tags": ["untrusted"]}, "not trusted"),
        ({"privacy": "private", "session": "s2"}, "private"),
        ({"privacy": "private", "session": None}, "private"),
        ({"privacy": "agent-only", "role": "researcher"}, "another role"),
        ({"type": "working", "session": "s2"}, "working memory"),
        ({"scope": "task", "session": "s2"}, "working memory"),
    ]
    for fields, reason in rows:
        with subtests.test(fields=fields):
            assert reason in hidden_because(an_image(**fields), viewer)


def test_what_may_be_shown_is(an_image, viewer, subtests):
    rows = [
        {"project": "", "scope": "global"},
        {"privacy": "private", "session": "s1"},
        {"privacy": "agent-only", "agent": "claude"},
        {"privacy": "agent-only", "agent": "codex"},
        {"privacy": "agent-only", "role": "researcher", "session": "s1"},
        {"type": "working", "scope": "task", "session": "s1"},
        {"scope": "session", "session": "s2"},  # recall crosses sessions ("Settled")
    ]
    for fields in rows:
        with subtests.test(fields=fields):
            assert hidden_because(an_image(**fields), viewer) is None


def test_agent_only_is_for_the_same_role_and_who_has_none_is_the_orchestrator(an_image, viewer):
    image = an_image(privacy="agent-only", role="researcher")
    assert hidden_because(image, viewer._replace(role="researcher")) is None
    assert "role" in hidden_because(image, viewer)
    orchestrators = an_image(privacy="agent-only", role="orchestrator")
    assert hidden_because(orchestrators, viewer) is None
    assert "role" in hidden_because(image, viewer._replace(role="executor"))


def test_an_expired_memory_is_hidden_from_its_very_moment_on(an_image, viewer, now_ms):
    assert hidden_because(an_image(expires=now_ms + 1), viewer) is None
    assert "expired" in hidden_because(an_image(expires=now_ms), viewer)


def test_the_running_is_the_top_15_without_its_weakest_30_percent(an_image, subtests):
    """002-15, 002-16."""
    rows = [(0, 0), (1, 1), (3, 3), (4, 3), (6, 5), (7, 5), (10, 7), (14, 10), (15, 11), (40, 11)]
    for found, kept in rows:
        with subtests.test(found=found):
            left_out = []
            ranked = ranked_all(an_image() for _ in range(found))
            running = shortlist(ranked, RecallLimits(), left_out)
            assert ids(running) == ids(ranked[:kept])
            assert len(left_out) == min(found, 15) - kept


def test_of_equal_answers_none_is_the_weakest(an_image, subtests):
    rows = [([1.0] * 5, 5), ([1.0] * 4 + [0.99], 5), ([1.0] * 4 + [0.98], 4), ([1.0] * 10, 7)]
    for scores, kept in rows:
        with subtests.test(scores=scores):
            left_out = []
            ranked = scored(an_image, *((None, score, "berth") for score in scores))
            assert ids(shortlist(ranked, RecallLimits(), left_out)) == ids(ranked[:kept])
            assert [why for _, why in left_out] == ["weakest of the running"] * (len(scores) - kept)


def scored(an_image, *rows):
    """Ranked memories, best first: session, score, words of the question."""
    return [
        Ranked(an_image(session=session), score, {}, tuple(words.split()))
        for session, score, words in rows
    ]


def test_at_most_two_come_from_one_session(an_image):
    """002-16: maxPerSource 2."""
    left_out = []
    ranked = scored(
        an_image,
        ("a", 1.0, "crane gate"),
        ("a", 0.9, "crane gate"),
        ("b", 0.8, "crane"),
        (None, 0.6, "crane"),
        (None, 0.5, "crane"),
        ("a", 0.4, "gate"),
    )
    kept = spread(ranked, RecallLimits(), left_out)
    assert [one.image["session"] for one in kept] == ["a", "a", "b", None, None]
    assert left_out == [(ranked[5].id, "2 of its session are ahead")]


def test_a_stronger_third_is_not_left_out_in_favour_of_weaker_ones_of_others(an_image, subtests):
    rows = [
        (0.69, "b", True),  # weaker, and would be told
        (0.69, None, True),
        (0.694, "b", False),  # as strong: another session comes first
        (0.69, "a", False),  # of the same session, and beyond two itself
    ]
    for other, session, stays in rows:
        with subtests.test(other=other):
            ranked = scored(
                an_image,
                ("a", 1.0, "crane gate"),
                ("a", 0.9, "crane gate"),
                ("a", 0.7, "gate"),
                (session, other, "gate"),
            )
            left_out = []
            kept = spread(ranked, RecallLimits(), left_out)
            assert (ranked[2] in kept) is stays
            assert ((ranked[2].id, "2 of its session are ahead") in left_out) is not stays
            assert kept == [one for one in ranked if one in kept]  # best first, as before


def test_a_weaker_one_that_has_no_place_holds_no_stronger_third_in(an_image):
    ranked = scored(
        an_image,
        ("a", 1.0, "crane gate"),
        ("a", 0.9, "crane gate"),
        ("b", 0.8, "crane gate"),
        ("c", 0.8, "crane gate"),
        ("d", 0.8, "crane gate"),
        ("a", 0.7, "gate"),
        ("e", 0.6, "gate"),  # the sixth of five
    )
    assert ranked[5] not in spread(ranked, RecallLimits(), [])


def test_the_rule_never_hides_an_answer(an_image, subtests):
    rows = [
        (0.9, "gate", True),  # nearly the best
        (0.89, "gate", False),
        (0.3, "gate sluice", True),  # speaks of what its session has not said
        (0.3, "crane gate", True),  # as much of the question as the best
        (0.3, "", False),
    ]
    for score, words, stays in rows:
        with subtests.test(score=score):
            ranked = scored(
                an_image,
                ("a", 1.0, "crane gate"),
                ("a", 0.9, "gate"),
                ("b", 0.9, ""),
                ("a", score, words),
            )
            kept = spread(ranked, RecallLimits(), [])
            assert (ranked[3] in kept) is stays
            assert ranked[2] in kept


@pytest.mark.parametrize(
    ("elsewhere", "stays"), [("crane gate", True), ("crane gate hours", False)]
)
def test_a_third_that_answers_the_other_half_stays_unless_others_say_more(
    an_image, elsewhere, stays
):
    asked = "crane gate hours"
    ranked = scored(
        an_image,
        ("a", 1.0, asked),
        ("a", 0.8, asked),
        ("b", 0.6, elsewhere),
        ("a", 0.6, "crane gate"),
    )
    assert (ranked[3] in spread(ranked, RecallLimits(), [])) is stays


def test_five_answers_of_one_session_all_stay(an_image):
    ranked = scored(an_image, *(("a", 1 - n / 100, "crane gate") for n in range(5)))
    assert spread(ranked, RecallLimits(), []) == ranked


def test_without_conflicts_each_memory_is_a_unit(an_image):
    ranked = ranked_all(an_image() for _ in range(3))
    assert units(ranked, [], {}) == [[one] for one in ranked]


def test_both_sides_of_a_conflict_are_one_unit_at_the_better_place(an_image):
    """002-25."""
    first, second, third = ranked_all(an_image() for _ in range(3))
    assert units([first, second, third], [(third.id, first.id)], {}) == [[first, third], [second]]


def test_a_rival_from_outside_comes_along(an_image):
    first, second, rival = ranked_all(an_image() for _ in range(3))
    made = units([first, second], [(second.id, rival.id)], {rival.id: rival})
    assert made == [[first], [second, rival]]


def test_conflicts_that_share_a_memory_are_one_unit(an_image):
    first, second, third = ranked_all(an_image() for _ in range(3))
    pairs = [(first.id, second.id), (third.id, second.id), (first.id, second.id)]
    assert units([first, second, third], pairs, {}) == [[first, second, third]]


def test_a_rival_that_cannot_be_shown_holds_nobody_back(an_image):
    [first] = ranked_all([an_image()])
    assert units([first], [(first.id, "gone"), (first.id, first.id)], {}) == [[first]]


SAME = "The pump of berth 12 must be checked by hand before each spring tide"


def test_only_what_says_the_same_is_left_out(an_image, subtests):
    """001-06: 0.85; a number or a "not" makes another statement."""
    rows = [
        (SAME, True),
        (SAME.upper() + "!", True),
        (SAME.replace("checked", "tested"), True),
        (SAME.replace("12", "13"), False),
        (SAME.replace("must be", "must not be"), False),
        (SAME.replace("before", "after"), False),
        (SAME.replace("pump of", "crane near").replace("hand", "eye"), False),
        ("", False),
    ]
    for other, is_same in rows:
        with subtests.test(other=other):
            left_out = []
            first, second = ranked_all([an_image(SAME), an_image(other)])
            kept = distinct([first, second], [], left_out)
            assert ids(kept) == ids([first] if is_same else [first, second])
            reason = "says the same as another that is injected"
            assert left_out == ([(second.id, reason)] if is_same else [])


def test_what_is_shown_anyway_is_not_said_again_but_another_type_is(an_image):
    pinned, again, procedure = ranked_all(
        [an_image(SAME), an_image(SAME), an_image(SAME, type="procedural")]
    )
    assert distinct([again, procedure], [pinned], []) == [procedure]


@pytest.mark.parametrize(("common", "is_same"), [(17, True), (16, False)])
def test_alike_begins_at_85_in_a_hundred(common, is_same):
    words = "the of and to in a is it as for on at by from with be this that are was".split()
    other = "you we he she they".split()
    one = " ".join(words)
    assert says_the_same(one, " ".join([*words[:common], *other[: 20 - common]])) is is_same


QUEUE = "The message queue between the booking service and the mail sender of the harbour is {}."


def test_texts_that_differ_in_a_name_or_a_value_never_say_the_same(an_image, subtests):
    rows = [
        ("RabbitMQ", "Kafka"),
        ("rabbitmq", "pulsar"),
        ("Marta's", "Lena's"),
        ("marta's", "lena's"),
        ("in eu-west-1", "in eu-west-2"),
        ("kept for 12 minutes", "kept for 12 seconds"),
        ("src/queue/amqp.py", "src/queue/nats.py"),
        ("set by `strict`", "set by `verbose`"),
        ("required", "not required"),
        ("emptied before a deploy", "emptied after a deploy"),
        ("blue", "turquoise"),
    ]
    for one, other in rows:
        with subtests.test(one=one):
            first, second = (an_image(QUEUE.format(what)) for what in (one, other))
            assert not says_the_same(first["content"], second["content"])
            assert says_otherwise(second["content"], first["content"])
            assert near_duplicate(first["content"], [Neighbour("m1", second["content"])]) is None


def test_another_spelling_says_the_same(subtests):
    for other in ["RabbitMQ", "rabbitmq", "RABBITMQ"]:
        with subtests.test(other=other):
            assert says_the_same(QUEUE.format("RabbitMQ"), QUEUE.format(other))


def test_what_both_hold_by_a_persons_word_is_two_however_alike(an_image):
    first, second = ranked_all([an_image(SAME), an_image(SAME.replace("checked", "tested"))])
    left_out = []
    assert distinct([first, second], [], left_out, [(second.id, first.id)]) == [first, second]
    assert left_out == []
