"""The fields of one record are redacted together, counted, and put into words without a secret."""

import json
import re
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdeck.benchmarks.redaction_vectors import filled
from memdeck.tests.redacting import Clean, redact

SECRET = filled("{w18}7x")
TOKEN = filled("gh" + "p_{w36}")
SAID = "The harbour master signs each list of berths"
NUMBERS = count()


def reason_of(core, memory):
    """What the journal says of a memory's first entry."""
    return core.history(memory)[-1].reason


def test_what_one_field_gives_away_goes_from_all(core):
    memory = core.remember(
        f"the password is {SECRET} since today",
        title=f"{SECRET} since today",
        tags=["ops", SECRET],
        type="procedural",
        details={"steps": [f"type {SECRET}"], "usage_count": 3},
    ).memory_id
    kept = core.show(memory)
    assert kept.content == "the password is [REDACTED:password] since today"
    assert kept.title == "[REDACTED:password] since today"
    assert kept.tags == ("ops", "[REDACTED:password]")
    assert kept.details["steps"] == ["type [REDACTED:password]"]
    assert kept.details["usage_count"] == 3
    told = "content password ×1, title password ×1, tags password ×1, details password ×1"
    assert reason_of(core, memory).startswith(f"redacted: {told}")


def test_nothing_spreads_from_one_record_to_another(core):
    one = core.remember("The password is hunter2, says the harbour").memory_id
    other = core.remember(SAID, title="hunter2").memory_id
    assert "hunter2" not in core.show(one).content
    assert core.show(other).title == "hunter2"


def test_a_key_says_what_its_value_is_and_is_a_text_itself(core):
    given = {"db_password": "hunter2", "port": "5432", TOKEN: "x", f"{TOKEN}_password": "hunter"}
    memory = core.store(SAID, "semantic", {"place": given}).memory_id
    assert core.show(memory).metadata["place"] == {
        "db_password": "[REDACTED:password]",
        "port": "5432",
        "[REDACTED:github-token]": "x",
        "[REDACTED:github-token]+": "[REDACTED:secret]",
    }


def test_a_value_that_cannot_be_quoted_is_left_to_the_other_rules(core):
    values = ['say "hunter2"', "two\nlines", "back\\slash", ""]
    given = {str(number): {"password": value} for number, value in enumerate(values)}
    memory = core.store(SAID, "semantic", {"places": given}).memory_id
    assert core.show(memory).metadata["places"] == given


def test_names_that_others_gave_may_be_random(core, open_core):
    name = filled("{w40}")
    for session, kept in ((name, name), (TOKEN, "[REDACTED:github-token]")):
        memory = open_core(session=session).remember(f"{SAID} {len(kept)}").memory_id
        assert core.show(memory).origin.session == kept
    [entry] = core.import_memories([{"content": SAID, "key": name}]).ids
    assert core.show(entry).key == name
    memory = core.store("Each berth has a name of its own", "semantic", {"berth": name}).memory_id
    assert core.show(memory).metadata["berth"] == "[REDACTED:high-entropy]"


def test_the_words_for_the_journal_say_kind_field_and_count_and_never_the_value(core):
    text = f"{TOKEN} {filled('gh' + 'p_{w36}', 2)}"
    memory = core.remember(f"Ours are {text}", tags=["a@b.io"]).memory_id
    assert reason_of(core, memory) == "redacted: content github-token ×2, tags email ×1"
    assert redact(reason_of(core, memory)).removed == ()
    assert "redacted" not in reason_of(core, core.remember(SAID).memory_id)


def test_a_secret_in_the_details_of_an_edit_is_one_secret(core):
    memory = core.store(SAID, "semantic", {"berth": "crane"}).memory_id
    core.edit(memory, details={"berth": TOKEN})
    assert core.history(memory)[0].reason == "redacted: details github-token ×1"


def test_an_import_says_what_was_taken_out_of_all_its_memories_together(core):
    given = [{"content": f"{SAID} {TOKEN} {number}", "tags": ["a@b.io"]} for number in range(2)]
    first, second = core.import_memories([*given, {"content": SAID}]).ids[1:]
    said = "redacted: content github-token ×2, tags email ×2"
    assert (reason_of(core, first), reason_of(core, second)) == (said, said)


JSON = st.recursive(
    st.one_of(
        st.none(), st.integers(-(2**53), 2**53), st.text(max_size=20), st.just(f"key {TOKEN}")
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)


FIELDS = st.dictionaries(st.sampled_from(["content", "details", "tags"]), JSON, max_size=3)


@pytest.mark.slow
@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(FIELDS, min_size=10, max_size=10))
def test_a_record_keeps_its_shape_and_passes_a_second_time_unchanged(core, records):
    """However a mapping is nested, none of its secrets is kept; ten of them are one import."""
    once = stored(core, records)
    assert TOKEN not in repr(once)
    assert [one.keys() for one in once] == [one.keys() for one in records]
    assert stored(core, once) == once


def stored(core, records):
    """What somebody gave memories, as it is kept."""
    items = [
        {"content": f"{SAID} {next(NUMBERS)}", "type": "semantic", "details": {"notes": fields}}
        for fields in records
    ]
    return [core.show(memory).metadata["notes"] for memory in core.import_memories(items).ids]


def test_counts_are_of_places(core):
    memory = core.remember(f"{TOKEN} and {TOKEN}, says a@b.io").memory_id
    assert reason_of(core, memory) == "redacted: content github-token ×2, content email ×1"


def test_letters_that_a_quoted_source_escapes_are_read():
    escaped = TOKEN.replace("g", "\\u0067", 1)
    assert redact(f'{{"token": "{escaped}"}}').value == '{"token": "[REDACTED:github-token]"}'
    assert redact('"\\u0070assword": "hunter2"').removed == ("password",)


def test_escapes_without_a_secret_stay_as_they_are(subtests):
    rows = ["\\u00e9t\\u00e9", "write \\u0041 for A", "\\u0022x\\u005c"]
    for text in rows:
        with subtests.test(text=text):
            assert redact(text) == Clean(text)


TEXT = f"mail me@corp.example, card 4111 1111 1111 1111, it was {filled('{w40}')} then, {TOKEN}"


@pytest.mark.parametrize(
    ("settings", "kept"),
    [
        ({}, set()),
        ({"entropy": False}, {"high-entropy"}),
        ({"emails": False}, {"email"}),
        ({"cards": False}, {"card-number"}),
        ({"keep_emails": [" Me@corp.example"]}, {"email"}),
        (
            {"entropy": False, "emails": False, "cards": False},
            {"high-entropy", "email", "card-number"},
        ),
    ],
)
def test_policy_decides_about_chance_addresses_and_cards_and_never_about_tokens(
    settings, kept, open_core, home_path
):
    written = [f"{name} = {json.dumps(value)}" for name, value in settings.items()]
    (home_path / "config.toml").write_text("\n".join(["[redaction]", *written]))
    everything = {"high-entropy", "email", "card-number", "github-token"}
    assert set(redact(TEXT).removed) == everything - kept
    core = open_core()
    memory = core.remember(TEXT).memory_id
    assert set(re.findall(r"content ([a-z-]+)", reason_of(core, memory))) == everything - kept


def test_a_repository_may_not_decide_what_may_be_written_down(open_core, tmp_path):
    folder = tmp_path / "acme"
    (folder / ".git").mkdir(parents=True)
    (folder / ".memdeck.toml").write_text("[redaction]\nemails = false\n")
    core = open_core(folder)
    [ignored] = core.settings_problems()
    assert "your own config.toml" in ignored.message
    assert "a@b.io" not in core.show(core.remember(f"{SAID}, asks a@b.io").memory_id).content


PLACES = [
    "<property><name>db.password</name><value>{}</value></property>",
    "X-Acme-Key: {}",
    "SECRET_KEY_BASE: {}",
    'TOKEN += "{}"',
    "$token .= '{}'",
    'API_TOKEN :::= "{}"',
    "client_secret: |\n    {}",
    "client_secret: >-\n    {}",
    "acmeToken,{},",
    "jdbc:oracle:thin:app/{}@db:1521/x",
    'ConvertTo-SecureString "{}" -AsPlainText -Force',
    'psk="{}"',
    "CREATE USER app IDENTIFIED WITH mysql_native_password BY '{}'",
    'echo "{}" | sudo -S ls',
    "htpasswd -bc .htpasswd me {}",
    'curl https://x.example.com -b "session={}"',
    "git clone https://x-access-token:{}@git.example.com/a/b",
]


def test_a_secret_is_known_by_further_places(subtests):
    for place in PLACES:
        with subtests.test(place=place):
            text = place.format(SECRET)
            before, after = place.split("{}")
            redacted = redact(text).value
            assert SECRET not in redacted
            assert redacted.startswith(before[:16])  # who the password is for may go with it
            assert redacted.endswith(after)


def test_further_texts_survive(subtests):
    rows = [
        'public_key = "' + filled("{w43}") + '=" is not secret',
        "order 4111111111111111 was shipped, id=4111111111111111",
        "password: vault:secret/data/app#key, password: op://vault/item/field",
        '{"concept": "season pass", "kind": "fact"}, ["password", "SMS code", "passkey"]',
        "user=parts['user'], password=parts['password'], scheme=parts['scheme'],",
        'TOKEN = "[a-zA-Z_][a-zA-Z0-9_-]*" and secret: /[^/]+[0-9]{4}/',
        "token,key,secret_manager_client_factory,",
        "the key: value pairs, password: see below",
    ]
    for text in rows:
        with subtests.test(text=text):
            assert redact(text) == Clean(text)
