"""digest: what changed of late, in plain words and as JSON."""

STAGING = "Staging lives on host db-7, reached through the bastion"
BUDGET = "Retry budget is three attempts per call"


def test_an_empty_week_says_so(cli):
    answer = cli("digest")
    assert answer.code == 0
    assert "Nothing changed" in answer.err
    assert "acme-api since 20" in answer.out


def test_a_digest_in_plain_words_fits_a_page(cli, remembered):
    for number in range(12):
        remembered(f"Berth {number} has shore power at the north pier")
    remembered("Never log a skipper's position", "--pin")
    gone = remembered(BUDGET)
    since = len(cli("audit", "--json").lines)
    cli("forget", gone)
    cli("edit", remembered(STAGING), "--content", STAGING.replace("db-7", "db-9"))
    answer = cli("digest")
    lines = answer.out.splitlines()
    assert len(lines) < 40
    assert max(map(len, lines)) <= 80
    assert "14 memories" in answer.out
    assert "★ Never log a skipper's position" in answer.out
    later = cli("digest", "--since", f"#{since}").out
    assert "1 forgotten by you" in later
    assert BUDGET in later


def test_a_digest_as_json_counts_what_it_does_not_name(cli, remembered):
    for number in range(3):
        remembered(f"Berth {number} has shore power at the north pier")
    made = cli("digest", "--limit", "2", "--json").json
    assert (len(made["new"]), made["new_count"]) == (2, 3)
    assert made["agents"] == {"prompts": 0, "memories": 0, "hosts": [], "used": []}
    assert made["new"][0].keys() >= {"id", "title", "type", "importance", "entry", "at", "actor"}


def test_a_digest_from_a_time_that_was_not_is_refused(cli, remembered):
    remembered(STAGING)
    assert cli("digest", "--since", "#1").code == 0
    assert cli("digest", "--since", "#2").code == 1
    assert cli("digest", "--since", "whenever").code == 2
    assert cli("digest", "--limit", "-1").code == 2
    assert cli("digest", "--limit", "0").code == 0


def test_an_agent_hears_nothing_private_in_a_digest(cli, remembered, monkeypatch):
    remembered(STAGING)
    remembered("My own note on pay", "--privacy", "private")
    assert "My own note" in cli("digest").out
    monkeypatch.setenv("CLAUDECODE", "1")
    answer = cli("digest")
    assert STAGING[:20] in answer.out
    assert "My own note" not in answer.out


def test_one_agent_was_given_and_several_were(cli, remembered):
    remembered("The queue tests need a running redis on port 6380", "--pin")
    cli("recall", "how do I run the queue tests?", "--cli", "claude")
    assert "claude was given 1 text with" in cli("digest").out
    cli("recall", "how do I run the queue tests?", "--cli", "codex")
    assert " were given 2 texts with" in cli("digest").out
