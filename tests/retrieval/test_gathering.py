"""What may answer, phase by phase; each phase shown helping and standing aside."""

import time

import pytest

from memdeck import BadInput, Strategy


def contents(hits):
    return [hit.memory.content for hit in hits]


@pytest.fixture
def gathered(core):
    """What answers a question over some notes; phases may be switched off."""

    def run(notes, question, **uses):
        core.import_memories(notes)
        plain = Strategy("own", lambda _question, ranked, _now: ranked)
        strategy = plain._replace(uses=plain.uses._replace(**uses))
        return contents(core.search(question, limit=100, strategy=strategy))

    return run


def a_note(content, session=None, **fields):
    return {"content": content, "session": session, **fields}


WORKING = a_note("Working on the berth importer", "s1")


def test_what_stands_beside_a_hit_in_its_session_comes_along(gathered):
    notes = [
        WORKING,
        a_note("Settled at forty a minute", "s1"),
        a_note("Settled at twelve a second", "s2"),
    ]
    found = gathered(notes, "berth importer limit")
    assert found == ["Working on the berth importer", "Settled at forty a minute"]
    assert gathered([], "berth importer limit", company=False) == found[:1]
    assert gathered([], "berth importer limit -unknown") == found[:1]  # a filter holds


@pytest.mark.parametrize("session", [None, "s2"])
def test_a_neighbour_must_be_of_that_session(gathered, session):
    other = a_note("Settled at forty a minute", session)
    assert gathered([WORKING, other], "berth importer") == ["Working on the berth importer"]


def test_a_neighbour_must_be_alive(gathered, core):
    gathered([WORKING, a_note("Settled at forty a minute", "s1", key="other")], "berth")
    assert len(gathered([], "berth importer")) == 2
    core.forget(core.show("other").id)
    assert gathered([], "berth importer") == ["Working on the berth importer"]


def test_a_global_neighbour_is_welcome(gathered):
    other = a_note("Forty a minute", "s1", scope="global")
    assert len(gathered([WORKING, other], "berth importer")) == 2


def test_neighbours_are_bounded(gathered):
    notes = [
        a_note(f"Working on the berth importer {n}" if n % 25 == 12 else f"Other {n}", "s1")
        for n in range(100)
    ]
    found = gathered(notes, "berth importer")
    assert sum(text.startswith("Other") for text in found) == 40


def test_a_mistyped_word_finds_what_was_meant_unless_that_is_switched_off(gathered):
    notes = [a_note("The importer sleeps at night")]
    assert gathered(notes, "improter") == ["The importer sleeps at night"]
    assert gathered([], "improter", spelling=False) == []


@pytest.mark.parametrize(
    ("question", "is_mended"),
    [("crane harbour sluice improter", False), ("crane harbour improter", True)],
)
def test_a_slip_is_mended_only_where_the_other_words_find_little(gathered, question, is_mended):
    notes = [a_note("The crane, harbour and sluice"), a_note("An importer")]
    assert ("An importer" in gathered(notes, question)) is is_mended


def test_synonyms_count_unless_they_are_switched_off(gathered):
    assert gathered([a_note("The login is slow")], "auth") == ["The login is slow"]
    assert gathered([], "auth", aliases=False) == []


@pytest.mark.parametrize(("passed_ms", "is_over"), [(199, False), (200, True), (201, True)])
def test_no_phase_begins_when_the_time_is_spent(gathered, monkeypatch, passed_ms, is_over):
    """002-16: at most 200 ms. What the index found by then is the answer."""
    gathered([WORKING, a_note("Forty", "s1")], "crane")

    def found(question):
        looks = iter([0.0])
        monkeypatch.setattr(time, "perf_counter", lambda: next(looks, passed_ms / 1_000))
        return gathered([], question)

    assert found("berth importer") == ["Working on the berth importer", "Forty"][: 2 - is_over]
    assert bool(found("improter")) is not is_over


def test_what_is_common_elsewhere_may_still_choose_candidates_here(core):
    """Words are counted everywhere first; those beyond the budget count by the project alone."""
    core.remember("The crane is green")
    core._store.connection.execute(  # as the index is beside a project of 5,000 such memories
        "WITH RECURSIVE n(num) AS (SELECT 1000000 UNION ALL SELECT num + 1 FROM n LIMIT 5000)"
        " INSERT INTO memory_fts(rowid, content) SELECT num, 'crane green' FROM n"
    )
    assert contents(core.recall("crane green", write_receipt=False).items) == ["The crane is green"]


# --- all of them


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
