"""Rules of redaction: marked tokens, places, named credentials, random strings, personal data."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import NamedTuple

from .shapes import (
    COMMON,
    COMPONENTS,
    ENDINGS,
    FILE_ENDINGS,
    KEY_OF,
    LOOKS_AT,
    NOT_PEOPLE,
    NOT_THE_VALUE,
    PASSWORD,
    PUBLIC,
    SECRET,
    WIDE,
    changes,
    entropy,
    has_digits,
    has_letters,
    is_command,
    is_component,
    is_hex,
    is_label,
    is_placeholder,
    is_reference,
    is_repeated,
    is_uuid,
    looks_generated,
    pattern,
    wordy_share,
)


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
    rule("secret", "django-insecure-", r"(django-insecure-[^\s\"'`<>]{3,100})", 1, "any"),
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


_LAST = r"[^\s.,;:!?…\"'`<>()\[\]{}“”„«»「」。，！？]"  # no punctuation ends a value


def _in_sentences() -> tuple[Rule, ...]:
    """Credentials that a sentence names, in the words of `sentences.toml`: a rule for each kind."""
    folder = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(folder, "sentences.toml"), "rb") as file:
        languages = tomllib.load(file).values()
    links, fillers = ("|".join(each[name] for each in languages) for name in ("is", "now"))
    made = []
    for kind in ("password", "token"):
        nouns = "|".join(each[kind] for each in languages)
        parts = re.split(r"[^\w]+", nouns.lower())
        words = {part for part in parts if len(part) > 2 or not part.isascii()}
        pattern = (
            rf"(?i)(?:(?<!\w)|(?<=[{WIDE}])|(?=[{WIDE}]))(?P<noun>{nouns})s?(?![a-z_])[\"'`]?"
            r"(?P<between>(?:[ \t]+[^\W\d_][\w'’/.-]{0,24}){0,4}?)[ \t]*"
            rf"(?:[:：=—–]|->|(?:(?<=[{WIDE}])|(?<=[ \t]))(?:{links})(?:(?!\w)|(?<=[{WIDE}])))"
            rf"[ \t]*[:：]?[ \t]*(?:(?:{fillers})[ \t]*[:：]?[ \t]*)?"
            r"(?:[\"“”„«「『]([^\"“”„«»「」『』\n]{4,120})[\"“”»」』]"
            rf"|['‘`]?((?:(?![\s\"'`<>])[!-~]){{3,199}}{_LAST}(?=[{WIDE}]|\W|\Z)"
            rf"|[^\s\"'`<>“”„«»「」]{{3,199}}{_LAST}))"
        )
        made.append(Rule(kind, tuple(words), pattern, -1, "sentence"))
    return tuple(made)


IN_SENTENCES = _in_sentences()
PLACES = HEADERS_AND_ADDRESSES + COMMANDS + CONFIGURATION
"""Secrets known by what stands around them."""


_UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_W = r"[A-Za-z0-9]"
_B = r"[A-Za-z0-9_-]"  # the URL-safe alphabet of base64
_H = r"[0-9a-fA-F]"


def _t(kind: str, literals: str, pattern: str, check: str = "token") -> Rule:
    return Rule(kind, tuple(literals.split()), pattern, 0, check)


def _g(kind: str, literals: str, pattern: str) -> Rule:
    return _t(kind, literals, pattern, "generated")


# fmt: off
CLOUD = (
    _t("aws-access-key", "akia asia abia acca a3t",
        r"(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16}"),
    _t("aws-session-token", "fwogzxivyxdz iqojb3jpz2lu",
        r"(?:FwoGZXIvYXdz|IQoJb3JpZ2lu)[A-Za-z0-9+/=%]{60,4096}"),
    _t("aws-bedrock-key", "absk bedrock-api-key-",
        r"(?:ABSK|bedrock-api-key-)[A-Za-z0-9+/=]{80,400}"),
    _t("aws-mws-token", "amzn.mws.", rf"amzn\.mws\.{_UUID}"),
    _t("google-api-key", "aiza", rf"AIza{_B}{{35}}"),
    _t("google-api-key", "aq.ab", rf"AQ\.Ab{_B}{{40,120}}"),
    _t("google-oauth-secret", "gocspx-", rf"GOCSPX-{_B}{{20,40}}"),
    _t("google-oauth-token", "ya29.", r"ya29\.[A-Za-z0-9_.-]{20,2048}"),
    _t("google-refresh-token", "1//0", rf"1//0{_B}{{30,512}}"),
    _t("azure-client-secret", "q~", r"[A-Za-z0-9_~.-]{3}[78]Q~[A-Za-z0-9_~.-]{31,34}"),
    _t("azure-key", "azfu azse azca acdb aiot +amc +asb +aeh +arm +ast +acr azdo",
        r"[A-Za-z0-9+/]{40,86}(?:Az(?:Fu|Se|Ca)|ACDb|AIoT|\+A(?:MC|Sb|Eh|Rm|St|CR)|AZDO)"
        r"[A-Za-z0-9+/]{4,8}={0,2}"),
    _t("azure-key", "jqqj99", rf"{_W}{{40,60}}JQQJ99{_W}{{20,60}}"),
    _t("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", rf"do[opr]_v1_{_H}{{40,64}}"),
    _t("alibaba-access-key", "ltai", rf"LTAI{_W}{{12,24}}"),
    _t("tencent-secret-id", "akid", rf"AKID{_W}{{28,36}}"),
    _t("volcengine-access-key", "aklt", rf"AKLT{_W}{{20,60}}"),
    _t("baidu-api-key", "bce-v3/altak-", rf"bce-v3/ALTAK-{_W}{{16,32}}/{_H}{{40}}"),
    _t("yandex-token", "aqvn ycaj ycm",
        rf"(?:AQVN{_B}{{32,40}}|YC(?:AJE{_B}{{20,24}}|M{_B}{{36,40}}))"),
    _t("yandex-token", "t1. y0_ y1_ y2_ y3_",
        rf"(?:t1\.[A-Za-z0-9_-]{{4,400}}={{0,2}}\.{_B}{{80,100}}={{0,2}}|y[0-3]_{_B}{{50,80}})"),
    _t("scaleway-key", "scw", r"SCW[A-Z0-9]{17}"),
    _t("cloudflare-token", "v1.0-", rf"v1\.0-{_H}{{24}}-{_H}{{146}}"),
    _t("cloudflare-token", "cfut_ cfat_ cfk_", rf"cf(?:ut|at|k)_{_W}{{36,64}}"),
    _t("fly-token", "fo1_ fm1_ fm1a_ fm1r_ fm2_ fm2a_ fm2r_",
        rf"(?:fo1_{_B}{{40,60}}|fm[12][ar]?_[A-Za-z0-9+/=_-]{{80,4096}})"),
    _t("heroku-token", "hrku-", rf"HRKU-{_B}{{30,80}}"),
    _t("netlify-token", "nfp_ nfc_ nfo_ nfu_ nfb_", rf"nf[pcoub]_{_W}{{36,60}}"),
    _t("render-token", "rnd_", rf"rnd_{_W}{{24,60}}"),
    _t("vercel-token", "vcp_ vci_ vca_ vcr_ vck_ vercel_blob_rw_",
        rf"(?:vc[piark]_{_W}{{24,80}}|vercel_blob_rw_{_W}{{12,24}}_{_W}{{20,60}})"),
    _t("planetscale-token", "pscale_", r"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,64}"),
    _t("supabase-token", "sbp_ sb_secret_",
        rf"(?:sbp_(?:oauth_|v0_)?{_H}{{40}}|sb_secret_{_B}{{20,60}})"),
    _t("neon-token", "napi_", rf"napi_{_W}{{40,80}}"),
    _t("databricks-token", "dapi dkea dose", rf"(?:dapi|dkea|dose){_H}{{32}}(?:-\d)?"),
    _t("mongodb-secret", "mdb_sa_sk_", rf"mdb_sa_sk_{_B}{{30,60}}"),
    _t("clickhouse-key", "4b1d", rf"4b1d{_W}{{38}}"),
    _t("xata-token", "xau_", rf"xau_{_W}{{20,80}}"),
    _t("confluent-secret", "cflt", r"cflt[A-Za-z0-9+/]{56,64}"),
    _t("openshift-token", "sha256~", rf"sha256~{_B}{{43}}"),
    _t("tailscale-key", "tskey-",
        rf"tskey-(?:auth|api|client|scim|webhook|reusable)-{_W}{{8,32}}-{_W}{{16,64}}"),
    _t("defined-networking-token", "dnkey-", rf"dnkey-{_B}{{26}}-{_B}{{52}}"),
    _t("cockroach-key", "ccdb1_", rf"CCDB1_{_W}{{22}}_{_W}{{40}}"),
    _t("scalingo-token", "tk-us-", rf"tk-us-{_B}{{48}}"),
    _g("ngrok-token", "_", rf"[12]{_W}{{26}}_{_W}{{20,24}}"),
    _t("zuplo-key", "zpka_", rf"zpka_{_W}{{32}}_{_H}{{8}}"),
)

CODE = (
    _t("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9_]{20,1024}"),
    _t("github-token", "github_pat_", r"github_pat_[A-Za-z0-9_]{20,255}"),
    _t("github-token", "v1.", rf"v1\.{_H}{{40}}"),
    _t("gitlab-token", "glpat- gldt- glrt- glrtr- glcbt- glptt- glft-",
        r"gl(?:pat|dt|rtr?|cbt|ptt|ft)-[A-Za-z0-9_.-]{20,300}"),
    _t("gitlab-token", "glimt- glagent- glsoat- gloas- glffct- glwt-",
        r"gl(?:imt|agent|soat|oas|ffct|wt)-[A-Za-z0-9_.-]{20,300}"),
    _t("gitlab-token", "gr1348941", rf"GR1348941{_B}{{20}}"),
    _t("bitbucket-token", "atbb atctt3xff",
        rf"(?:ATBB{_W}{{20,60}}|ATCTT3xFf[A-Za-z0-9_=-]{{60,250}})"),
    _t("atlassian-token", "atatt3 atoa", r"ATATT3[A-Za-z0-9_=-]{60,300}"),
    _t("npm-token", "npm_", rf"npm_{_W}{{36,60}}"),
    _t("pypi-token", "pypi-", rf"pypi-Ag{_B}{{40,1024}}"),
    _t("rubygems-token", "rubygems_", rf"rubygems_{_H}{{48}}"),
    _t("crates-token", "cio", rf"cio{_W}{{32}}"),
    _t("nuget-key", "oy2", r"oy2[a-z0-9]{43}"),
    _t("clojars-token", "clojars_", r"(?i:clojars_)[A-Za-z0-9]{60}"),
    _t("docker-token", "dckr_pat_ dckr_oat_", rf"dckr_[po]at_{_B}{{20,60}}"),
    _t("artifactory-token", "akc cmvmdgtu",
        rf"(?:AKC{_W}{{10,120}}|cmVmdGtu{_W}{{56}})", "generated"),
    _t("sonar-token", "sqp_ squ_ sqa_", rf"sq[pua]_{_H}{{40}}"),
    _t("snyk-token", "snyk_", rf"snyk_(?:uat|sat|pat)\.{_W}{{8}}\.[A-Za-z0-9_.-]{{20,300}}"),
    _t("circleci-token", "ccipat_ cciprj_", rf"CCI(?:PAT|PRJ)_{_W}{{10,40}}_{_H}{{40}}"),
    _t("buildkite-token", "bkua_ bkct_ bkpt_ bkaj_ bkar_", rf"bk(?:ua|ct|pt|aj|ar)_{_W}{{20,100}}"),
    _t("harness-token", "pat. sat.", rf"[ps]at\.{_B}{{22}}\.{_W}{{24}}\.{_W}{{20}}"),
    _t("octopus-key", "api-", r"API-[A-Z0-9]{26}"),
    _t("pulumi-token", "pul-", rf"pul-{_H}{{40}}"),
    _t("terraform-token", ".atlasv1.", rf"{_W}{{14}}\.atlasv1\.[A-Za-z0-9_=-]{{60,80}}"),
    _t("scalr-token", "scalr", r"eyJ[A-Za-z0-9_-]{20,400}\.scalr\.[A-Za-z0-9_-]{20,200}"),
    _t("infracost-key", "ico-", rf"ico-{_W}{{32}}"),
    _t("prefect-key", "pnu_ pnb_", rf"pn[ub]_{_W}{{36}}"),
    _t("sourcegraph-token", "sgp_ slk_ sgd_",
        rf"(?:sgp_(?:{_H}{{16}}_|local_)?{_H}{{40}}|slk_{_H}{{64}}|sgd_{_H}{{64}})"),
    _t("postman-key", "pmak- pmat-", rf"(?:PMAK-{_H}{{24}}-{_H}{{34}}|PMAT-{_W}{{26}})"),
    _t("readme-key", "rdme_", r"rdme_[a-z0-9]{70}"),
    _t("kaggle-token", "kgat_", rf"KGAT_{_H}{{32}}"),
    _t("weblate-token", "wlu_ wlp_", rf"wl[up]_{_W}{{36,50}}"),
    _t("jetbrains-token", "perm- perm:",
        r"perm[-:][A-Za-z0-9+/=_-]{4,80}\.[A-Za-z0-9+/=_-]{2,80}\.[A-Za-z0-9+/=_-]{20,80}"),
    _t("aikido-secret", "aik_secret_ aik_ci_", rf"AIK_(?:SECRET|CI)_{_W}{{20,64}}"),
    _t("arcjet-key", "ajkey_", r"ajkey_[a-z0-9]{26}"),
    _t("builder-io-key", "bpk-", rf"bpk-{_H}{{32}}"),
    _t("endor-key", "endr+", rf"endr\+{_W}{{16}}"),
    _t("figma-token", "figd_ figo figu figoh figor", rf"fig(?:d|o|u|oh|or|ur)_{_B}{{30,80}}"),
)

MODELS = (
    _t("anthropic-key", "sk-ant-", rf"sk-ant-(?:[a-z]{{2,12}}\d{{2}}-)?{_B}{{20,255}}"),
    _t("openrouter-key", "sk-or-", rf"sk-or-(?:v1-)?{_B}{{32,128}}"),
    _t("openai-key", "t3blbkfj", rf"sk-{_B}{{16,200}}T3BlbkFJ{_B}{{16,200}}"),
    _t("openai-key", "sk-proj- sk-svcacct- sk-admin- sk-none-",
        rf"sk-(?:proj|svcacct|admin|None)-{_B}{{20,255}}"),
    _t("langfuse-key", "sk-lf-", rf"sk-lf-{_UUID}"),
    _g("openai-key", "sk-", rf"sk-{_B}{{18,255}}"),
    _t("hugging-face-token", "hf_ api_org_", rf"(?:hf_|api_org_){_W}{{30,60}}"),
    _t("replicate-token", "r8_", rf"r8_{_W}{{36,60}}"),
    _t("groq-key", "gsk_", rf"gsk_{_W}{{40,80}}"),
    _t("xai-key", "xai-", rf"xai-{_W}{{60,100}}"),
    _t("perplexity-key", "pplx-", rf"pplx-{_W}{{40,64}}"),
    _t("fireworks-key", "fw_", rf"fw_{_W}{{20,40}}", "generated"),
    _t("together-key", "tgp_v1_", rf"tgp_v1_{_B}{{40,60}}"),
    _t("cerebras-key", "csk-", rf"csk-{_W}{{40,60}}"),
    _t("pinecone-key", "pcsk_", r"pcsk_[A-Za-z0-9_]{40,100}"),
    _t("langsmith-key", "lsv2_ ls__", rf"(?:lsv2_(?:pt|sk)_{_H}{{32}}_{_H}{{10}}|ls__{_H}{{32}})"),
    _t("wandb-key", "wandb_v1_", rf"wandb_v1_{_B}{{40,120}}"),
    _t("nvidia-key", "nvapi-", rf"nvapi-{_B}{{50,90}}"),
    _t("tavily-key", "tvly-", rf"tvly-(?:dev-|prod-)?{_B}{{24,64}}"),
    _t("firecrawl-key", "fc-", rf"fc-{_H}{{32}}"),
    _t("voyage-key", "pa-", rf"pa-{_B}{{43}}", "generated"),
    _t("jina-key", "jina_", rf"jina_{_B}{{40,80}}"),
    _t("anyscale-key", "esecret_", rf"esecret_{_W}{{20,60}}"),
    _t("friendli-token", "flp_", rf"flp_{_W}{{40,60}}"),
    _t("e2b-key", "e2b_", rf"e2b_{_H}{{40}}"),
    _t("modal-token", "ak- as-", r"a[ks]-[A-Za-z0-9]{22}", "generated"),
    _t("mem0-key", "m0-", rf"m0-{_W}{{36,50}}"),
    _t("context7-key", "ctx7sk-", rf"ctx7sk-{_UUID}"),
    _t("elevenlabs-key", "sk_", rf"sk_{_H}{{48}}"),
    _t("cursor-key", "key_", rf"key_{_H}{{64}}"),
    _t("cartesia-key", "sk_car_", r"sk_car_[A-Za-z0-9_]{20,30}"),
    _g("composio-key", "ak_ ck_", rf"[ac]k_{_B}{{20}}"),
    _t("apify-token", "apify_api_ apify_proxy_", rf"apify_(?:api|proxy)_{_W}{{30,40}}"),
)

SERVICES = (
    _t("slack-token", "xox",
        r"xox[a-z](?:\.xox[bp])?-[A-Za-z0-9%./+=-]{10,400}"),
    _t("slack-token", "xapp- xwfp-", r"(?:xapp|xwfp)-[A-Za-z0-9-]{16,200}"),
    _t("stripe-key", "sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_ sk_org_ rk_org_",
        r"[sr]k_(?:live|test|prod|org)_[A-Za-z0-9_]{10,255}"),
    _t("adafruit-key", "aio_", rf"aio_{_W}{{28}}"),
    _t("onesignal-key", "os_v2_", r"os_v2_(?:app|org)_[a-z0-9]{50,120}"),
    _t("sanity-token", "sk", rf"sk{_W}{{178}}"),
    _t("crossmint-key", "sk_staging_ sk_production_", rf"sk_(?:staging|production)_{_W}{{24,48}}"),
    _t("stripe-webhook-secret", "whsec_", r"whsec_[A-Za-z0-9+/=]{24,100}"),
    _t("twilio-key", "sk", rf"SK{_H}{{32}}"),
    _t("sendgrid-key", "sg.", rf"SG\.{_B}{{16,32}}\.{_B}{{30,64}}"),
    _t("mailgun-key", "key- pubkey-", rf"(?:pub)?key-{_H}{{32}}"),
    _t("mailgun-key", "-", rf"{_H}{{32}}-{_H}{{8}}-{_H}{{8}}"),
    _t("mailchimp-key", "-us", rf"{_H}{{32}}-us\d{{1,2}}"),
    _t("mandrill-key", "md-", rf"md-{_B}{{22}}", "generated"),
    _t("brevo-key", "xkeysib- xsmtpsib-", rf"x(?:key|smtp)sib-{_H}{{64}}-{_W}{{16}}"),
    _t("resend-key", "re_", rf"re_{_W}{{6,12}}_{_W}{{20,32}}", "generated"),
    _t("mailersend-key", "mlsn.", rf"mlsn\.{_H}{{64}}"),
    _t("klaviyo-key", "pk_", rf"pk_{_H}{{34}}"),
    _t("telegram-token", ":aa", rf"\d{{8,10}}:AA{_B}{{32,36}}"),
    _t("discord-token", "mfa. .",
        rf"(?:[MNO]{_B}{{23,27}}\.{_B}{{6}}\.{_B}{{27,45}}|mfa\.{_B}{{80,100}})"),
    _t("twitch-token", "oauth:", rf"oauth:{_W}{{30}}"),
    _t("shopify-token", "shpat_ shpca_ shppa_ shpss_ shptka_ shpua_",
        rf"shp(?:at|ca|pa|ss|tka|ua)_{_H}{{32,64}}"),
    _t("square-token", "sq0atp- sq0csp- eaaa",
        rf"(?:sq0(?:atp|csp)-{_B}{{22,43}}|EAAA[A-Za-z0-9_+=-]{{56,64}})"),
    _t("paypal-braintree-token", "access_token$",
        rf"access_token\$(?:production|sandbox)\${_W}{{16}}\${_H}{{32}}"),
    _t("plaid-token", "access-", rf"access-(?:sandbox|development|production)-{_UUID}"),
    _t("razorpay-key", "rzp_live_ rzp_test_", rf"rzp_(?:live|test)_{_W}{{14,20}}"),
    _t("flutterwave-key", "flwseck", r"FLWSECK(?:_TEST)?-[A-Za-z0-9]{12,40}(?:-X)?"),
    _t("woocommerce-key", "ck_ cs_", rf"c[ks]_{_H}{{40}}"),
    _t("paddle-key", "pdl_", r"pdl_(?:live_|sdbx_)?apikey_[A-Za-z0-9_]{30,100}"),
    _t("polar-token", "polar_", rf"polar_(?:oat|pat|whs|cs)_{_W}{{30,80}}"),
    _t("shippo-token", "shippo_", rf"shippo_(?:live|test)_{_H}{{40}}"),
    _t("easypost-key", "ezak ezta eztk", rf"EZ[AT]K{_W}{{54}}"),
    _t("duffel-token", "duffel_", r"duffel_(?:test|live)_[A-Za-z0-9_=-]{40,60}"),
    _t("checkout-key", "sk_sbox_ sk_",
        rf"sk_(?:test_|sbox_)?(?:{_UUID}|[a-z0-9]{{27}}[a-z0-9*$#=])", "generated"),
    _t("airtable-token", "pat", rf"pat{_W}{{14}}\.{_H}{{64}}"),
    _t("notion-token", "ntn_ secret_", rf"(?:ntn_{_W}{{40,60}}|secret_{_W}{{43}})"),
    _t("linear-token", "lin_api_ lin_oauth_ lin_wh_", rf"lin_(?:api|oauth|wh)_{_W}{{30,64}}"),
    _t("asana-token", "/", rf"\d/\d{{16}}(?:/\d{{16}})?:{_H}{{32}}"),
    _t("clickup-token", "pk_", r"pk_\d{5,12}_[A-Z0-9]{32}"),
    _t("trello-token", "atta", rf"ATTA{_H}{{64}}"),
    _t("typeform-token", "tfp_", r"tfp_[A-Za-z0-9_.=-]{40,64}"),
    _t("hubspot-token", "pat-", rf"pat-(?:na|eu|ap)\d-{_UUID}"),
    _t("contentful-token", "cfpat-", rf"CFPAT-{_B}{{43}}"),
    _t("intercom-token", "dg9rog", r"dG9rOg[A-Za-z0-9+/_-]{30,80}={0,2}"),
    _t("frameio-token", "fio-u-", r"fio-u-[A-Za-z0-9_=-]{60,70}"),
    _t("intra42-secret", "s-s4t2", rf"s-s4t2(?:ud|af)-{_H}{{64}}"),
    _t("settlemint-token", "sm_aat_ sm_pat_ sm_sat_", rf"sm_[aps]at_{_W}{{16}}"),
    _t("mapbox-token", "sk.eyj tk.eyj", rf"[st]k\.eyJ{_B}{{40,300}}\.{_B}{{20,60}}"),
    _t("maxmind-key", "_mmk", rf"{_W}{{6}}_{_W}{{29}}_mmk"),
    _t("facebook-token", "eaa", rf"EAA[A-Za-z]{_W}{{60,400}}"),
    _t("instagram-token", "igq", rf"IGQ[VW]{_B}{{60,300}}"),
    _t("twitter-token", "aaaaaaaaaaaaaaaaaaaa", r"(?<![A-Za-z0-9]{3})A{20,24}[A-Za-z0-9%]{50,120}"),
    _t("linkedin-secret", "wpl_ap1.", r"WPL_AP1\.[A-Za-z0-9+/=.]{14,60}"),
    _t("dropbox-token", "sl.", r"sl\.(?:u\.)?[A-Za-z0-9_=-]{100,2048}"),
    _t("adobe-secret", "p8e-", rf"p8e-{_B}{{32}}"),
    _t("configcat-key", "configcat-sdk-1/", rf"configcat-sdk-1/{_B}{{22}}/{_B}{{22}}"),
    _t("launchdarkly-key", "sdk- api- mob-", rf"(?:sdk|api)-{_UUID}"),
    _t("statsig-key", "secret-", rf"secret-{_W}{{36,60}}", "generated"),
    _t("stytch-secret", "secret-live- secret-test-", r"secret-(?:live|test)-[A-Za-z0-9_=-]{30,50}"),
    _t("authress-key", ".acc_ .acc-",
        rf"(?:sc|ext|scauth|authress)_{_W}{{5,30}}\.{_W}{{4,6}}\.acc[_-][A-Za-z0-9-]{{10,32}}"
        r"\.[A-Za-z0-9+/_=-]{30,120}"),
    _t("segment-token", "sgp_", rf"sgp_{_W}{{64}}"),
    _t("ubidots-token", "bbff- bbus-", rf"BB(?:FF|US)-{_W}{{30,35}}"),
    _t("nightfall-key", "nf-", rf"NF-{_W}{{32}}", "generated"),
    # Their marks are parts of other marks: last, and the narrowest first.
    _t("lob-key", "live_ test_", rf"(?:live|test)_(?:pub_)?{_H}{{31,35}}"),
    _t("gocardless-token", "live_", rf"live_{_B}{{40}}", "generated"),
    _t("mollie-key", "live_ test_", rf"(?:live|test)_{_W}{{30,40}}", "generated"),
)

WATCHING = (
    _t("sentry-token", "sntrys_ sntryu_ sntrya_ sntryi_", r"sntry[suai]_[A-Za-z0-9+/=_]{40,400}"),
    _t("grafana-token", "glsa_ glc_",
        rf"(?:glsa_{_W}{{32}}_{_H}{{8}}|glc_[A-Za-z0-9+/=]{{32,400}})"),
    _t("grafana-key", "eyjrijoi", r"eyJrIjoi[A-Za-z0-9+/]{60,400}={0,2}"),
    _t("new-relic-key", "nrak- nrii- nrra- nriq- nrsp- nrjs-",
        rf"NR(?:AK|II|RA|IQ|SP|JS)-{_B}{{19,60}}"),
    _t("new-relic-key", "nral ffffnral", rf"(?:eu01xx)?{_H}{{30,36}}(?:FFFF)?NRAL"),
    _t("honeycomb-key", "hcaik_ hcbik_ hcxik_ hcamk_ hcbmk_ hcxmk_",
        rf"hc[abx][im]k_{_W}{{40,80}}"),
    _t("dynatrace-token", "dt0", r"dt0[a-z]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    _t("posthog-key", "phx_ phs_", rf"ph[xs]_{_B}{{40,60}}"),
    _t("axiom-token", "xaat- xapt-", rf"xa[ap]t-{_UUID}"),
    _t("datadog-token", "ddapp_ ddpat_", rf"dd(?:app|pat)_{_W}{{30,60}}"),
    _t("pagerduty-key", "u+", rf"u\+{_B}{{18}}", "generated"),
)

VAULTS = (
    _t("vault-token", "hvs. hvb. hvr.", rf"hv[sbr]\.{_B}{{20,300}}"),
    _t("vault-token", "s. b. r.", rf"[sbr]\.{_W}{{24}}", "generated"),
    _t("doppler-token", "dp.",
        rf"dp\.(?:pt|st|ct|sa|said|scim|audit)\.(?:[a-z0-9_-]{{2,35}}\.)?{_W}{{40,44}}"),
    _t("infisical-token", "st.", rf"st\.{_H}{{24}}\.{_H}{{32}}\.{_H}{{32}}"),
    _t("1password-token", "ops_ey", r"ops_eyJ[A-Za-z0-9+/=_-]{100,4096}"),
    _t("1password-secret-key", "a3-",
        r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}"),
    _t("age-secret-key", "age-secret-key-", r"AGE-SECRET-KEY-(?:PQ-)?1[A-Z0-9]{50,2000}", "any"),
    # Not inside of a run of base64, and without going back: a text of "eyJeyJeyJ" stays cheap.
    _t("jwt", "eyj",
        r"eyJ(?<![A-Za-z0-9_-]{6})[A-Za-z0-9_-]{8,1500}+\.eyJ[A-Za-z0-9_-]{8,8000}+"
        r"(?:\.[A-Za-z0-9_-]{0,2000}+)?", "any"),
    _t("jwt", "eyj",  # encrypted: five parts
        r"eyJ(?<![A-Za-z0-9_-]{6})[A-Za-z0-9_-]{8,1500}+\.[A-Za-z0-9_-]{0,2000}+"
        r"\.[A-Za-z0-9_-]{8,100}+\.[A-Za-z0-9_-]{8,8000}+\.[A-Za-z0-9_-]{16,60}+", "any"),
)

# fmt: on
TOKENS = VAULTS + MODELS + CODE + CLOUD + WATCHING + SERVICES
"""In the order in which they are tried: where two match the same text, the first names it."""


LITERALS = (
    "pass", "pwd", "psk", "secret", "token", "key", "cred", "auth", "pw", "kennwort", "contrase",
    "senha", "пароль", "密码", "密碼", "パスワード", "비밀번호", "hasło", "wachtwoord",
)  # fmt: skip

_WORD = (
    r"pass(?:word|wort|wd|phrase|code)?|pwd|(?<![a-z])(?:pw|psk)\b|secret|token|key|cred(?:ential)?s?|auth"
    r"|kennwort|contrase[nñ]a|senha|mot de passe|пароль|密[码碼]|パスワード|비밀번호|hasło"
    r"|wachtwoord"
)
_OTHER_CASE = (
    "[\u0131\u017f]"  # dotless i and long s: one letter with i and s where case is ignored
)
_LEFT = 60  # characters of a name before the word in it
_RIGHT = r"[\w.-]{0,60}"
_WORD_BEFORE = r"([A-Za-z]{2,16})[ \t-]\Z"
_named_PARTS = r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\dA-Za-z_]+"

_STRONG = r"(?P<strong>:{1,3}=|=>|->|<-|[=!]==?|\|\|=|\?\?=|[?+.]=|=|[:：](?!//))"
_LINK = (
    r"\\{0,3}[\"'`]?[\])]{0,2}(?:"
    # name: X / value: Y, as in lists of environment variables
    r"[ \t]{0,4},?\s{0,40}\\{0,3}[\"']?(?i:value)\\{0,3}[\"']?[ \t]{0,4}(?P<pair>[:=])[ \t]{0,4}"
    # <name>value, <key>name</key><string>value, <name>name</name><value>value
    r"|(?:[ \t][^<>\n]{0,60})?(?P<tag>>)(?:\s{0,20}<(?:string|value)>)?\s{0,40}(?:<!\[CDATA\[)?"
    r"|(?P<key></(?i:key|name)>)\s{0,20}<(?i:string|value)>\s{0,20}"
    # name = value, name: Type = value, name (of something) : value
    r"|(?:[ \t]{0,4}:[ \t]{0,4}[A-Za-z][\w.\[\]?<>]{0,24}(?=[ \t]{0,16}:?=)"
    r"|[ \t]{1,4}(?P<word>[A-Za-z]\w{0,15})"
    r"|[ \t]\([^()\n]{1,40}\))?"
    r"[ \t]{0,16}" + _STRONG + r"(?:[ \t]{1,4}[|>][+-]?[ \t]{0,4}\n[ \t]{1,40}"  # a block of YAML
    r"|[ \t]{0,16}|\s{0,40}(?=[\"']))"
    # name,value, of a table: only what looks generated
    r"|(?P<csv>,)(?=[^\s\"'`,]{16,512}(?:[,\s]|\Z))"
    # setName("value"), ("name", "value"): the value must be quoted
    r"|(?P<call>[ \t]{0,2}\(|[ \t]{0,2},)[ \t]{0,4}(?=\\{0,3}[bfru]?[\"'`])"
    # the name for X is value, name - value
    r"|(?:[ \t](?:for|of|on|at|in|to|from)[ \t](?:[^\n=:;.]|\.(?=\S)){1,48}?(?=[ \t:]))??[ \t]{0,3}"
    r"(?P<prose>:|(?<=[ \t])(?:(?i:is(?: now)?|was|to|as|equals|ist|est|es)[ \t]{0,2}:?|[=>|–—-]))"
    r"[ \t]{1,3}"
    r"|(?P<blank>[ \t]{1,8})"
    r")"
)
_LONGEST_BARE = 512  # characters
_VALUE = (
    r"(?:@|[bfruBFRU]{1,2}(?=[\"'`]))?(?:"
    r"\\{1,3}\"(?P<escaped>[^\"\\\n]{1,4096}+)\\{1,3}\""
    r"|\"(?P<double>(?:[^\"\\\n]|\\.){1,4096}+)\""
    r"|'(?P<single>(?:[^'\\\n]|\\.){1,4096}+)'"
    r"|`(?P<tick>[^`\n]{1,4096}+)`"
    rf"|[\"'`]{{0,3}}(?P<bare>[^\s\"'`<>]{{1,{_LONGEST_BARE}}}+))"
)
_REST = r"[^\s\"'`<>]*"  # of a bare value longer than that: taken along, not looked at
_NEXT_NAME = r"[,;&|?][A-Za-z_][\w.-]*[=:]"
_NESTED = r"([A-Za-z_][\w.-]{0,60})=(?=[^=])"
_IS_KEY = r"\\{0,3}[\"'`][ \t]{0,4}(?::|=>)"
_TRAILING = ".,;:…"  # an ellipsis may be ours: the text was cut behind the value
_IDENTIFIER = r"(?:[^\W\d]|\$)[\w$]*(?:(?:\.|::|->|-)(?:[^\W\d]|\$)[\w$]*)*"
_COMMIT = r"[0-9a-f]{7,40}"
_JUDGED = (
    r"(?i)(?<![\w.-])(?:tests|checks|typechecks|specs|suites|builds|jobs|pipelines|linters|steps|assertions"
    r"|scenarios|hooks|runs|examples|cases|ci)"
    r"(?:[ \t]{1,3}(?:now|all|still|also|both|then|again|should|must|will|do|to)){0,3}[ \t]{1,3}\Z"
)
_SENTENCE = (
    r"(?i)\b(?:must|please|enter|your|required|should|the|is|are|at least|cannot|forgot|for|with)\b"
)


class Found(NamedTuple):
    """Where a named value stands, and what kind of secret its name says it is."""

    start: int
    end: int
    kind: str


class _Tie(NamedTuple):
    """How a value is tied to its name."""

    is_strong: bool  # by an operator, not by a word or a blank
    is_blank: bool  # by nothing but a blank
    is_quoted: bool
    is_code: bool  # quoted by backticks
    is_setting: bool  # NAME=value, as in an .env file
    is_assigned: bool  # by "=", or quoted as code and settings quote
    is_cell: bool  # of a table
    is_listed: bool  # "name", "value": perhaps two words of a list
    is_verdict: bool  # "tests pass:"
    ends_line: bool


def named_values(text: str, lowered: str) -> Iterator[Found]:
    """Every value that a credential word claims; `lowered` is `text.lower()`."""
    if not any(literal in lowered for literal in LITERALS):
        return
    # Where all letters have lower-case ones of their own, the search need not ask for each.
    is_plain = len(lowered) == len(text) and not pattern(_OTHER_CASE).search(lowered)
    hits = pattern(_WORD if is_plain else f"(?i){_WORD}")
    behind = 0  # end of the last value found: words inside it are its own
    for hit in hits.finditer(lowered if is_plain else text):
        if hit.start() < behind:
            continue
        value_of = _value_of(text, hit.start(), hit.end())
        if value_of:
            behind = value_of.end
            yield value_of


def _value_of(text: str, start: int, end: int) -> Found | None:
    right = pattern(_RIGHT).match(text, end)
    first, least = start, max(0, start - _LEFT)
    while first > least and (text[first - 1].isalnum() or text[first - 1] in "_.-"):
        first -= 1
    last = right.end() if right else end
    if text[max(0, first - 3) : first] == "://":
        return None  # the user of an address, whose rules know where the password ends
    name = text[first:last]
    while name[-1] in ".-":  # the end of a sentence, a dash
        name, last = name[:-1], last - 1
    kind = kind_of_name(name, _word_before(text, first))
    link = pattern(_LINK).match(text, last) if kind else None
    value = pattern(_VALUE).match(text, link.end()) if link else None
    if not (kind and link and value) or (link["call"] and not kind_of_name(name.split(".")[-1])):
        return None
    if link["strong"] == ":" and (link["word"] or "").lower() in NOT_THE_VALUE | COMPONENTS:
        return None  # "password policy: …", "auth method: …"
    group = value.lastgroup or "bare"
    begin, stop = value.span(group)
    if group == "bare":
        bare = value[group].partition(",")[0] if link["csv"] else value[group]
        stop = begin + len(_bare(bare))
    is_strong = any(link[tie] for tie in ("strong", "pair", "tag", "key", "call", "csv"))
    tie = _Tie(
        is_strong=is_strong,
        is_blank=bool(link["blank"]),
        is_quoted=group != "bare",
        is_code=group == "tick",
        is_setting=link["strong"] == "=" and (name.isupper() or not link[0].strip("=")),
        is_assigned="=" in link[0] or group not in ("bare", "tick"),
        is_cell=bool(link["csv"]),
        is_listed="," in (link["call"] or ""),
        is_verdict=name.lower() == "pass" and _is_verdict(text, first),
        ends_line=text[stop : stop + 1] in ("", "\n", ",", ";"),
    )
    if tie.is_listed and pattern(_IS_KEY).match(text, stop):
        return None  # "season pass", "kind": …
    if not _is_secret(text[begin:stop], kind, name, tie):
        return None
    rest = pattern(_REST).match(text, stop) if stop - begin == _LONGEST_BARE else None
    return Found(begin, rest.end() if rest else stop, kind)


def _is_verdict(text: str, start: int) -> bool:
    """Whether what stands before `start` passes: "all tests pass". A "test pass" is a password."""
    return pattern(_JUDGED).search(text, max(0, start - 48), start) is not None


def _word_before(text: str, start: int) -> str:
    match = pattern(_WORD_BEFORE).search(text, max(0, start - 18), start)
    return match[1].lower() if match else ""


@lru_cache(maxsize=1_024)  # a text says the same few names over and over
def kind_of_name(name: str, before: str = "") -> str | None:
    """The kind of secret a name stands for, None if for none; `before` is the word in front.

    >>> kind_of_name("DB_PASSWORD"), kind_of_name("token", "api"), kind_of_name("public_key")
    ('password', 'token', None)
    """
    parts = [part.lower() for part in pattern(_named_PARTS).findall(name)]
    if not parts or parts[-1] in NOT_THE_VALUE or PUBLIC.intersection(parts) or before in PUBLIC:
        return None
    last, previous = parts[-1], parts[-2] if len(parts) > 1 else before
    if PASSWORD.intersection((*parts[-2:], name.lower())) or last.endswith(
        ("password", "passwd", "passwort", "pwd")
    ):
        return "password"
    if last.endswith("token") or last == "tokens":
        return "token"
    if parts[-2:] == ["key", "base"] or (parts[0] == "x" and last == "key"):
        return "api-key"  # SECRET_KEY_BASE, X-Acme-Key
    if last in ("key", "keys") or last.endswith(("apikey", "accesskey", "secretkey")):
        is_known = previous in KEY_OF or last not in ("key", "keys")
        return "api-key" if is_known else "key"
    if SECRET.intersection(parts[-2:]) or last.endswith(ENDINGS):
        return "secret"
    return None


def _bare(value: str) -> str:
    """An unquoted value without what follows it: the next `name=`, brackets, punctuation."""
    follower = pattern(_NEXT_NAME).search(value)
    if follower and not value.startswith(("$", "{")):
        value = value[: follower.start()]
    nested = pattern(_NESTED).match(value)
    if nested and kind_of_name(nested[1]):
        return nested[1]  # name=name=value: the inner name has its own turn
    for opening, closing in ("()", "[]", "{}"):
        at = value.find(closing)
        if at > 0 and opening not in value[:at]:
            value = value[:at]
    return value.rstrip(_TRAILING) or value


def _is_secret(value: str, kind: str, name: str, tie: _Tie) -> bool:
    if len(value) < 4 or (not tie.is_quoted and value.endswith(("[", "("))):
        return False  # parts["password"]: cut at the quote
    if tie.is_cell:
        is_secret = looks_generated(value, 16)
    elif kind == "password":
        is_secret = _is_password(value, name, tie)
    elif kind == "key":  # a key of what? only a value that can be nothing else
        is_secret = tie.is_strong and looks_generated(value, 20)
    elif tie.is_blank:
        shortest = 12 if tie.is_quoted else 16
        is_secret = looks_generated(value, shortest) and changes(value) >= 4 and not is_label(value)
    else:
        shortest = 8 if tie.is_quoted or tie.is_setting else 10
        is_named = is_label(value) and not tie.is_assigned  # prose speaks of things by name
        is_secret = looks_generated(value, shortest) and not is_named
        is_secret = is_secret or _is_plain_setting(value, name, tie)
    return is_secret and not (is_placeholder(value) or is_reference(value))


def _is_plain_setting(value: str, name: str, tie: _Tie) -> bool:
    """JWT_SECRET=correcthorsebattery: in a setting even words are the secret itself."""
    is_word = value.isalnum() and len(value) >= 8 and value.lower() not in COMMON
    return tie.is_setting and name.isupper() and is_word and not is_repeated(value)


def _is_password(value: str, name: str, tie: _Tie) -> bool:
    is_mixed = has_digits(value) and has_letters(value)
    has_symbol = not value.replace("_", "").replace("-", "").replace(".", "").isalnum()
    if value.lower().strip("()[]{}") in COMMON or value.lower() == name.lower():
        return False
    if name.lower() == "pass" and not tie.is_strong:
        return False  # "to pass to httplib2"
    if tie.is_verdict:  # "all tests pass: a1b2c3d4e5" names a commit
        return looks_generated(value) and pattern(_COMMIT).fullmatch(value) is None
    if not tie.is_assigned and (is_component(value) or (tie.is_code and is_command(value))):
        return False
    if tie.is_blank:
        is_strange = is_mixed and (has_symbol or changes(value) >= 2)
        return len(value) >= 8 and is_strange and wordy_share(value) < 0.8
    if tie.is_listed:
        return (is_mixed or has_symbol) and " " not in value
    if " " in value:
        return tie.is_quoted and tie.is_strong and not pattern(_SENTENCE).search(value)
    if tie.is_quoted:
        return tie.is_strong or is_mixed or has_symbol or len(value) >= 6
    if not tie.is_strong:
        return len(value) >= 5 and (is_mixed or (has_symbol and value[-1:].isalnum()))
    if name.lower() == "pass" and not tie.is_setting:
        return is_mixed  # "12 tests pass: all"
    is_name = pattern(_IDENTIFIER).fullmatch(value) is not None
    if not is_name or (is_mixed and "_" not in value and "." not in value):
        return True
    if name.isupper() and tie.is_setting:
        return True
    return value.isalpha() and (tie.ends_line or (tie.is_setting and len(value) >= 6))


ENTROPY_BITS = 4.0  # bits a character; a candidate has more
ENTROPY_LENGTH = 20  # characters; a candidate has more
LONGEST_SECRET = 512  # characters; what is longer is a picture, a font or a certificate
LOOKS_BACK = 40  # characters before a candidate that may say what it is
_SHORTEST_PART = 12  # characters; a random token holds one unbroken run of at least so many
_RARE = 10  # at most one character in so many is - or _ in URL-safe base64; 1 in 32 by chance

_CANDIDATE = r"(?<![A-Za-z0-9+/_.~@%-])[A-Za-z0-9+/_.~-]{21,}+={0,2}"
_strings_PARTS = r"[A-Za-z0-9+/=]+"

# What the words before a candidate may say: this is public, or says which, not what.
_PUBLIC_BEFORE = (
    r"(?i)(?:sha-?\d{0,3}|digest|integrity|commit|checksum|e-?tag|fingerprint|thumbprint|hash|nonce"
    r"|public(?:[_ -]?key)?|cert(?:ificate)?|signature|host ?key|known_hosts"
    r"|ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-\w+|sk-\w+@openssh\.com|\bid|[a-z]_id|[a-z]Id|uuid|guid|trace|span|request|cursor"
    r"|revision|version|build|\bref|chunk|bundle|asset|cache[_ -]?key|h1:|go\.sum|image|font"
    r"|base64,?|data:[\w/+.-]+;base64,|@)[\s\"'`:=(\[{,>]{0,8}(?:is\s)?[\"'`]?\Z"
)
# Integrity strings and the ids of providers' objects.
_PUBLIC_MARK = (
    r"(?:sha(?:1|256|384|512)[-:=]|h1:|md5-|msg_|toolu_|req_|run_|thread_|call_|resp_|chatcmpl-|asst_|file-"
    r"|evt_|pi_|cus_|ch_|in_|sub_|price_|prod_|acct_|cs_|seti_|pm_|arn:|urn:|pk_(?:live|test)_|pk\.eyJ|phc_"
    r"|srvtoolu_|batch_|ft[:-]|step_|vs_|session_|build-|image-|chunk-|rs_|fc_|ws_|i-|sg-|ami-|vpc-|subnet-)"
)
# How pictures, fonts, archives, certificates, JSON and public keys begin in base64.
_DATA_HEAD = (
    r"(?:iVBORw0KGgo|/9j/|R0lGOD|UklGR|PHN2Zy|PD94bWw|AAAAB3NzaC1|AAAAC3NzaC1|AAAAE2Vj|MII[A-K]|LS0tLS1CRUdJTi"
    r"|H4sI|UEsDB|JVBERi|d09GM|d09GRg|AGFzbQ|eyJ|AAEAAAA|T1RUTw|Qk[0-9A-Z]|AAABAA|SUQz|//uQ|GkXfo|PCFET|PGh0b)"
)
_PUBLIC_BLOCK = r"-----BEGIN (?!.{0,40}PRIVATE)[^-\n]{1,40}-----"
_PUBLIC_END = "-----END "

_KEY_END = r"-----END[A-Z0-9 ]{0,40} PRIVATE KEY(?: BLOCK)?-----"
_KEY_LINE = r"[ \t>]{0,40}[A-Za-z0-9+/=]{4,100}\s{0,2}"

_EMAIL = (
    r"(?<![\w.%+@/:-])[\w.%+-]{1,64}+@(?:[A-Za-z0-9\u00a1-\uffff-]{1,63}+\.){1,6}[A-Za-z\u00a1-\uffff]{2,24}"
    r"(?![\w@-]|\.\w)"
)
_FORGE_ADDRESS = "users.noreply.github.com"
_REMOTE_SHELL = (
    r"\b(?:ssh|scp|sftp|rsync|mosh|sshfs|ssh-copy-id|git clone|git remote)\b[^\n]{0,60}\Z"
)
_REMOTE_PATH = r":[~/\w]"
_VERSION_HOST = r"v?\d+(?:\.\d|x\.)"

_CARD = (
    r"(?<![\w.-])(?:\d{4}[ -]\d{4}[ -]\d{4}[ -]\d{4}|3[47]\d\d[ -]?\d{6}[ -]?\d{5}|\d{16})"
    r"(?![\w-]|\.\d)"
)
_SOME_DIGITS = r"[2-6]\d{3}[ -]?\d{4}"  # so all of them begin; quicker to look for
_COUNTED_BEFORE = (
    r"(?i)(?:order|invoice|ticket|timestamp|time|epoch|id|seq|offset|nonce|\bno)[ =:#\"'.]{0,4}\Z"
)
_CARD_START = r"4|5[1-5]|2(?:2[2-9]|[3-6]|7[01]|720)|3[47]|6(?:011|5|4[4-9])"


def random_strings(text: str) -> Iterator[tuple[int, int]]:
    """Spans of more than 20 characters with more than 4.0 bits a character, which nothing explains.

    Hex, UUIDs, digests, paths, addresses, identifiers made of words, ids of providers' objects,
    public keys, certificates and pictures are explained; so is what "commit", "integrity", "id"
    and the like announce.
    """
    public = list(_public_blocks(text))
    for matches in pattern(_CANDIDATE).finditer(text):
        start, value = matches.start(), matches[0].rstrip(".")
        if not ENTROPY_LENGTH < len(value) <= LONGEST_SECRET or not _looks_random(value):
            continue
        if start and text[start - 1] in "\\#":  # an escaped character, a place in a page
            continue
        if any(begin <= start < end for begin, end in public):
            continue
        before = text[max(0, start - LOOKS_BACK) : start]
        if not pattern(_PUBLIC_BEFORE).search(before):
            yield start, start + len(value)


@lru_cache(maxsize=2_048)  # a session names the same few paths over and over
def _looks_random(value: str) -> bool:
    """Whether nothing about the value itself explains it."""
    if entropy(value) <= ENTROPY_BITS or is_hex(value) or is_uuid(value) or is_placeholder(value):
        return False
    if pattern(_PUBLIC_MARK).match(value) or pattern(_DATA_HEAD).match(value):
        return False
    return not _is_path(value) and _has_random_part(value)


def _public_blocks(text: str) -> Iterator[tuple[int, int]]:
    """Where certificates and public keys stand."""
    end = 0
    for heading in pattern(_PUBLIC_BLOCK).finditer(text) if _PUBLIC_END[:5] in text else ():
        if heading.start() >= end:
            end = text.find(_PUBLIC_END, heading.end())
            end = len(text) if end < 0 else end
            yield heading.start(), end


def _has_random_part(value: str) -> bool:
    """Whether one run of it is long and random; versions and class lists have none."""
    if "." not in value and value.count("-") + value.count("_") <= len(value) / _RARE:
        value = value.replace("-", "+").replace("_", "+")  # they are digits of URL-safe base64
    longest = max(pattern(_strings_PARTS).findall(value), key=len, default="")
    return (
        len(longest) >= _SHORTEST_PART
        and not is_hex(longest)
        and looks_generated(longest)
        and changes(value) >= min(len(value), LOOKS_AT) / 5
        and wordy_share(value) < 0.4
    )


def _is_path(value: str) -> bool:
    """Whether it is part of a path, an address or a dotted name."""
    if value.startswith("//"):
        return True
    if value.startswith(("/", "./", "../", "~/")) and value.count("/") > 1:
        return True
    if "/" not in value:
        return "." in value and all(len(part) < _SHORTEST_PART for part in value.split("."))
    parts = [part for part in re.split(r"[/.]", value) if part]
    return any(part.isalpha() and part.islower() and wordy_share(part) == 1.0 for part in parts)


def headless_keys(text: str) -> Iterator[tuple[int, int]]:
    """Spans of private keys whose beginning was cut off: lines of base64 before their END."""
    for ending in pattern(_KEY_END).finditer(text) if _PUBLIC_END in text else ():
        start = ending.start()
        while start:
            line = text.rfind("\n", 0, start - 1) + 1
            if not pattern(_KEY_LINE).fullmatch(text, line, start):
                break
            start = line
        if start < ending.start():
            yield start, ending.end()


def emails(text: str, keep: Collection[str] = ()) -> Iterator[tuple[int, int]]:
    """Spans of e-mail addresses, but for those in `keep` (lower-case).

    No addresses: `git@host:path`, `pkg@1.2`, `name@sha256:…`, `@decorator`, `x@v4`, `icon@2x.png`,
    `unit@1.service`, user@host of ssh and rsync, and senders that nobody reads (noreply@).
    """
    if "@" not in text:
        return
    for matches in pattern(_EMAIL).finditer(text):
        address = matches[0].lower()
        local, host = address.rsplit("@", 1)
        if local in NOT_PEOPLE or address in keep or host == _FORGE_ADDRESS:
            continue
        if host.rsplit(".", 1)[1] in FILE_ENDINGS or pattern(_VERSION_HOST).match(host):
            continue
        before = text[max(0, matches.start() - 80) : matches.start()]
        if pattern(_REMOTE_PATH).match(text, matches.end()) or pattern(_REMOTE_SHELL).search(
            before
        ):
            continue
        yield matches.span()


def card_numbers(text: str) -> Iterator[tuple[int, int]]:
    """Spans of payment card numbers: a known issuer, and a sum that comes out.

    Digits in one run that a word counts (`order 4…`, `id=4…`) are none: one in ten has that sum.
    """
    if not pattern(_SOME_DIGITS).search(text):
        return
    for matches in pattern(_CARD).finditer(text):
        digits = re.sub(r"\D", "", matches[0])
        if not (pattern(_CARD_START).match(digits) and luhn(digits)):
            continue
        before = text[max(0, matches.start() - LOOKS_BACK) : matches.start()]
        if digits != matches[0] or not pattern(_COUNTED_BEFORE).search(before):
            yield matches.span()


def luhn(digits: str) -> bool:
    """Whether Luhn's sum of the digits is a multiple of ten."""
    doubled = (sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2])
    return (sum(doubled) + sum(int(digit) for digit in digits[-1::-2])) % 10 == 0
