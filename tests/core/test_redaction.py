"""Secrets are taken out, and nothing else is.

No secret is written here as it stands: each is put together from a mark and a body drawn from a
seed, so that scanners of this repository find nothing to complain about.
"""

import random
import re
import string
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from memdeck.tests.redacting import Clean, redact, redact_all

ALPHABETS = {
    "w": string.ascii_letters + string.digits,
    "b": string.ascii_letters + string.digits + "-_",
    "h": string.digits + "abcdef",
    "u": string.ascii_uppercase + string.digits,
    "l": string.ascii_lowercase + string.digits,
    "d": string.digits,
}


def filled(template, seed=1):
    """`template` with {w36} as 36 random letters and digits, {h..} hex, {u..} upper case, ..."""
    draw = random.Random(f"{template}{seed}")

    def body(match):
        if match[1] == "U":
            return "-".join("".join(draw.choices(ALPHABETS["h"], k=n)) for n in (8, 4, 4, 4, 12))
        letters = draw.choices(ALPHABETS["w"], k=1) + draw.choices(
            ALPHABETS[match[1]], k=int(match[2]) - 2
        )
        ends = ALPHABETS[match[1] if match[1] in "huld" else "w"]
        letters[0] = draw.choice(ends)
        return "".join([*letters, draw.choice(ends)])

    return re.sub(r"\{([whbuldU])(\d*)\}", body, template)


CORPUS = Path(__file__).parent / "corpora" / "marked_tokens.txt"
VECTORS = [
    tuple(line.split(" ")) for line in CORPUS.read_text("utf-8").splitlines() if line[0] != "#"
]


def test_a_marked_token_is_taken_out_wherever_it_stands(subtests):
    """Every row of the corpus, by one `memdeck redact --jsonl`."""
    for place in ["{}", "Use {} on staging.", "`{}`", "\\n{}\\n", "x={}, y", "({})"]:
        with subtests.test(place=place):
            cleaned = redact_all(place.format(filled(template)) for _, template in VECTORS)
            left = {
                kind: clean
                for (kind, _), clean in zip(VECTORS, cleaned, strict=True)
                if clean != (place.format(f"[REDACTED:{kind}]"), (kind,))
            }
            assert left == {}


def test_what_only_begins_like_an_access_key_is_none(subtests):
    rows = ["ghp_{w35}-{w36}", "AKIA{u15}", "AKIA{u17}", "xAKIA{u16}"]
    for template in rows:
        with subtests.test(template=template):
            assert "aws-access-key" not in redact(filled(template)).removed


BODY = "\n".join(filled("{w64}", seed) for seed in range(5))


def test_a_private_key_goes_to_its_end(subtests):
    for kind in ["RSA ", "EC ", "OPENSSH ", "ENCRYPTED ", ""]:
        with subtests.test(kind=kind):
            mark = f"{kind}PRIVATE KEY-----"
            text = f"key:\n-----BEGIN {mark}\n{BODY}\n-----END {mark}\nrest"
            assert redact(text).value == "key:\n[REDACTED:private-key]\nrest"


def test_a_private_key_without_its_end_goes_to_the_end_of_the_text(subtests):
    for newline in ["\n", "\\n", "\r\n", ""]:
        with subtests.test(newline=newline):
            text = "a -----BEGIN PRIVATE KEY-----" + newline + BODY.replace("\n", newline)[:150]
            assert redact(text) == Clean("a [REDACTED:private-key]", ("private-key",))


def test_a_private_key_without_its_beginning_goes_too():
    text = f"{BODY[100:]}\n-----END RSA PRIVATE KEY-----\nand more"
    assert redact(text).value == "[REDACTED:private-key]\nand more"


def test_a_pgp_and_a_putty_key_are_private_keys():
    pgp = f"-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n{BODY}\n-----END PGP PRIVATE KEY BLOCK-----"
    putty = f"PuTTY-User-Key-File-3: ssh-rsa\n{BODY}\nPrivate-MAC: {filled('{h64}')}"
    assert redact(pgp).value == redact(putty).value == "[REDACTED:private-key]"


def test_a_mention_a_certificate_and_a_public_key_stay(subtests):
    rows = [
        "It starts with -----BEGIN RSA PRIVATE KEY----- and is kept in ~/.ssh",
        f"-----BEGIN CERTIFICATE-----\nMIID{BODY}\n-----END CERTIFICATE-----",
        f"-----BEGIN PUBLIC KEY-----\nMIIB{BODY}\n-----END PUBLIC KEY-----",
        "argon2 is the password hash, Keycloak26 as the token provider",
        "Das Passwort wird gehasht. La clave foránea es pedido_id3. 密码为空时返回401",
        "パスワードは8文字以上にする。 The admin login is at /admin/login2.",
    ]
    for text in rows:
        with subtests.test(text=text):
            assert redact(text).value == text


SECRET = filled("{w24}")
CONTEXTS = [
    "postgres://app:{}@db.internal:5432/app|url-credentials",
    "mongodb+srv://u1:{}@cluster0.mongodb.net/x|url-credentials",
    "redis://:{}@cache:6379/0|url-credentials",
    "https://{}@github.com/org/repo.git|url-credentials",
    "https://api.example.com/v1?access_token={}&page=2|url-credentials",
    "Authorization: Bearer {}|authorization",
    '"authorization": "Basic {}=="|authorization',
    "curl -H 'Authorization: token {}' https://x.io|authorization",
    "x-api-key: {}|api-key",
    "X-Auth-Token: {}|token",
    "PRIVATE-TOKEN: {}|token",
    "Ocp-Apim-Subscription-Key: {}|api-key",
    "Cookie: theme=dark; sessionid={}|cookie",
    "Set-Cookie: sid={}; Path=/; HttpOnly|cookie",
    "deploy --password {} --force|password",
    "deploy --db-password='{}'|password",
    "gh auth login --token {}|password",
    "mysql -u root -p{} shop|password",
    "sshpass -p {} ssh root@host|password",
    "curl -u admin:{} https://x.io|password",
    "docker login -u me -p {} images.example.org|password",
    "redis-cli -h cache -a {} ping|password",
    "machine x.io login me password {}|password",
    "db.internal:5432:shop:app:{}|password",
    "CREATE USER app IDENTIFIED BY '{}'|password",
    "Server=db;User Id=sa;Password={};Encrypt=yes|password",
    "host=db user=app password={} dbname=shop|password",
    "https://hooks.slack.com/services/T00AAAAAA/B00BBBBBB/{}|slack-webhook",
    "//npm.example.org/:_authToken={}|token",
]


def test_a_secret_is_known_by_its_place_and_the_text_around_it_stays(subtests):
    for context in CONTEXTS:
        with subtests.test(context=context):
            template, kind = context.rsplit("|", 1)

            redacted = redact(template.format(SECRET))

            assert SECRET not in redacted.value
            assert redacted.removed == (kind,)
            first_word = re.match(r"[\w-]+", template)
            assert first_word is None or first_word[0] in redacted.value


FORMS = """{n} = "{v}"|{n}={v}|{n}: {v}|"{n}": "{v}"|'{n}' => '{v}'|{n} := `{v}`|<{n}>{v}</{n}>
<{n}>~  {v}~</{n}>|<key>{n}</key>~<string>{v}</string>|\\"{n}\\": \\"{v}\\"|set{n}("{v}")
const {n}: string = "{v}";|var {n} string = "{v}"|- name: {n}~  value: {v}|put("{n}", "{v}")
The {n} is {v}.|{n} for staging is {v}|{n} (staging): {v}|{n} - {v}|$env:{n} = "{v}"|-D{n}={v}
<add key="{n}" value="{v}"/>|{n} ?= {v}|a={v}&{n}={v}|use {n} {v} here|\t{n}\t{v}"""
NAMES = ["api_key", "clientSecret", "AUTH_TOKEN", "secretKey", "db.password", "algolia-admin-key"]


def test_a_value_is_known_by_its_name_in_every_notation():
    rows = []
    for name in NAMES:
        for form in FORMS.replace("\n", "|").split("|"):
            for template in ("{w24}", "{h32}", "{U}", "{l28}"):
                secret = filled(template, seed=7)
                rows.append((secret, form.replace("~", "\n").format(n=name, v=secret)))
    cleaned = redact_all(text for _, text in rows)
    pairs = zip(rows, cleaned, strict=True)
    assert [text for (secret, text), clean in pairs if secret in clean.value] == []


def test_a_password_need_not_look_generated():
    forms = (
        "password: {}",
        "PASSWORD={}",
        '"passwd": "{}"',
        "the password is {}",
        "Passwort: {}",
        "密码：{}",
        "密码改成{}了",
        "{} is the password for staging",
        "use {} as the db password",
        "the db pass was changed to {} today",
        "le mdp du serveur c'est {}",
        "비번: {}",
        "पासवर्ड {} रखा है",
        "رمز عبور {} است",
        "пароль теперь {}",
        "| password | {} |",
        "creds: admin / {}",
        "postgres://admin:{}@db/x",
    )
    for password in ["hunter2", "P@ssw0rd!", "Tr0ub4dor&3", "Winter2024"]:
        cleaned = redact_all(form.format(password) for form in forms)
        assert [clean for clean in cleaned if password.strip("!") in clean.value] == []


def test_a_name_tells_whether_its_value_is_secret(subtests):
    rows = [
        ("DB_PASSWORD", "password"),
        ("dbPassword", "password"),
        ("api token", "token"),
        ("api key", "api-key"),
        ("STRIPE_SECRET", "secret"),
        ("public_key", None),
        ("public key", None),
        ("max_tokens", None),
        ("csrf_token", None),
        ("token_url", None),
        ("secret_id", None),
        ("password_policy", None),
        ("tokenizer", None),
        ("author", None),
    ]
    for name, kind in rows:
        with subtests.test(name=name):
            value = filled("{w19}7")  # too short to be taken for its own sake
            taken = (f"[REDACTED:{kind}]", (kind,)) if kind else (value, ())
            assert redact(f"{name} = {value}") == (f"{name} = {taken[0]}", taken[1])


SURVIVORS = r"""
commit 3f2a9c81d4e5b6a7c8d9e0f1a2b3c4d5e6f7a8b9 fixed the login bug
The build id is 550e8400-e29b-41d4-a716-446655440000
docker pull nginx@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
golang.org/x/sys v0.15.0 h1:h48lPFYpsTvQJZF4EKyI4aLHaev3CxivZmRwTy3hT5c=
"integrity": "sha512-oGHPyjmjzaaf3WvcJ1lVnuLDVdOjA+4EYWlRfmKZsWuxXXB6u6pJrCSkkiQpHGTIUzLBRNYfJ=="
import { useInfiniteQueryWithPagination } from '@tanstack/react-query'
src/components/UserProfileSettings/AccountPreferencesPanel.tsx
linked from /opt/B7x/Q2k/Zr9/w4M/t8L/Jc1/h5V
test_the_user_cannot_log_in_with_a_wrong_password_twice
getUserAccountPreferencesByOrganizationIdentifier is slow
AbstractSingletonProxyFactoryBean and SimpleBeanFactoryAwareAspectInstanceFactory
https://docs.google.com/document/d/1yrYZJ2twrbpUuScbo3rmN_v-Jfv6d2tO74nCT6PcpxI/edit
https://github.com/org/repo/blob/main/src/index.ts?plain=1#L10-L20
http://localhost:4873/@scope/pkg
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJkNfCtLz6pJHk9pLrm1mM3yCk7rVb2TnZcYh9hQk3sL
data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4
toolu_01A09q90qw90lq917835lq9 and msg_01XFDUDYJgAACzvnptvVoYEL
vendors~app.4e5f6a7b8c9d.js and main.8f3a2b1c.chunk.js
cache_key: node-modules-v1-abc123def456abc123def456
class="flex items-center justify-between px-4 py-2 bg-slate-900 hover:bg-slate-700"
primary_key=True, max_tokens: 4096, token_url: https://auth.example.com/oauth/token
password: str = Field(min_length=12)
password=os.environ["DB_PASSWORD"]
password = getpass.getpass()
token: ${{ secrets.GITHUB_TOKEN }}
Authorization: Bearer $TOKEN
Authorization: Bearer <token>
postgres://${DB_USER}:${DB_PASS}@db/app
postgres://user:password@localhost:5432/db
api_key = "your-api-key-here"
OPENAI_API_KEY=sk-...
GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
password: ********, password: changeme, password: <password>
The password must be at least 12 characters and hashed with bcrypt
The token is stored in Redis and expires after 15 minutes
We decided that the API key is rotated every 90 days
secretKeyRef: {name: db-creds, key: password}
docker run -p 8080:80 --user 1000:1000 nginx:1.25.3-alpine
mysql -u root -p shop
docker login -u me --password-stdin < token.txt
arn:aws:iam::123456789012:role/MyDeploymentRoleForProduction
trace_id=4bf92f3577b34da6a3ce929d0e0e4736 span 00f067aa0ba902b7
Cookie: theme=dark; lang=en
12 tests pass: all, 3 fail: none
order 1234567890123452, timestamp 1700000000000000
"""


def test_what_agents_must_remember_survives():
    texts = SURVIVORS.strip().splitlines()
    assert redact_all(texts) == [Clean(text) for text in texts]


def test_a_value_found_again_is_taken_out_everywhere():
    secret = filled("{w10}7x")
    text = f'login("{secret}") failed; the password is {secret}, not {secret}2; retry {secret}.'

    assert redact(text).value == (
        'login("[REDACTED:password]") failed; the password is [REDACTED:password], '
        f"not {secret}2; retry [REDACTED:password]."
    )


def test_what_follows_a_value_stays():
    cleaned = redact("DB_PASSWORD=hunter2x;USER=admin").value
    assert cleaned == "DB_PASSWORD=[REDACTED:password];USER=admin"


def test_a_plain_word_that_was_a_password_stays_a_word():
    assert redact("PASSWORD=summer\nwe ship in summer").value.endswith("we ship in summer")
    assert redact("PASSWORD=SUmmer\nwe ship in SUmmer").value.endswith("in [REDACTED:password]")


def test_random_strings_count_from_21_to_512_characters(subtests):
    rows = [(20, False), (21, True), (512, True), (513, False)]
    for length, is_taken in rows:
        with subtests.test(length=length):
            value = filled(f"{{w{length}}}", seed=11)  # which has no word in it
            assert (redact(f"it was {value} then").removed == ("high-entropy",)) is is_taken
    for part, is_taken in [("kqx", True), ("Words", True), ("words", False)]:  # a path has words
        with subtests.test(part=part):
            value = f"{filled('{w24}', 3)}/{part}/{filled('{w24}', 4)}"
            assert (redact(f"it was {value} then").removed == ("high-entropy",)) is is_taken


def test_what_is_announced_as_public_is_no_secret(subtests):
    for word in ["sha256", "integrity", "etag:", "commit", "id =", "public"]:
        with subtests.test(word=word):
            text = f"{word} {filled('{w40}')}"
            assert redact(text) == Clean(text)


def test_an_address_is_taken_out(subtests):
    rows = [
        "ask alice@corp.com",
        "<bob@example.com>",
        "a.b+c@sub.example.co.uk;",
        "müller@example.de",
        "ops@mail.service.com",
    ]
    for text in rows:
        with subtests.test(text=text):
            assert redact(text).removed == ("email",)
            assert "@" not in redact(text).value


def test_what_only_looks_like_an_address_stays(subtests):
    rows = [
        "git@github.com:org/repo.git",
        "react@18.2.0 and pkg@1.2.3-beta.rc",
        "uses: actions/checkout@v4",
        "@pytest.fixture and @app.route",
        "nginx@sha256:abc",
        "icon@2x.png and getty@tty1.service",
        "ssh deploy@prod.example.com",
        "scp x deploy@prod.example.com:/srv",
        "Co-authored-by: Claude <noreply@anthropic.com>",
        "12+me@users.noreply.github.com",
    ]
    for text in rows:
        with subtests.test(text=text):
            assert redact(text) == Clean(text)


def test_card_numbers_are_checked_by_their_sum():
    assert redact("card 4111 1111 1111 1111.").removed == ("card-number",)
    assert redact("card 4111 1111 1111 1112.").removed == ()


def test_an_invisible_character_hides_no_token(subtests):
    for hidden in ["\u200b", "\u00ad", "\x1b[1m", "\ufe0f", "\u2060", "\U000e0041"]:
        with subtests.test(hidden=hidden):
            secret = filled("ghp_{w36}")
            assert redact(secret[:9] + hidden + secret[9:]).value == "[REDACTED:github-token]"


def test_only_a_known_marker_is_left_alone():
    secret = filled("ghp_{w36}")
    assert redact("[REDACTED:github-token]").removed == ()
    assert redact(f"[REDACTED:{secret}]").value == "[REDACTED:[REDACTED:github-token]]"


def test_kinds_are_named_once_and_never_hold_a_secret():
    text = f"{filled('ghp_{w36}')} {filled('ghp_{w36}', 2)} a@b.io"
    assert redact(text).removed == ("github-token", "email")


FRAGMENTS = r"""password token = : , ; & :// @ key ' " ( ) { < | [REDACTED:email] [REDACTED:x]
Bearer --password é \n 1 a. -----BEGIN~RSA~PRIVATE~KEY----- -----END~RSA~PRIVATE~KEY----- cookie:
id sha256:"""
PIECES = st.one_of(
    st.sampled_from([template for _, template in VECTORS]).map(filled),
    st.sampled_from([context.rsplit("|", 1)[0].format(SECRET) for context in CONTEXTS]),
    st.sampled_from([" ", "\n", " is ", "\u0301", "\u200d"]),
    st.sampled_from(FRAGMENTS.replace("~", " ").split()),
    st.text(max_size=12),
)


@settings(max_examples=3)
@given(st.lists(st.lists(PIECES, max_size=8).map("".join), min_size=20, max_size=20))
def test_redacting_again_changes_nothing(texts):
    """Sixty texts, twenty of them by one command."""
    once = [clean.value for clean in redact_all(texts)]
    assert redact_all(once) == [Clean(text) for text in once]


def test_no_rule_is_compiled_before_it_is_needed(run_python):
    compiled = run_python(
        "import memdeck.core.redaction.redact as r; from memdeck.core.redaction.shapes"
        " import pattern; print(pattern.cache_info().currsize); r.redact('a plain note');"
        " print(pattern.cache_info().currsize < 20)"
    )
    assert compiled.split() == ["0", "True"]
