"""Tokens that carry a mark: one line for each form a provider documents.

`_t(kind, literals, pattern)`: the literals are lower-case and separated by blanks. The engine sees
to it that a token begins where a word begins and ends where it ends, and that its rest is no
placeholder. `_g` is for marks so common that the token must also look generated.
"""

from __future__ import annotations

from .redaction_rules import Rule

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
    _t("fly-token", "fo1_ fm1_ fm1a_ fm1r_ fm2_ fm2a_",
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
    _t("harness-token", "pat.", rf"pat\.{_B}{{22}}\.{_H}{{24}}\.{_W}{{20}}"),
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
    _t("jetbrains-token", "perm-",
        r"perm[-:][A-Za-z0-9+/=_-]{4,80}\.[A-Za-z0-9+/=_-]{2,80}\.[A-Za-z0-9+/=_-]{20,80}"),
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
    _t("apify-token", "apify_api_", rf"apify_(?:api|proxy)_{_W}{{30,40}}"),
)

SERVICES = (
    _t("slack-token", "xoxa- xoxb- xoxe- xoxe. xoxp- xoxr- xoxs- xoxo- xoxc- xoxd-",
        r"xox[a-z](?:\.xox[bp])?-[A-Za-z0-9%./+=-]{10,400}"),
    _t("slack-token", "xapp- xwfp-", r"(?:xapp|xwfp)-[A-Za-z0-9-]{16,200}"),
    _t("stripe-key", "sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_ sk_org_",
        r"[sr]k_(?:live|test|prod|org)_[A-Za-z0-9_]{10,255}"),
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
    _t("new-relic-key", "nrak- nrii- nrra- nriq- nrsp-", rf"NR(?:AK|II|RA|IQ|SP|JS)-{_B}{{19,60}}"),
    _t("new-relic-key", "nral ffffnral", rf"(?:eu01xx)?{_H}{{30,36}}(?:FFFF)?NRAL"),
    _t("honeycomb-key", "hcaik_ hcbik_ hcxik_ hcamk_", rf"hc[abx][im]k_{_W}{{40,80}}"),
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
