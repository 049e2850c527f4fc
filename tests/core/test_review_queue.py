"""The review queue: each kind comes in, is decided by one act, and leaves; what does not belong."""

from datetime import timedelta

import pytest

from memdeck import BadInput, NotFound, Refused, Salience, StaleEdit

ALWAYS = "Always moor the pilot boat at the inner quay when the wind is from the north"
NEVER = "Never moor the pilot boat at the inner quay when the wind is from the north"
TASK = "Ask the harbour master for the pole distances of pier C"
SAME = "Deploys of the harbour site go out by hand on the first Monday of each month"


@pytest.fixture
def queue(core):
    return core.services.review


@pytest.fixture
def only(core, queue):
    """The one item of a kind."""

    def _only(kind):
        [entry] = core.services.review_entries.queue((kind,))
        return queue.item(entry)

    return _only


def kinds(core, **more):
    return [entry.kind for entry in core.services.review_entries.queue(**more)]


def test_an_empty_store_has_nothing_to_review(core):
    assert core.services.review_entries.queue() == []
    assert core.services.review_entries.count() == 0
    with pytest.raises(BadInput, match="dust"):
        core.services.review_entries.queue(("dust",))


# --- candidates


def test_a_candidate_is_accepted_or_rejected_and_the_verdict_can_be_undone(
    core, offer, queue, only
):
    memory = offer("tide", rule="person.instruction").memory_id
    item = only("candidate")
    assert (item.proposal, item.reason) == ("accept", "You said it.")
    assert item.if_nothing.startswith("its trial ends in 24 h.")
    assert item.near is None
    for decision, status in (("accept", "confirmed"), ("reject", "rejected")):
        [decided] = queue.decide(item, decision)
        assert (decided.retired_as or decided.status) == status
        assert core.services.review_entries.count() == 0
        core.undo()
        assert kinds(core) == ["candidate"]
    with pytest.raises(Refused, match="changed meanwhile"):
        core.edit(memory, content="Berth 12 floods at neap tide")
        queue.decide(item, "accept")


def test_what_supports_a_candidate_keeps_it_from_the_junk(core, offer, only):
    offer("crane", importance=0.3)
    item = only("candidate")
    assert (item.is_junk, item.proposal) == (True, "reject")
    offer("tide", importance=0.3, rule="person.instruction")
    offer("locks", importance=0.6)
    assert [entry.is_junk for entry in core.services.review_entries.queue()] == [False, False, True]


def test_what_nothing_says_follows_from_the_rules_that_do_it(core, offer, queue, only, clock):
    offer("crane")
    item = only("candidate")
    assert "No agent received it yet" in item.if_nothing
    assert "injected only with a prompt that clearly matches it" in item.if_nothing
    for hours, when in ((0, "21 days"), (19 * 24, "2 days"), (0.1, "48 h"), (47.6, "1 h")):
        clock.forward(hours=hours)
        assert f"It retires in {when} unless it is used." in only("candidate").if_nothing
    clock.forward(days=1)
    core.maintenance.run()
    assert core.services.review_entries.count() == 0
    assert core.show(item.memory.id).retired_as == "expired"


def test_a_trial_ends_as_the_card_says(core, offer, queue, only, clock):
    offer("tide", rule="person.instruction", importance=0.8)
    for hours, when in ((0, "in 24 h"), (23.8, "in 1 h"), (0.2, "with the next maintenance")):
        clock.forward(hours=hours)
        assert f"its trial ends {when}. Unless it is used by then" in only("candidate").if_nothing
    core.maintenance.run()
    assert kinds(core) == ["candidate"]


def test_a_candidate_near_to_a_memory_can_be_merged_into_it(core, offer, queue, only):
    kept = core.remember("Berth 12 floods at spring tide, boats over nine metres go to pier C")
    offer("Berth 12 floods at spring tide in autumn, so boats over nine metres go to pier D, too")
    item = only("candidate")
    assert item.near.id == kept.memory_id
    [gone] = queue.decide(item, "merge")
    assert gone.retired_as == "merged"
    core.undo()
    offer("pilots")
    pilots = next(
        one
        for one in map(queue.item, core.services.review_entries.queue())
        if "radar" in one.memory.content
    )
    with pytest.raises(Refused, match="near enough"):
        queue.decide(pilots, "merge")


def test_a_candidate_with_two_facts_is_split_in_one_act(core, offer, queue):
    memory = offer("Berth 12 floods at spring tide.\n\nThe crane lifts forty tonnes.").memory_id
    first, second = queue.split(
        memory, "The crane lifts forty tonnes.", first="Berth 12 floods at spring tide."
    )
    assert (first.id, first.status) == (memory, "confirmed")
    assert (second.content, second.status) == ("The crane lifts forty tonnes.", "confirmed")
    assert second.origin.session == first.origin.session
    assert core.services.review_entries.count() == 0
    core.undo()
    assert kinds(core) == ["candidate"]
    with pytest.raises(NotFound):
        core.resolve(second.id)


def test_a_quote_comes_from_the_line_of_the_transcript(core, tmp_path, queue, only):
    from memdeck import Capture, Origin

    said = "Please note: berth 12 floods at spring tide, so boats go to pier C. Thank you!"
    path = tmp_path / "session.jsonl"
    path.write_text(f'{{"type": "start"}}\n{{"message": {{"content": "{said}"}}}}\n')
    where = Origin(session="s1", agent="claude", transcript=str(path), line=2)
    text = "Berth 12 floods at spring tide, so boats over nine metres go to pier C."
    core.offer([Capture(content=text, rule="person.instruction", origin=where)])
    quote = only("candidate").quote
    assert (quote.text, quote.line) == (said, 2)
    path.unlink()
    assert only("candidate").quote is None


def test_candidates_are_listed_by_session_with_the_users_words_first(core, open_core, offer, queue):
    crane = offer("crane", importance=0.8, category="warning").memory_id
    locks = offer("locks", importance=0.8, session="s2").memory_id
    tide = offer("tide", importance=0.6, rule="person.instruction").memory_id
    core.create_working_memory("Move the tide gauge to pier C", "s1")
    assert [one.ids[0] for one in core.services.review_entries.queue()] == [tide, crane, locks]
    assert open_core("airport").services.review_entries.queue() == []


@pytest.mark.parametrize(("score", "waits"), [(0.0, 1), (-0.1, 0)])
def test_agents_sentences_wait_from_a_score_of_zero(core, offer, queue, score, waits):
    core.services.preferences.choose_engine("claude")  # a model that has read nothing changes none
    result = offer("crane", rule="agent.said", salience=Salience(score, 0.6, 0.3, True, False))
    assert core.services.review_entries.count() == waits
    reasons = [one.reason for one in queue.refused_captures()]
    assert len(reasons) == 1 - waits
    assert all(result.reason in reason for reason in reasons)


@pytest.mark.parametrize(("score", "waits"), [(1.6, 1), (1.5, 0)])
def test_a_sentence_of_the_user_without_a_limit_waits_if_it_scores_high(
    core, offer, queue, score, waits
):
    judged = Salience(score, 0.6, 0.3, True, score > 1.58)
    result = offer("crane", rule="person.said", salience=judged)
    assert core.services.review_entries.count() == waits
    assert bool(queue.unasked_because(core.show(result.memory_id))) is not bool(waits)


def test_accepting_is_one_entry_for_all_or_nothing(core, offer, texts, queue):
    tide, crane = offer("tide").memory_id, offer("crane").memory_id
    memory = core.remember(texts["pilots"]).memory_id
    with pytest.raises(Refused, match="no candidate"):
        core.accept([tide, memory])
    assert core.services.review_entries.count() == 2
    accepted = core.accept([tide, crane], pin=True)
    assert {(one.status, one.scope) for one in accepted} == {("pinned", "project")}
    assert core.audit()[0].action == "pin"
    assert core.candidacy(tide)["quarantined_until"] is None
    core.undo()
    assert core.show(crane).scope == "session"
    with pytest.raises(NotFound):
        core.accept("zzzz")


def test_an_edit_and_its_acceptance_are_one_entry(core, open_core, offer, queue):
    before = core.show(offer("crane").memory_id)
    with pytest.raises(BadInput):
        core.accept_edited(before.id, importance=1.5)
    open_core().edit(before.id, title="The ferry crane")
    with pytest.raises(StaleEdit):
        core.accept_edited(before.id, title="Mine", expected_revision=before.revision)
    assert core.services.review_entries.count() == 1
    memory = core.accept_edited(before.id, content="The crane lifts 45 t", pin=True)
    assert (memory.content, memory.status) == ("The crane lifts 45 t", "pinned")
    core.undo()
    assert core.show(memory.id).status == "candidate"


def test_a_rejected_text_is_not_captured_again_until_it_is_restored(core, offer):
    [rejected] = core.reject(offer("tide").memory_id, "not true any more")
    assert rejected.retired_as == "rejected"
    assert core.audit()[0].reason == "not true any more"
    assert offer("tide", session="s9").outcome == "refused"
    core.undo()
    assert offer("tide", session="s9").outcome == "duplicate"


# --- conflicts and duplicates


def test_an_agent_decides_nothing(core, open_core, queue, only):
    core.remember(ALWAYS)
    core.remember(NEVER)
    item = only("conflict")
    core.context.actor = "agent"
    for decision in ("keep", "accept", "neither"):
        with pytest.raises(Refused):
            queue.decide(item, decision)
    with pytest.raises(Refused):
        core.resolve_conflict(item.conflict.id, "a")
    core.context.actor = "person"
    assert core.services.review_entries.count() == 1


def test_duplicates_are_found_by_maintenance_and_asked_about_once(core, queue, only):
    first = core.remember(SAME).memory_id
    second = core.remember("The radar is blind at the outer buoy in heavy rain").memory_id
    core.edit(second, content=SAME.replace("each month", "every month"))
    assert core.services.review_entries.count() == 0
    for _ in range(2):  # the second run looks again at what the first noted
        core.maintenance.run()
    item = only("duplicate")
    assert {one.id for one in item.memories} == {first, second}
    assert not core.show(first).in_conflict
    queue.decide(item, "keep", stays=first)
    assert core.show(second).retired_as == "merged"
    assert core.services.review_entries.count() == 0
    core.undo()
    queue.decide(item, "accept")
    core.maintenance.run()
    assert core.services.review_entries.count() == 0
    core.undo()
    core.edit(second, content="The crane of the ferry pier lifts forty tonnes")
    core.maintenance.run()
    assert core.services.review_entries.count() == 0


WORDINGS = """
Never push to main
Don't push directly to main
No direct pushes to main please
Do not push to the main branch
Never ever push straight to main
"""
SLIPS = """
Always run the berth checks before each push
Never push without running the berth checks
The bert checks must run before a push
Before the push, run the berth check
From now on run the berth checks before you push
"""
FRENCH = """
Lance toujours les contrôles de quai avant un push
Jamais de push sans les contrôles de quai
Les contrôles de quai doivent passer avant un push
Avant le push, il faut exécuter les controles de quai
À partir de maintenant, avant chaque push, lance les contrôles de quai
"""
JAPANESE = """
プッシュの前に必ず係留チェックを実行してください
プッシュ前には常に係留チェックを実行すること
係留チェックを実行せずにプッシュしない
プッシュの前に係留チェックが必要です
今後は、プッシュする前に、係留チェックを実行する
"""


@pytest.mark.parametrize("wordings", [WORDINGS, SLIPS, FRENCH, JAPANESE])
def test_five_wordings_of_one_rule_are_one_item_and_one_merge(core, queue, only, wordings):
    ids = [core.remember(text).memory_id for text in wordings.strip().splitlines()]
    core.remember("Never push to the staging database")
    core.maintenance.run()
    core.maintenance.run()
    item = only("duplicate")
    assert {one.id for one in item.memories} == {*ids}
    queue.decide(item, "merge", stays=ids[0])
    assert [core.show(one).retired_as for one in ids] == [None, *["merged"] * 4]
    assert core.services.review_entries.count() == 0
    core.undo()
    queue.decide(only("duplicate"), "accept")
    assert core.services.review_entries.count() == 0


@pytest.mark.parametrize(
    ("first", "other"),
    [
        ("Upload the berth files first", "Unload the berth files first"),
        ("Die Prüfung läuft vor dem Commit", "Die Prüfung läuft nach dem Commit"),
        ("Envie os arquivos gerados para o porto", "Não envie os arquivos gerados para o porto"),
        ("Пушь теги в общий архив", "Никогда не пушь теги в общий архив"),
        ("可以把生成的文件提交到仓库", "不可以把生成的文件提交到仓库"),
        ("推送前运行泊位检查", "推送后运行泊位检查"),
        ("コメントは英語で書く", "コメントは日本語で書く"),
        ("pnpmを使う、npmは使わない", "npmを使う、pnpmは使わない"),
        ("A crane may hold one open lock", "A crane may hold two open locks"),
        ("Les journaux sont gardés un mois", "Les journaux sont gardés deux mois"),
        ("Wir benutzen pnpm hier, npm nicht", "Wir benutzen npm hier, pnpm nicht"),
        ("開発サーバーはポート8080で待ち受ける", "開発サーバーはポート8090で待ち受ける"),
    ],
)
def test_opposite_rules_are_never_one_item(core, first, other):
    for text in (first, other):
        assert core.remember(text).stored
    core.maintenance.run()
    assert not core.services.review_entries.queue(("duplicate",))


@pytest.mark.parametrize(("days", "items"), [(31, 1), (32, 0)])
def test_wordings_are_one_item_within_a_month(core, queue, clock, days, items):
    first, _, other, *_ = WORDINGS.strip().splitlines()
    core.remember(first)
    clock.forward(days=days)
    core.remember(other)
    core.maintenance.run()
    assert core.services.review_entries.count() == items


# --- outdated


def test_a_task_past_its_date_is_done_or_stays_open(core, queue, only, clock):
    core.remember(TASK, due=clock() + timedelta(days=2))
    assert core.services.review_entries.count() == 0
    clock.forward(days=3)
    item = only("outdated")
    assert item.proposal == "done"
    assert item.reason.startswith("It was due on")
    queue.decide(item, "done")
    assert core.show(item.memory.id).retired_as == "completed"
    core.undo()
    queue.decide(item, "accept")
    assert core.services.review_entries.count() == 0
    assert core.show(item.memory.id).is_live


def test_a_task_without_a_date_is_asked_about_after_two_weeks(core, queue, clock):
    core.remember(TASK, type="prospective")
    clock.forward(days=13)
    assert core.services.review_entries.count() == 0
    clock.forward(days=2)
    assert kinds(core) == ["outdated"]


# --- suggestions


def test_what_three_projects_know_may_become_global(core, open_core, queue, only):
    for name in ("airport", "station"):
        open_core(name).remember(SAME)
    memory = core.remember(SAME).memory_id
    item = only("global")
    assert (item.proposal, item.reason) == ("accept", "3 projects have it word for word.")
    queue.decide(item, "reject")
    assert core.services.review_entries.count() == 0
    core.undo()
    with core.context.consent.granted():
        queue.decide(item, "accept")
    assert core.show(memory).scope == "global"
    assert core.services.review_entries.count() == 0


# --- snoozing


def test_every_kind_is_put_off_and_returns(core, offer, queue, clock):
    offer("tide", rule="person.instruction")
    core.remember(ALWAYS)
    core.remember(NEVER)
    entries = core.services.review_entries.queue()
    assert {entry.kind for entry in entries} == {"candidate", "conflict"}
    with pytest.raises(BadInput, match="passed"):
        queue.snooze_entries(entries, clock() - timedelta(hours=1))
    queue.snooze_entries(entries, clock() + timedelta(hours=2))
    assert core.services.review_entries.count() == 0
    assert len(core.services.review_entries.queue(snoozed=True)) == 2
    core.undo()
    assert core.services.review_entries.count() == 2
    queue.snooze_entries(entries, clock() + timedelta(hours=2))
    clock.forward(hours=3)
    assert core.services.review_entries.count() == 2
