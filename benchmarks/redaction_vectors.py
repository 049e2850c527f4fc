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
from typing import NamedTuple

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
MARKED = """
1password-secret-key A3-{u6}-{u11}-{u5}-{u5}-{u5}
1password-service-account ops_eyJ{w250}
adafruit-io aio_{w4}27{w22}
adobe-client-secret p8e-{l32}
age-secret-key AGE-SECRET-KEY-1{u58}
aikido-secret AIK_SECRET_{w64}
aikido-ci AIK_CI_{w32}
aiven-password AVNS_{b19}
airtable-personal pat{w14}.{h64}
alibaba-access-key-id LTAI{w20}
ansible-vault $ANSIBLE_VAULT;1.1;AES256¶{d80}¶{d80}¶{d40}
anthropic-admin sk-ant-admin01-{b93}AA
anthropic-api sk-ant-api03-{b93}AA
anthropic-oauth sk-ant-oat01-{b93}AA
apify apify_api_{w36}
arcjet ajkey_{l26}
artifactory-api-key AKCp{w69}
artifactory-reference cmVmdGtu{w56}
asana-personal 1/{d16}:{h32}
atlassian-api ATATT3{b186}
authress sc_{l20}.{l4}.acc-{l14}.{w60}
aws-access-key AKIA{u16}
aws-bedrock ABSK{s109}
azure-ad-secret {w3}8Q~{b34}
azure-storage {s76}+ASt{s6}==
beamer b_{b43}=
bitbucket-app-password ATBB{w32}
blockprotocol b10ck5.{w32}.{w36}
browserbase bb_live_{b27}
buildkite-agent bkua_{h40}
builderio bpk-{h32}
calcom cal_live_{h32}
cartesia sk_car_{w20}
circleci-personal CCIPAT_{w22}_{h40}
clickhouse 4b1d{w38}
clojars CLOJARS_{l60}
cloudflare-origin-ca v1.0-{h24}-{h146}
cockroachlabs CCDB1_{w22}_{w40}
composio ak_{b20}
configcat configcat-sdk-1/{b22}/{b22}
contentful-personal CFPAT-{b43}
crates-io cio{w32}
crossmint sk_production_{w32}
databricks dapi{h32}
defined-networking dnkey-{b26}-{b52}
deno-account ddp_{w36}
deno-organization ddo_{w36}
digitalocean-oauth doo_v1_{h64}
digitalocean-personal dop_v1_{h64}
discord-bot M{w25}.{b6}.{b38}
docker-hub-personal dckr_pat_{b27}
docker-hub-organization dckr_oat_{b32}
doppler-personal dp.pt.{w43}
doppler-service dp.st.dev.{w43}
dropbox-short sl.{b135}
duffel duffel_live_{b43}
dynatrace dt0c01.{u24}.{u64}
easypost EZAK{w54}
elevenlabs sk_{h48}
endor-labs endr+{w16}
facebook-app {d15}|{b27}
facebook-page EAAC{w120}
figma figd_{b40}
flutterwave FLWSECK_TEST-{h32}-X
flyio-macaroon fm2_{s120}
flyio-oauth fo1_{b43}
frameio fio-u-{b64}
freemius sk_{b29}
friendli flp_{w46}
github-app ghs_{w36}
github-fine-grained github_pat_{w22}_{w59}
github-oauth gho_{w36}
github-personal ghp_{w36}
github-refresh ghr_{w76}
gitlab-ci-job glcbt-64_{b20}
gitlab-deploy gldt-{b20}
gitlab-feature-flag glffct-{b20}
gitlab-feed glft-{b20}
gitlab-incoming-mail glimt-{b25}
gitlab-kubernetes-agent glagent-{b50}
gitlab-oauth-app gloas-{h64}
gitlab-personal glpat-{b20}
gitlab-personal-routable glpat-{b27}.{l2}{l7}
gitlab-pipeline-trigger glptt-{h40}
gitlab-runner glrt-{b20}
gitlab-runner-registration GR1348941{b20}
gitlab-scim glsoat-{b20}
gitlab-session _gitlab_session={h32}
google-api AIza{b35}
google-oauth-secret GOCSPX-{b28}
google-oauth-token ya29.{b160}
grafana-api eyJrIjoi{w90}
grafana-cloud glc_{s60}=
grafana-service-account glsa_{w32}_{h8}
groq gsk_{w52}
harness-personal pat.{b22}.{h24}.{w20}
harness-service sat.{b22}.{h24}.{w20}
hashicorp-terraform {w14}.atlasv1.{b67}
helicone sk-helicone-{l7}-{l7}-{l7}-{l7}
heroku-v2 HRKU-AA{b58}
honeycomb-ingest hcaik_{l58}
hubspot-private-app pat-na1-{U}
huggingface-organization api_org_{a34}
huggingface-user hf_{a34}
infracost ico-{w32}
intra42 s-s4t2ud-{h64}
jwt eyJ{w20}.eyJ{w60}.{b43}
jwt-base64 ZXlKaGJHY2lPaU{s90}
kagi-api {b38}.{b43}
langfuse-secret sk-lf-{U}
langsmith-personal lsv2_pt_{h32}_{h10}
linear-api lin_api_{w40}
linear-oauth lin_oauth_{h64}
llamacloud llx-{w48}
lob live_{h35}
mailchimp {h32}-us12
mailersend mlsn.{h64}
mailgun-private key-{h32}
mailgun-signing {h32}-{h8}-{h8}
mapbox-secret sk.eyJ{w60}.{b22}
maxmind {w6}_{w29}_mmk
mem0 m0-{w40}
mergify mka_{b44}
mistral-none {w32}
modal-token as-{w22}
netlify-personal nfp_{w36}
new-relic-insert NRII-{b32}
new-relic-user NRAK-{u27}
ngrok-api 2{w26}_{w20}
notion ntn_{d11}{w35}
npm-token npm_{w36}
nuget oy2{l43}
nvidia nvapi-{b64}
octopus-deploy API-{u26}
onesignal os_v2_app_{l103}
openai-legacy sk-{w20}T3BlbkFJ{w20}
openai-project sk-proj-{b74}T3BlbkFJ{b74}
openai-service sk-svcacct-{b58}T3BlbkFJ{b58}
openrouter sk-or-v1-{h64}
openshift-user sha256~{b43}
paystack sk_live_{h40}
perplexity pplx-{w48}
pinecone pcsk_{w6}_{w63}
plaid-access access-sandbox-{U}
planetscale-oauth pscale_oauth_{b43}
planetscale-password pscale_pw_{b43}
planetscale-token pscale_tkn_{b43}
posthog-personal phx_{w43}
postman PMAK-{h24}-{h34}
prefect pnu_{w36}
pulumi pul-{h40}
pypi pypi-AgEIcHlwaS5vcmc{b90}
railway-none {U}
readme rdme_{l70}
replicate r8_{w37}
resend re_{w8}_{w24}
rubygems rubygems_{h48}
runpod rpa_{u40}{l4}
sanity sk{w178}
scalingo tk-us-{b48}
sendgrid SG.{b22}.{b43}
sendinblue xkeysib-{h64}-{w16}
sentry-org sntrys_eyJpYXQiO{s60}LCJyZWdpb25fdXJs{s40}=_{s43}
sentry-user sntryu_{h64}
settlemint-personal sm_pat_{w16}
shippo shippo_live_{h40}
shopify-access shpat_{h32}
shopify-shared shpss_{h32}
slack-app xapp-1-A{u10}-{d13}-{h64}
slack-bot xoxb-{d12}-{d13}-{w24}
slack-config-access xoxe.xoxp-1-{u163}
slack-config-refresh xoxe-1-{u146}
slack-legacy-workspace xoxa-2-{w40}
slack-user xoxp-{d12}-{d12}-{d13}-{h32}
slack-webhook https://hooks.slack.com/services/T{u9}/B{u9}/{w24}
snyk-oauth snyk_uat.{w8}.{b120}
sonar-user squ_{h40}
sourcegraph sgp_{h16}_{h40}
square-access EAAA{b60}
square-oauth sq0csp-{b43}
stripe-live sk_live_{w99}
stripe-restricted rk_prod_{w51}
stripe-test sk_test_{w24}
supabase-personal sbp_{h40}
supabase-secret sb_secret_{b22}_{w8}
tailscale-auth tskey-auth-{w12}CNTRL-{w32}
teams-webhook https://acme.webhook.office.com/webhookb2/{U}@{U}/IncomingWebhook/{h32}/{U}
telegram-bot {d10}:AA{b33}
tines-webhook https://acme.tines.com/webhook/{h32}/{h32}
together tgp_v1_{b43}
twilio-api-key SK{h32}
twitch-oauth oauth:{l30}
twitter-bearer AAAAAAAAAAAAAAAAAAAAAA{w90}
typeform tfp_{b44}_{w14}
vault-batch hvb.{b138}
vault-service hvs.{b90}
vault-legacy s.{w24}
vercel-blob vercel_blob_rw_{w16}_{w30}
voyage pa-{b43}
wandb-v1 wandb_v1_{b27}_{b50}
wakatime waka_{U}
xai xai-{w80}
yandex-api AQVN{b36}
yandex-aws YCAJE{b33}
yandex-iam t1.{b60}.{b86}
zapier-webhook https://hooks.zapier.com/hooks/catch/{d7}/{l7}/
zuplo zpka_{l32}_{h8}
"""

UNMARKED = ("mistral-none", "railway-none", "kagi-api")
"""Forms without any mark, kept with those that a name announces."""

# Values without a mark: known by the name they are given to.
NAMED = """
abbysale {w40}
abstract {l32}
abuseipdb {l80}
accuweather {w35}
adafruit {h32}
agora {l32}
airbrake {h32}
airship {w91}
airvisual {U}
algolia {h32}
alibaba {l30}
alienvault {h64}
amadeus {w32}
ambee {h64}
amplitude {h32}
api2cart {h32}
apiflash {l32}
apollo {w22}
appfollow {w20}
appsynergy {l64}
artsy {l20}
asana {h32}
assemblyai {h32}
audd {h32}
auth0 {b64}
autodesk {w32}
autopilot {h32}
avaza {d6}-{h40}
aviationstack {h32}
axonaut {l32}
ayrshare {u7}-{u7}-{u7}-{u7}
bannerbear {w22}tt
baremetrics {b25}
beebole {h40}
bitbucket {b44}
bitcoinaverage {w43}
bitfinex {b43}
bitly {h40}
bitrise {b86}
bittrex {h32}
blablabus {w22}
blazemeter {U}
boostnote {h64}
brandfetch {s43}=
browserstack {w20}
bugherd {l22}
bugsnag {h32}
buttercms {h40}
calendarific {h40}
calorieninja {w40}
cloudflare {b40}
cloudflare-global {h37}
codecov {U}
cohere {w40}
coinbase {b64}
confluent {l16}
confluent-secret {s64}
contentful {b43}
cypress {U}
datadog {h40}
datadog-short {h32}
deepgram {h40}
deepl {U}:fx
discord {b32}
droneci {w32}
dropbox {l15}
etsy {l24}
facebook {h32}
fastly {b32}
finicity {h32}
finnhub {l20}
flickr {h32}
freshbooks {h64}
gitter {h40}
heroku {U}
hubspot {U}
intercom {b60}
jfrog {w73}
jfrog-identity {l64}
jira {l20}{h4}
kagi-api {b38}.{b43}
kraken {s86}==
kucoin {h24}
kucoin-secret {U}
launchdarkly {U}
linear {h32}
linkedin {w16}
mattermost {l26}
messagebird {w25}
meraki {h40}
mistral-none {w32}
netlify {b43}
new-relic {h64}
nytimes {w32}
okta 00{b40}
plaid {h30}
privateai {l32}
railway-none {U}
rapidapi {l50}
sendbird {h40}
sentry {h64}
snyk {U}
sonar {h40}
sourcegraph-plain {h40}
squarespace {U}
sumologic {w64}
travis {w22}
twilio-auth {h32}
twitch {l30}
twitter-secret {w45}
twitter-api {w25}
zendesk {w40}
"""

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
