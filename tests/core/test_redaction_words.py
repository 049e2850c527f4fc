"""Words that are no secrets though they stand beside "pass", "password" or "token", and secrets
that stand where such words do. Both sides come in by `memdeck redact`."""

from pathlib import Path

import pytest

from memdeck.core.redaction.redact import redact
from memdeck.tests.redacting import redact_all

WORDS = [
    "Integration tests pass: `make test`",
    "Unit tests pass: `pytest -q tests/unit`",
    "All tests pass: 412 passed, 3 skipped",
    "Checks pass: ruff, mypy, import-linter",
    "CI passes: https://ci.example.org/runs/8812",
    "CI passes: build#8812",
    "The build passes: `npm run build:prod`",
    "Lint passes: eslint@9",
    "Tests pass: test_login2 and test_logout2",
    "12 tests pass: all",
    "All 14 checks pass: a1b2c3d4e5",
    "The 12 tests pass: 9f8e7d6c",
    "The suite passes: py311,py312,py313",
    "Verified: integration tests pass: `docker compose run --rm web pytest -x`",
    "Smoke tests pass: `./scripts/smoke.sh --env=staging1`",
    'tests pass: "make check2"',
    "The typecheck pass: `tsc --noEmit`",
    "The pipeline passes: job42",
    'Both specs pass: "login_spec2"',
    "The password form is PasswordResetForm",
    "I can remove the password for the desk. Then I need a way to export/import data",
    "The password component is `PasswordField2`",
    "password: `PasswordField`",
    "The component for the password: PasswordInputV2",
    "The password PasswordResetForm validates the strength",
    "The password is checked by `PasswordStrengthMeter2`",
    "Use `passwordInput` for the password: `PasswordInput`",
    "Change the password - PasswordChangeDialog",
    "password -> PasswordEncoder",
    "The password: BCryptPasswordEncoder",
    "The secret is read by SecretManagerServiceClient",
    "The token: `JwtTokenProviderV2`",
    "The token is TokenRefreshInterceptorV2",
    "To reset a password: `rails users:reset_password[42]`",
    "Change your password: `passwd -e alice`",
    "Generate the password: `openssl rand -base64 24`",
    "The password is set with `ALTER USER app2 PASSWORD NULL`",
    "Create a token: `gh auth token --hostname github.example.org`",
    "the password: `make reset-password-2`",
    "Rotate the password: `make run local`",
    "GET /login?password=$DB_PASSWORD",
    "API token: 2024081712",
    "password is `kubectl get secret db2 -o jsonpath={.data}`",
    "The auth token: `AuthTokenInterceptor`",
    "The step passes: `cargo test --all-features`",
    "Verification passes: sha256sum",
    'CI pass: "e2e2"',
    "Our e2e tests now pass: 14/14",
    "Type checks pass: mypy2",
    "Regression test passes: test_42_pass",
    "The password: PasswordHasherV2 hashes it",
    "The tokens session:48517:cart used were counted twice",
    "tokens: sess_48517 had 12,000 of them",
    "The refresh token is req-77120 in the log",
    "session key: invoice-2024-00817",
    "signing key: kid-2024-03",
    "The model counts tokens: gpt-4o-mini",
    "auth: SCRAM-SHA-256",
    "auth method: OAuth2-PKCE",
    "secret name: api-tls-2024",
    "The webhook secret `stripe-hook-v3` is mounted",
    "Password policy: min12chars",
    "Password storage: PBKDF2-SHA512",
    "Password reset: PR-1182",
    "password manager: 1Password8",
    "password hashing: argon2id-v19",
    "pass rate: 98.2pct",
    'revoke it with token_for("job-20391")',
    "The key arn:aws:kms:us-east-1:123456789012:key/b7f645cb-e564-4981-8672-9e012d1ff1a0 signs",
    "read arn:aws:secretsmanager:us-west-2:123456789012:secret:harbor-db-a1b2c3",
]
"""Texts that stay as they are."""

SECRETS = [
    ("pass: hunter2", "hunter2"),
    ("password: CorrectHorseBattery9!", "CorrectHorseBattery9!"),
    ("password: SuperSecret", "SuperSecret"),
    ('password = "SuperSecretPass"', "SuperSecretPass"),
    ("DB_PASSWORD=SuperSecretPass", "SuperSecretPass"),
    ("PASSWORD=CorrectHorseBattery", "CorrectHorseBattery"),
    ("password: 'CorrectHorseBattery'", "CorrectHorseBattery"),
    ('"password": "PasswordField"', "PasswordField"),
    ("password: `hunter2`", "hunter2"),
    ("The password is `hunter2`", "hunter2"),
    ("The password is `Tr0ub4dor&3`", "Tr0ub4dor&3"),
    ("The password is hunter2", "hunter2"),
    ("password: `CorrectHorseBattery9!`", "CorrectHorseBattery9!"),
    ("pass: `s3cr3t-Pa55`", "s3cr3t-Pa55"),
    ("user: admin, pass: hunter2", "hunter2"),
    ("admin pass: Winter2024", "Winter2024"),
    ('wifi pass: "blue horse 42 staple"', "blue horse 42 staple"),
    ("pass=hunter2", "hunter2"),
    ("login root pass: toor99", "toor99"),
    ("The test user's password: Winter2024!", "Winter2024!"),
    ("test password: hunter2", "hunter2"),
    ("tests use the password: hunter2", "hunter2"),
    ("test pass: hunter2", "hunter2"),
    ("CI pass: Xk9vQ2mT7wLp", "Xk9vQ2mT7wLp"),
    ("CI_PASS=hunter2x", "hunter2x"),
    ("DB_PASSWORD_PROD=hunter2x", "hunter2x"),
    ('password is "zebrakite"', "zebrakite"),
    ('password is "a&b!c"', "a&b!c"),
    ("api_key = q7Zk2mXv91bTw4Lp8-my", "q7Zk2mXv91bTw4Lp8"),
    ("deploy --token q7Zk2mXv91bT now", "q7Zk2mXv91bT"),
    (f"{'hunter2!' * 11} is the password for staging", "hunter2"),
    ("ci.pass: hunter2x", "hunter2x"),
    ("TEST_PASS=hunter2x", "hunter2x"),
    ("The test account's pass: hunter2", "hunter2"),
    ("passwd: Sommer2024", "Sommer2024"),
    ("Das Passwort ist Sommer2024", "Sommer2024"),
    ("contraseña: Verano2024", "Verano2024"),
    ("The database password is Zebra7Kite", "Zebra7Kite"),
    ("the password: `correct horse battery staple`", "correct horse battery staple"),
    ("passphrase: `correct horse battery staple`", "correct horse battery staple"),
    ("password: PasswordXk9vQ2mT7", "PasswordXk9vQ2mT7"),
    ("log in with user admin and pass hunter2x", "hunter2x"),
    ("sshpass -p hunter2x ssh root@db", "hunter2x"),
    ("tests pass with password: hunter2", "hunter2"),
    ("Checks pass: ok, db password: hunter2", "hunter2"),
    ("password: `curl -u admin:hunter2x https://api.example.org`", "hunter2x"),
    ("password: `mysql -u root -phunter2x shop`", "hunter2x"),
    ("password: `mysql --password=hunter2x shop`", "hunter2x"),
    ("password: `htpasswd -b .htpasswd alice hunter2x`", "hunter2x"),
    ("password: `sshpass -p hunter2x ssh root@db`", "hunter2x"),
    ("password: `docker run -e DB_PASSWORD=hunter2x shop`", "hunter2x"),
    ("password: `make correct horse battery`", "correct horse battery"),
    ("password: `go Tr0ub4dor&3`", "Tr0ub4dor&3"),
    ("tests pass: `PGPASSWORD=hunter2x make test`", "hunter2x"),
    ("hasło: Zima2024", "Zima2024"),
    ("PASSWORD=PasswordField", "PasswordField"),
    ('password: "PasswordField"', "PasswordField"),
    ("password = PasswordField", "PasswordField"),
    ("password: SecretPassword", "SecretPassword"),
    ("password: MySecretToken9", "MySecretToken9"),
    ("The API token: `Xk9vQ2mT7wLpRz4B`", "Xk9vQ2mT7wLpRz4B"),
    ("pwd: Monkey123", "Monkey123"),
    ("password: MyDogIsCalledRex1", "MyDogIsCalledRex1"),
    ("The password for the staging database: Quay!417", "Quay!417"),
    ("token for the runner: q7Zk2mXv91bT", "q7Zk2mXv91bT"),
    ("The webhook secret `q7Zk2mXv91bTw4` is mounted", "q7Zk2mXv91bTw4"),
    ("auth token q7Zk2mXv91bTw4Lp works", "q7Zk2mXv91bTw4Lp"),
    ("access key k3x9p2m7q8w4z1c6", "k3x9p2m7q8w4z1c6"),
    ("API token: 8849201-kqzvbnmxr", "8849201-kqzvbnmxr"),
    ("API_TOKEN=chat-20391", "chat-20391"),
    ("password root: hunter2x", "hunter2x"),
    ("arn:aws:iam::123456789012:user/deploy password: hunter2x", "hunter2x"),
]
"""Texts, each with the secret in it that must go."""


@pytest.fixture(scope="module")
def redacted():
    """What `memdeck redact --jsonl` makes of all the texts."""
    texts = [*WORDS, *(text for text, _ in SECRETS)]
    return {text: clean.value for text, clean in zip(texts, redact_all(texts), strict=True)}


def test_a_verdict_a_component_and_a_command_are_no_passwords(redacted, subtests):
    for text in WORDS:
        with subtests.test(text=text):
            assert redacted[text] == text


def test_a_password_goes_wherever_it_stands(redacted, subtests):
    for text, secret in SECRETS:
        with subtests.test(text=text, secret=secret):
            assert secret not in redacted[text]
            assert "[REDACTED:" in redacted[text]


CORPORA = Path(__file__).parent / "corpora"  # sentences, and the credentials in the first ones


def test_a_credential_that_a_sentence_names_goes_in_any_language(subtests):
    for line in (CORPORA / "credentials_in_sentences.txt").read_text("utf-8").splitlines():
        sentence, _, secret = line.rpartition("|")
        with subtests.test(text=sentence):
            assert secret not in redact(sentence).value
    for sentence in (CORPORA / "credentials_spoken_of.txt").read_text("utf-8").splitlines():
        with subtests.test(text=sentence):
            assert redact(sentence).value == sentence
