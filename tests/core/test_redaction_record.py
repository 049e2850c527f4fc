"""The fields of one record are redacted together, counted, and put into words without a secret."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdeck.benchmarks.redaction_vectors import filled
from memdeck.core.config.policy import Policy
from memdeck.core.config.settings import read_settings
from memdeck.core.redaction.record import redact_record, worded
from memdeck.core.redaction.redact import Choice, CleanText, redact, redact_together

SECRET = filled("{w18}7x")
TOKEN = filled("gh" + "p_{w36}")


def test_what_one_field_gives_away_goes_from_all():
    made = redact_record(
        {
            "content": f"the password is {SECRET} since today",
            "title": f"{SECRET} since today",
            "tags": ["ops", SECRET],
            "details": {"steps": [f"type {SECRET}"], "count": 3, "done": None},
        }
    )
    assert made.fields == {
        "content": "the password is [REDACTED:password] since today",
        "title": "[REDACTED:password] since today",
        "tags": ["ops", "[REDACTED:password]"],
        "details": {"steps": ["type [REDACTED:password]"], "count": 3, "done": None},
    }
    assert made.counts == {
        ("content", "password"): 1,
        ("title", "password"): 1,
        ("tags", "password"): 1,
        ("details", "password"): 1,
    }
    assert made.removed == ("password",)


def test_nothing_spreads_from_one_record_to_another():
    first, second = redact_together(["nothing here", "the password is hunter2"])
    assert first == CleanText("nothing here")
    assert redact_record({"title": "hunter2"}).fields == {"title": "hunter2"}
    assert second.removed == ("password",)


def test_a_key_says_what_its_value_is_and_is_a_text_itself():
    made = redact_record({"context": {"db_password": "hunter2", "port": "5432", TOKEN: "x"}})
    assert made.fields["context"] == {
        "db_password": "[REDACTED:password]",
        "port": "5432",
        "[REDACTED:github-token]": "x",
    }


@pytest.mark.parametrize("value", ['say "hunter2"', "two\nlines", "back\\slash", ""])
def test_a_value_that_cannot_be_quoted_is_left_to_the_other_rules(value):
    assert redact_record({"context": {"password": value}}).fields["context"]["password"] == value


def test_names_that_others_gave_may_be_random():
    name = filled("{w40}")
    assert redact_record({"session": name}, names={"session"}).counts == {}
    assert redact_record({"context": {"session": name}}, names={"session"}).counts == {}
    assert redact_record({"session": name}).counts == {("session", "high-entropy"): 1}
    assert redact_record({"session": TOKEN}, names={"session"}).removed == ("github-token",)


def test_the_words_for_the_journal_say_kind_field_and_count_and_never_the_value():
    made = redact_record({"content": f"{TOKEN} {filled('gh' + 'p_{w36}', 2)}", "tags": ["a@b.io"]})
    assert worded(made.counts) == "redacted: content github-token ×2, tags email ×1"
    assert worded({}) == ""
    assert redact(worded(made.counts)).removed == ()


JSON = st.recursive(
    st.one_of(st.none(), st.integers(), st.text(max_size=20), st.just(f"key {TOKEN}")),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)


@pytest.mark.slow
@given(st.dictionaries(st.sampled_from(["content", "details", "tags"]), JSON, max_size=3))
def test_a_record_keeps_its_shape_and_passes_a_second_time_unchanged(fields):
    once = redact_record(fields)
    again = redact_record(once.fields)
    assert TOKEN not in repr(once.fields)
    assert once.fields.keys() == fields.keys()
    assert again.fields == once.fields
    assert (once.counts != {}) is (TOKEN in repr(fields)) or once.counts


def test_counts_are_of_places():
    assert redact(f"{TOKEN} and {TOKEN}, a@b.io").counts == (("github-token", 2), ("email", 1))


def test_letters_that_a_quoted_source_escapes_are_read():
    escaped = TOKEN.replace("g", "\\u0067", 1)
    assert redact(f'{{"token": "{escaped}"}}').value == '{"token": "[REDACTED:github-token]"}'
    assert redact('"\\u0070assword": "hunter2"').removed == ("password",)


@pytest.mark.parametrize("text", ["\\u00e9t\\u00e9", "write \\u0041 for A", "\\u0022x\\u005c"])
def test_escapes_without_a_secret_stay_as_they_are(text):
    assert redact(text) == CleanText(text)


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
def test_policy_decides_about_chance_addresses_and_cards_and_never_about_tokens(settings, kept):
    choice = Policy.model_validate({"redaction": settings}).redaction.choice()
    everything = {"high-entropy", "email", "card-number", "github-token"}
    assert set(redact(TEXT, choice=choice).removed) == everything - kept
    assert set(redact_together([TEXT], choice=choice)[0].removed) == everything - kept
    assert set(redact_record({"content": TEXT}, choice=choice).removed) == everything - kept


def test_a_repository_may_not_decide_what_may_be_written_down(tmp_path):
    path = tmp_path / ".memdeck.toml"
    path.write_text("[redaction]\nemails = false\n")
    known, [ignored] = read_settings(str(path), is_project=True)
    assert known == {}
    assert "your own config.toml" in ignored.message
    assert read_settings(str(path)) == ({"redaction": {"emails": False}}, [])


def test_a_choice_is_narrowed_by_what_a_caller_gives():
    choice = Choice(keep_emails=frozenset({"a@corp.example"}))
    text = "a@corp.example b@corp.example"
    assert redact(text, choice=choice, keep_emails=["b@corp.example"]) == CleanText(text)
    assert (
        redact(TEXT, use_entropy=False, choice=choice).removed
        == redact(TEXT, use_entropy=False).removed
    )


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


@pytest.mark.parametrize("place", PLACES)
def test_a_secret_is_known_by_further_places(place):
    text = place.format(SECRET)
    before, after = place.split("{}")
    redacted = redact(text).value
    assert SECRET not in redacted
    assert redacted.startswith(before[:16])  # who the password is for may go with it
    assert redacted.endswith(after)


@pytest.mark.parametrize(
    "text",
    [
        'public_key = "' + filled("{w43}") + '=" is not secret',
        "order 4111111111111111 was shipped, id=4111111111111111",
        "password: vault:secret/data/app#key, password: op://vault/item/field",
        '{"concept": "season pass", "kind": "fact"}, ["password", "SMS code", "passkey"]',
        "user=parts['user'], password=parts['password'], scheme=parts['scheme'],",
        'TOKEN = "[a-zA-Z_][a-zA-Z0-9_-]*" and secret: /[^/]+[0-9]{4}/',
        "token,key,secret_manager_client_factory,",
        "the key: value pairs, password: see below",
    ],
)
def test_further_texts_survive(text):
    assert redact(text) == CleanText(text)
