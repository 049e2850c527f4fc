"""The gates between a capture and a memory: each lets through and refuses, and says why."""

import pytest

from memdeck import Envelope, NotFound, StoreResult
from memdeck.benchmarks.gallery.extract import extract
from memdeck.core.sessions.turns import Turn

GITHUB = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"

NEARLY = "Berth 12 floods at spring tide, so that boats above nine metres get moved to pier C"


def settings(core, text):
    core.home.prepare()
    with open(core.home.config, "w", encoding="utf-8") as file:
        file.write(text)
    core.context.reload_policy()


# --- what a capture brings


def test_a_kept_capture_has_the_fields_of_an_entry(core, offer, texts, clock):
    result = offer(files=["berths/tide.py"], tags=("tide",), importance=0.5)
    memory = core.show(result.memory_id)
    assert (memory.origin.session, memory.origin.agent) == ("s1", "claude")
    assert memory.created_at == memory.updated_at == clock.now
    assert (memory.content, memory.status, memory.confidence) == (texts["tide"], "candidate", 0.7)
    assert 0 <= memory.importance <= 1
    assert (memory.files, memory.tags) == (("berths/tide.py",), ("tide",))
    assert (memory.accesses, memory.last_access) == (0, None)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("TODO: renew the certificate of the tide feed before the season in May", "prospective"),
        ("The gauge reader keeps one socket per berth, as the gateway drops idle ones", "semantic"),
    ],
)
def test_the_type_is_told_by_rule_unless_it_was_given(core, offer, text, kind):
    assert core.show(offer(text).memory_id).type == kind


# --- nobody is asked about what is trivial or known


def test_reviewers_see_neither_what_is_trivial_nor_what_is_known(core, offer, row_of):
    """Of these five, three are not asked about."""
    kept = [
        offer("tide"),
        offer("A week after the storm the outer buoy was moved to the north pier"),
    ]
    for text, session in (("Sounds good.", "s1"), ("tide", "s2"), ("ok", "s2")):
        assert not offer(text, session=session).stored
    assert all(result.stored for result in kept)
    assert row_of("count(DISTINCT memory)", "review", "1") == 2
    assert row_of("count(*)", "review", "memory IS NULL") == 0
    assert all(one.reason.startswith("triviality") for one in core.refused_captures())


# --- redaction comes before everything else is compared or written


@pytest.mark.parametrize(
    "secret",
    [
        GITHUB,
        "AKIA" + "IOSFODNN7QWERTYU",  # AWS
        "anna.berg@harbour-" + "pilots.se",
        "sk-" + "ant-api03-" + "Zx9Qw3Er7Ty1Ui5Op8As2Df6Gh4Jk0LbNm2V" * 2,  # an API's key
        "pilot:" + "h4rb0ur9x2Kq",  # of a connection string
        "-----BEGIN RSA " + "PRIVATE KEY-----\nMIIEow" + "IBAAKCAQEA7bq9x2\n-----END RSA "
        "PRIVATE KEY-----",
    ],
)
def test_secrets_are_taken_out_before_anything_is_written(core, offer, home_path, secret):
    """Keys, tokens, addresses, private keys, connection strings."""
    shown = f"postgres://{secret}@db.internal/tides" if secret.startswith("pilot") else secret
    result = offer(f"The tide feed of the outer harbour is read every ten minutes with {shown}")
    assert result.stored
    assert result.removed
    content = core.show(result.memory_id).content
    assert content.startswith("The tide feed of the outer harbour is read every ten minutes with")
    assert "[REDACTED:" in content
    core.close()
    part = secret.split("\n")[1 if "\n" in secret else 0].removeprefix("pilot:").encode()
    for path in home_path.rglob("*"):
        assert path.is_dir() or part not in path.read_bytes(), path


@pytest.mark.parametrize(
    ("word", "is_taken_out"),
    [
        ("qX7vR2kLm9TzW4bN8cYp1", True),  # 21 characters, over 4.0 bits each
        ("qX7vR2kLm9TzW4bN8cYp", False),  # 20
        ("abababababababababababab", False),  # 24 characters, 1 bit each
    ],
)
def test_what_looks_random_is_taken_out_beyond_20_characters_and_4_bits(
    core, offer, word, is_taken_out
):
    """Shannon entropy > 4.0 bits per character for strings of > 20 characters."""
    result = offer(f"The gateway of the tide gauges is reached with {word} on the pier network")
    assert result.stored
    assert (word not in core.show(result.memory_id).content) == is_taken_out


def test_a_refusal_is_recorded_without_its_secret(core, offer):
    offer(f"token {GITHUB}")
    [refused] = core.refused_captures()
    assert refused.content == "token [REDACTED:github-token]"


# --- tombstones


def test_what_a_person_rejected_is_refused_and_says_so(core, offer):
    core.reject(offer().memory_id)
    again = offer(session="s2")
    assert (again.stored, again.outcome) == (False, "refused")
    assert core.refused_captures()[0].reason == "tombstone: the user forgot this text"


# --- duplicates


def test_a_duplicate_is_found_among_all_of_a_projects_memories(core, open_core, offer):
    first = offer()
    others = ({"content": f"Crane {number} lifts {number} tonnes"} for number in range(101))
    core.import_memories(others)
    again = offer(session="s2")
    assert (again.outcome, again.memory_id) == ("duplicate", first.memory_id)
    assert offer(into=open_core("airport")).stored


@pytest.mark.parametrize(("start", "end"), [(0.5, 0.6), (0.95, 1.0), (1.0, 1.0)])
def test_a_repetition_adds_a_tenth_a_use_and_its_time_and_says_so(
    core, offer, texts, clock, start, end
):
    memory = core.remember(texts["tide"], importance=start).memory_id
    clock.forward(hours=3)
    again = offer(session="s2")
    after = core.show(memory)
    assert after.importance == pytest.approx(end)
    assert (after.accesses, after.last_access, after.updated_at) == (1, clock.now, clock.now)
    assert again.reason.startswith("already known as “Berth 12 floods")


def test_nearly_the_same_words_reinforce_what_is_known(core, offer):
    """By similarity, where the fingerprint differs."""
    first = offer()
    again = offer(NEARLY, session="s2")
    assert again == StoreResult(False, first.memory_id, 0.0, again.reason, "duplicate")
    assert "alike" in core.history(first.memory_id)[0].reason


# --- review


def test_votes_stand_beside_the_memory_with_score_reason_time_and_tier(core, offer, row_of):
    result = offer()
    votes = core.reviews(result.memory_id)
    assert [vote.status for vote in votes] == ["ok"] * 3
    assert all(1 <= vote.score <= 10 and vote.reason and vote.latency_ms >= 0 for vote in votes)
    assert result.consensus_score == pytest.approx(sum(vote.score for vote in votes) / 3)
    assert row_of("count(DISTINCT finding)", "review", "memory = ?", result.memory_id) == 1


@pytest.mark.parametrize("importance", [1.0, 0.0])
def test_consensus_asks_for_the_mean_score_and_no_more(core, open_core, offer, importance):
    mean = offer(into=open_core("trial"), importance=importance).consensus_score
    settings(core, '[review]\nrule = "consensus"\n')
    result = offer(importance=importance)
    assert result.consensus_score == mean
    assert result.stored == (mean >= 6.0) == (importance == 1.0)
    if not result.stored:
        assert "Mean score" in result.reason


def test_a_result_says_whether_it_was_stored_where_how_well_and_why(core, texts):
    """StoreResult(stored, memory_id, consensus_score, reason)."""
    kept = core.store(texts["tide"], "semantic", {}, {"session_id": "s1"})
    assert (kept.stored, kept.memory_id) == (True, core.list()[0].id)
    assert kept.consensus_score >= 6.0
    assert kept.reason.startswith("waits as a candidate")
    refused = core.store("Sounds good.", "episodic")
    assert (refused.stored, refused.memory_id, refused.consensus_score) == (False, None, 0.0)
    assert refused.reason


# --- durable and found when the call returns


@pytest.mark.parametrize("how", ["remember", "offer"])
def test_what_was_taken_is_durable_and_found_when_the_call_returns(
    core, offer, open_core, home_path, texts, how
):
    """No background work is left to wait for."""
    result = core.remember(texts["tide"]) if how == "remember" else offer()
    assert [hit.id for hit in core.search("spring tide")] == [result.memory_id]
    other = open_core()  # as another process would see it
    assert other.show(result.memory_id).content == texts["tide"]
    journal = b"".join(path.read_bytes() for path in home_path.glob("journal/*.jsonl"))
    assert texts["tide"].encode() in journal
    assert core.verify().ok


# --- imports skip the review


def test_an_import_skips_the_review_and_never_redaction(core, row_of):
    report = core.import_memories(
        [
            {"content": "ok", "status": "candidate", "importance": 0.1},
            {"content": f"Upload with {GITHUB}"},
        ]
    )
    assert (report.added, report.redacted) == (2, 1)
    assert row_of("count(*)", "review", "1") == 0
    assert row_of("count(*)", "finding", "1") == 0
    assert GITHUB not in repr(core.list())


# --- remember bypasses the filters


@pytest.mark.parametrize("preset", ["conservative", "balanced", "aggressive"])
def test_remember_bypasses_every_filter_but_redaction(core, offer, texts, row_of, preset):
    core.set_preset(preset)
    short = core.remember("Use uv", importance=0.0)
    assert core.show(short.memory_id).status == "confirmed"
    assert core.remember("ok").stored  # filler
    core.forget(core.remember(texts["tide"]).memory_id)
    assert core.remember(texts["tide"]).stored  # tombstone
    assert row_of("count(*)", "review", "1") == 0
    assert "[REDACTED" in core.show(core.remember(f"Key: {GITHUB}").memory_id).content


# --- what was refused can be looked at, and brought back


def test_what_cannot_be_rescued_says_why(core, open_core, offer):
    offer("Sounds good.")
    [refused] = core.refused_captures()
    with pytest.raises(NotFound):
        open_core("airport").rescue(refused.number)
    with pytest.raises(NotFound):
        core.rescue(4711)


# --- prompts and jobs, through extraction


@pytest.mark.parametrize(
    ("said", "priority"),
    [
        ("TODO: renew the certificate of the tide feed before the season starts.", 3),
        ("Later, we need to move the berth plan into its own table, this is urgent.", 5),
        ("We need to replace the old gauge on pier C later, since it loses readings.", 3),
        ("I plan to split the tide importer into two services next month.", 3),
    ],
)
def test_a_prompt_that_puts_something_off_becomes_an_intention_with_its_priority(
    core, said, priority
):
    captures = extract([Turn("user", said, line=1, uuid="u1")], session="s1")
    results = core.offer(captures)
    assert [result.stored for result in results] == [True], (captures, results)
    memory = core.show(results[0].memory_id)
    assert memory.type == "prospective"
    assert memory.details["priority"] == priority
    assert memory.details["status"] == "pending"


def test_a_secret_in_title_tag_or_path_reaches_neither_memory_nor_votes(core, offer):
    result = offer(title=f"Feed {GITHUB}", tags=(GITHUB,), files=(f"a/{GITHUB}.py",))
    memory = core.show(result.memory_id)
    assert GITHUB not in repr(memory)
    assert GITHUB not in repr(core.reviews(result.memory_id))


# --- one entry holds all of it


def test_one_entry_of_the_journal_holds_all_that_a_capture_brings(core, offer, texts):
    """Enriched, weighed and appended as one line; then the index finds it."""
    core.remember(
        "Never report by radio when passing the outer buoy, since the radar is blind there"
    )
    before = core._store.position().seq
    result = offer(
        "Always report by radio when passing the outer buoy, since the radar is blind there",
        rule="person.instruction",
        importance=0.8,
        envelope=Envelope(task="Brief the pilots", outcome="success"),
    )
    assert result.stored, result.reason
    assert core._store.position().seq == before + 1
    record = core._store.record(before + 1)
    assert (record["actor"], record["action"]) == ("rule", "add")
    assert [change["table"] for change in record["changes"]] == (
        "memory_envelope memory_weight memory_candidacy memory conflict memory_link"
    ).split()
    core.undo(before + 1)
    assert core.conflicts(resolved=None) == []
    assert core.verify().ok


# --- what a person asks to be kept may be short, the rest by the preset


@pytest.mark.parametrize(
    ("rule", "text", "is_kept"),
    [
        ("person.remember", "Keep keys for 48 hours only.", True),
        ("person.from-now-on", "Use pier C.", True),
        ("person.said", "The pier is closed on days 48", False),
        ("person.said", "The pier is closed on days 480", True),
        ("agent.said", "Keep keys for 48 hours only.", False),
    ],
)
def test_what_a_person_asks_to_be_kept_may_be_short(core, offer, rule, text, is_kept):
    assert offer(text, rule=rule).stored is is_kept
