"""What the coordinator promises, through its public calls and a real store."""

from memdeck import Capture, Origin

TIDE = "Berth 12 floods at spring tide, so boats over nine metres are moved to pier C"
LOCKS = "The reservation table is locked per berth because two skippers once got the same one"
CRANE = "The crane at the ferry pier lifts forty tonnes, and its brake is tested every Monday"
PILOTS = "Pilots report by radio when they pass the outer buoy, since the radar is blind there"
FENDERS = "Fenders at the fuel dock are filled with foam, because air leaked out of the old ones"


def a_capture(content=TIDE, **fields):
    return Capture(content=content, rule="test", **fields)


def keep(core, text=TIDE, **fields):
    return core.remember(text, **fields).memory_id


# --- the storage pipeline's gates


def test_a_trivial_capture_is_refused_and_the_refusal_recorded(core):
    [result] = core.offer([a_capture("Sounds good.")])
    assert (result.stored, result.outcome) == (False, "refused")
    assert core.list() == []
    [refusal] = core.refused_captures()
    assert refusal.reason.startswith("triviality")


def test_the_same_place_of_a_transcript_is_captured_once(core):
    origin = Origin(session="s1", agent="claude", ref="claude:s1:u1:0")
    core.offer([a_capture(origin=origin)])
    [before] = core.list()
    [again] = core.offer(
        [a_capture("Another reading of the very same place gives this text", origin=origin)]
    )
    assert again.outcome == "repeated"
    assert core.list() == [before]


# --- curation


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


# --- import


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


# --- recall


def test_a_prompt_gets_what_it_is_about_and_leaves_a_receipt(core):
    memory = keep(core)
    keep(core, LOCKS)
    core.recall("which berth floods at spring tide?", write_receipt=False)  # leaves nothing
    injection = core.recall("which berth floods at spring tide?", session="s1")
    assert [hit.id for hit in injection.items] == [memory]
    assert "spring tide" in injection.text
    [receipt] = core.receipts()
    assert (receipt.id, receipt.items[0]["id"]) == (injection.receipt, memory)
    assert [one.id for one in core.receipts(memory=memory)] == [receipt.id]
    assert core.show(memory).accesses == 1


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
