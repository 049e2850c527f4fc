"""Secrets of documented forms, made at run time, to measure redaction against. No secret is here.

The forms come from the public rule sets of gitleaks, kingfisher and trufflehog, and from providers'
manuals; the notations around them from gitleaks' list of samples. `{w36}` stands for 36 random
letters and digits, see `filled`. A fixed hash of a kind's name puts it among those that rules may
be tuned on (`is_dev`) or among those that only measure. `redaction_notes` has what must stay.
"""

import hashlib
import random
import re
import string
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

DATA = Path(__file__).parent / "data"

ALPHABETS = {
    "w": string.ascii_letters + string.digits,
    "b": string.ascii_letters + string.digits + "-_",
    "s": string.ascii_letters + string.digits + "+/",
    "h": string.digits + "abcdef",
    "x": string.digits + "ABCDEF",
    "u": string.ascii_uppercase + string.digits,
    "l": string.ascii_lowercase + string.digits,
    "a": string.ascii_letters,
    "d": string.digits,
}
_PART = re.compile(r"\{([wbshxulad])(\d+)\}|\{(U)\}")


def filled(template: str, seed: object = 1) -> str:
    """`template` with {w36} as random letters and digits, b URL-safe base64, s base64, h and x hex,
    u upper case, l lower case with digits, a letters, d digits, and {U} as a UUID."""
    draw = random.Random(f"{template}{seed}")

    def part(match: re.Match[str]) -> str:
        if match[3]:
            return "-".join("".join(draw.choices(ALPHABETS["h"], k=n)) for n in (8, 4, 4, 4, 12))
        letters = draw.choices(ALPHABETS[match[1]], k=int(match[2]))
        if match[1] in "bs":  # a generator may end in - or +, but most often does not
            letters[0], letters[-1] = draw.choice(ALPHABETS["w"]), draw.choice(ALPHABETS["w"])
        return "".join(letters)

    return _PART.sub(part, template)


class Vector(NamedTuple):
    """A text with a secret in it."""

    kind: str
    text: str
    secret: str


def is_dev(kind: str) -> bool:
    """Whether rules may be tuned on this kind; the others only measure."""
    return hashlib.sha256(kind.encode()).digest()[0] % 2 == 0


# Tokens with a mark of their own: known wherever they stand.
MARKED = (DATA / "secrets_marked.txt").read_text("utf-8")

UNMARKED = ("mistral-none", "railway-none", "kagi-api")
"""Forms without any mark, kept with those that a name announces."""

# Values without a mark: known by the name they are given to.
NAMED = (DATA / "secrets_named.txt").read_text("utf-8")

WORDS = ("api_key", "token", "secret", "access_token", "client_secret", "apiKey", "API_TOKEN")

NOTATIONS = (
    '{n} = "{v}"',
    "{n}={v}",
    "{n} = {v}",
    'export {N}="{v}"',
    "{N}={v}",
    '{{\n    "{n}": "{v}"\n}}',
    '\\{{\n    \\"{n}\\": \\"{v}\\"\n\\}}',
    "<{n}>{v}</{n}>",
    "<{n}>\n    {v}\n</{n}>",
    "{n}: {v}",
    "{n}: '{v}'",
    "{n}: |\n  {v}",
    "{n}: >\n  {v}",
    'var {n} string = "{v}"',
    "{n} := `{v}`",
    'String {n} = "{v}";',
    '${n} .= "{v}"',
    '"{n}" => "{v}"',
    "{n},{v},",
    '{N} ::= "{v}"',
    '{N} ?= "{v}"',
    '{N} += "{v}"',
    "- name: {N}\n  value: {v}",
    'add("{n}", "{v}")',
    "the {n} is {v} on staging",
)
"""How settings, code and people write a name and its value."""

PROSE = (
    "Deploys failed until I used {v} on staging.",
    "{v}",
    "curl https://api.example.com/v1/items -H 'X-Thing: {v}'",
    'client = Client("{v}")',
    "- `{v}` (rotate it)",
    "see {v}, then retry",
)
"""Where a token with a mark stands without a name."""

STRUCTURAL = """
aws-secret-pair AWS_ACCESS_KEY_ID=AKIA{u16} AWS_SECRET_ACCESS_KEY=\x01{s40}\x02
azure-storage-connection DefaultEndpointsProtocol=https;AccountName=a;AccountKey=\x01{s86}==\x02;E=x
azure-servicebus Endpoint=sb://x.net/;SharedAccessKeyName=Root;SharedAccessKey=\x01{s43}=\x02
azure-sas https://a.blob.core.windows.net/c?sv=2022-11-02&ss=b&sig=\x01{w42}%3D\x02
curl-auth-header curl -H "Authorization: Bearer \x01{w32}\x02" https://x.example.com
curl-auth-basic curl -H 'Authorization: Basic \x01{s28}\x02' https://x.example.com
curl-auth-user curl -u admin:\x01{w14}\x02 https://x.example.com/api
curl-api-header curl --header "X-Api-Key: \x01{w32}\x02" https://x.example.com
database-password db_password = "\x01{w12}\x02"
docker-config "auths": {"x.example.com": {"auth": "\x01{s40}\x02"}}
dsn-postgres host=db port=5432 user=app password=\x01{w16}\x02 dbname=x
ftp-url ftp://deploy:\x01{w12}\x02@files.example.com/x
git-credentials https://me:\x01{w20}\x02@git.example.com
gcp-service-account {"private_key_id": "\x01{h40}\x02", "type": "service_account"}
htpasswd admin:\x01$apr1${w8}${w22}\x02
jdbc jdbc:mysql://db:3306/x?user=app&password=\x01{w14}\x02
jdbc-oracle jdbc:oracle:thin:app/\x01{w12}\x02@db:1521/x
kubernetes-secret apiVersion: v1¶kind: Secret¶data:¶  password: \x01{s24}\x02
kubernetes-secret-other kind: Secret¶data:¶  config.yaml: \x01{s40}\x02
ldap ldapsearch -D cn=admin -w \x01{w14}\x02 -b dc=x
mongodb-url mongodb+srv://app:\x01{w16}\x02@c0.mongodb.net/x
mssql Server=db;User Id=sa;Password=\x01{w14}\x02;Encrypt=yes
mysql-cli mysql -uroot -p\x01{w12}\x02 shop
netrc machine x.example.com login me password \x01{w14}\x02
npmrc //npm.example.org/:_authToken=\x01{U}\x02
npmrc-basic _auth=\x01{s28}\x02
nuget-config <add key="ClearTextPassword" value="\x01{w16}\x02" />
pgpass db.internal:5432:shop:app:\x01{w14}\x02
php-define define('DB_PASSWORD', '\x01{w14}\x02');
powershell ConvertTo-SecureString "\x01{w14}\x02" -AsPlainText -Force
redis-url redis://:\x01{w20}\x02@cache:6379/0
session-cookie Cookie: theme=dark; sessionid=\x01{l32}\x02
sidekiq-url https://{h8}:\x01{h8}\x02@gems.contribsys.com/
set-cookie Set-Cookie: connect.sid=\x01s%3A{b32}.{w43}\x02; Path=/
sidekiq-secret BUNDLE_ENTERPRISE__CONTRIBSYS__COM=\x01{h8}:{h8}\x02
smtp-url smtp://mailer:\x01{w16}\x02@smtp.example.com:587
sshpass sshpass -p '\x01{w12}\x02' ssh root@host
sql-user CREATE USER app WITH PASSWORD '\x01{w14}\x02'
sql-identified ALTER USER app IDENTIFIED BY '\x01{w14}\x02'
terraform-password administrator_login_password = "\x01{w16}\x02"
url-token https://x.example.com/hook?access_token=\x01{w32}\x02&x=1
vagrant-env ENV['SECRET_KEY_BASE'] = '\x01{h128}\x02'
wifi-psk psk="\x01{w14}\x02"
wireguard PrivateKey = \x01{s43}=\x02
yaml-pair - name: DB_PASSWORD¶  value: "\x01{w16}\x02"
"""
"""Secrets known by what stands around them; \x01 and \x02 enclose what must go."""

KEYS = ("RSA ", "EC ", "DSA ", "OPENSSH ", "ENCRYPTED ", "PGP ", "")


def private_keys() -> Iterator[Vector]:
    """Private keys: whole, cut off, indented, with escaped line ends, in JSON, with a header."""
    for name in KEYS:
        block = " BLOCK" if name == "PGP " else ""
        lines = [filled("{s64}", f"{name}{number}") for number in range(12)]
        head = f"-----BEGIN {name}PRIVATE KEY{block}-----"
        tail = f"-----END {name}PRIVATE KEY{block}-----"
        whole = "\n".join([head, *lines, tail])
        middle = lines[6]
        yield Vector("private-key", f"key:\n{whole}\nrest", middle)
        yield Vector("private-key", "\n".join([head, *lines]), middle)
        yield Vector("private-key", whole[:300], lines[2])
        yield Vector("private-key", whole.replace("\n", "\n    "), middle)
        yield Vector("private-key", whole.replace("\n", "\\n"), middle)
        yield Vector("private-key", '{"private_key": "' + whole.replace("\n", "\\n") + '"}', middle)
        yield Vector("private-key", whole.replace("\n", "\r\n"), middle)
        yield Vector("private-key", whole.replace("\n", " "), middle)
        yield Vector(
            "private-key",
            whole.replace(head, f"{head}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n"),
            middle,
        )


def vectors(seeds: int = 2) -> Iterator[Vector]:
    """Every kind in every notation that suits it, `seeds` times."""
    for seed in range(seeds):
        for line in MARKED.strip().splitlines():
            kind, template = line.split(" ", 1)
            if kind in UNMARKED:
                continue
            for number, place in enumerate(PROSE):
                secret = filled(template, f"{seed}.{number}").replace("¶", "\n")
                yield Vector(kind, place.replace("{v}", secret), _telling(secret))
        for line in NAMED.strip().splitlines():
            kind, template = line.split(" ", 1)
            yield from _named(kind, template, seed)
        for line in STRUCTURAL.strip("\n").splitlines():
            kind, template = line.split(" ", 1)
            text = filled(template, seed).replace("¶", "\n")
            secret = text[text.index("\x01") + 1 : text.index("\x02")]
            yield Vector(kind, text.replace("\x01", "").replace("\x02", ""), secret)


def _named(kind: str, template: str, seed: int) -> Iterator[Vector]:
    provider = kind.partition("-")[0]
    for number, notation in enumerate(NOTATIONS):
        word = WORDS[(number + seed) % len(WORDS)]
        name = f"{provider}_{word}" if word.islower() or word.isupper() else provider + "ApiKey"
        secret = filled(template, f"{seed}.{number}")
        text = notation.format(n=name, N=name.upper(), v=secret)
        yield Vector(kind, text, secret)


def _telling(secret: str) -> str:
    """The part of a secret whose presence gives it away: its longest run of plain characters."""
    return max(re.findall(r"[A-Za-z0-9_-]+", secret), key=len)
