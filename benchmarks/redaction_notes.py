"""Notes and placeholders without a secret, made at run time: redaction must leave them alone."""

import random
import re
from collections.abc import Iterator

from .redaction_vectors import filled

# What must not change. {p} is a path, {c} a name in code.
BENIGN = (
    """
commit {h40} fixed the flaky login test in {p}
git revert {h7} because {c} broke the build
The build id is {U}; trace {h32}, span {h16}
Request req_{w24} failed with 429, toolu_{w24} retried it
docker pull nginx@sha256:{h64} works again
golang.org/x/sys v0.15.0 h1:{s43}= is pinned
"integrity": "sha512-{s86}==" in package-lock.json
checksum sha256:{h64} of the release archive
The ETag is "{h32}" and the digest {h64}
import {{ {c} }} from "@acme/{c}"
from core.{c} import {c}, {c}
{c} calls {c} and then {c} before the commit
{p} and {p} both define {c}
See https://docs.example.com/guide/{c}#section-{d2} for the limits
https://github.com/acme/shop/blob/{h40}/{p}#L10-L42
https://docs.google.com/document/d/1{b43}/edit is the plan
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{s43} me@laptop
class="flex items-center justify-between px-4 py-{d1} bg-slate-900 hover:bg-slate-700"
vendors~app.{h12}.js and main.{h8}.chunk.js are too large
The cache key is node-modules-v1-{h32}
Migration {d14}_{c} must run before {d14}_{c}
arn:aws:iam::{d12}:role/{c}
The password must be at least {d2} characters and is hashed with bcrypt
The token expires after {d2} minutes and is stored in Redis
We rotate the API key every {d2} days, see {p}
max_tokens={d4}, primary_key=True, token_type="bearer"
{c}(token=request.headers["Authorization"]) is where it happens
api_key = os.environ["{C}"] is read once at the start
password: str = Field(min_length={d2}) in {p}
Set {C} in the environment, never in {p}
postgres://localhost:5432/{c} needs no password in tests
UUID {U} is the tenant of the demo, version 1.{d2}.{d1}-rc.{d1}
Port {d4} is taken by {c}; use {d4} instead
The secret is mounted at /run/secrets/{c} by compose
The credentials live in 1Password under op://dev/{c}/password
{c}: 12 tests passed, {d2} skipped, token budget {d4}
uses: actions/checkout@{h40} # v4.1.1
pip install {c}==2.{d2}.1 --hash=sha256:{h64}
kubectl get secret {c} -n staging shows three keys
Error [{C}]: {c} is not a function at {p}:{d3}:{d2}
run {c} --auth-mode none --token-file {p} in CI
The key of the map is {c}, the value a list of {c}
data:image/png;base64,iVBORw0KGgo{s120}
order {d16}, timestamp 17{d11}, epoch {d10}
-----BEGIN CERTIFICATE-----¶MIID{s60}¶{s64}¶-----END CERTIFICATE-----
"""
    + """
Always use pnpm, never npm, in {p}
public_key = "{s43}=" is not secret
node_modules/.pnpm/{c}@1.{d1}.{d1}_{h32}/node_modules/{c}
object {h40} tree {h40} parent {h40}
workspace {b11} opened {p}
"""
)

PATHS = """
src/components/UserProfileSettings/AccountPreferencesPanel.tsx core/redaction/rules.py
packages/api-gateway/src/middleware/rateLimitByTenant.test.ts ~/.config/memdeck/config.toml
/usr/local/lib/python3.11/site-packages/django/contrib/auth/tokens.py
infra/terraform/modules/vpc/main.tf
C:/Users/dev/projects/shop/appsettings.Development.json .github/workflows/release-and-publish.yml
app/Http/Controllers/Auth/PasswordResetController.php internal/token/bucket_limiter_test.go
"""
CODE_NAMES = """
useInfiniteQueryWithPagination AbstractSingletonProxyFactoryBean get_user_account_preferences
test_the_user_cannot_log_in_with_a_wrong_password_twice parseISO8601Timestamp
tokenBucketRefillRate
UserPasswordChangedEventHandler MAX_TOKENS_PER_REQUEST_V2 sha256_hex_digest
OAuth2AuthorizationCodeFlow
secretsManagerClientFactory render-search-results-page keyboardShortcutRegistry
x509_certificate_chain
"""


def benign(seeds: int = 10) -> Iterator[str]:
    """Notes as coding agents keep them, without a secret: `seeds` of each form."""
    paths, names = PATHS.split(), CODE_NAMES.split()
    for seed in range(seeds):
        for line in BENIGN.strip().splitlines():
            draw = random.Random(f"{seed}{line}")
            text = re.sub(r"\{p\}", lambda _, d=draw: d.choice(paths), line)
            text = re.sub(r"\{c\}", lambda _, d=draw: d.choice(names), text)
            text = re.sub(
                r"\{C\}", lambda _, d=draw: re.sub(r"\W", "_", d.choice(names)).upper(), text
            )
            text = text.replace("{{", "{").replace("}}", "}").replace("¶", "\n")
            yield filled(text, seed)


PLACEHOLDERS = """
your-api-key-here <YOUR_TOKEN> ${API_KEY} $API_KEY {{ api_key }} %API_KEY% xxxxxxxxxxxxxxxxxxxx
******** changeme CHANGE_ME REPLACE_ME placeholder example-secret my-secret-token [REDACTED]
<password> your_password_here INSERT_KEY_HERE sk-... ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
sk-ant-xxxxxxxxxxxx dummy fake-key test-placeholder todo process.env.API_KEY os.environ["KEY"]
${{ secrets.TOKEN }} vault:secret/data/app#key op://vault/item/field !vault null None undefined
getenv("KEY") settings.API_KEY config.api_key ENC[AES256] {cipher} ssm:/app/key ********1234
"""
PLACEHOLDER_NOTATIONS = (
    "API_KEY={v}",
    'api_key = "{v}"',
    "token: {v}",
    '"secret": "{v}"',
    "Authorization: Bearer {v}",
    "export DB_PASSWORD={v}",
    "password: {v}",
)


def placeholders() -> Iterator[str]:
    """Texts that show only where a secret would stand."""
    marks = re.findall(r"\$?\{\{ .*? \}\}|\S+", PLACEHOLDERS)
    for mark in marks:
        for notation in PLACEHOLDER_NOTATIONS:
            yield notation.replace("{v}", mark)
