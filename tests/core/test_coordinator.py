"""What the coordinator promises, through its public calls and a real store."""

from datetime import timedelta

import pytest

from memdeck import Ambiguous, BadInput, Capture, NotFound, Origin, Refused, StaleEdit

TIDE = "Berth 12 floods at spring tide, so boats over nine metres are moved to pier C"
LOCKS = "The reservation table is locked per berth because two skippers once got the same one"
CRANE = "The crane at the ferry pier lifts forty tonnes, and its brake is tested every Monday"
PILOTS = "Pilots report by radio when they pass the outer buoy, since the radar is blind there"
FENDERS = "Fenders at the fuel dock are filled with foam, because air leaked out of the old ones"


def a_capture(content=TIDE, **fields):
    return Capture(content=content, rule="test", **fields)


def keep(core, text=TIDE, **fields):
    return core.remember(text, **fields).memory_id


# --- remember


def test_what_a_person_says_is_kept_confirmed_with_title_and_type(core):
    result = core.remember(TIDE, tags=["tide"], files=["berths/tide.py"], importance=0.8)
    memory = core.show(result.memory_id)
    assert result.stored
    assert (memory.content, memory.status, memory.importance) == (TIDE, "confirmed", 0.8)
    assert memory.title
    assert (memory.tags, memory.files) == (("tide",), ("berths/tide.py",))
    assert memory.project == core.project.id


def test_remember_passes_the_filters_but_never_redaction(core):
    short = core.remember("Use uv")
    assert core.show(short.memory_id).content == "Use uv"
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    result = core.remember(f"The deploy token is {secret}", tags=[secret], title=secret)
    memory = core.show(result.memory_id)
    assert secret not in repr(memory)
    assert "[REDACTED:github" in memory.content
    assert result.removed


@pytest.mark.parametrize(("length", "is_kept"), [(1, True), (4_000, True), (4_001, False)])
def test_a_person_may_write_4000_characters(core, length, is_kept):
    text = ("berth " * 700)[:length].replace(" ", "x")
    if is_kept:
        assert core.remember(text).stored
    else:
        with pytest.raises(BadInput, match="4000 is the limit"):
            core.remember(text)


def test_the_same_text_again_reinforces_instead_of_doubling(core):
    first = keep(core, importance=0.5)
    again = core.remember(f"  {TIDE.upper()} ")
    memory = core.show(first)
    assert (again.stored, again.outcome, again.memory_id) == (False, "duplicate", first)
    assert memory.importance == pytest.approx(0.6)
    assert memory.accesses == 1
    assert len(core.list()) == 1


@pytest.mark.parametrize(("start", "end"), [(0.0, 0.1), (0.95, 1.0), (1.0, 1.0)])
def test_reinforcement_adds_a_tenth_up_to_one(core, start, end):
    memory = keep(core, importance=start)
    core.remember(TIDE)
    assert core.show(memory).importance == pytest.approx(end)


def test_words_outside_the_closed_sets_are_refused_with_the_set(core):
    with pytest.raises(BadInput) as caught:
        core.remember(TIDE, category="gossip")
    assert "decision" in caught.value.hint


# --- the storage pipeline's gates


def test_a_capture_waits_as_a_candidate(core):
    [result] = core.offer([a_capture(importance=0.7)])
    assert core.show(result.memory_id).status == "candidate"


def test_a_trivial_capture_is_refused_and_the_refusal_recorded(core):
    [result] = core.offer([a_capture("Sounds good.")])
    assert (result.stored, result.outcome) == (False, "refused")
    assert core.list() == []
    [refusal] = core.refused_captures()
    assert refusal.reason.startswith("triviality")


def test_a_forgotten_text_is_not_captured_again_until_it_is_restored(core):
    memory = keep(core)
    core.forget(memory)
    [refused] = core.offer([a_capture()])
    assert refused.outcome == "refused"
    assert "forgot" in refused.reason
    core.restore(memory)
    [seen] = core.offer([a_capture()])
    assert seen.outcome == "duplicate"


def test_the_same_place_of_a_transcript_is_captured_once(core):
    origin = Origin(session="s1", agent="claude", ref="claude:s1:u1:0")
    core.offer([a_capture(origin=origin)])
    [before] = core.list()
    [again] = core.offer(
        [a_capture("Another reading of the very same place gives this text", origin=origin)]
    )
    assert again.outcome == "repeated"
    assert core.list() == [before]


def test_a_captured_text_is_at_most_500_characters(core):
    [result] = core.offer([a_capture("berth twelve floods " * 40)])
    content = core.show(result.memory_id).content
    assert len(content) <= 500
    assert content.endswith("…")


def test_a_planted_secret_is_found_nowhere_under_the_home(core, home_path):
    secret = "AKIAIOSFODNN7" + "QWERTYU"
    core.remember(f"Upload tide tables with key {secret} to the bucket")
    core.offer([a_capture(f"Decision: the importer signs in with {secret} because ops said so")])
    core.edit(core.list()[0].id, content=f"Now with {secret} instead", tags=[secret])
    core.recall(f"what does {secret} open?")
    core.close()
    for path in home_path.rglob("*"):
        if path.is_file():
            assert secret.encode() not in path.read_bytes(), path


# --- curation


def test_pin_unpin_and_the_status_in_between(core):
    memory = keep(core)
    assert core.pin(memory)[0].status == "pinned"
    assert core.unpin([memory])[0].status == "confirmed"
    assert [entry.action for entry in core.history(memory)] == ["unpin", "pin", "add"]


def test_an_edit_makes_anew_what_follows_and_keeps_where_it_was_learned(core):
    [result] = core.offer([a_capture(origin=Origin(session="s1", agent="claude", line=7))])
    before = core.show(result.memory_id)
    after = core.edit(before.id, content=LOCKS, importance=0.9)
    assert after.content == LOCKS
    assert after.origin == before.origin
    assert after.tokens != 0
    assert after.revision > before.revision
    assert core.search("skippers")[0].id == before.id
    assert core.search("floods") == []


def test_an_edit_of_something_that_changed_meanwhile_is_refused(core, open_core):
    memory = core.show(keep(core))
    open_core().edit(memory.id, title="Changed elsewhere")
    with pytest.raises(StaleEdit):
        core.edit(memory.id, title="Mine", expected_revision=memory.revision)
    assert core.show(memory.id).title == "Changed elsewhere"


def test_what_is_forgotten_leaves_recall_and_search_but_can_come_back(core):
    memory = keep(core)
    core.forget(memory)
    assert core.search("spring tide") == []
    assert core.list() == []
    assert [one.id for one in core.list("is:retired")] == [memory]
    with pytest.raises(Refused):
        core.pin(memory)
    core.restore(memory)
    assert core.search("spring tide")[0].id == memory


def test_one_act_on_many_is_one_entry_and_one_undo(core):
    ids = [keep(core, f"{TIDE}, season {number}") for number in range(3)]
    core.forget(ids)
    assert core.audit()[0].count == 6  # three memories, three tombstones
    core.undo()
    assert {memory.id for memory in core.list()} == set(ids)


def test_undo_goes_back_step_by_step_and_redo_forward(core):
    memory = keep(core)
    core.pin(memory)
    core.edit(memory, title="Spring tide")
    assert core.undo().undoes == 3
    assert core.undo().undoes == 2
    assert core.show(memory).status == "confirmed"
    core.redo()
    core.redo()
    assert (core.show(memory).status, core.show(memory).title) == ("pinned", "Spring tide")
    with pytest.raises(NotFound, match="nothing to redo"):
        core.redo()


def test_undo_of_everything_leaves_an_empty_store(core):
    for number in range(4):
        keep(core, f"{TIDE}, season {number}")
    core.pin(core.list()[0].id)
    core.retag([memory.id for memory in core.list()], add=["tide"])
    for _ in range(6):
        core.undo()
    assert core.list() == []
    with pytest.raises(NotFound, match="nothing to undo"):
        core.undo()


def test_a_prefix_of_an_id_names_a_memory_when_it_is_unique(core, clock):
    first = keep(core)
    clock.forward(days=40)
    second = keep(core, LOCKS)
    memory = core.show(first)
    assert core.show(memory.short_id).id == first
    assert len(memory.short_id) >= 7
    with pytest.raises(Ambiguous):
        core.show(first[:1])
    with pytest.raises(NotFound):
        core.show("zzzz")
    assert core.show(second).id == second


# --- isolation


def test_no_query_of_one_project_returns_a_memory_of_another(open_core):
    harbour, airport = open_core("harbour"), open_core("airport")
    keep(harbour)
    theirs = keep(airport, f"{TIDE} at the seaplane dock")
    everywhere = airport.remember("Tide tables are in UTC everywhere", scope="global").memory_id
    ours = [hit.id for hit in harbour.search("spring tide berth seaplane UTC", limit=50)]
    assert theirs not in ours
    assert everywhere in ours
    assert theirs not in [memory.id for memory in harbour.list()]
    assert theirs not in [hit.id for hit in harbour.recall("spring tide berth seaplane").items]
    assert harbour.facets("")["type"][0][1] == 2


def test_forks_of_a_name_are_different_projects(open_core, tmp_path):
    for name in ("a", "b"):
        (tmp_path / name / "api" / ".git").mkdir(parents=True)
    one, other = open_core(tmp_path / "a" / "api"), open_core(tmp_path / "b" / "api")
    keep(one)
    assert other.list() == []
    assert one.project.name == other.project.name == "api"


# --- lists, facets, phases


# --- import


def test_import_keeps_keys_and_reports_what_it_refused(core):
    report = core.import_memories(
        [
            {"content": TIDE, "key": "a", "importance": 0.4, "type": "semantic", "agent": "codex"},
            {"content": LOCKS, "key": "b", "created_at": "2026-01-05T10:00:00Z"},
            {"content": TIDE, "key": "a"},
            {"content": ""},
            {"content": "x", "importance": 7},
            {"nothing": 1},
        ]
    )
    assert (report.added, report.duplicates) == (2, 1)
    assert [line for line, _ in report.refused] == [4, 5, 6]
    assert core.search("spring tide")[0].key == "a"
    assert core.show("b").created_at.isoformat() == "2026-01-05T10:00:00+00:00"


def test_a_known_key_with_another_text_updates_it(core):
    core.import_memories([{"content": TIDE, "key": "a", "tags": ["tide"]}])
    core.import_memories([{"content": LOCKS, "key": "a"}])
    [memory] = core.list()
    assert (memory.content, memory.key, memory.degree) == (LOCKS, "a", "established")
    again = core.remember(TIDE, key="a", importance=0.9)
    assert (again.memory_id, again.outcome) == (memory.id, "stored")
    [memory] = core.list()
    told = (memory.content, memory.importance, memory.tags, memory.degree)
    assert told == (TIDE, 0.9, ("tide",), "person")
    core.undo()
    assert core.show("a").content == LOCKS


# --- 001's API


def test_store_and_retrieve_of_the_first_design(core):
    stored = core.store(TIDE, "semantic", {"tags": ["tide"]}, {"session_id": "s1"})
    refused = core.store("Hi there", "episodic")
    assert stored.stored
    assert stored.memory_id
    assert not refused.stored
    assert "50" in refused.reason or "short" in refused.reason
    assert [memory.id for memory in core.retrieve("spring tide", ["semantic"])] == [
        stored.memory_id
    ]
    assert core.retrieve("spring tide", ["episodic"]) == []
    assert core.stats().by_type == {"semantic": 1}
    assert core.delete_memory(stored.memory_id)
    assert not core.delete_memory(stored.memory_id)


def test_working_memory_is_cleared_not_deleted(core):
    core.remember(
        "Task: move the tide gauge", type="working", expires=core.now() + timedelta(hours=1)
    )
    memory = core.list("type:working")[0]
    assert core.clear_working_memory("nobody") == 0
    assert core.show(memory.id).is_live


# --- recall


def test_a_prompt_gets_what_it_is_about_and_leaves_a_receipt(core):
    memory = keep(core)
    keep(core, LOCKS)
    injection = core.recall("which berth floods at spring tide?", session="s1")
    assert [hit.id for hit in injection.items] == [memory]
    assert "spring tide" in injection.text
    [receipt] = core.receipts()
    assert (receipt.id, receipt.items[0]["id"]) == (injection.receipt, memory)
    assert [one.id for one in core.injections(memory)] == [receipt.id]
    assert core.show(memory).accesses == 1


def test_a_preview_writes_nothing(core):
    memory = keep(core)
    core.recall("which berth floods at spring tide?", write_receipt=False)
    assert core.receipts() == []
    assert core.show(memory).accesses == 0


def test_names_that_others_gave_are_redacted_too(core, home_path):
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    core.remember(TIDE, key=secret)
    core.offer([a_capture(LOCKS, origin=Origin(session=secret, agent_id=secret))])
    core.close()
    for path in home_path.rglob("*"):
        assert path.is_dir() or secret.encode() not in path.read_bytes(), path


def test_a_token_at_the_500th_character_is_redacted_whole(core):
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    text = f"{TIDE}. {LOCKS}. {CRANE}. {PILOTS}. {FENDERS}"[:478].ljust(478, "x") + " " + secret
    [result] = core.offer([a_capture(text)])
    content = core.show(result.memory_id).content
    assert "ghp_" not in content
    assert len(content) <= 500


def test_a_project_that_is_given_a_remote_keeps_its_memories(open_core, tmp_path):
    git = tmp_path / "api" / ".git"
    git.mkdir(parents=True)
    memory = keep(open_core(tmp_path / "api"))
    (git / "config").write_text('[remote "origin"]\n\turl = git@example.org:acme/api.git\n')
    again = open_core(tmp_path / "api")
    assert [one.id for one in again.list()] == [memory]
    assert again.recall("which berth floods at spring tide?").items

    (git / "config").write_text('[remote "origin"]\n\turl = git@example.org:other/thing.git\n')
    other = open_core(tmp_path / "api")
    assert [one.id for one in other.list()] == [memory]  # still the folder it always was
