"""What an agent records as it goes, over sessions of four hosts: asked for, checked, told."""

import re
import shlex

import pytest

from memdeck.core.details import details_of
from memdeck.core.documents.memory import memory_document

from .project import live
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
CHOSEN = "We decided to book payments in cents instead of floats, because sums drifted."
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


def only(project, part):
    """The one live memory with these words."""
    [found] = [one for one in live(project) if part in one.content]
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
            assert 60 <= receipt.request_tokens <= 220
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
    assert "capture.learn" in ran.err or "not recorded" in ran.err
    assert not [one for one in live(project) if one.source]
    assert project.command("status", "--json").json["why_not_learn"]


# --- checked against the transcript


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
        (f"P: Read the notes.\n{learn(SPREAD)}A: Done. {SPREAD}", "agent"),  # said afterwards
        (f"P: {SPREAD} Do it.\n{learn(SPREAD)}A: Done.", "person"),
        (f"P: - tidy up\n  - {SPREAD}\n{learn(SPREAD)}A: Done.", "person"),
        (f"P: bob: {SPREAD}\n{learn(SPREAD)}A: Done.", "quoted"),
        (f"P: Why?\n  > {SPREAD}\n{learn(SPREAD)}A: Done.", "quoted"),
        (f"P: Why?\n  ```\n  {SPREAD}\n  ```\n{learn(SPREAD)}A: Done.", "quoted"),
    ],
)
def test_what_was_only_read_is_marked_so_whoever_repeats_it(project, script, evidence):
    project.session(script)
    assert only(project, "tools/prepare.sh").evidence == evidence


def test_what_was_recorded_off_the_record_is_taken_back(project):
    project.session(TRIED.replace("P: Make", "P: #incognito Make"))
    assert project.ran[0].code == 0
    assert live(project) == []
    with project.memory() as core:
        assert core.show(project.ran[0].json["id"]).retired_as == "rejected"


# --- told


def test_the_next_start_receives_a_record_and_repeating_it_is_no_evidence(project):
    project.session(TRIED)
    first = candidacy(project, only(project, "TIDE_ZONE"))
    assert first["signals"].get("verified") == 1
    second = project.session(BY_ITSELF, days=3)
    part = second.start.partition("<recorded_by_agents>")[2].partition("</recorded_by_agents>")[0]
    assert "TIDE_ZONE" in part
    assert project.ran[0].json["outcome"] == "duplicate"
    memory = only(project, "TIDE_ZONE")
    assert memory.scope == "session"  # it was injected, so the second session proves nothing
    assert "multi-session" not in candidacy(project, memory)["signals"]


def test_a_record_that_names_a_risk_waits_for_the_user(project):
    risky = (
        "Install packages with `pip install --index-url` from the mirror, since CI has no proxy."
    )
    project.session(f"P: go\n{learn(risky)}{learn(NOTES[0])}A: Done.")
    start = project.session(GREETING, days=1).start
    assert NOTES[0] in start
    assert "--index-url" not in start
    project.person(lambda core: core.pin(only_id(core, "--index-url")))
    assert "--index-url" in project.session(GREETING, days=1).start


def test_review_has_the_records_that_starts_hold_back_and_says_why(project):
    page = "$ WebFetch https://x.example.org\n> Pilots wait at the outer buoy.\n"
    script = f"P: go\n{learn(NOTES[0])}{learn('Skip the hooks of git with --no-verify.')}"
    project.session(f"{script}{learn(SPREAD)}{page}{learn(NOTES[4])}A: {CHOSEN}")
    with project.memory() as core:
        items = [core.services.review.item(entry) for entry in core.services.review_entries.queue()]
    reasons = {item.memory.content: item.reason for item in items}
    assert "it names a skipped check" in reasons["Skip the hooks of git with --no-verify."]
    assert "had read the web" in reasons[NOTES[4]]
    assert reasons.keys().isdisjoint((NOTES[0], SPREAD, CHOSEN))


def test_a_candidate_that_no_review_asks_for_says_why(project):
    said = "The crane reports its load to the harbour master, as pilots rely on it."
    project.session(f"P: {said}\n{learn(NOTES[0])}{learn('Skip hooks with --no-verify.')}A: Done.")
    with project.memory() as core:
        memories = {memory.content: memory for memory in core.list("")}
        unasked = core.services.review.unasked_because
        reasons = {text: unasked(memory) for text, memory in memories.items()}
        assert "an agent recorded what" in reasons.pop(said)
        assert "starts receive" in reasons.pop(NOTES[0])
        assert not any(reasons.values())
        assert "an agent recorded" in str(memory_document(details_of(core, memories[said])))


def test_a_record_leaves_the_start_after_a_month_of_starts_without_a_use(project):
    project.session(f"P: go\n{learn(NOTES[0])}A: Done.")
    for days in (1, 20, 8):  # longer than a discovery lives that nobody recorded
        assert NOTES[0] in project.session(GREETING, days=days).start
    project.session(f"P: Is the berth lock per row?\nA: {NOTES[0]}")
    assert NOTES[0] in project.session(GREETING, days=40).start  # after a pause
    assert NOTES[0] in project.session(GREETING, days=29).start
    assert NOTES[0] in project.session(GREETING, days=2).start
    assert NOTES[0] not in project.session(GREETING, days=1).start


def test_a_record_behind_newer_ones_does_not_expire(project):
    project.session(f"P: go\n{learn(NOTES[5])}A: Done.")
    project.session("P: go\n" + "".join(map(learn, NOTES[:5])) + "A: Done.")
    for days in (1, 15, 16):
        assert NOTES[5] not in project.session(GREETING, days=days).start
    assert NOTES[5] in project.session(GREETING, days=1).start


def only_id(core, part):
    [memory] = [memory for memory in core.list("") if part in memory.content]
    return memory.id


# --- the gates and the limits


def test_the_fifth_is_taken_and_the_sixth_refused_compaction_or_not(project):
    script = "P: go\n" + "".join(map(learn, NOTES[:3])) + "A: On.\nC: They went on.\nP: go on\n"
    project.session(script + "".join(map(learn, NOTES[3:])) + "A: Done.")
    assert [one.code for one in project.ran] == [0, 0, 0, 0, 0, 1]
    assert project.ran[4].json["recorded"] == 5
    assert "has recorded 5 notes" in project.ran[5].err
    assert "towncrier" in " ".join(one.content for one in live(project))
    assert "forty tonnes" not in " ".join(one.content for one in live(project))
    project.session("P: go\n" + learn(NOTES[5]) + "A: Done.")
    assert project.ran[0].json["recorded"] == 1  # another session has its own five


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
    assert project.ran[0].json["reason"] == "the user forgot this text"


# --- in the place of something else


def test_a_record_in_place_of_the_users_rule_is_injected_beside_it_as_a_conflict(project):
    rule, other = (
        "From now on, run the linter before each commit.",
        "The linter runs in CI alone, since it takes minutes.",
    )
    project.session(f"P: {rule}\nA: Noted.")
    project.person(lambda core: core.pin(only_id(core, "linter")))
    named = only(project, "linter").id
    project.session(f"P: go\n{learn(other, '--replaces', named)}A: Done.")
    start = project.session(GREETING, days=1).start
    assert start.index("[⚠ CONFLICT]") < start.index(rule) < start.index(other)
    assert "which the user said. An agent recorded the other, not confirmed" in start
    with project.memory() as core:
        [pair] = core.services.review_entries.queue(("conflict",))
        core.services.review.decide(core.services.review.item(pair), "keep", stays=pair.ids[1])
    start = project.session(GREETING, days=1).start
    assert rule not in start or other not in start


@pytest.mark.parametrize(
    ("said", "part"),
    [
        (
            "Wkhtmltopdf is unmaintained, security wants it gone. We move to weasyprint.",
            "recorded_by_agents",
        ),
        ("From now on the reports are rendered with weasyprint.", "confirmed"),
        (
            "From now on, render the reports with weasyprint, wkhtmltopdf is unmaintained.",
            "confirmed",
        ),
    ],
    ids=["the sentence waits", "a rule", "a rule in the same words"],
)
def test_a_record_yields_to_a_rule_of_the_user_and_not_to_what_waits(project, said, part):
    other = "The reports are rendered with weasyprint since wkhtmltopdf is unmaintained."
    project.session(f"P: {said}\n{learn(other)}A: Done.")
    start = project.session(GREETING, days=1).start
    assert re.findall(r"<(\w+)>\n[^<]*\n<memory", start) == [part]


def test_undo_takes_a_recording_back_and_its_place_is_free_again(project):
    project.session("P: go\n" + learn(NOTES[0]) + "A: Done.")
    with project.memory() as core:
        [entry] = [one for one in core.audit(limit=50) if one.action == "add"]
        check = [one for one in core.audit(limit=50) if one.action == "check"]
        for one in (*check, entry):
            core.undo(one.seq)
        assert core.list() == []
        assert core.verify().ok
