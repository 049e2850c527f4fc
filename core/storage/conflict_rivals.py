"""Values that exclude each other, as data: rival tools, and the units that numbers are given in.

Who uses one member of a family does not use another one for the same purpose.
"""

from __future__ import annotations

from .conflict_common import groups, word_set

RIVALS = {
    row[0]: (row[1].split(), tuple(part for part in row[2:]))
    for row in groups(
        """
        Python package manager
          | install package dependency python manage lock requirement add manager resolve | pip
          | uv | poetry | pdm | pipenv | conda | mamba | rye | pip-tools
        JavaScript package manager
          | install package dependency javascript node manage lock manager add | npm | yarn | pnpm
          | bun
        database | database db data store primary main relational persist | postgres | postgresql
          | mysql | mariadb | sqlite | mongodb | mongo | oracle | dynamodb | cockroachdb
          | cassandra | redis | duckdb | firestore | sql server
        queue | queue broker message job task background worker event | rabbitmq | kafka | sqs
          | nats | redis | celery | dramatiq | rq | sidekiq | bullmq | pulsar | zeromq | arq
        cache | cache | redis | memcached | valkey | varnish
        Python test runner | test runner write suite unit python | pytest | unittest | nose | nose2
        JavaScript test runner | test runner write suite unit javascript | jest | vitest | mocha
          | jasmine | ava
        browser test tool | test browser end-to-end e2e ui | playwright | cypress | selenium
          | puppeteer | webdriverio
        Python formatter | format formatter code python style | black | ruff format | ruff | yapf
          | autopep8
        JavaScript formatter | format formatter code style | prettier | biome | dprint
        Python linter | lint linter linting code python | ruff | flake8 | pylint
        JavaScript linter | lint linter linting code | eslint | biome | oxlint | jshint
        type checker | type check checker | mypy | pyright | pyre | pytype
        CI system | ci pipeline build continuous integration deploy deployment | jenkins
          | github actions | gitlab ci | circleci | travis | travis ci | buildkite | drone
          | teamcity | azure pipelines
        cloud | cloud provider host hosting deploy deployment infrastructure | aws | azure | gcp
          | google cloud | hetzner | digitalocean
        host | host hosting deploy deployment platform | heroku | fly.io | vercel | netlify
          | render.com | railway | cloudflare pages | github pages
        editor | editor ide | vim | neovim | emacs | vscode | vs code | intellij | pycharm | zed
        programming language | language write code implement | python | typescript | javascript
          | golang | rust | java | kotlin | ruby | php | scala | elixir | perl
        frontend framework | frontend framework ui component write build | react | vue | svelte
          | angular | solidjs | preact
        Python web framework | web framework api build python | django | flask | fastapi
          | starlette | sanic
        state library | state manage store | redux | zustand | mobx | recoil | jotai | pinia | vuex
        date library | date time library | moment.js | moment | date-fns | dayjs | luxon
        HTTP client | http client request call | requests | httpx | aiohttp | urllib3 | axios
        ORM | orm database model | sqlalchemy | peewee | prisma | typeorm | drizzle | sequelize
        bundler | bundle bundler build | webpack | vite | rollup | parcel | esbuild | turbopack
        secret store | secret keep store manager | vault | aws secrets manager | secrets manager
          | doppler | sops
        password hash | password hash | bcrypt | argon2 | argon2id | scrypt | pbkdf2 | md5 | sha1
        API style | api style interface | rest | graphql | grpc | soap
        log level | log level | debug | info | warning | error | trace
        spoken language | language text write | english | german | french | spanish | italian
          | portuguese | japanese | chinese
        container engine | container engine image | docker | podman | containerd | buildah
        infrastructure tool | infrastructure deploy | terraform | pulumi | cloudformation
          | opentofu | ansible
        shell | shell script | bash | zsh | fish | powershell
        error tracker | error track tracker report | sentry | rollbar | bugsnag | honeybadger
        mail service | mail email send | ses | sendgrid | mailgun | postmark | mailpit | mailhog
        file format | format file config configuration | json | yaml | toml | xml | ini
        naming style | name naming case identifier | snake_case | camelcase | kebab-case
          | pascalcase
        base image | image base build | alpine | debian | ubuntu | distroless | debian slim
        version control | version control repository | git | svn | mercurial | jujutsu
        merge strategy | merge pull request branch history | squash | rebase | merge commit
        indentation | indent indentation code | tab | space
        load test tool | load test | k6 | locust | jmeter | gatling
        docstring style | docstring style write format | google style | numpy style | sphinx style
        text format | format text body mail | html | plain text | markdown | latex
        map provider | map provider tile | google maps | openstreetmap | mapbox | here maps
        time zone | time timestamp store zone date | utc | local time
        CSS tool | css style | tailwind | bootstrap | styled-components | emotion | sass
        issue tracker | issue ticket track tracker | jira | linear | github issues | trello
        """
    )
}
"""Family -> (words that go without saying in it, its members). One tool may be in several."""

ONLY_AS_NAMES = word_set(
    "debug info warning error trace render linear drone rest requests vault fish"
)
"""Members that are ordinary words too: a name only where they are written as one."""

BRANCHES = word_set("main master develop trunk")
"""Branch names; a value only in a sentence that speaks of a branch."""

DAYS = word_set("monday tuesday wednesday thursday friday saturday sunday")
MONTHS = word_set(
    "january february march april june july august september october november december "
    "jan feb mar apr jun jul aug sep oct nov dec"
)

UNITS = {
    "time": {
        0.001: "ms millisecond milliseconds msec",
        1.0: "s sec secs second seconds",
        60.0: "min mins minute minutes",
        3600.0: "h hr hrs hour hours",
        86400.0: "d day days",
        604800.0: "week weeks",
        2592000.0: "month months",
        31536000.0: "year years",
    },
    "size": {
        1.0: "b byte bytes",
        1e3: "kb kib",
        1e6: "mb mib",
        1e9: "gb gib",
        1e12: "tb tib",
    },
    "share": {1.0: "% percent"},
    "length": {0.01: "cm", 1.0: "m metre metres meter meters", 1000.0: "km", 0.001: "mm"},
    "pixels": {1.0: "px pixel pixels"},
    "money": {1.0: "€ eur euro euros", 1.000001: "$ usd dollar dollars", 1.000002: "£ gbp"},
}
"""Dimension -> size in its base unit -> the unit's names."""

NUMBERS = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()
    )
} | {"once": 1, "twice": 2, "fifteen": 15, "twenty": 20, "thirty": 30, "sixty": 60, "hundred": 100}

ORDINALS = {
    word: number
    for number, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth".split(), 1
    )
} | {"1st": 1, "2nd": 2, "3rd": 3, "last": -1}
