"""When a finding leaves its session for the project: signals, points, presets, filters."""

import pytest

from memdeck import BadInput, Capture, Origin
from memdeck.core.answers import Salience
from memdeck.core.ingest.promotion import SECOND_HAND
from memdeck.tests.fillers import filler


def signals(core, memory):
    return core.candidacy(memory)["signals"]


# --- the six signals


KEPT, ESTABLISHED = Salience(2.0, 0.6, 0.9, True, False), Salience(2.0, 0.9, 0.9, True, True)
POINTS = [
    ({"rule": "person.remember"}, {"user-intent": 5}),
    ({"rule": "person.instruction", "salience": KEPT}, {"user-intent": 5}),
    ({"rule": "person.fact", "salience": KEPT}, {}),
    (
        {"rule": "person.fact", "salience": ESTABLISHED},
        {"user-intent": 5, "worth-keeping": 3},
    ),
    ({"rule": "person.order", "salience": ESTABLISHED}, {}),
    ({"salience": KEPT}, {}),
    ({"salience": ESTABLISHED}, {"worth-keeping": 3}),
    ({"rule": "agent.error-fix"}, {"error-resolution": 2}),
    ({"importance": 0.7}, {"high-importance": 1}),
    ({"importance": 0.69, "scope": "project"}, {}),
]


def test_each_signal_has_its_points(core, offer, subtests):
    for number, (fields, points) in enumerate(POINTS):
        with subtests.test(fields=fields):
            memory = offer(filler(number), **{"importance": 0.5, **fields}).memory_id
            assert signals(core, memory) == points
            assert core.show(memory).scope == fields.get("scope", core.show(memory).scope)
            assert core.candidacy(memory)["points"] == sum(points.values())
    memory = offer(importance=0.4).memory_id
    offer(session="s2", agent="codex")
    assert signals(core, memory) == {"multi-session": 2, "multi-agent": 1}
    core.remember(core.show(memory).content, pin=True)
    assert core.history(memory)[0].reason == ""  # in the same words
    assert signals(core, memory).items() >= {"user-intent": 5, "explicit-pin": 5}.items()


def test_a_score_holds_until_the_user_asks_for_the_same_explicitly(core, offer, row_of):
    memory = offer(salience=ESTABLISHED).memory_id
    for rule in ("agent.finding", "person.fact"):
        offer(session="s2", rule=rule, salience=ESTABLISHED if rule == "person.fact" else None)
        assert row_of("score", "memory_salience", "memory = ?", memory) == ESTABLISHED.score
    offer(session="s3", rule="person.remember")
    assert row_of("score", "memory_salience", "memory = ?", memory) is None


GUESSES = """
My guess is that the tide gauge caches its readings for an hour.
The tide gauge probably caches its readings for a whole hour.
I assume that the tide gauge caches its readings for an hour.
Presumably the tide gauge caches its readings for an hour or so.
I'd guess the tide gauge keeps its readings in a cache for an hour.
It looks like the tide gauge caches its readings for one hour.
The tide gauge seems to cache its readings for a whole hour.
Most likely the tide gauge caches its readings for one hour.
I suspect the tide gauge caches its readings for an hour.
Not sure, but the tide gauge caches its readings for an hour.
The cause might be the cache of the tide gauge's readings.
AFAICT the tide gauge caches its readings for a whole hour.
Apparently the tide gauge caches its readings for an hour.
My hypothesis: the tide gauge caches its readings for an hour.
Ich vermute, dass der Pegel seine Messwerte eine Stunde lang behält.
Der Pegel behält seine Messwerte wahrscheinlich eine Stunde lang.
Das dürfte am Zwischenspeicher des Pegels und seiner Messwerte liegen.
Supongo que el mareógrafo guarda sus lecturas durante una hora.
El mareógrafo probablemente guarda sus lecturas durante una hora.
Quizás el mareógrafo guarda sus lecturas durante una hora entera.
Le marégraphe garde sans doute ses mesures pendant une heure.
Il mareografo probabilmente conserva le sue letture per un'ora.
Acho que o marégrafo guarda as suas leituras durante uma hora.
Waarschijnlijk bewaart de getijmeter zijn metingen een uur lang.
Mareograf prawdopodobnie przechowuje odczyty przez godzinę.
Похоже, мареограф хранит свои показания целый час подряд.
Мабуть, мареограф зберігає свої покази цілу годину поспіль.
Mareograf ölçümlerini muhtemelen bir saat boyunca saklıyor.
Sepertinya alat ukur pasang menyimpan data selama satu jam.
Có lẽ máy đo thủy triều giữ các số đo trong một giờ liền.
検潮器は測定値をおそらく一時間キャッシュしていると思われる箇所がある。
我猜验潮仪会把它的读数在缓存里面保存整整一个小时的时间再丢弃。
조위계는 측정값을 한 시간 동안 캐시하는 것 같습니다. 로그에 그렇게 보입니다.
ربما يحتفظ مقياس المد بقراءاته لمدة ساعة كاملة في الذاكرة.
शायद ज्वारमापी अपने माप एक घंटे तक स्मृति में रखता है।
เครื่องวัดน้ำน่าจะเก็บค่าที่วัดได้ไว้ในหน่วยความจำหนึ่งชั่วโมง
"""
FACTS = """
The tide gauge caches its readings for exactly one hour.
Users may pass None for the gauge, and the lock must be held then.
"Probably stale" is what the tide gauge prints after an hour.
Der Pegel behält seine Messwerte eine Stunde lang im Speicher.
Le marégraphe garde ses mesures en cache pendant une heure.
検潮器は測定値を一時間キャッシュし、その後に必ず破棄するように作られている。
验潮仪会把它的读数在缓存里面保存整整一个小时的时间然后再丢弃掉。
"""


@pytest.mark.parametrize(
    ("text", "tags", "is_promoted"),
    [
        *((text, (), False) for text in GUESSES.strip().splitlines()),
        *((text, (), True) for text in FACTS.strip().splitlines()),
        (FACTS.strip().splitlines()[0], (SECOND_HAND,), False),
    ],
)
def test_agents_repeat_no_guess_and_nothing_second_hand_until_it_is_established(
    core, offer, text, tags, is_promoted
):
    score = Salience(2.0, 0.9, 0.9, True, True)
    for number, name in enumerate(("claude", "codex", "gemini")):
        core.session_seen(f"s{number}", name)
        result = offer(text, agent=name, session=f"s{number}", tags=tags, salience=score)
        memory = result.memory_id
    assert (core.candidacy(memory)["promoted_at"] is not None) is is_promoted
    offer(text, session="s9", rule="person.instruction")
    assert core.candidacy(memory)["promoted_at"] is not None  # the user's own word does


@pytest.mark.parametrize(("source", "scope"), [("agent", "project"), ("finding", "session")])
def test_a_record_that_was_only_read_stays_in_its_session(core, offer, texts, source, scope):
    core.session_seen("s1", "claude")
    memory = core.learn(texts["pilots"], session="s1").result.memory_id
    offer("pilots", session="s2", rule="agent.error-fix")
    core.settle_recording(core.recordings(memory)[0].id, source)
    assert signals(core, memory).get("verified") == (1 if source == "agent" else None)
    assert signals(core, memory)["multi-session"] == 2
    assert core.show(memory).scope == scope


# --- presets and hard filters


def test_a_short_wish_in_words_of_uncertain_origin_stays_in_its_session(core, offer):
    for session in ("s1", "s2", "s3"):
        memory = offer("Port is 9090.", session=session, rule="quoted.remember").memory_id
    assert core.candidacy(memory)["points"] >= 3
    assert core.show(memory).scope == "session"


def test_a_preset_that_does_not_exist_is_refused(core):
    with pytest.raises(BadInput) as caught:
        core.set_preset("greedy")
    assert "conservative, balanced, aggressive" in caught.value.hint


# --- the way of a finding


def test_a_finding_goes_from_its_session_to_the_project_to_recall(core, offer, clock, row_of):
    """Finding, candidate, promotion by points, confirmed, pinned, injection."""
    memory = offer().memory_id
    assert row_of("outcome", "finding", "memory = ?", memory) == "stored"
    assert (core.show(memory).scope, core.show(memory).status) == ("session", "candidate")
    for session in ("s2", "s3"):  # 2 points for the sessions, 1 for the importance it gained
        offer(session=session)
    promoted = core.show(memory)
    assert (promoted.scope, promoted.status) == ("project", "candidate")
    assert core.history(memory)[0].action == "promote"
    assert core.history(memory)[0].reason == "multi-session 2, high-importance 1"
    clock.forward(hours=1)
    assert core.stats().totals == {"promotions": 1, "evictions": 0, "accesses": 2}
    assert [hit.id for hit in core.recall("which berth floods at spring tide?").items] == [memory]
    assert core.stats().totals["accesses"] == 3
    clock.forward(hours=23)
    core.end_quarantines()
    assert core.show(memory).status == "confirmed"
    assert core.pin(memory)[0].status == "pinned"
    core.forget(memory)
    assert core.stats().total_count == 0
    assert core.stats().totals == {"promotions": 1, "evictions": 0, "accesses": 3}


# --- scope


def test_no_rule_makes_a_memory_global(core, offer):
    """Automatic promotion ends at the project; a person goes further."""
    memory = offer(rule="person.instruction", importance=0.9).memory_id
    for number in range(6):
        offer(session=f"s{number}", rule="person.instruction")
    assert core.show(memory).scope == "project"
    [wider] = core.promote(memory, "global")
    assert (wider.scope, wider.project, wider.status) == ("global", "", "confirmed")


@pytest.mark.parametrize("kind", ["episodic", "prospective", "semantic", "procedural"])
def test_what_sessions_find_is_theirs_until_it_is_promoted(core, kind, texts):
    origin = Origin(session="s1", agent="claude")
    [result] = core.offer([Capture(content=texts["crane"], type=kind, origin=origin)])
    memory = core.show(result.memory_id)
    assert (memory.type, memory.scope) == (kind, "session")


def test_working_memory_belongs_to_its_task_or_session(core):
    task = core.create_working_memory("Move the tide gauge", "s1", todo_id="1")
    session = core.create_working_memory("The gauge is at pier C", "s1", scope="session")
    assert (task.scope, session.scope) == ("task", "session")


@pytest.mark.parametrize(("sessions", "kind"), [(2, "episodic"), (3, "semantic")])
def test_what_happened_in_three_sessions_is_a_fact(core, offer, sessions, kind):
    memory = offer("crane", type="episodic").memory_id
    for number in range(2, sessions + 1):
        offer("crane", type="episodic", session=f"s{number}")
    after = core.show(memory)
    assert after.type == kind
    if kind == "semantic":
        assert after.details["evidence_count"] == 3
        assert after.details["source_sessions"] == ["s1", "s2", "s3"]
        assert core.history(memory)[0].action == "promote"
        for session in ("s4", "s4"):
            offer("crane", session=session)
        details = core.show(memory).details
        assert (details["evidence_count"], details["source_sessions"][2:]) == (5, ["s3", "s4"])
        for entry in core.history(memory)[:3]:
            core.undo(entry.seq)
        assert core.show(memory).type == "episodic"
