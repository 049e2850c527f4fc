"""What may answer, phase by phase; each phase shown helping and standing aside."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdeck.core.config.limits import RecallLimits
from memdeck.core.errors import BadInput
from memdeck.core.retrieval.candidates import NEW_NEIGHBOURS, Timer, Uses, gather, rarity
from memdeck.core.retrieval.keywords import Term, keywords
from memdeck.db.index import COUNTED


class Watch:
    """A clock in milliseconds that moves `step` at each look."""

    def __init__(self, step=0):
        self.now, self.step = 0, step

    def __call__(self):
        self.now += self.step
        return self.now


@pytest.fixture
def gathered(shelf):
    """What is gathered for a prompt over some images, by content."""

    def run(images, prompt, *, watch=None, reader=None, **more):
        reader = reader or shelf(images)
        pool = gather(
            reader,
            keywords(prompt),
            lambda words, limit: reader.candidates(words, "harbour", limit),
            project="harbour",
            limits=RecallLimits(),
            timer=Timer(watch or Watch(), 200),
            **more,
        )
        return [image["content"] for image in pool.images]

    return run


def test_what_stands_beside_a_hit_in_its_session_comes_along(gathered, an_image):
    images = [
        an_image("Working on the berth importer", session="s1"),
        an_image("Settled at forty a minute", session="s1"),
        an_image("Settled at twelve a second", session="s2"),
    ]
    found = gathered(images, "berth importer limit")
    assert found == ["Working on the berth importer", "Settled at forty a minute"]
    assert gathered(images, "berth importer limit", uses=Uses(company=False)) == found[:1]
    assert gathered(images, "berth importer limit", with_neighbours=False) == found[:1]


@pytest.mark.parametrize(
    "fields", [{"retired_at": 5}, {"project": "airport"}, {"session": None}, {"session": "s2"}]
)
def test_a_neighbour_must_live_here_and_in_that_session(gathered, an_image, fields):
    hit = an_image("Working on the berth importer", session="s1")
    other = an_image("Settled at forty a minute", **{"session": "s1", **fields})
    assert gathered([hit, other], "berth importer") == ["Working on the berth importer"]


def test_a_global_neighbour_is_welcome(gathered, an_image):
    hit = an_image("Working on the berth importer", session="s1")
    other = an_image("Forty a minute", session="s1", project="", scope="global")
    assert len(gathered([hit, other], "berth importer")) == 2


def test_neighbours_are_bounded(gathered, an_image):
    images = [
        an_image("Working on the berth importer" if n % 25 == 12 else f"Other {n}", session="s1")
        for n in range(100)
    ]
    found = gathered(images, "berth importer")
    assert sum(text.startswith("Other") for text in found) == NEW_NEIGHBOURS


def test_a_mistyped_word_finds_what_was_meant_and_a_known_one_is_not_looked_up(
    gathered, shelf, an_image
):
    images = [an_image("The importer sleeps at night")]
    reader = shelf(images, vocabulary=("importer", "imports"))
    assert gathered(images, "improter", reader=reader) == ["The importer sleeps at night"]
    assert reader.looked_up[0] == "improter"
    assert gathered(images, "improter", reader=reader, uses=Uses(spelling=False)) == []
    reader.looked_up.clear()
    assert gathered(images, "importer", reader=reader) == ["The importer sleeps at night"]
    assert reader.looked_up == []


@pytest.mark.parametrize(
    ("question", "is_mended"),
    [("crane harbour sluice {}", False), ("crane harbour {}", True)],
)
def test_a_slip_is_mended_only_where_the_other_words_find_little(
    gathered, shelf, an_image, question, is_mended
):
    images = [an_image("The importer of crane, harbour and sluice")]
    reader = shelf(images, vocabulary=("importer", "imports"))
    gathered(images, question.format("improter"), reader=reader)
    assert reader.looked_up == (["improter"] if is_mended else [])


def test_synonyms_count_unless_they_are_switched_off(gathered, an_image):
    images = [an_image("The login is slow")]
    assert gathered(images, "auth") == ["The login is slow"]
    assert gathered(images, "auth", uses=Uses(aliases=False)) == []


def test_no_phase_begins_when_the_time_is_spent(gathered, shelf, an_image):
    """002-16: at most 200 ms. What the index found by then is the answer."""
    images = [an_image("The berth importer", session="s1"), an_image("Forty", session="s1")]
    assert gathered(images, "berth importer", watch=Watch(1)) == ["The berth importer", "Forty"]
    assert gathered(images, "berth importer", watch=Watch(201)) == ["The berth importer"]
    reader = shelf(images, vocabulary=("importer",))
    assert gathered(images, "improter", reader=reader, watch=Watch(201)) == []
    assert reader.looked_up == []


@pytest.mark.parametrize(("passed", "is_over"), [(199, False), (200, True), (201, True)])
def test_the_time_is_over_when_it_is_spent(passed, is_over):
    watch = Watch()
    timer = Timer(watch, 200)
    watch.now = passed
    assert timer.is_over is is_over


@settings(deadline=None)
@given(
    st.sampled_from(["word", "common", "name", "path", "code", "number", "run"]),
    st.integers(0, 10**7),
)
def test_a_rarer_word_tells_more(kind, entries):
    term = Term("berth", kind)
    more, less = rarity(term, {"berth": entries}), rarity(term, {"berth": entries + 100})
    assert 0.06 <= less <= more <= rarity(term, {}) == term.weight <= 2.0


def test_what_is_common_elsewhere_may_still_choose_candidates_here(gathered, shelf, an_image):
    """Words are counted everywhere first; those beyond the budget count by the project alone."""
    images = [an_image("The crane is green"), an_image("The crane is tall", project="airport")]

    class Crowded(shelf):
        def frequencies(self, words, project=None):
            many = COUNTED if project is None else 1
            return {word: many if word in ("crane", "green") else 0 for word in words}

    reader = Crowded(images)
    assert gathered(images, "crane green", reader=reader) == ["The crane is green"]
    assert set(reader.asked[-1][0]) == {"crane", "green"}
    gathered(images, "crane green", reader=reader, with_neighbours=False)
    assert reader.asked[-1][0] == ("crane",)  # filters may look elsewhere: one word is affordable


# --- through the store


def contents(hits):
    return [hit.memory.content for hit in hits]


def test_an_answer_is_found_by_what_its_session_is_about(core):
    """The answer shares "limit" with forty others; only its neighbour names the importer."""
    objects = [
        {"content": f"Limit settled at {n} a minute", "session": f"s{n}", "key": str(n)}
        for n in range(40)
    ]
    objects.insert(21, {"content": "Working on the berth importer", "session": "s20"})
    core.import_memories(objects)
    hits = core.search("what limit does the berth importer have?")
    assert "Limit settled at 20 a minute" in contents(hits)[:2]
    assert hits[0].score == pytest.approx(sum(hits[0].parts.values()))
    [hit] = [hit for hit in hits if hit.key == "20"]
    assert hit.parts["near"] > 0
    assert hit.parts["together"] > 0


def test_a_slip_of_the_finger_still_finds(core):
    core.remember("Configuration lives in settings.toml")
    core.remember("The crane is yellow")
    assert contents(core.search("configurtion")) == ["Configuration lives in settings.toml"]
    assert core.search("zzyzzyx") == []


def test_signs_without_spaces_are_found_inside_a_sentence(core):
    core.remember("我们把数据库放在法兰克福的服务器上")
    core.remember("今天天气很好")
    assert contents(core.search("数据库在哪里"))[0] == "我们把数据库放在法兰克福的服务器上"


def test_a_part_of_an_identifier_is_found_when_the_index_has_too_little(core):
    core.remember("paymentRetryBudget is three")
    assert contents(core.search("retryBudget")) == ["paymentRetryBudget is three"]


def test_two_words_find_the_identifier_made_of_them(core):
    core.remember("retryBudget is three")
    core.remember("The crane is yellow")
    assert contents(core.search("retry budget")) == ["retryBudget is three"]


def test_a_time_in_the_question_decides_between_equals_but_excludes_nothing(core, clock):
    for day, value in (("2026-03-01", "two"), ("2026-03-19", "three"), ("2026-03-10", "four")):
        core.import_memories(
            [{"content": f"Retry budget is {value}", "created_at": f"{day}T09:00:00+00:00"}]
        )
    assert contents(core.search("retry budget yesterday"))[0] == "Retry budget is three"
    assert contents(core.search("retry budget last week"))[0] == "Retry budget is four"
    assert len(core.search("retry budget yesterday")) == 3


def test_the_agent_that_a_question_names_decides_between_equals(core):
    core.import_memories(
        {"content": f"Retry budget is {value}", "agent": agent, "key": agent}
        for agent, value in (("claude", "two"), ("codex", "three"), ("gemini", "four"))
    )
    assert core.search("what did codex note about the retry budget?")[0].key == "codex"


def test_neighbours_come_only_where_no_filter_says_otherwise(core):
    core.import_memories(
        [
            {"content": "Working on the berth importer", "session": "s1", "category": "decision"},
            {"content": "Forty a minute", "session": "s1", "category": "warning"},
        ]
    )
    assert len(core.search("berth importer")) == 2
    assert len(core.search("berth importer category:decision")) == 1
    assert len(core.search("berth importer -forty")) == 1


def test_neighbours_never_come_from_another_project(core, open_core):
    open_core("airport").import_memories([{"content": "Forty a minute", "session": "s1"}])
    core.import_memories([{"content": "Working on the berth importer", "session": "s1"}])
    assert contents(core.search("berth importer")) == ["Working on the berth importer"]
    left_out = core.recall("berth importer").left_out
    assert left_out == ()


def test_retrieve_ranks_by_the_strategy_that_is_named(core):
    said = "The retry budget of the payment worker in the harbour is"
    core.import_memories(
        [{"content": f"{said} strict", "created_at": "2019-03-01"}, {"content": f"{said} large"}]
    )
    asked = "strict retry budget payment worker harbour"
    assert core.retrieve(asked)[0].content.endswith("strict")
    assert core.retrieve(asked, strategy="time-weighted")[0].content.endswith("large")
    with pytest.raises(BadInput):
        core.retrieve(asked, strategy="by guess")
