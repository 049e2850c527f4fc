"""Tokens: how they are counted, and who gets how many."""

import pytest

from memdeck import RetrievalPipeline

TIERS = ("always", "working", "retrieval", "summary")
NOTE = "Idempotency keys of store {}"
ASKED = "idempotency keys"


@pytest.fixture
def ask(core):
    return lambda prompt=ASKED, **more: core.recall(prompt, write_receipt=False, **more)


@pytest.fixture
def allowed(ask):
    """(total, tokens by tier) for what is left of a context."""

    def _allowed(context_left=None, **more):
        told = ask(context_left=context_left, **more)
        return told.budget, tuple(told.limits[tier] for tier in TIERS)

    return _allowed


def test_an_estimate_is_the_whole_part_of_words_times_1_3(subtests):
    for words, tokens in [(0, 0), (1, 1), (2, 2), (3, 3), (4, 5), (10, 13), (1_000, 1_300)]:
        with subtests.test(words=words):
            text = " \n".join(["word"] * words)
            assert RetrievalPipeline.estimate_tokens(text) == tokens


def test_the_table_holds_as_written_and_the_total_always_wins(allowed, subtests):
    """Lower tiers shrink first until the parts fit."""
    rows = [
        (100_000, 5_000, (400, 2_300, 1_500, 600)),
        (50_000, 4_000, (320, 1_840, 1_196, 600)),
        (20_000, 1_600, (200, 700, 500, 200)),
        (None, 5_000, (400, 2_300, 1_500, 600)),  # an unknown one counts as 100,000
    ]
    for context, total, row in rows:
        with subtests.test(context=context):
            assert allowed(context) == (total, row)


def test_with_8000_tokens_left_the_lower_tiers_give_way(core, ask, keep):
    keep(*(f"{NOTE.format(n)} {'berth ' * 110}" for n in range(2)), status="pinned")
    for number in range(12):
        core.create_working_memory(f"Berth {number} {'rope ' * 30}", "s1")
    keep(NOTE.format(9))
    told = ask(context_left=8_000, session="s1")
    assert told.tokens <= told.budget == 640
    assert 100 < told.per_tier["always"] <= told.limits["always"] == 200
    assert 300 < told.per_tier["working"] <= told.limits["working"] <= 500
    assert told.limits["retrieval"] < 150
    assert told.limits["summary"] == 0


def test_the_total_is_8_percent_up_to_the_ceiling_and_each_tier_grows_with_it(allowed, subtests):
    rows = [(-500, 0), (0, 0), (12, 0), (13, 1), (62_499, 4_999), (62_500, 5_000), (10**9, 5_000)]
    for context, total in rows:
        with subtests.test(context=context):
            assert allowed(context)[0] == total
    before = (0,) * len(TIERS)
    for context in range(16_250, 65_000, 1_250):  # from where all tiers have room
        total, row = allowed(context)
        assert all(low <= high for low, high in zip(before, row, strict=True))
        assert sum(row) <= total
        before = row
    assert (200, 300, 200) <= (before[0], before[2], before[3]) <= (400, 1_500, 600)


def test_a_raised_ceiling_raises_every_tier(core, allowed):
    core.set_ceiling(10_000)
    assert allowed(200_000) == (10_000, (800, 4_600, 3_000, 1_200))


@pytest.mark.parametrize("policy", ["adaptive", "five-type", "tiered"])
def test_the_parts_of_every_policy_fit_the_total_and_a_host_is_a_ceiling(
    core, allowed, policy, subtests
):
    whole = {"adaptive": 5_000, "five-type": 8_000, "tiered": 5_000}[policy]
    for host, most in (("codex", 2_500), ("Codex", 2_500), ("claude", whole), ("gemini", whole)):
        with subtests.test(host=host):
            assert allowed(policy=policy, host=host)[0] == most
            assert allowed(10_000, policy=policy, host=host)[0] == 800  # below it decides nothing
    for ceiling in (100, 2_000, 50_000):
        core.set_ceiling(ceiling)
        for context in (0, 1_000, 8_000, 30_000, 100_000, 2_000_000):
            total, row = allowed(context, policy=policy)
            assert 0 <= min(row) <= max(row) <= total


def test_the_five_type_policy_has_000s_numbers(allowed):
    total, (always, working, retrieval, summary) = allowed(policy="five-type")
    assert (total, always, working, summary) == (8_000, 640, 1_000, 0)
    assert 7_700 < retrieval <= 8_000
    assert allowed(50_000, policy="five-type")[0] == 4_000


def test_each_type_has_its_tokens_which_the_words_of_a_prompt_move(ask, keep, settings, subtests):
    room = {"injection_top_n": 50, "drop_bottom_share": 0.0, "max_output_units": 9_900}
    settings(top_k=100, token_estimate="words", **room)
    words = {"episodic": 150, "semantic": 112, "prospective": 110, "procedural": 150}
    for kind, count in words.items():
        keep(*(f"{NOTE.format(n)} {kind[:3]} {'x ' * count}" for n in range(12)), type=kind)

    def told(prompt):
        found = ask(f"{ASKED} {prompt}", policy="five-type", context_left=50_000)
        kinds = [hit.memory.type for hit in found.items]
        return {kind: kinds.count(kind) for kind in words}

    usual = {"episodic": 4, "semantic": 9, "prospective": 3, "procedural": 4}
    rows = [
        ("please", {}),
        ("on the TODO list", {"prospective": 4, "semantic": 7}),
        ("which task comes next", {"prospective": 4, "semantic": 7}),
        ("how to release", {"procedural": 5, "episodic": 3}),
        ("the procedure for tasks", {"procedural": 5, "prospective": 4}),
    ]
    for prompt, moved in rows:
        with subtests.test(prompt=prompt):
            counted = told(prompt)
            assert {name: counted[name] for name in moved or usual} == (moved or usual)


@pytest.mark.parametrize(
    ("kind", "most"), [("episodic", 10), ("semantic", 15), ("prospective", 10), ("procedural", 5)]
)
def test_of_each_type_so_many_are_told_at_most(ask, keep, settings, kind, most):
    settings(top_k=100, drop_bottom_share=0.0, max_output_units=9_900)
    keep(*(f"{NOTE.format(n)} of pier {n}" for n in range(18)), type=kind)
    assert len(ask(policy="five-type").items) == most


def test_the_tiered_policy_shares_by_parts_of_a_whole(allowed, settings):
    assert allowed(policy="tiered") == (5_000, (400, 2_000, 3_000, 0))
    settings(shares={"task": 0.5, "project": 0.25, "global": 0.05})
    assert allowed(policy="tiered") == (5_000, (400, 3_125, 1_874, 0))
    settings(shares={"task": 0.5, "project": 0.0, "global": 0.0})
    assert allowed(policy="tiered")[1][2] == 0
    settings(shares={"task": 0.0, "project": 0.3, "global": 0.1})
    assert allowed(policy="tiered")[1][1] == 0
    settings(shares={"task": 0.0, "project": 0.0, "global": 0.0})  # no shares at all
    assert allowed(policy="tiered") == (5_000, (400, 2_000, 3_000, 0))


O200K = [  # kind, text, its tokens by o200k
    ("german", "Vor den Integrationstests muss die Datenbank gestartet werden. Freitags keine"
     " Migrationen ausführen, weil niemand Bereitschaft hat. Die Rechnungsnummern werden"
     " fortlaufend vergeben und niemals wiederverwendet; Änderungen an Buchungssätzen erfordern"
     " eine Stornobuchung.", 59),
    ("polish", "Nigdy nie usuwaj wierszy z tabeli rezerwacji; oznacz je jako anulowane i zapisz"
     " powód odwołania.", 32),
    ("turkish", "Rezervasyon tablosundan asla satır silmeyin; iptal edildi olarak işaretleyin ve"
     " nedenini kaydedin.", 29),
    ("russian", "Никогда не удаляй строки из таблицы бронирований; помечай их как отменённые и"
     " сохраняй причину.", 29),
    ("arabic", "لا تحذف صفوفا من جدول الحجوزات أبدا، بل ضع عليها علامة ملغى واحفظ السبب.", 25),
    ("hindi", "बुकिंग तालिका से पंक्तियाँ कभी न हटाएँ, उन्हें रद्द के रूप में चिह्नित करें और कारण सहेजें।", 32),
    ("thai", "ห้ามลบแถวออกจากตารางการจอง ให้ทำเครื่องหมายว่ายกเลิกและบันทึกเหตุผลไว้เสมอ", 32),
    ("chinese", "不要删除预订表中的行，应标记为已取消并保存原因。"
     "所有金额以整数分存储，发票编号连续且不重复使用。",
     34),
    ("japanese", "予約テーブルの行は削除せず、キャンセル済みとして記録し、"
     "理由を保存してください。金額は整数で保存します。",
     33),
    ("korean", "예약 테이블의 행을 삭제하지 말고 취소됨으로 표시하고 "
     "사유를 저장하세요. 금액은 정수로 저장합니다.", 31),
    ("lao", "ຖານຂໍ້ມູນທົດສອບຖືກລຶບທຸກຄືນ ຢ່າລືມສຳຮອງຂໍ້ມູນ.", 84),
    ("gurmukhi", "ਡਾਟਾਬੇਸ ਦਾ ਬੈਕਅੱਪ ਹਰ ਰਾਤ ਲਿਆ ਜਾਂਦਾ ਹੈ। ਭੁੱਲਣਾ ਨਹੀਂ।", 27),
    ("burmese", "စမ်းသပ်ဒေတာဘေ့စ်ကို ညတိုင်း ရှင်းလင်းသည်။ ဆာဗာကို ပြန်လည်စတင်ရန် မမေ့ပါနှင့်။", 43),
    ("mongolian", "Өгөгдлийн санг шөнө бүр нөөцөлнө.", 18),
    ("half-width kana", "ｶﾞｲﾄﾞﾗｲﾝ ﾃｽﾄ ｻｰﾊﾞｰ", 26),
    ("hashes", "da39a3ee5e6b4b0d3255bfef95601890afd80709 d41d8cd98f00b204e9800998ecf8427e"
     " 5pp2v8e0zqs2ntqb 01HV8X9ZK3QWERTY", 68),
    ("addresses", "https://docs.python.org/3/library/re.html#re.findall"
     " http://localhost:8080/api/v2/users?id=42&sort=-created_at git@github.com:acme/api.git", 40),
    ("code", "func (s *Server) handleHealthz(w http.ResponseWriter, r *http.Request) { if err :="
     " s.db.PingContext(r.Context()); err != nil { http.Error(w, err.Error(),"
     " http.StatusServiceUnavailable); return }; w.WriteHeader(http.StatusOK) }", 57),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "text", "tokens"), O200K)
def test_the_default_estimate_is_at_most_a_tenth_under_a_tokenizer(core, kind, text, tokens):
    kept = core.remember(text).memory_id
    assert 0.9 * tokens <= core.show(kept).tokens <= 2 * tokens
