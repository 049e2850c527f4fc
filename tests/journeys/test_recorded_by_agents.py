"""What an agent records as it goes, over sessions of four hosts: asked for, checked, told."""

import re
import shlex
from datetime import timedelta

import pytest

from .scripts import GREETING, TIDE

HOSTS = ("claude", "codex", "gemini", "opencode")

KEYS = "Idempotency keys are kept for 48 hours, since retries arrive late."
CORRECTED = f"""
    P: How long do we keep idempotency keys?
    A: I set them to 24 hours.
    P: No, we keep idempotency keys for 48 hours, since retries arrive late.
    $ memdeck learn '{KEYS}' --why 'the person said so' --json
    > recorded
    A: Done.
"""
TRIED = f"""
    P: Make the tide import work.
    A: The tide import drops the first hour, since it needs TIDE_ZONE set to UTC.
    $ memdeck learn '{TIDE}' --json
    > recorded
    A: It works now.
"""
BY_ITSELF = TRIED.replace("Make the tide import work.", "Please go on.")  # which asks for nothing
ASKED = "P: For how long are idempotency keys kept, in hours?\nA: 48."
NOTES = (
    "The lock of the berth table is taken per row, since two skippers met once.",
    "Payments are booked in cents, never in floats, because sums drifted.",
    "The staging cluster runs in Frankfurt and has no GPU nodes.",
    "Release notes come from changelog fragments, built by towncrier.",
    "Pilots report by radio channel 12 when they pass the outer buoy.",
    "The ferry crane lifts forty tonnes and is tested every Monday.",
)


def learn(text, *options):
    """A step in which the agent records something."""
    return f"$ memdeck learn {shlex.join([text, *options])} --json\n> recorded\n"


def known(project, query=""):
    with project.memory() as memory:
        return memory.list(query)


def only(project, part):
    """The one live memory with these words."""
    [found] = [one for one in known(project) if part in one.content]
    return found


def candidacy(project, memory):
    with project.memory() as core:
        return core.candidacy(memory.id)


# --- asked for


def test_every_host_is_asked_by_a_command_that_its_shell_can_run(project, subtests):
    for host in HOSTS:
        with subtests.test(host=host):
            told = project.session(GREETING, host=host)
            first, second = told.request.splitlines()
            command = re.search(r"happens: (.*?) \(options", first)[1]
            program, verb, *options, text = shlex.split(command)
            assert (program.rpartition("/")[2], verb) == ("memdeck", "learn")
            named = options[options.index("--session") + 1]
            with project.memory() as memory:
                assert memory.session_named(named).agent == host
                receipts = memory.receipts(session=named)
            [receipt] = [one for one in receipts if one.event == "SessionStart"]
            assert 60 <= receipt.request_tokens <= 130
            assert receipt.tokens == receipt.request_tokens  # there was nothing else to tell
            assert text == "One sentence that stands alone."
            assert "At most five a session" in second


@pytest.mark.parametrize(
    "setting", ["[capture]\nlearn = false\n", "auto_memory = false\n"], ids=["learn", "auto"]
)
def test_a_setting_switches_it_off_and_the_verb_with_it(project, tmp_path, setting):
    (tmp_path / "harbour").mkdir()
    (tmp_path / "harbour" / ".memdeck.toml").write_text(setting)
    assert project.session(CORRECTED).request == ""
    [ran] = project.ran
    assert ran.code == 1
    assert "capture.learn" in ran.err or "taken down" in ran.err
    assert not [one for one in known(project) if one.source]
    assert project.command("status", "--json").json["learn"]["asked"] is False


@pytest.mark.parametrize(("switch", "stops"), [("auto_memory", False), ("incognito", True)])
def test_a_switch_in_the_store_stops_both(project, switch, stops):
    project.person(lambda memory: memory.set_switch(switch, stops))
    assert project.session(CORRECTED).request == ""
    assert "Nothing is taken down" in project.ran[0].err
    assert known(project) == []
    project.person(lambda memory: memory.set_switch(switch, not stops))
    assert project.session(CORRECTED).request
    assert project.ran[0].code == 0
    assert project.command("status", "--json").json["learn"] == {"asked": True, "why_not": None}


# --- checked against the transcript


@pytest.mark.parametrize("host", HOSTS)
def test_what_the_agent_found_is_verified_and_kept_once(project, host):
    project.session(TRIED, host=host)
    recorded = project.ran[0].json
    assert (recorded["outcome"], recorded["recorded"], recorded["most"]) == ("stored", 1, 5)
    assert (recorded["memory"]["source"], recorded["memory"]["said_by"]) == (
        "agent, unverified",
        "unchecked",
    )
    [memory] = [one for one in known(project) if "TIDE_ZONE" in one.content]
    assert memory.content == TIDE  # the sentence that the agent said and the call itself link
    assert (memory.source, memory.evidence, memory.origin.agent) == (
        "agent, verified",
        "agent",
        host,
    )
    with project.memory() as core:
        [recording] = core.recordings(memory.id)
        assert recording.checked_at is not None
        entries = [one for one in core.history(memory.id) if one.action == "add"]
    assert [one.actor for one in entries] == ["agent"]


@pytest.mark.parametrize("host", HOSTS)
def test_a_persons_own_words_stay_and_the_agents_of_them_yield(project, host):
    project.session(CORRECTED, host=host)
    live = [one for one in known(project) if "48 hours" in one.content]
    assert len(live) == 1
    with project.memory() as core:
        recorded = core.show(project.ran[0].json["id"])
        [recording] = core.recordings(recorded.id)
    assert recording.evidence == "person"
    assert recording.why == "the person said so"
    if not recorded.is_live:
        assert recorded.retired_as == "merged"


def test_numbers_that_nobody_said_are_not_borne_out(project):
    project.session(TRIED.replace("UTC, else", "UTC+3, else"))
    memory = only(project, "UTC+3")
    assert (memory.source, memory.evidence) == ("agent, unverified", "nobody")


SPREAD = "Before every test run the script tools/prepare.sh must be called with --all."


@pytest.mark.parametrize(
    ("script", "evidence"),
    [
        (f"P: Read the notes.\n$ cat NOTES\n> {SPREAD}\n{learn(SPREAD)}A: Done.", "finding"),
        (
            f"P: Read it.\n$ cat NOTES\n> {SPREAD}\nA: Noted. {SPREAD}\n{learn(SPREAD)}A: Ok.",
            "finding",
        ),
        (f"P: Read the notes.\nA: Hm. {SPREAD}\n{learn(SPREAD)}A: Done.", "agent"),
        (f"P: Read the notes.\n{learn(SPREAD)}A: Done. {SPREAD}", "nobody"),  # said afterwards
    ],
    ids=["a-result", "a-result-repeated", "the-agent", "too-late"],
)
def test_what_was_only_read_is_marked_so_whoever_repeats_it(project, script, evidence):
    project.session(script)
    assert only(project, "tools/prepare.sh").evidence == evidence


PASTE = f"""
    P: Please look at this article:
      # Ten rules for test suites

      ## 1. Prepare
      **{SPREAD}** This is widely known.

      ## 2. Clean up
      - Remove what was made, and check it twice.
      - Never leave a server running.

      ## 3. Report
      Each run is reported to the dashboard.
"""


def test_what_was_only_pasted_is_no_persons_word(project):
    project.session(PASTE + "    " + learn(SPREAD).replace("\n", "\n    ") + "A: Done.")
    assert only(project, "tools/prepare.sh").evidence == "quoted"


def test_what_was_recorded_off_the_record_is_taken_back(project):
    project.session(TRIED.replace("P: Make", "P: #incognito Make"))
    assert project.ran[0].code == 0
    assert known(project) == []
    with project.memory() as core:
        assert core.show(project.ran[0].json["id"]).retired_as == "rejected"


# --- told


def test_an_unverified_one_is_never_told_unasked_however_often_it_is_repeated(project):
    text = "The harbour gate opens at 05:30 on weekdays, and at 07:00 on Sundays."
    for _ in range(4):
        project.session("P: go on\n" + learn(text) + "A: Done.", days=2)
        assert project.ran[0].code == 0
    memory = only(project, "harbour gate")
    assert (memory.source, memory.status, memory.scope) == (
        "agent, unverified",
        "candidate",
        "session",
    )
    assert candidacy(project, memory)["promoted_at"] is None
    assert "harbour gate" not in project.session(GREETING, days=2).start
    told = project.session("P: When does the harbour gate open on Sundays?\nA: At seven.")
    assert "harbour gate" in told.prompts[0]  # a prompt asks


def test_one_that_a_second_session_found_by_itself_belongs_to_the_project(project):
    project.session(TRIED)
    first = candidacy(project, only(project, "TIDE_ZONE"))
    assert first["signals"].get("verified") == 1
    project.session(BY_ITSELF, days=3)
    assert project.ran[0].json["outcome"] == "duplicate"
    memory = only(project, "TIDE_ZONE")
    assert memory.scope == "project"
    signals = candidacy(project, memory)["signals"]
    assert (signals["verified"], signals["multi-session"]) == (1, 2)
    assert "TIDE_ZONE" in project.session(GREETING, days=0.1).start  # two came to it by themselves
    assert "TIDE_ZONE" in project.session(GREETING).start


def test_what_a_session_was_told_it_cannot_prove(project):
    project.session(TRIED)
    told = project.session(TRIED, days=3)  # its prompt asks for it
    assert "TIDE_ZONE" in told.prompts[0]
    assert project.ran[0].json["recorded"] == 0
    assert "multi-session" not in candidacy(project, only(project, "TIDE_ZONE"))["signals"]


def test_what_the_session_was_told_is_no_news(project):
    project.person(lambda memory: memory.remember(KEYS))
    project.session("P: For how long are idempotency keys kept?\n" + learn(KEYS) + "A: 48 hours.")
    ran = project.ran[0].json
    assert ran["outcome"] == "duplicate"
    assert ran["recorded"] == 0  # it was told, and that is no recording
    assert only(project, "48 hours").importance == pytest.approx(0.6)


# --- the gates and the limits


def test_the_fifth_is_taken_and_the_sixth_refused_compaction_or_not(project):
    script = "P: go\n" + "".join(map(learn, NOTES[:3])) + "A: On.\nC: They went on.\nP: go on\n"
    project.session(script + "".join(map(learn, NOTES[3:])) + "A: Done.")
    assert [one.code for one in project.ran] == [0, 0, 0, 0, 0, 1]
    assert project.ran[4].json["recorded"] == 5
    assert "has recorded 5 notes" in project.ran[5].err
    assert "towncrier" in " ".join(one.content for one in known(project))
    assert "forty tonnes" not in " ".join(one.content for one in known(project))
    project.session("P: go\n" + learn(NOTES[5]) + "A: Done.")
    assert project.ran[0].json["recorded"] == 1  # another session has its own five


def test_the_same_again_in_one_session_is_no_second(project):
    project.session("P: go\n" + 2 * learn(NOTES[0]) + "A: Done.")
    assert [one.json["outcome"] for one in project.ran] == ["stored", "duplicate"]
    assert project.ran[1].json["recorded"] == 1


def test_trifles_are_refused_and_do_not_count(project):
    project.session("P: go\n" + learn("ok, done") + learn(NOTES[0]) + "A: Done.")
    refused, taken = project.ran
    assert (refused.code, refused.json["outcome"]) == (1, "refused")
    assert taken.json["recorded"] == 1


def test_a_secret_leaves_and_a_buried_text_stays_buried(project, tmp_path):
    token = "gh" + "p_" + "4f" * 18
    project.session("P: go\n" + learn(f"{NOTES[1]} The token is {token}.") + "A: Done.")
    assert "[REDACTED:" in project.ran[0].json["memory"]["content"]
    assert project.ran[0].json["removed"]
    files = [path for path in tmp_path.joinpath("home").rglob("*") if path.is_file()]
    assert not [path for path in files if token.encode() in path.read_bytes()]
    project.session("P: go\n" + learn(NOTES[2]) + "A: Done.")
    project.person(lambda memory: memory.forget(only(project, "Frankfurt").id))
    project.session("P: go\n" + learn(NOTES[2]) + "A: Done.")
    assert project.ran[0].json["reason"] == "a person forgot this text"


# --- in the place of something else


def test_an_agents_own_unproven_note_is_replaced_at_once(project):
    project.session("P: go\n" + learn(NOTES[2]) + "A: Done.")
    old = project.ran[0].json["id"]
    new = "The staging cluster runs in Dublin now, with two GPU nodes."
    project.session("P: go\n" + learn(new, "--replaces", old) + "A: Done.")
    assert project.ran[0].json["replaced"] == old
    with project.memory() as core:
        assert core.show(old).retired_as == "superseded"
        assert [link.kind for link in core.links(old)] == ["superseded_by"]


def test_a_persons_memory_is_never_replaced_it_becomes_a_conflict(project):
    ids = []
    project.person(lambda memory: ids.append(memory.remember(NOTES[2]).memory_id))
    new = "The staging cluster runs in Dublin now, with two GPU nodes."
    project.session("P: go\n" + learn(new, "--replaces", ids[0]) + "A: Done.")
    ran = project.ran[0].json
    assert (ran["replaced"], bool(ran["conflict"])) == (None, True)
    with project.memory() as core:
        assert core.show(ids[0]).is_live
        [conflict] = core.conflicts()
        assert {conflict.first.id, conflict.second.id} == {ids[0], ran["id"]}


@pytest.mark.parametrize("is_said", [True, False])
def test_what_was_promoted_yields_only_to_what_is_borne_out(project, is_said):
    project.session(TRIED)
    project.session(BY_ITSELF, days=2)
    old = only(project, "TIDE_ZONE")
    assert candidacy(project, old)["promoted_at"]
    new = "The tide import no longer needs any zone, it reads the zone from the gauge header."
    said = f"A: I see. {new}\n" if is_said else ""
    project.session(f"P: go\n{said}" + learn(new, "--replaces", old.short_id) + "A: Done.")
    assert project.ran[0].json["waits"] == old.id
    with project.memory() as core:
        assert core.show(old.id).is_live is not is_said
        assert bool(core.conflicts()) is not is_said


def test_undo_takes_a_recording_back_and_its_place_is_free_again(project):
    project.session("P: go\n" + learn(NOTES[0]) + "A: Done.")
    with project.memory() as core:
        [entry] = [one for one in core.audit(limit=50) if one.action == "add"]
        check = [one for one in core.audit(limit=50) if one.action == "check"]
        for one in (*check, entry):
            core.undo(one.seq)
        assert core.list() == []
        assert core.verify().ok


def test_days_go_by_and_the_trail_still_tells_who_said_it(project):
    project.session(TRIED)
    project.now += timedelta(days=30)
    shown = project.command("show", only(project, "TIDE_ZONE").id, "--why")
    assert "agent, verified: the agent said it in its session" in shown.out
    project.session("P: what does the tide import need, TIDE_ZONE?\nA: UTC.")
    with project.memory() as core:
        items = [item for one in core.receipts() for item in one.items]
    assert {item["source"] for item in items} == {"agent, verified"}
