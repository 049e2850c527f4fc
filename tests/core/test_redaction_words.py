"""Words that are no secrets though they stand beside "pass", "password" or "token", and secrets
that stand where such words do. Both sides come in by `memdeck redact`."""

import json

import pytest
from click.testing import CliRunner

from memdeck.cli.main import run
from memdeck.core.redaction.redact import redact

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
    lines = "\n".join(json.dumps({"id": text, "text": text}) for text in texts)
    with CliRunner().isolation(input=lines) as (out, _, _):
        assert run(["redact", "--jsonl"]) == 0
        told = out.getvalue().decode()
    return {line["id"]: line["text"] for line in map(json.loads, told.splitlines())}


def test_a_verdict_a_component_and_a_command_are_no_passwords(redacted, subtests):
    for text in WORDS:
        with subtests.test(text=text):
            assert redacted[text] == text


def test_a_password_goes_wherever_it_stands(redacted, subtests):
    for text, secret in SECRETS:
        with subtests.test(text=text, secret=secret):
            assert secret not in redacted[text]
            assert "[REDACTED:" in redacted[text]


NAMED_IN_A_SENTENCE = """
my API key is sk-abc123|sk-abc123
the API key is 9f8a7c2e|9f8a7c2e
our token is qwerty123456|qwerty123456
client secret: mango-lassi-42|mango-lassi
the db password is "correct horse battery"|correct horse
Das Passwort lautet Sommer2024!|Sommer2024
curl -H "X-Api-Key: 0123abcd" https://x.example|0123abcd
SECRET_KEY = 'django-insecure-abc'|django-insecure
The password is hunter2, please keep it.|hunter2
My password is letmein99|letmein99
The staging password is now Winter2025|Winter2025
Our wifi password: blaubeere77|blaubeere77
Der API-Key ist 7hf83kd9|7hf83kd9
Das Kennwort ist Regenbogen7|Regenbogen7
Unser Token lautet zz81kq55aa|zz81kq55aa
El token es abcd1234efgh|abcd1234efgh
La contraseña es Verano2024|Verano2024
mi clave de API es k3y99881|k3y99881
Le mot de passe est Soleil2024|Soleil2024
la clé API est 8d7f6a5b4c|8d7f6a5b4c
mon jeton est tok12345abc|tok12345abc
A senha é Carnaval2024|Carnaval2024
o token é abc987xyz654|abc987xyz654
La password è Estate2024!|Estate2024
la chiave API è 55aa66bb77|55aa66bb77
Пароль: Осень2024|Осень2024
токен — abc123qwe456|abc123qwe456
密码是hunter2024|hunter2024
密码是 夏天2024|夏天2024
令牌是 abc123def456|abc123def456
API密钥是sk123abc456|sk123abc456
パスワードはnatsu2024です|natsu2024
トークンは abc123xyz789 です|abc123xyz789
비밀번호는 yeoreum2024 입니다|yeoreum2024
토큰은 abc123def456|abc123def456
Hasło to Lato2024|Lato2024
hasło do bazy: Zima2024!|Zima2024
Het wachtwoord is Zomer2024|Zomer2024
Lösenordet är Sommar2024|Sommar2024
Şifre: Yaz2024!|Yaz2024
parola este Vara2024|Vara2024
كلمة المرور هي صيف2024|صيف2024
كلمة السر: Saif2024|Saif2024
पासवर्ड है garmi2024|garmi2024
सांकेतिक शब्द: garmi2024|garmi2024
Mật khẩu là MuaHe2024|MuaHe2024
Kata sandi adalah Panas2024|Panas2024
рассылка: ключ API — 9f8a7c2e11|9f8a7c2e11
пароль до сервера: Весна2024|Весна2024
Heslo je Leto2024|Leto2024
Salasana on Kesa2024|Kesa2024
Adgangskoden er Sommer2024|Sommer2024
הסיסמה היא kayitz2024|kayitz2024
รหัสผ่านคือ ronron2024|ronron2024
Пароль — Літо2024|Літо2024
Ο κωδικός είναι Kalokairi2024|Kalokairi2024
the passphrase is "blue door nine"|blue door nine
the admin login is admin / Tr0ub4dor|Tr0ub4dor
export GITHUB_TOKEN=abcd1234efgh5678|abcd1234efgh5678
My secret key is 7x9k2m4p|7x9k2m4p
our webhook secret is wh-9912-aabb|wh-9912-aabb
"api_key": "abc12345"|abc12345
the access key is AK98ZX76|AK98ZX76
PIN is 4711 and the password is Pa$$w0rd|Pa$$w0rd
La contraseña de la base de datos es Tr0ub4dor|Tr0ub4dor
le mot de passe de l'utilisateur admin de la recette est Soleil2024|Soleil2024
the password of the service account for billing is Winter2025|Winter2025
le mot de passe du compte de recette est Soleil2024|Soleil2024
the password for the admin of staging is Winter2025|Winter2025
veritabanı şifresi kanarie77|kanarie77
пароль от базы qwerty777|qwerty777
kata sandinya Panas2024|Panas2024
A jelszó Nyar2024|Nyar2024
הסיסמה לשרת kayitz2024|kayitz2024
Login for staging is admin / Tr0ub4dor|Tr0ub4dor
Zugangsdaten für den Testserver: tester / Sommer2024|Sommer2024
les identifiants de la recette sont admin / Soleil2024|Soleil2024
"""  # a sentence, and the credential in it
SPOKEN_OF = """
the password is stored hashed
the token is refreshed hourly
The password is required
the API key is missing
our token is expired after 30 minutes
The token is in the keyring
the secret is rotated every 90 days
The password must have 12 characters
the API key is read from the environment
Das Passwort ist falsch
Das Passwort wird gehasht gespeichert
Das Token ist abgelaufen
Der Schlüssel ist im Vault
La contraseña es obligatoria
la contraseña es demasiado corta
Le mot de passe est incorrect
le jeton est valide une heure
A senha é obrigatória
o token é inválido
La password è obbligatoria
Пароль: обязательное поле
пароль хранится в хэше
токен истёк
密码是必填的
密码是加密存储的
令牌已过期
パスワードは必須です
パスワードはハッシュ化されます
비밀번호는 필수입니다
Hasło jest wymagane
hasło to za mało
Het wachtwoord is verplicht
Lösenordet är fel
Şifre: zorunlu
parola este obligatorie
كلمة المرور مطلوبة
पासवर्ड गलत है
Mật khẩu là bắt buộc
Kata sandi adalah wajib
Heslo je povinné
Salasana on pakollinen
the primary key is user_id
the cache key is order:42
The partition key is tenant_id
the key is to test early
the token is a JWT signed with RS256
our token is valid for 15 minutes
the client secret is kept in Vault
the API key is not committed
my API key is in 1Password
the token is passed in X-Api-Key
the token is sent as bearer
the password is checked by bcrypt2
The API key is version 2
The token is base64
the secret is mounted at /run/secrets/db
the access key is an IAM user's
token: string, required
password: required, min 8
api key: see .env.example
The password is optional in 3.11
The token is unique per user_id
session token is stored in sessionStorage
The password field is type=password
SECRET_KEY = os.environ["SECRET_KEY"]
the password is generated by make-password.sh
the api key is one of three: read, write, admin
the token is 32 bytes long
the token is issued by auth0
the password is set with --password-file
the secret is called db-credentials
the token is named GITHUB_TOKEN
the key is sha256 of the body
the secret is shared with team-payments
my password is weak
Пароль хранится в bcrypt2 и никуда не уходит
şifre alanı zorunlu, en az 8 karakter
kata sandi wajib 12 karakter
a jelszó legalább 12 karakter
пароль не короче 12 символов
login for staging is at https://staging.example.org/login
the login is handled by OAuth2 / OIDC
credentials for the tests are in .env / vault
our API key is public
"""  # nothing here is a credential


def test_a_credential_that_a_sentence_names_goes_in_any_language(subtests):
    for line in NAMED_IN_A_SENTENCE.strip().splitlines():
        sentence, _, secret = line.rpartition("|")
        with subtests.test(text=sentence):
            assert secret not in redact(sentence).value
    for sentence in SPOKEN_OF.strip().splitlines():
        with subtests.test(text=sentence):
            assert redact(sentence).value == sentence
