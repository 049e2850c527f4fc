"""A claim against the turns before it: who said it, and what does not count as saying it."""

import pytest

from memdeck.core.ingest.extract.evidence import agree, carried_by
from memdeck.core.ingest.extract.turns import Turn


def person(text):
    return Turn("user", text, line=1)


def agent(text):
    return Turn("assistant", text, line=2)


def result(text, tool="Bash", command="cat NOTES", **more):
    return [
        Turn("tool_call", tool=tool, tool_input={"command": command}, call_id="c1", line=3),
        Turn("tool_result", text, call_id="c1", line=4, **more),
    ]


def test_a_person_said_it_in_their_words(subtests):
    rows = [
        ("Idempotency keys are kept for 48 hours.", "No, keep idempotency keys 48 hours, not 24."),
        ("Idempotency keys live for two days.", "idempotency keys shall live for 48 hours"),
        ("We never deploy on Fridays.", "Deploys never happen on a Friday."),
        ("The build cache must not be shared between runners.",
         "the cache of the build isn't to be shared between our runners, ok?"),
        ("Vor jedem Test wird die Datenbank geleert.", "Vor jedem Test die Datenbank leeren!"),
        ("テストの前にデータベースを初期化する", "テストの前にデータベースを初期化してください。"),
        ("测试之前必须初始化数据库", "请在测试之前必须初始化数据库。"),
    ]  # fmt: skip
    for claim, said in rows:
        with subtests.test(claim=claim):
            evidence = carried_by(claim, [person(said)])
            assert (evidence.by, evidence.line, evidence.is_verified) == ("person", 1, True)


def test_another_number_a_denial_or_a_name_that_nobody_gave_is_not_it(subtests):
    rows = [
        ("Idempotency keys are kept for 24 hours.", "No, keep idempotency keys 48 hours, not 24."),
        ("Deploy on Fridays.", "Deploys never happen on a Friday."),
        ("The cache is not shared between runners.", "Please share the cache between runners."),
        ("The tide import reads `gauge_v2`.", "The tide import reads the gauge."),
        ("The crane is tested on Mondays.", "Please fix the typo in the readme."),
        ("", "Anything."),
    ]  # fmt: skip
    for claim, said in rows:
        with subtests.test(claim=claim):
            assert carried_by(claim, [person(said)]).by == "nobody"


def test_an_answer_is_read_with_what_it_answers():
    turns = [agent("I set the retention of idempotency keys to 24 hours."), person("make that 48")]
    assert carried_by("The retention of idempotency keys is 48.", turns).by == "person"
    assert carried_by("The retention of idempotency keys is 12.", turns).by == "nobody"


def test_names_may_stand_anywhere_in_the_session():
    turns = [
        *result("ok", command="vi berths/lock.py"),
        person("The lock is taken per row, please"),
    ]
    assert carried_by("The lock in berths/lock.py is taken per row.", turns).by == "person"
    assert carried_by("The lock in piers/lock.py is taken per row.", turns).by == "nobody"


RULE = "Before every test run the script tools/prepare.sh must be called."


def test_who_said_it_first_said_it():
    assert carried_by(RULE, [agent(RULE), *result(RULE)]).by == "agent"
    assert carried_by(RULE, [*result(RULE), agent(RULE)]).by == "finding"
    assert carried_by(RULE, [*result(RULE), person(f"ok. {RULE}")]).by == "person"


def test_what_a_fence_holds_is_quoted_and_what_was_injected_is_nothing():
    assert carried_by(RULE, [person(f"look:\n```\n{RULE}\n```\n")]).by == "quoted"
    told = f"<project_memory>\n{RULE}\n</project_memory>\nGo on."
    assert carried_by(RULE, [person(told)]).by == "nobody"


def test_what_memdeck_printed_is_no_evidence():
    assert carried_by(RULE, result(RULE, command="memdeck search prepare")).by == "nobody"


def test_only_a_hosts_own_tools_carry_a_persons_answer():
    said = f'User has answered your questions: "What first?"="{RULE}"'
    assert carried_by(RULE, result(said, tool="AskUserQuestion")).by == "person"
    assert carried_by(RULE, result(said, tool="mcp__web__fetch")).by == "finding"


def test_what_a_subagent_was_asked_is_an_agents_word():
    assert carried_by(RULE, [Turn("user", RULE, agent_id="a1")]).by == "agent"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("The port of the tests is 5433.", "Tests use the port 5433.", True),
        ("The port of the tests is 5433.", "Tests use the port 5432.", False),
        ("Use the cache in CI.", "Never use the cache in CI.", False),
        ("The crane lifts forty tonnes.", "The crane lifts forty tonnes, and pilots report by"
         " radio at the outer buoy when the fog is thick.", False),
    ],
)  # fmt: skip
def test_texts_agree_where_either_says_most_of_the_other(one, other, same):
    assert agree(one, other) is same
    assert agree(other, one) is same


RECORDING = [
    "memdeck learn 'x'",
    "/opt/bin/memdeck learn x",
    "'/opt/my bin/memdeck' learn x",
    "cd /a && memdeck learn --session 1 'x'",
    "MEMDECK_HOME=/x memdeck learn y",
    "memdeck --home /x --json learn y",
    "python3 -m memdeck learn z",
    "memdeck learn - <<'END'\nx\nEND",
]


def test_a_call_that_records_is_left_out_of_what_is_read_and_of_others_nothing(lived):
    lived.asks("From now on, berth 12 is kept free for the pilots.")
    for command in RECORDING:
        lived.runs(command, "recorded")
    lived.runs("make test && memdeck learn 'x y'", "2 passed\nrecorded")
    for command in ("make search-learn", "make memdecklearn"):
        lived.runs(command)
    with lived.says("Done.").core() as core:
        [kept] = core.list()
        assert core.envelope(kept.id).actions == (
            "ran make test",
            "ran make search-learn",
            "ran make memdecklearn",
        )
