"""Failed attempts are kept as refuted, and injected as what was tried, never as advice."""

import pytest

from memdeck import Salience, open_memory
from memdeck.core.judgement.salience import threshold
from memdeck.core.language.phrases import is_refuted

TRIED = """
We tried Redis Streams for the outbox, it failed because consumers lost their offsets.
I tried pooling the connections, but it did not work with LISTEN.
We've already attempted to shard by tenant: the migrations broke on shared tables.
They experimented with gevent and it deadlocked in the PDF export.
Tried raising the statement timeout, didn't help.
Caching the tide table in memory did not work because each worker has its own copy.
We tried parallel migrations. They were slower, since the lock is global.
Failed attempt: vendoring the OCR model made the image 3 GB.
Wir haben den Cache in Redis versucht, das hat nicht funktioniert.
Ich habe gevent ausprobiert, der Export schlug fehl.
On a essayé de partager le pool, ça n'a pas marché avec LISTEN.
Probamos Redis Streams, pero no funcionó con varios consumidores.
Tentamos usar gevent, mas não funcionou na exportação.
Abbiamo provato a condividere il pool, ma non ha funzionato.
We hebben gevent geprobeerd, maar de export mislukte.
Próbowaliśmy dzielić pulę połączeń, ale to nie zadziałało.
Мы пробовали Redis Streams, но это не сработало.
Ми спробували gevent, але експорт не спрацював.
Redis Streams'i denedik ama tüketiciler yüzünden çalışmadı.
我们试过用 gevent，但是导出失败了。
geventを試したが、エクスポートがうまくいかなかった。
Redis Streams를 써 봤지만 작동하지 않았다.
"""
REFUTED = "Redis Streams consumers offsets"
OTHERS = """
Did you try to restart it, or did that fail?
Have we tried Redis Streams, and did it fail?
The build failed because port 5432 was in use.
Try the smoke tests first, they are fast.
We use Redis Streams for the outbox.
The retry policy tries three times before it fails.
Integration tests need make test-db first.
If the deploy fails, roll back with make undo.
We tried the new pool and it is twice as fast.
Der Export nutzt gevent.
On utilise un pool partagé.
我们使用 gevent。
"""


@pytest.mark.parametrize("text", TRIED.strip().splitlines())
def test_an_attempt_that_failed_is_recognised(text):
    assert is_refuted(text)


@pytest.mark.parametrize("text", OTHERS.strip().splitlines())
def test_other_statements_are_not(text):
    assert not is_refuted(text)


def test_a_refuted_memory_is_injected_as_tried_and_can_be_listed(tmp_path):
    with open_memory(tmp_path / "home", "harbour") as memory:
        memory.remember(TRIED.strip().splitlines()[0])
        memory.remember("The tide table is read by the relay every second.")
        [refuted] = memory.list("tag:refuted")
        texts = [memory.recall(f"{words}?").text for words in (REFUTED, "relay tide table")]
    assert ['outcome="tried, did not work"' in text for text in texts] == [True, False]
    assert "Redis Streams" in refuted.content


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        (TRIED.strip().splitlines()[0], [("refuted",)]),
        ("We tried Redis Streams for the outbox and it did not work.", []),
        ("The outbox keeps the offsets, because consumers lose them.", []),
    ],
)
def test_of_an_agents_sentences_a_failure_with_its_reason_needs_no_score(core, offer, text, tags):
    low = Salience(threshold(is_person=False) - 1, 0.3, 0.1, True, False)
    assert offer(text, rule="agent.said", salience=low).stored is bool(tags)
    assert [(memory.status, memory.tags) for memory in core.list()] == [
        ("candidate", each) for each in tags
    ]
