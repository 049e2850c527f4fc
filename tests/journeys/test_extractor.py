"""A model that the person has reads each session once: what it proposes must stand there."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memdeck import MemoryCoordinator
from memdeck.agents.drain import drain_spool
from memdeck.tests.journeys.engine import use_program

RULE = "From now on always run `make test-db` before the integration tests, they need its data."
ASK = "The nightly export fails again, can you find out why?"
FOUND = (
    "The export fails because the gateway closes idle connections after 55 seconds,"
    " while the report query in export/report.py takes about 80 seconds."
)
GO_ON = "Good, then set the keepalive of the exporter to 30 seconds."

READER = """
cd '{place}' || exit
n=0
for one in request-*.json; do [ -e "$one" ] && n=$((n + 1)); done
cat > request.part
mv request.part "request-$n.json"  # whole, or not there
cat says
"""


def memory(text, *evidence, kind="fact", **more):
    """A proposal; evidence as (turn, quote)."""
    quotes = [{"turn": turn, "quote": quote} for turn, quote in evidence]
    return {
        "text": text,
        "kind": kind,
        "category": "discovery",
        "files": [],
        "scope": "project",
        "evidence": quotes,
        "why_in_a_month": "It will come up again.",
        **more,
    }


TEST_DB = memory(
    "Run `make test-db` before the integration tests of acme-api: they need its data.",
    (1, "always run `make test-db` before the integration tests"),
    kind="rule",
)
GATEWAY = memory(
    "The nightly export of acme-api fails since the gateway closes idle connections after 55"
    " seconds while the report query takes about 80.",
    (5, "the gateway closes idle connections after 55 seconds"),
    (5, "the report query in export/report.py takes about 80 seconds"),
    kind="cause",
)


class Reader:
    """The program that stands for a model."""

    def __init__(self, place):
        self.place = place
        self.says({"memories": []})

    def says(self, answer):
        """What it answers from now on."""
        (self.place / "says").write_text(json.dumps(answer))

    def proposes(self, *memories):
        self.says({"memories": list(memories), "retract": []})

    @property
    def requests(self):
        files = sorted(self.place.glob("request-*.json"), key=lambda one: int(one.stem[8:]))
        return [json.loads(one.read_text()) for one in files]


@pytest.fixture
def reader(home, tmp_path):
    """A program as the extractor, in the home's own settings."""
    place = tmp_path / "reader"
    place.mkdir()
    (place / "reader.sh").write_text(READER.format(place=str(place)))

    home.prepare()
    made = Reader(place)

    def settings(extractor=""):
        use_program(home, place / "reader.sh", extractor)

    made.settings = settings
    settings()
    return made


@pytest.fixture
def live(start, repo, no_drain):
    """A session of three prompts, told by hooks, that has ended; no drain has run."""

    def lived(name="s1", cwd=None, *, end=True):
        session = start(name, cwd or repo)
        with no_drain():
            session.says(RULE, ASK)
            session.uses("Bash", {"command": "python -m export.report"}, "boom", failed=True)
            session.answers(FOUND)
            session.stop()
            session.says(GO_ON)
            session.answers("Done.")
            session.stop()
            if end:
                session.end()
        return session

    return lived


@pytest.fixture
def settle_at(home):
    """Drain now, or at a moment; what the drain reports."""
    return lambda now=None: drain_spool(home, now)


def status(cli):
    return cli("status", "--json").json["extractor"]


def reasons(core):
    """By text, why a proposal was dropped."""
    return {one.content: one.reason for one in core.refused_captures() if one.rule == "model"}


def from_model(core):
    """The live memories that the extractor proposed."""
    return [one for one in core.list() if (one.origin.ref or "").rpartition(":")[2][:1] == "m"]


@pytest.fixture
def core(home, repo):
    """The store as a person sees it."""
    with MemoryCoordinator.open(home, repo) as opened:
        yield opened


def test_off_by_default_and_nothing_is_asked(live, cli, settle_at):
    live()
    assert settle_at().extracted == 0
    assert status(cli)["engine"] == ""
    refused = cli("extract", "s1", "--yes")
    assert refused.code == 1
    assert "--use claude" in refused.err


def test_one_call_a_session_whatever_is_told_twice(reader, live, settle_at, no_drain, core):
    """The score's candidates of the same sentences go into the model's memories."""
    reader.proposes(TEST_DB, GATEWAY)
    session = live()
    assert settle_at().extracted == 1
    with no_drain():
        session.tell_all_again()
    assert settle_at().extracted == 0
    [request] = reader.requests
    assert set(request) == {"system", "known", "turns"}
    shown = [(one["n"], one["who"], one["text"]) for one in request["turns"]]
    assert shown[:5] == [
        (1, "person", RULE),
        (2, "person", ASK),
        (3, "call", "Bash: python -m export.report"),
        (4, "error", "boom"),
        (5, "agent", FOUND),
    ]
    # what it quotes is kept, established and not doubled
    found = core.list()
    said = [one for one in found if "test-db" in one.content]
    cause = [one for one in found if "55 seconds" in one.content]
    assert len(said) == 1
    assert [one.content for one in cause] == [GATEWAY["text"]]
    for one in (*said, *cause):
        assert one.scope == "project"  # promoted, on trial
        assert core.candidacy(one.id)["quarantined_until"] is not None
    [words, *_] = core.salience(cause[0].id).reasons[0]
    assert "the agent, line" in words
    assert "55 seconds" in words


def test_an_answer_stays_the_agents_though_the_users_question_is_quoted_too(
    reader, live, settle_at, core
):
    reader.proposes({**GATEWAY, "evidence": [{"turn": 2, "quote": ASK}, *GATEWAY["evidence"]]})
    live()
    settle_at()
    assert [one.provenance for one in from_model(core)] == ["agent-verified"]


def test_what_a_person_pasted_hid_or_took_off_the_record_is_not_sent(
    reader, start, repo, no_drain, settle_at
):
    session = start("s1", repo)
    secret = "ghp_" + "a1B2" * 9
    with no_drain():
        session.says("Use the relay on port 7443 for staging, the direct one is blocked.")
        session.says(f"<private>my salary is 9100</private> The token is {secret}, keep it safe.")
        session.says("#incognito the merger with Initech is planned for May")
        session.answers("I will not mention the merger with Initech.")
        session.says("#agent-only the merger with Hooli comes before it")
        session.says("Thanks, go on with the relay.")
        session.end()
    settle_at()
    [request] = reader.requests
    sent = json.dumps(request)
    assert "port 7443" in sent
    assert "go on with the relay" in sent
    for hidden in ("9100", secret, "Initech", "Hooli"):
        assert hidden not in sent


BAD = {
    "invents a quote": (
        memory("The exporter of acme-api needs Redis.", (5, "the exporter needs Redis")),
        "does not stand in the turn",
    ),
    "quotes another turn": (
        memory("The gateway of acme-api closes idle connections.", (2, "closes idle connections")),
        "does not stand in the turn",
    ),
    "a person's rule on an agent's quote": (
        memory(
            "Connections through the gateway of acme-api must not idle.",
            (5, "the gateway closes idle connections"),
            kind="rule",
        ),
        "nobody who may say so",
    ),
    "only a call": (
        memory("Reports of acme-api run as a module.", (3, "python -m export.report")),
        "nobody who may say so",
    ),
    "an unrelated quote": (
        memory("Deploys of acme-api wait for nobody.", (5, "the gateway closes idle connections")),
        "none of its words",
    ),
    "an unknown number": (
        memory(
            "The gateway of acme-api closes idle connections after 90 seconds.",
            (5, "the gateway closes idle connections after 55 seconds"),
        ),
        "a number in it",
    ),
    "an unknown name": (
        memory(
            "The gateway of acme-api closes what `nightly_export` leaves idle.",
            (5, "the gateway closes idle connections after 55 seconds"),
        ),
        "a name, path or flag",
    ),
    "too long": (
        memory("The gateway closes idle connections. " * 9, (5, "the gateway closes idle")),
        "more than 300",
    ),
    "no kind": (
        memory("The gateway has moods.", (5, "the gateway closes"), kind="vibe"),
        "no kind",
    ),
    "no quote": (memory("The gateway is old."), "quotes nothing"),
    "only of the session": (
        memory("The gateway is looked at.", (5, "the gateway closes idle"), scope="session"),
        "this session only",
    ),
}


def test_what_does_not_hold_is_dropped_and_said(reader, live, settle_at, core, cli, subtests):
    """What a model got wrong in many ways costs what it got right nothing."""
    missing = ["export/nowhere.py", "../../etc/hosts"]
    fit = {**GATEWAY, "evidence": [dict(one, turn=5) for one in GATEWAY["evidence"]]}
    reader.proposes(*(proposal for proposal, _ in BAD.values()), {**fit, "files": missing})
    live()
    settle_at()
    [one] = from_model(core)
    assert one.content == GATEWAY["text"]
    assert not {*one.files} & {*missing}  # a missing file costs the file, not the memory
    said = reasons(core)
    assert all("not in the project" in said.pop(path) for path in missing)
    assert len(said) == len(BAD)
    for name, (proposal, why) in BAD.items():
        with subtests.test(proposal=name):
            [reason] = [each for text, each in said.items() if proposal["text"].startswith(text)]
            assert why in reason
    last = status(cli)["last"]
    assert (last["kept"], sum(last["dropped"].values())) == (1, len(BAD) + len(missing))
    assert "dropped" in cli("status").out


NOON = datetime(2026, 3, 20, 12, tzinfo=UTC)


def test_calls_of_a_day_are_bounded_and_the_next_day_goes_on(reader, live, settle_at, core, cli):
    """Three sessions, two calls a day: the third is read when the day is over, and not before."""
    reader.settings("max_calls_per_day = 2")
    for n, name in enumerate(("s1", "s2", "s3")):
        live(name)
        settle_at(NOON + timedelta(minutes=n))
    assert len(reader.requests) == 2
    assert core.services.preferences.extractor_state().waiting == 1
    live("s4", end=False)
    settle_at(NOON + timedelta(hours=11, minutes=59))
    assert len(reader.requests) == 2
    live("s5", end=False)
    settle_at(NOON + timedelta(hours=12))
    assert len(reader.requests) == 3


def test_a_project_cannot_switch_it_on(home, repo, live, settle_at, core):
    (repo / ".memdeck.toml").write_text('[extractor]\nengine = "claude"\n')
    live()
    assert settle_at().extracted == 0
    assert core.services.preferences.engine == ""
    assert any("extractor" in str(one) for one in core.settings_problems())


TRIED = (
    "We tried a longer keepalive for the exporter, it failed because the gateway closes idle"
    " connections after 55 seconds."
)
FINAL = "The gauges drift because the probe at pier nine is read before it is warm."
README = "The berth table is served by relay.acme.example behind the flag --berths-live."


@pytest.mark.parametrize(
    ("read", "why"), [("", ""), (README, "a tool's result said it first")], ids=["own", "read"]
)
def test_proposals_are_injected_like_records(
    reader, start, repo, no_drain, settle_at, core, read, why
):
    """Also those of the last answer; what the agent had read before waits in Review."""
    session, said = start("s1", repo), read or FINAL
    with no_drain():
        session.says("Look at the harbour, please.")
        session.uses("Read", {"file_path": "README.md"}, read or "Harbour.")
        session.answers(said)
        session.end()
    reader.proposes(memory(said, (3, said)))
    settle_at()
    text = start("s2", repo).tell("SessionStart", source="startup")
    assert (said in text.partition("<recorded_by_agents>")[2]) is not bool(why)
    waiting = [entry.reason for entry in core.services.review_entries.queue(("candidate",))]
    assert [why in reason for reason in waiting] == [True] * bool(why)


def test_a_model_that_fails_costs_no_sentence_and_says_why(
    home, reader, start, repo, no_drain, settle_at, core, cli
):
    """Only a reading takes the place of the agent's sentences that the score kept."""
    session = start("s1", repo)
    with no_drain():
        session.says("Make the exporter survive long queries.")
        session.answers(TRIED)
        session.end()

    def waiting():
        return [one for one in core.list() if one.content == TRIED]

    (reader.place / "says").write_text("I am sorry, I cannot do that.")
    settle_at(NOON)
    assert waiting()
    assert "no JSON object" in status(cli)["last"]["reason"]
    assert "no JSON object" in (Path(home.log) / "hooks.log").read_text()
    reader.proposes()
    start("s2", repo).tell("SessionStart", source="startup")
    settle_at(NOON + timedelta(hours=2))
    assert not waiting()
