"""What a prompt speaks of."""

import pytest


@pytest.fixture
def matched(core):
    """The words of a question that are found in a text, as a hit tells them."""

    def _matched(question, text):
        core.import_memories([{"content": text, "key": "note"}])
        told = core.recall(question, write_receipt=False)
        return next((hit.matched for hit in told.items), ())

    return _matched


def test_a_question_leaves_the_words_that_mean_something(matched, subtests):
    rows = [
        ("Where do we store idempotency keys?", "store idempotency keys"),
        ("read/write the client-side cache", "read write client side cache"),
        ("Don't touch the store's outbox, l'archive", "touch store outbox archive"),
        ("it fails in db/store.py:12:5.", "fails db/store.py"),  # a line is no part of a path
        ("q" * 201, ""),  # data, no word
        ("q" * 200, "q" * 200),
        ("qq", "qq"),
        ("q", ""),
    ]
    for question, words in rows:
        with subtests.test(question=question):
            assert " ".join(matched(question, question)) == words


def test_at_most_64_words_leave_and_the_telling_ones_stay(matched):
    prompt = " ".join(f"word{chr(97 + i // 26)}{chr(97 + i % 26)}" for i in range(100))
    found = matched(f"{prompt} db/store.py TS2345", f"{prompt} db/store.py TS2345")
    assert len(found) == 64
    assert {"db/store.py", "ts2345"} <= set(found)


def test_hostile_runs_end(matched, subtests):
    for hostile in ["A1", "a_", "a-b/", "x.y.", "A1-", "a'", ":1", "E", "((", "a:b", "Aa", "_"]:
        with subtests.test(hostile=hostile):
            assert len(matched(hostile * 20_000, "Berth 12")) <= 64
