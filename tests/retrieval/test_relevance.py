"""How much of a question a memory has, as its score says, and whether that is enough to tell it."""

import pytest

from memdeck.core.recall.candidates import Match, Term, is_relevant


@pytest.fixture
def told(core):
    """Which of some notes are told unasked, with a prompt."""

    def ask(prompt, *notes):
        core.import_memories({"content": note} for note in notes)
        return {hit.memory.content for hit in core.recall(prompt).items}

    return ask


def test_words_of_a_family_share_a_stem_and_different_words_do_not(core, subtests):
    families = [
        "retry retries retried retrying",
        "store stores stored storing",
        "key keys",
        "class classes",
        "run running",
        "migration migrations migrate migrating",
        "dependency dependencies",
        "cache caches cached caching",
        "deploy deploys deployed deployment deployments",
        "error errors",
        "user users",
        "configure configuration",
        *("build", "token", "queue", "dry", "dr"),
    ]
    words = " ".join(families).split()
    core.import_memories({"content": f"Harbour {word} 1", "key": word} for word in words)
    for family in families:
        with subtests.test(family):
            asked = family.split()[0]
            hits = core.search(f"harbour {asked}", limit=45)
            assert {hit.key for hit in hits if asked in hit.matched} == set(family.split())


@pytest.mark.parametrize("prompt", ["fix the test", "run it", "add a new test", "update the file"])
def test_one_very_common_word_is_never_enough(told, prompt):
    assert told(prompt, "They run on Mondays", "Each test is green", "A file is a file") == set()


@pytest.mark.parametrize(
    ("kinds", "share", "weight", "is_enough"),
    [
        ("", 0.9, 9.0, (False, False)),
        ("question", 0.9, 9.0, (False, False)),
        ("common", 0.9, 9.0, (False, False)),
        ("word", 0.19, 9.0, (False, False)),
        ("word", 0.2, 0.1, (False, True)),
        ("word", 0.45, 0.1, (True, True)),
        ("word word", 0.59, 1.29, (False, False)),
        ("word word", 0.6, 0.1, (True, True)),
        ("word word", 0.14, 3.49, (False, False)),
        ("word word", 0.1, 3.5, (True, True)),
        ("word word", 0.15, 1.3, (True, True)),
    ],
)
def test_how_much_of_a_prompt_is_enough(kinds, share, weight, is_enough):
    match = Match(share, weight, tuple(Term("berth", kind) for kind in kinds.split()), False)
    assert (is_relevant(match), is_relevant(match, is_rare=True)) == is_enough
    assert is_relevant(match._replace(names_it=True))


@pytest.mark.parametrize(("others", "is_enough"), [(4, True), (5, False)])
def test_a_rare_word_is_enough_from_a_fifth_of_the_question(told, others, is_enough):
    prompt = " ".join(["ttl", *("alpha", "bravo", "gamma", "delta", "omega")[:others]])
    assert bool(told(prompt, "Keys have a TTL of a day")) is is_enough


def test_a_rare_word_stands_out_only_among_the_best(told):
    long = f"A TTL, {' '.join(f'rope{chr(97 + n % 26)}' for n in range(60))}"
    moles = [f"Mole {chr(97 + n)}x" for n in range(20)]
    assert told("increase ttl everywhere", "The TTL", long, *moles) == {"The TTL"}


@pytest.mark.parametrize("thing", ["db/outbox.py", "TS2345", "retryBudget", "ECONNREFUSED"])
def test_the_name_of_a_very_thing_is_enough_in_any_question(told, thing):
    prompt = f"please have a long careful look around the whole place, then refactor {thing} gently"
    assert told(prompt, f"Mind {thing} when it rains.")


@pytest.mark.parametrize(
    ("session", "between", "is_enough"), [("s1", 0, True), ("s1", 9, False), ("s2", 0, False)]
)
def test_a_near_memory_of_the_session_lends_the_words_that_lack(core, session, between, is_enough):
    rest = "A column is dropped at noon, when pilots change and the crane rests for an hour or two"
    notes = [("The berth importer loses the manifest", "s1"), (rest, session)]
    notes[1:1] = [(f"Mole {chr(97 + n)}x", "s1" if n < between else None) for n in range(20)]
    notes.sort(key=lambda note: note[1] is None)
    core.import_memories({"content": text, "session": name} for text, name in notes)
    injection = core.recall("why does the berth importer lose the manifest column?")
    assert (rest in {hit.memory.content for hit in injection.items}) is is_enough


# --- what nobody confirmed

UNPROVEN = [  # prompt, an agent's sentence, whether it is injected
    ("Why does the settlement job time out after the nightly import, and what did we try?",
     "The settlement job holds its lock during the nightly import", True),
    ("look into parse_manifest again, it broke two of the nightly pipelines yesterday evening",
     "parse_manifest drops duplicate keys without a warning", True),
    ("after lunch please extend src/billing/tax.py so that it covers the Norwegian rates as well",
     "src/billing/tax.py rounds half-even per line", True),
    ("E4021 appeared when the customer exported her whole archive from the new dashboard",
     "E4021 means that the archive is larger than the quota", True),
    ("can you wire the websocket heartbeat into the reconnect logic that Mira asked for",
     "The websocket closes after 60 s without a heartbeat", True),
    ("warum bricht der Mandantenexport nachts mit einem Zeitlimit ab, obwohl tags alles läuft",
     "Der Mandantenexport hat ein Zeitlimit von 90 Sekunden", True),
    ("请检查数据库迁移脚本为什么在夜间失败", "数据库迁移脚本需要先停止同步服务", True),
    ("why is the invoice PDF blank on Safari when the logo is an SVG with a filter",
     "Safari prints an SVG with a filter as a blank area", True),
    ("upgrade terraform to 1.9 and make the staging plan clean again before the demo",
     "The terraform plan of staging needs the VPN", True),
    ("rename the invoice column, then write a changelog line and bump the version of the client",
     "The northern column of the hall is cracked", False),
    ("fix the failing tests and push", "Tests fail when the push is forced", False),
    ("please continue with the next task of the plan", "The next task waits for a plan", False),
    ("run the test suite and commit", "The suite runs each test twice", False),
    ("which colour has the logo on dark backgrounds in the new header?",
     "The header has a sticky position", False),
    ("write a haiku about autumn rain", "Rain sensors are polled each minute", False),
    ("what does the release script read?", "The release script reads one file", True),
    ("does the release script paint berths, boats and buoys?",
     "The release script reads one file", False),
    ("theres a bug when the worker works, and its workers dont stop, so look at berth seven",
     "theres a worker that never works alone", False),
    (f"build {' '.join(f'part{n}' for n in range(20))}, then parse_manifest",
     "parse_manifest drops duplicate keys", False),  # one name of a pasted plan
    ("почему сверка пропускает лиссабонский склад ночью",
     "Сверка пропускает лиссабонский склад, если манифест пуст", True),
    ("왜 대사 작업이 리스본 창고를 건너뛰나요", "대사 작업은 리스본 창고를 건너뛴다", True),
    ("मिलान कार्य लिस्बन गोदाम को क्यों छोड़ता है", "मिलान कार्य खाली सूची पर लिस्बन गोदाम छोड़ता है", True),
    # review remarks
    ("Why does the settlement job time out after the nightly import?",
     "The settlement job should release its lock before the nightly import", False),
    ("check parse_manifest for duplicate keys", "Consider a warning in parse_manifest", False),
    ("check parse_manifest for duplicate keys",
     "I recommend that parse_manifest raises for duplicate keys", False),
    ("check parse_manifest for duplicate keys", "nit: parse_manifest could be shorter", False),
    ("prüfe den Mandantenexport und sein Zeitlimit",
     "Der Mandantenexport sollte ein Zeitlimit haben", False),
    *((remark, remark, False) for remark in (
        "Rekomenduję i sugeruję zapis magazynu w Lizbonie",
        "Сверке стоит записывать лиссабонский склад",
        "照合処理はリスボン倉庫を記録すべきです",
        "建议对账任务记录里斯本仓库",
        "सुझाव: मिलान कार्य लिस्बन गोदाम को दर्ज करे",
        "Sebaiknya rekonsiliasi mencatat gudang Lisbon",
        "De afstemming zou het depot in Lissabon moeten loggen",
    )),
]  # fmt: skip


@pytest.mark.parametrize(("prompt", "sentence", "is_injected"), UNPROVEN)
def test_an_agents_sentence_needs_two_rare_words_or_an_identifier(
    open_core, prompt, sentence, is_injected
):
    core = open_core(agent="claude")
    core.store(sentence, "semantic", None, {"session_id": "s1"})
    injection = open_core(session="s2").recall(prompt, write_receipt=False)
    assert (sentence in injection.text) is is_injected, injection.left_out


def test_a_remark_that_the_user_accepted_and_what_agents_say_later_are_injected(open_core, clock):
    agent, user = open_core(agent="claude"), open_core()
    remark = agent.store("nit: parse_manifest could be shorter", "semantic", None, {}).memory_id
    user.accept(remark)
    user.remember("No, never keep balances in Redis")
    clock.forward(days=1)
    text = "The ledger cache keeps balances in Redis"
    later = agent.store(text, "semantic", None, {"session_id": "s1"}).memory_id
    for prompt, memory in (
        ("shorten parse_manifest", remark),
        (f"{text}?", later),
    ):
        injection = open_core(session="s2").recall(prompt, write_receipt=False)
        assert memory in {hit.id for hit in injection.items}, injection.left_out


REFUSED = [  # an agent's sentence, the user's later one, whether it refuses the agent's
    ("The ledger cache keeps balances in Redis", "No, never keep balances in Redis", True),
    ("parse_manifest drops duplicate keys", "Don't drop duplicate keys in parse_manifest", True),
    ("The export job mails the archive", "The export job must not mail the archive", True),
    ("Der Export schickt das Archiv per Mail", "Der Export darf das Archiv nie schicken", True),
    ("Сверка отправляет манифест", "Сверка не должна отправлять манифест", True),
    ("De afstemming mailt het manifest", "De afstemming mag het manifest nooit mailen", True),
    ("대사 작업은 리스본 목록을 보낸다", "대사 작업은 리스본 목록을 절대 보내지 마세요", True),
    ("Rekonsiliasi mengirim manifes Lisbon", "Rekonsiliasi jangan mengirim manifes Lisbon", True),
    ("The ledger cache keeps balances in Redis", "Never restart Redis before noon", False),
    ("parse_manifest drops duplicate keys", "parse_manifest runs twice", False),
]


@pytest.mark.parametrize(("agents", "users", "is_refused"), REFUSED)
def test_what_the_user_refused_later_is_not_injected_and_the_users_words_go_first(
    open_core, clock, agents, users, is_refused
):
    stored = open_core(agent="claude").store(agents, "semantic", None, {"session_id": "s1"})
    clock.forward(days=1)
    mine = open_core().remember(users).memory_id
    prompt = f"About parse_manifest, Redis, the export and the archive: {agents}?"
    injection = open_core(session="s2").recall(prompt, write_receipt=False)
    refused = (stored.memory_id, "a newer statement of yours contradicts it")
    assert (refused in injection.left_out) is is_refused
    ids = [hit.id for hit in injection.items]
    assert ids == [mine] if is_refused else stored.memory_id in ids
    if "parse_manifest" in users:
        assert ids[0] == mine
