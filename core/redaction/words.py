"""The words that tell a secret's name from any other, and a secret from what only looks like one.

Lower-case, separated by blanks: add a word where it belongs, and an example to the tests.
"""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(text.split())


PASSWORD = words(
    """password passwort passwd passphrase passcode pwd pass pw psk kennwort contraseña contrasena
    senha passe пароль 密码 密碼 パスワード 비밀번호 hasło wachtwoord"""
)
"""Names whose value a person may have chosen: it need not look generated."""

SECRET = words(
    """secret token tokens apikey accesskey secretkey authkey privatekey credential credentials
    creds cred auth authtoken accesstoken bearer"""
)
"""Names whose value a machine made."""

ENDINGS = (
    "password",
    "passwd",
    "pwd",
    "secret",
    "token",
    "apikey",
    "passphrase",
    "passwort",
)
"""What a name written in one word ends with: "dbpassword"."""

KEY_OF = words(
    """api access secret private signing encryption encrypt decryption auth master license licence
    service account subscription app application client consumer shared storage deploy webhook
    admin server session jwt hmac crypto integration ingest write read developer dev org
    organization project live prod production test sandbox root user bot"""
)
"""What stands before "key" when it is one to keep; "key" alone needs a stronger look."""

PUBLIC = words(
    """public pub primary foreign cache csrf xsrf max min sort partition idempotency unique
    composite index object hash range row shortcut hot keyboard dict map sorting group grouping
    lookup natural surrogate translation i18n anti host known stop pad eos bos unk mask cls sep
    special"""
)
"""A name that holds one of these is none of a secret: "public key", "max tokens"."""

NOT_THE_VALUE = words(
    """url uri id ids path file filename dir name names type types kind length len size count limit
    limits expiry expires expiration ttl budget usage hash digest sha checksum fingerprint
    policy field fields header headers param params prompt template regex pattern provider
    manager service store ref refs arn version scope scopes endpoint index label title hint
    placeholder required enabled disabled strength min max reset change changed rotation rotated
    algorithm format prefix suffix env var variable class model schema validator generator input
    form page view test tests error errors status state str string list counter cost costs price
    rate window position positions boundary stream map set column table for of by method methods
    rule rules storage lifetime issuer audience encoding encryption hashing login logout check
    checks lookup"""
)
"""A name that ends in one of these only speaks of a secret: "token_url", "password policy"."""

CREDENTIALS = words("password passwd pwd passphrase secret token credential credentials auth")
"""What the name of a class or a component for them holds: "PasswordField"."""

COMPONENTS = words(
    """action adapter box builder button change changer checker client command component config
    context controller dialog encoder encryptor entry error event exception factory field filter
    form generator grant guard handler hasher helper hook input interceptor label manager meter
    middleware modal model module options page panel policy prompt props provider reducer
    repository request reset resolver response rule schema screen serializer service settings
    spec state store strategy strength test type utils validator verifier view widget"""
)
"""What the name of a class or a component ends with."""

PROGRAMS = words(
    """ansible ansible-playbook artisan aws az bash bazel bun bundle cargo cmake composer ctest curl
    cypress deno docker docker-compose dotnet eslint flutter flyctl gcloud gh git glab go gpg gradle
    gradlew hatch helm heroku htpasswd jest just kubectl make memdeck mvn mypy mysql netlify ninja
    node nox npm npx openssl passwd php phpunit pip pipx playwright pnpm podman poetry pre-commit
    prettier psql pytest python python3 rails rake redis-cli ruby ruff sh sqlite3 ssh sudo swift
    systemctl task terraform tox tsc uv vault vercel vite vitest wget xcodebuild yarn zsh"""
)
"""What a command in backticks begins with."""

TASKS = words(
    """all audit bench build check checks ci clean compile coverage deploy dev doc docs e2e exec fmt
    format generate install integration lint login migrate mypy pytest release run serve setup
    start status test tests typecheck types unit up update verify vet"""
)
"""What a command does: the word after its program."""

COMMON = words(
    """none null nil true false yes no on off string str text number int integer bool boolean bytes
    any object optional required empty unset undefined missing invalid valid expired wrong
    incorrect correct changed updated reset set unknown default never always hidden secret
    secrets password passwords passwd pass pwd passphrase token tokens key keys value values
    variable env environment prompt input output hash hashed encrypted encoded plain plaintext
    auth basic bearer user username login field type name admin-only done ok okay failed failure
    success protected rotated stored disabled enabled deprecated needed forgotten and or not is
    are was the a an for to of in with without from this that must should can will may option
    options flag argument parameter here"""
)
"""Values that are words about a password, not one."""

EXAMPLE_USERS = words("user username usr name login me someone foo youruser")
EXAMPLE_PASSWORDS = words("password passwd pass pwd pw secret yourpassword mypassword")

NOT_PEOPLE = words("git hg svn noreply no-reply donotreply do-not-reply npm node")
"""Local parts of addresses that nobody reads."""

FILE_ENDINGS = words(
    """png jpg jpeg gif svg webp ico bmp js mjs cjs ts tsx jsx css scss less html json yaml yml
    toml rb go kt swift php txt xml lock vue service timer socket target mount path scope slice
    device local rc beta alpha"""
)
"""What stands after the last dot of `icon@2x.png` and `unit@1.service`; no top-level domains."""

PAIRS = words(
    """ab ac ad ag ai ak al am an ap ar as at au av ay ba be bi bl bo br bs bu ca cc ce ch ci ck cl
    co cr ct cu da de di do ds du ea ec ed ee ef eg el em en ep er es et ev ew ex fa fe ff fi fl
    fo fu ge gh gi gn gr ha he hi ho ht ia ib ic id ie if ig il im in io ip ir is it iv iz ke ki
    ks la ld le li ll lo ls lt lu ly ma me mi mm mo mp na nc nd ne nf ng ni nn no ns nt nu nv ob
    oc od og ol om on oo op or os ot ou ov ow pa pe pi pl po pp pr ps pt pu qu ra rc rd re rg ri
    rk rl rm rn ro rr rs rt ru ry sa sc se sh si sl so sp ss st su ta tc te th ti tl to tr ts tt
    tu ty ua ub uc ue ui ul um un up ur us ut va ve vi wa we wi xp xt yp ze"""
)
"""The 210 commonest pairs of letters in English prose and in code, by count."""
