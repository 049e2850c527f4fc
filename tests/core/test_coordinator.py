"""What the coordinator promises, through its public calls and a real store."""

from datetime import timedelta
from inspect import getmodule

import pytest

from memdeck import Ambiguous, BadInput, Capture, NotFound, Origin, Refused, StaleEdit, open_memory

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


def test_a_title_is_made_of_a_sentence_and_never_of_a_number_or_a_word_alone(core, subtests):
    address = "https://example.com/" + "harbour/" * 20
    for text, title in (
        ("Use tabs. Never spaces.", "Use tabs"),
        ("1. Build the image\n2. Push it", "1. Build the image"),
        ("Dr. Meyer owns the deploys. Ask there.", "Dr. Meyer owns the deploys"),
        (f"See {address} for the berths", f"See {address[:75]}…"),
        ("Mondays " * 20, "Mondays " * 8 + "Mondays…"),
        ("...", "..."),
    ):
        with subtests.test(text=text):
            assert core.show(keep(core, text)).title == title


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


def test_nobody_acts_but_a_person_an_agent_or_a_rule(home_path):
    for actor in ("Agent", "nobody", ""):
        with pytest.raises(BadInput, match="Nobody is known as") as caught:
            open_memory(home_path, "acme", actor=actor)
        assert "person, agent, rule" in str(caught.value.hint)
    with open_memory(home_path, "acme", actor="agent") as memory:
        assert memory.remember("The staging host is db-7.").memory_id


def test_nothing_but_space_is_no_memory(core):
    with pytest.raises(BadInput, match="needs a text"):
        core.remember("  \n ")


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


@pytest.mark.parametrize("importance", [-0.01, 1.01])
def test_importance_outside_its_range_is_refused(core, importance):
    with pytest.raises(BadInput, match="between 0 and 1"):
        core.remember(TIDE, importance=importance)
    assert core.list() == []


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
    [refusal] = core.refusals()
    assert refusal["reason"].startswith("triviality")


def test_a_forgotten_text_is_not_captured_again_until_it_is_restored(core):
    memory = keep(core)
    core.forget(memory)
    [refused] = core.offer([a_capture()])
    assert refused.outcome == "refused"
    assert "forgot" in refused.reason
    core.restore(memory)
    [seen] = core.offer([a_capture()])
    assert seen.outcome == "duplicate"


def test_a_person_may_say_again_what_was_forgotten(core):
    core.forget(keep(core))
    assert core.remember(TIDE).stored


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


def test_an_unknown_field_cannot_be_edited(core):
    with pytest.raises(BadInput, match="session"):
        core.edit(keep(core), session="other")


def test_a_wrong_moment_is_answered_with_what_it_may_be(core, subtests):
    for wrong in ["tomorrow", 1.5, True, [1]]:
        with subtests.test(wrong=wrong):
            memory = keep(core)
            for name in ("due", "expires"):
                with pytest.raises(BadInput, match=f"^{name} cannot be") as caught:
                    core.edit(memory, **{name: wrong})
                assert (
                    caught.value.hint == "Give a datetime, whole milliseconds since 1970, or None."
                )
                core.edit(memory, **{name: 1_800_000_000_000})
                assert getattr(core.show(memory), name).year == 2027
                assert getattr(core.edit(memory, **{name: None}), name) is None


def test_what_is_missing_is_named_with_what_it_may_be(core, subtests):
    rows = [
        ("recall", (None,), "prompt"),
        ("recall", (5,), "prompt"),
        ("conflict", (None,), "ref"),
        ("remove_alias", (None,), "word"),
        ("add_alias", ("quay", None), "synonyms"),
        ("add_alias", ("quay", "pier"), "synonyms"),
        ("import_memories", (None,), "objects"),
    ]
    for act, given, missing in rows:
        with subtests.test(act=act), pytest.raises(BadInput, match=missing):
            getattr(core, act)(*given)


def test_a_mistake_of_our_own_keeps_its_name(core, monkeypatch):
    monkeypatch.setattr(type(core.services.recall), "_limits", None)
    with pytest.raises(TypeError, match="not callable"):
        core.recall("which berth floods at spring tide?")


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


def test_a_bulk_act_that_fails_for_one_changes_none(core):
    first, second = keep(core), keep(core, LOCKS)
    core.forget(second)
    with pytest.raises(Refused):
        core.pin([first, second])
    assert core.show(first).status == "confirmed"


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


def test_what_hooks_do_is_not_what_undo_takes_back(core):
    memory = keep(core)
    core.offer([a_capture(LOCKS)])
    assert core.undo().undoes == 1
    assert [one.content for one in core.list()] == [LOCKS]
    assert memory not in [one.id for one in core.list()]


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


def test_links_and_conflicts_show_at_both_ends(core):
    one, other = keep(core), keep(core, LOCKS)
    core.mark_conflict(one, other)
    assert core.show(one).in_conflict
    assert core.show(other).in_conflict
    assert [link.kind for link in core.links(other)] == ["contradicts"]
    assert {memory.id for memory in core.list("is:conflict")} == {one, other}
    assert core.stats().conflicts == 1


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


def test_lists_page_by_number_and_survive_what_vanishes(core):
    ids = [keep(core, f"{TIDE}, season {number}") for number in range(5)]
    found = core.find("")
    assert (found.total, found.final) == (5, True)
    assert [row.id for row in found.first_page] == ids[::-1]
    rows = core.rows([*found.nums, 4711])
    assert rows[-1].is_gone
    assert core.memory(found.nums[0]).id == ids[-1]


def thirty():
    """Memories of which a question ranks some before others."""
    for n in range(30):
        yield {"content": f"Pier {n} has {'spring ' * (n % 4)}tide gauges with number {n}"}


@pytest.mark.slow
def test_phases_agree_on_what_fits(core):
    core.import_memories(thirty())
    answers = [set(core.find("spring tide", phase).nums) for phase in ("newest", "ranked", "exact")]
    assert answers[0] == answers[1] == answers[2]


@pytest.mark.parametrize(("whole", "is_final"), [(30, True), (29, False)])
def test_as_many_as_are_ranked_quickly_are_ranked_at_once(core, monkeypatch, whole, is_final):
    monkeypatch.setattr(getmodule(type(core.services.search)), "RANKED_WHOLE", whole)
    core.import_memories(thirty())
    exact = core.find("spring tide")
    ranked = core.find("spring tide", "ranked")
    assert (ranked.final, exact.final) == (is_final, True)
    assert ranked.total == exact.total == 30
    if is_final:
        assert list(ranked.nums) == list(exact.nums)


def test_facets_count_what_the_query_finds(core):
    keep(core, tags=["tide"])
    keep(core, LOCKS, tags=["tide", "locks"], pin=True)
    facets = core.facets("")
    assert dict(facets["status"]) == {"confirmed": 1, "pinned": 1}
    assert dict(facets["tag"]) == {"tide": 2, "locks": 1}
    assert dict(core.facets("tag:locks")["status"]) == {"pinned": 1}
    assert dict(facets["project"]) == {"harbour": 2}


def test_two_projects_of_one_name_are_told_apart_by_their_ids(core, open_core, tmp_path):
    """Both are among the facets; the name means the one that is looked from, elsewhere neither."""
    ids = {}
    for place, text in (("x", TIDE), ("y", LOCKS)):
        folder = tmp_path / place / "api"
        folder.mkdir(parents=True)
        there = open_core(folder)
        keep(there, text)
        assert [one.content for one in there.list("project:api")] == [text]
        ids[there.project_id] = text
    assert dict(core.facets("")["project"]) == dict.fromkeys(ids, 1)
    assert [one.content for key in ids for one in core.list(f"project:{key}")] == [*ids.values()]
    assert core.list("project:api") == []


def test_filters_hold_together(core, clock):
    old = keep(core, importance=0.2)
    clock.forward(days=10)
    new = keep(core, LOCKS, importance=0.9, tags=["locks"], files=["berths/locks.py"])
    cases = {
        "importance:>=7": [new],
        "importance:<7": [old],
        "created:<7d": [new],
        "created:>7d": [old],
        "tag:locks": [new],
        "-tag:locks": [old],
        "file:locks": [new],
        "is:pinned": [],
        "floods": [old],
        "-floods": [new],
        "status:confirmed sort:created": [new, old],
        "sort:-created": [old, new],
    }
    for query, expected in cases.items():
        assert [memory.id for memory in core.list(query)] == expected, query


def test_a_misspelt_word_gets_a_suggestion(core):
    keep(core)
    assert core.suggest("flods").did_you_mean == "floods"  # the index has the stem
    assert core.suggest("tag:nosuch floods").narrowest == "tag:nosuch"


def test_a_word_of_a_retired_memory_is_no_suggestion(core):
    keep(core)
    core.forget([keep(core, "Amounts of money are integers in cents, never floats.")])
    assert core.suggest("money").did_you_mean is None


def test_completion_knows_keys_and_values(core):
    keep(core, tags=["tide"])
    assert ("type:", 0) in core.complete("ty")
    assert ("tag:tide", 1) in core.complete("tag:t")


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


def test_an_import_is_redacted(core):
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    report = core.import_memories([{"content": f"token {secret}", "tags": [secret]}])
    assert report.redacted == 1
    assert secret not in repr(core.list())


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


def test_an_unknown_budget_policy_is_named(core):
    with pytest.raises(BadInput, match="generous"):
        core.recall("x", policy="generous")


def test_open_memory_closes_the_store(home_path):
    with open_memory(home_path, "harbour") as memory:
        memory.remember(TIDE)
    with open_memory(home_path, "harbour") as memory:
        assert len(memory.list()) == 1


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


def test_an_import_says_which_memory_each_object_became(core):
    report = core.import_memories([{"content": TIDE}, {"content": ""}, {"content": TIDE}])
    first, second, third = report.ids
    assert first == third == core.list()[0].id
    assert second is None


@pytest.mark.parametrize(
    ("rule", "length", "is_kept"),
    [
        ("person.instruction", 30, True),
        ("person.instruction", 29, False),
        ("agent.outcome", 50, True),
        ("agent.outcome", 49, False),
    ],
)
def test_what_a_person_laid_down_may_be_short(core, rule, length, is_kept):
    text = ("Keep the sluice shut at spring tide, always, and note it in the log" * 2)[:length]
    text = text[:-1] + "x" if text.endswith(" ") else text
    [result] = core.offer([Capture(content=text, rule=rule)])
    assert result.stored == is_kept


@pytest.mark.parametrize(
    ("kind", "field", "good", "bad"),
    [
        ("episodic", "emotional_valence", [-2, 2], [-3, 3, 0.5, "happy", True]),
        ("prospective", "priority", [1, 5], [0, 6]),
        ("procedural", "success_rate", [0, 0.5, 1], [-0.1, 1.1]),
        ("procedural", "steps", [[], ["one"]], ["one", {"a": 1}]),
        ("semantic", "category", ["fact"], ["gossip", 3]),
        ("working", "scope", ["task", "session"], ["project"]),
    ],
)
def test_fields_of_a_type_are_checked_one_object_at_a_time(core, kind, field, good, bad):
    objects = [
        {"content": f"{TIDE}, case {number}", "type": kind, "details": {field: value}}
        for number, value in enumerate([*good, *bad])
    ]
    report = core.import_memories(objects)
    assert report.added == len(good)
    assert [line for line, _ in report.refused] == list(range(len(good) + 1, len(objects) + 1))
    assert all(field in why for _, why in report.refused)
    assert [core.show(one).details[field] for one in report.ids if one] == good


def test_a_reason_is_redacted_like_any_text(core, home_path):
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    core.forget(keep(core), reason=f"it named {secret}")
    assert core.audit()[0].reason == "it named [REDACTED:github-token]"


def test_a_key_that_comes_twice_in_one_import_is_one_memory(core):
    report = core.import_memories([{"content": TIDE, "key": "a"}, {"content": LOCKS, "key": "a"}])
    assert len(set(report.ids)) == 1
    assert [memory.content for memory in core.list()] == [LOCKS]


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


def test_a_folder_that_became_another_repository_is_another_project(open_core, tmp_path):
    git = tmp_path / "api" / ".git"
    git.mkdir(parents=True)
    (git / "config").write_text('[remote "origin"]\n\turl = git@example.org:acme/api.git\n')
    keep(open_core(tmp_path / "api"))
    (git / "config").write_text('[remote "origin"]\n\turl = git@example.org:other/thing.git\n')
    assert open_core(tmp_path / "api").list() == []


def test_a_sentence_with_nothing_left_beside_its_secret_is_refused(core):
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    said = [f"The staging token is {token}.", f"Use {token} for staging only, never in production."]
    refused, kept = core.offer([Capture(content=text, rule="person.remember") for text in said])
    assert refused.outcome == "refused"
    assert kept.stored


def test_what_is_written_between_two_searches_counts_in_the_second(core, open_core):
    """Words are counted once while nobody writes: neither this process nor another."""
    assert core.search("anemometer") == core.search("barometer") == []
    first = keep(core, "The anemometer on pier C is read every ten minutes")
    assert [hit.id for hit in core.search("anemometer")] == [first]
    assert core.search("barometer") == []
    with open_core() as other:
        second = keep(other, "A barometer hangs in the harbour office beside the tide table")
    assert [hit.id for hit in core.search("barometer")] == [second]


def test_a_memory_that_was_handed_out_is_its_callers_own(core):
    """What is read for one question is kept for the next one."""
    stored = core.store(TIDE, "semantic", {"related_concepts": ["quay"]})
    for found in (core.search("tide"), core.search("tide")):
        [hit] = found
        assert hit.memory.details["related_concepts"] == ["quay"]
        hit.memory.details["related_concepts"].append("crane")
        hit.memory.details["concept"] = "crane"
    assert core.show(stored.memory_id).details["related_concepts"] == ["quay"]
