"""What a person types is looked for, never interpreted."""

import sqlite3
from contextlib import closing

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdeck import MemoryCoordinator
from memdeck.db.home import Home

SYNTAX = st.text(alphabet="\"()*:^-+{}[]<>&|\\/~,.;'NEARORTDaz \x00\n", max_size=40)


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    core = MemoryCoordinator.open(tmp_path_factory.mktemp("fuzz") / "home", "harbour")
    core.import_memories(
        {"content": f'Berth {number} AND pier NEAR(the tide) "quoted" col:umn', "key": str(number)}
        for number in range(50)
    )
    yield core
    core.close()


@pytest.mark.slow
@settings(
    max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(text=st.one_of(SYNTAX, st.text(max_size=60)))
def test_no_text_is_an_error_through_any_way_of_asking(filled, text):
    filled.search(text)
    filled.find(text, "newest")
    filled.find(text, "exact")
    filled.facets(text)
    filled.recall(text, write_receipt=False)


def test_operators_of_the_engine_are_plain_words(filled):
    assert filled.count("content : nothing") == 0
    assert filled.count("NEAR") == 50
    assert filled.count('"quoted"') == 50
    assert filled.count("-quoted pier") == 0


def test_words_are_capped(filled):
    assert len(filled.search(" ".join(f"word{number}" for number in range(20_000)))) == 0
    assert filled.search("x" * 1_000_000) == []


def test_identifiers_are_found_whole_and_in_parts(filled):
    filled.remember("The retry_budget of fetchTideTable is three attempts in berths/tide.py")
    for query in ("retry_budget", "budget", "tide.py", "fetchTideTable"):
        assert filled.search(query), query


FOUND = """
UserProfileCard.tsx must not fetch data itself.|profile card
Call getOrCreateTenant() before any billing call.|create tenant
parseXMLHttpResponse is deprecated.|xml response
unlockWithBiometrics must never run|biometrics
the worker calls fetchUserProfile() before|fetch user profile
Columns use utf8mb4 everywhere|utf8
UTF-8 only in the importer|utf8
Columns use utf8mb4 everywhere|mb4
OAuth2Client must refresh first|oauth
useOAuth2Client must refresh first|oauth2
OAuth 2 client must refresh|OAuth2Client
release v2.1 broke exports|2.1
keycloak realm is imported at start|keycl
useKeycloakAuth wraps the router|keycl
RETRY_BUDGET_MS is 300|retryBudget
retry budget is 300|retryBudget
retry-budget is 300|retrybudget
the api-key lives in vault|apikey
useGitHubAuth reads the cookie|github
io.k8s.apiServer restarts|api server
http2Server needs ALPN|http2
ec2InstanceRole is missing|ec2
数据库迁移必须在部署前运行|迁移
数据库迁移必须在部署前运行|数据库怎么迁移
使用redis缓存用户会话|redis
使用redis缓存用户会话|缓存
キャッシュはデプロイ後に消す|キャッシュ
ビルドキャッシュを消す|キャッシュの設定
데이터베이스는 포트 5433을 쓴다|데이터베이스를
ฐานข้อมูลต้องสำรองทุกคืน|ข้อมูล
Time zones are stored as IANA names|timezone
Time zones are stored as IANA names|tz
Kubernetes manifests are rendered with helm.|kube
PostgreSQL 16 is required because of MERGE.|pg
The configuration is read from the root.|configs
Internationalization strings live in locales/en.json.|internationalisation
The colour of warnings is amber.|color
git push -f is forbidden on shared branches|git push -f
git push -f is forbidden on shared branches|-f
Use --no-verify on docs|--no-verify
🚀 release trains leave|🚀
The renderer needs -std=c++20|-std=c++20
the coverage floor is 80 %|%
猫の画像は別バケットに置く|猫
mTLSCertRotator restarts the proxy|cert rotator
PaymentsV3Gateway is frozen|payments gateway
set MAX_RETRY_COUNT to 4|maxRetryCount
x-request-id must be logged|requestid
the iPhone15Pro simulator is slow|iphone15
ARM64Builder runs on macOS|arm64
sha256sum is checked twice|sha256
SHA-256 only|sha256
read_only replicas lag|readonly
Int32Array is faster here|int32
base64url without padding|base64
我们用夜间备份恢复集群|备份
支付网关超时为三十秒|超时
請勿在週五部署|部署
設定ファイルは暗号化する|暗号
テストは並列で実行する|並列実行
서버를 재시작하면 캐시가 비워진다|캐시
배포는 금요일에 하지 않는다|금요일
ห้ามลบตารางลูกค้า|ตาราง
ຖານຂໍ້ມູນຢູ່ໃນລາວ|ຂໍ້ມູນ
docker run -it drops privileges|run -it
rm -rf build before packaging|-rf
tar -xzf keeps owners|-xzf
go test -race in CI|-race
curl -X POST needs the token|-X
the ✅ label means approved|✅
margins are ≥ 40|≥
organise imports on save|organize
the catalog service is read-only|catalogue
normalise paths on Windows|normalization
webhooks are retried for a day|web hooks
the filename carries the date|file name
Run git clean -fdx before a release|git clean -fdx
ｶﾞｲﾄﾞﾗｲﾝは社内にある|ガイドライン
東京のＳ３を使う|S3
Pull requests need two approvals|PRs
environment variables are read once|envvars
the code base is split|codebase
"""
"""A text, and a question that finds it and nothing else: names, writing without spaces, options,
signs, and everyday forms."""


def test_a_word_is_found_from_either_side_by_search_and_list(open_core, subtests):
    other = "The weather in the office is fine."
    for number, line in enumerate(FOUND.strip().splitlines()):
        text, _, question = line.rpartition("|")
        with subtests.test(question), open_core(f"berth{number}") as core:
            core.import_memories([{"content": text}, {"content": other}])
            assert [hit.memory.content for hit in core.search(question)] == [text]
            assert [memory.content for memory in core.list(question)] == [text]


def test_parts_that_an_older_version_cut_are_no_damage_and_are_renewed(open_core, home_path):
    core = open_core()
    kept = [core.remember(text) for text in ("The fareTable is ours.", "OAuth2Client is theirs.")]
    columns = "title, content, tags, files, category, terms, parts"
    add = f"{columns}) SELECT {{}} num, {columns} FROM memory"
    with closing(sqlite3.connect(Home(home_path).database, isolation_level=None)) as other:
        other.execute("INSERT INTO memory_fts(memory_fts, rowid, " + add.format("'delete',"))
        other.execute("UPDATE memory SET parts = 'otherwise'")
        other.execute("INSERT INTO memory_fts(rowid, " + add.format(""))
    assert core.verify().ok
    core.pin(kept[0].memory_id)  # which leaves the words as they are
    assert core.verify().ok
    assert core.count("client") == 0
    core.maintenance.run()
    assert core.count("client") == 1
    assert core.verify().ok
