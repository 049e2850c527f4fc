"""The shape of a redaction rule, and the rules that read the place a secret stands in.

A rule is data: add one, and a vector to `tests/core/test_redaction.py`. Tokens that carry a mark
of their own ("ghp_", "AKIA") are in `redaction_tokens`; credentials known by their name
("password = ...") in `redaction_named`.
"""

from __future__ import annotations

from typing import NamedTuple


class Rule(NamedTuple):
    """One way in which a secret is written.

    The pattern is compiled and run only where the lower-cased text holds one of the `literals`.
    `group` is the part that is taken out, -1 the last one filled. `check` names a test in
    `redaction_checks` that this part must pass. Whatever must still match behind a quantifier
    bounds it, so that the time stays linear.
    """

    kind: str
    literals: tuple[str, ...]
    pattern: str
    group: int = 0
    check: str = "token"


def rule(kind: str, literals: str, pattern: str, group: int = 1, check: str = "token") -> Rule:
    """A rule from one line of literals, separated by "|"."""
    return Rule(kind, tuple(literals.split("|")), pattern, group, check)


# A key without its END line was cut off: everything after its heading belongs to it. A heading
# that a sentence merely mentions is followed by neither a new line nor key material.
_PEM_TAIL = (
    r"(?:(?:[^-]++|-(?!----(?:BEGIN|END)))*+-----END[A-Z0-9 ]{0,40} PRIVATE KEY(?: BLOCK)?-----"
    r"|[ \t]{0,8}(?:\n|\\{1,2}[nr]|[A-Za-z0-9+/=]{16}|Proc-Type|Version:).*)"
)

FIRST = (
    rule(
        "private-key",
        "private key",
        r"(?s)-----BEGIN[A-Z0-9 ]{0,40} PRIVATE KEY(?: BLOCK)?-----" + _PEM_TAIL,
        0,
        "any",
    ),
    rule(
        "private-key",
        "ssh2 encrypted private key",
        r"(?s)---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----"
        r"(?:.*?---- END SSH2 ENCRYPTED PRIVATE KEY ----|.*)",
        0,
        "any",
    ),
    rule(
        "private-key",
        "putty-user-key-file-",
        r"(?s)PuTTY-User-Key-File-\d:(?:.*?Private-(?:MAC|Hash):[ \t]*[0-9a-f]*|.*)",
        0,
        "any",
    ),
    rule(
        "cookie",
        "cookie",
        r"(?i)\b(?:set-)?cookie[\"']?[ \t]{0,4}[:=][ \t]{0,4}[\"']?"
        r"((?:[\w.%-]{1,80}=[^;\s\"'<>]{4,4096})"
        r"(?:;[ \t]{0,2}[\w.%-]{1,80}(?:=[^;\n\"'<>]{0,4096})?)*;?)",
        1,
        "cookie",
    ),
)
"""Secrets of several parts: run first, so that no other rule takes out a piece of them."""

# What ties a header to its value, in the header itself, in JSON, in code.
_HEADER = r"\\{0,3}[\"'`]?\]?[ \t]{0,4}(?:[:=,]|=>)[ \t]{0,4}[bfru]?\\{0,3}[\"'`]?"
_SCHEME = (
    r"(?:bearer|basic|token|digest|negotiate|api-?key|ssws|splunk|bot|genie(?:key)?|key)[ \t]{1,4}"
)
_CREDENTIAL_PARAMETER = (
    r"(?:[\w.-]{0,40}(?:token|secret|passw(?:or)?d|passphrase|credential)"
    r"|(?:x-)?(?:api|access|auth|app|subscription)[_-]?key|key|auth|pwd|pass|sig|signature"
    r"|x-(?:amz|goog)-signature|code|hapikey|appid)"
)

HEADERS_AND_ADDRESSES = (
    # scheme://user:secret@host. Greedy up to the last @, since passwords may hold one.
    rule(
        "url-credentials",
        "://",
        r"://([^\s:/?#@\"'`<>\[\]{}()]{0,100}):([^\s/\"'`<>]{1,300})@(?=[\w\[$%{.-])",
        2,
        "userinfo",
    ),
    rule(  # the same for databases and queues, whose passwords may hold a slash
        "url-credentials",
        "://",
        r"(?<!http)(?<!https)(?<!ws)(?<!wss)://([^\s:/?#@\"'`<>\[\]{}()]{0,100})"
        r":([^\s\"'`<>]{1,300})@(?=[\w\[$%{.-])",
        2,
        "userinfo",
    ),
    rule("url-credentials", "://", r"://([A-Za-z0-9_.~-]{16,255}):?@(?=\w)", 1, "generated"),
    rule(
        "url-credentials",
        "jdbc:oracle:",
        r"(?i)jdbc:oracle:[a-z0-9]{1,9}:([^\s/:@]{1,60})/([^\s/@\"'`<>]{3,100})@",
        2,
        "userinfo",
    ),
    rule(
        "url-credentials",
        "=",
        r"(?i)[?&]" + _CREDENTIAL_PARAMETER + r"=([^\s&#\"'`<>\\]{4,4096})",
        1,
        "query",
    ),
    rule(
        "authorization",
        "authorization",
        r"(?i)authorization" + _HEADER + _SCHEME + r"([^\s\"'`<>,;\\]{6,8192})",
        1,
        "credential",
    ),
    rule(
        "authorization",
        "authorization",
        r"(?i)authorization" + _HEADER + r"([^\s\"'`<>,;\\]{12,8192})",
        1,
        "generated",
    ),
    rule(  # AWS4-HMAC-SHA256 Credential=..., Signature=...; Digest response="..."
        "authorization",
        "authorization",
        r"(?i)authorization[^\n]{1,400}?\b(?:signature|response)=\"?([0-9a-f]{32,128})",
    ),
    rule(
        "authorization",
        "bearer",
        r"(?i)\bbearer[ \t:=]{1,4}[\"'`]?([A-Za-z0-9_.~+/=-]{16,8192})",
        1,
        "generated",
    ),
    # Addresses that are a secret as a whole or in their last part.
    rule(
        "slack-webhook",
        "hooks.slack.com",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9+/_-]{20,200})",
    ),
    rule("discord-webhook", "/api/webhooks/", r"/api/webhooks/\d{15,21}/([A-Za-z0-9_-]{40,100})"),
    rule("teams-webhook", "office.com/webhook", r"office\.com/webhook\w{0,4}/([^\s\"'<>]{30,300})"),
    rule(
        "zapier-webhook",
        "hooks.zapier.com",
        r"hooks\.zapier\.com/hooks/catch/(\d{4,12}/[A-Za-z0-9]{5,20})",
    ),
    rule(
        "google-chat-webhook",
        "chat.googleapis.com",
        r"chat\.googleapis\.com/v1/spaces/[\w-]{1,40}/messages\?([^\s\"'<>]{20,300})",
    ),
    rule(
        "url-credentials",
        "infura.io/|alchemy.com/|alchemyapi.io/|quiknode.pro/",
        r"(?:infura\.io/(?:ws/)?v3|alchemy(?:api)?\.(?:com|io)/(?:nft/)?v[23]|quiknode\.pro)"
        r"/([A-Za-z0-9_-]{20,64})",
    ),
    rule("sentry-token", "sentry", r"://([0-9a-f]{32})(?::[0-9a-f]{32})?@[\w.-]{1,80}/\d+"),
)

# In double, in single or in no quotes: one of three groups is filled.
_ARGUMENT = r"(?:\"([^\"\n]{3,400})\"|'([^'\n]{3,400})'|([^\s\"'`<>|]{3,400}))"

COMMANDS = (
    rule(
        "password",
        "--",
        r"(?i)(?<![\w-])--(?:[a-z0-9]{1,20}[-_]){0,3}(?:pass(?:word|wd|phrase)?|pwd|secret|token"
        r"|(?:api|access|account|auth|secret|storage|service)[-_]?key)(?:[ \t]{1,8}|=)" + _ARGUMENT,
        -1,
        "option",
    ),
    rule("password", "sshpass", r"\bsshpass[ \t]+-p[ \t]{0,4}" + _ARGUMENT, -1, "option"),
    rule(
        "password",
        "mysql|mariadb",
        r"\b(?:mysql|mariadb)\w*[ \t][^\n|]{0,200}?(?<=\s)-p(?=[^\s-])" + _ARGUMENT,
        -1,
        "option",
    ),
    rule(
        "password",
        "mongo|docker login|podman login|sqlcmd|bcp|mosquitto_",
        r"\b(?:mongo\w*[ \t][^\n|]{0,200}?(?<=\s)-p|(?:docker|podman) login[ \t][^\n|]{0,200}?-p"
        r"|(?:sqlcmd|bcp|mosquitto_\w+)[ \t][^\n|]{0,200}?(?<=\s)-P)[ \t]{1,4}" + _ARGUMENT,
        -1,
        "option",
    ),
    rule(
        "password",
        "redis-cli|ldap",
        r"\b(?:redis-cli|ldap\w+)[ \t][^\n|]{0,200}?(?<=\s)-[aw][ \t]{1,4}" + _ARGUMENT,
        -1,
        "option",
    ),
    rule(
        "password",
        "convertto-securestring",
        r"(?i)\bConvertTo-SecureString[ \t]{1,8}(?:-String[ \t]{1,8})?" + _ARGUMENT,
        -1,
        "option",
    ),
    rule(
        "password",
        "sudo",
        r"\becho[ \t]{1,4}" + _ARGUMENT + r"[ \t]{0,4}\|[ \t]{0,4}sudo[ \t][^\n|]{0,40}-S",
        -1,
        "option",
    ),
    rule(
        "password",
        "htpasswd",
        r"\bhtpasswd[ \t]+-\w{0,6}b\w{0,6}[ \t]+\S{1,200}[ \t]+\S{1,100}[ \t]+" + _ARGUMENT,
        -1,
        "option",
    ),
    rule(
        "cookie",
        "curl",
        r"\bcurl\b[^\n|]{0,200}?(?<=\s)(?:-b|--cookie)[ \t=]{1,4}[\"']?"
        r"([\w.%-]{1,80}=[^\s;\"']{4,4096})",
        1,
        "cookie",
    ),
    rule("password", "pass:", r"-pass(?:in|out)?[ \t]{1,4}pass:" + _ARGUMENT, -1, "option"),
    rule(
        "password",
        "curl|wget|http",
        r"\b(?:curl|https?|wget)\b[^\n|]{0,200}?(?<=\s)"
        r"(?:-u[ \t]{0,4}|-a[ \t]{1,4}|--user[= \t]{1,4})"
        r"[\"']?[^\s:\"'/]{0,100}:([^\s\"'`<>]{3,300})",
        1,
        "option",
    ),
    rule(  # .netrc
        "password",
        "machine",
        r"\bmachine[ \t]{1,8}\S{1,200}\s{1,20}(?:login[ \t]{1,8}\S{1,200}\s{1,20})?"
        r"password[ \t]{1,8}(\S{1,300})",
        1,
        "option",
    ),
    rule(  # .pgpass
        "password",
        ":5432:|:5433:|:*:",
        r"(?m)^[\w.*-]{1,100}:(?:\d{2,5}|\*):[\w*-]{1,63}:[\w*-]{1,63}:([^\s:]{3,200})$",
        1,
        "option",
    ),
    rule(
        "password",
        "identified ",
        r"(?i)\bidentified (?:with \w{1,40} )?by\s{1,4}(?:password\s{1,4})?"
        r"['\"]([^'\"\n]{1,200})['\"]",
        1,
        "option",
    ),
    rule(  # "creds: admin / hunter2"
        "password",
        "cred|login",
        r"(?i)\b(?:cred(?:ential)?s?|login)\b[ \t]{0,2}(?:[:=]|are|is)[ \t]{0,2}[\"'`]?"
        r"[\w.@+-]{1,60}[ \t]?[:/][ \t]?([^\s\"'`<>,;]{4,100})",
        1,
        "mixed",
    ),
)

CONFIGURATION = (
    rule(
        "aws-secret-key",
        "aws",
        r"(?i)\baws[\w.-]{0,40}(?:secret|key)[\w.-]{0,20}[\"'`]?[ \t]{0,4}(?:[:=]=?>?|is)[ \t]{0,4}"
        r"[\"'`]?([A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])",
    ),
    rule(
        "azure-key",
        "accountkey=|sharedaccesskey=|sharedsecret=",
        r"(?i)\b(?:account|sharedaccess|shared)(?:key|secret)=([A-Za-z0-9+/=]{20,200})",
    ),
    rule(
        "azure-key",
        "sharedaccesssignature",
        r"(?i)SharedAccessSignature[ \t=]{1,3}(sr=[^\s\"'<>]{20,1000})",
    ),
    rule(
        "private-key",
        "client-key-data",
        r"client-key-data[\"']?\s{0,3}:\s{0,3}[\"']?([A-Za-z0-9+/=]{40,})",
        1,
        "any",
    ),
    rule(  # WireGuard
        "private-key",
        "privatekey|presharedkey",
        r"(?i)\b(?:PrivateKey|PresharedKey)[ \t]{0,4}[=:][ \t]{0,4}([A-Za-z0-9+/]{42,43}=)",
    ),
    rule(  # the private part of a JSON Web Key
        "private-key",
        "\"d\"|'d'",
        r"[\"']d[\"'][ \t]{0,3}:[ \t]{0,3}[\"']([A-Za-z0-9_-]{40,2000})[\"']",
        1,
        "generated",
    ),
    rule(
        "sidekiq-key",
        "contribsys__com",
        r"(?i)BUNDLE_\w{2,12}__CONTRIBSYS__COM[\"' \t]{0,3}[:=][\"' \t]{0,3}"
        r"([0-9a-f]{8}:[0-9a-f]{8})",
        1,
        "any",
    ),
    rule("password-hash", "$2a$|$2b$|$2y$", r"\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}", 0, "any"),
    rule(
        "password-hash",
        "$1$|$5$|$6$|$apr1$|$y$|$7$",
        r"\$(?:1|5|6|apr1|y|7)\$(?:rounds=\d{1,9}\$)?[./A-Za-z0-9$]{1,40}\$[./A-Za-z0-9]{22,86}",
        0,
        "any",
    ),
    rule(
        "password-hash",
        "$argon2|$pbkdf2|pbkdf2_sha|$scrypt",
        r"(?:\$argon2(?:id|i|d)\$v=\d{1,3}\$[\w=,]{1,60}|\$pbkdf2(?:-sha\d{1,3})?\$\d{1,9}"
        r"|pbkdf2_sha\d{1,3}\$\d{1,9}|\$scrypt\$[\w=,]{1,60})"
        r"\$[./A-Za-z0-9+=]{4,100}\$[./A-Za-z0-9+=]{20,200}",
        0,
        "any",
    ),
)

PLACES = HEADERS_AND_ADDRESSES + COMMANDS + CONFIGURATION
"""Secrets known by what stands around them."""
