"""What people say of an injected memory counts in the next ranking."""

QUESTION = "What is the retry budget of the payment jobs?"


def test_of_two_answers_as_good_the_one_called_helpful_comes_first(open_core):
    core = open_core()
    first = core.remember("The retry budget of the payment queue is 3 attempts.").memory_id
    second = core.remember("The retry budget of the payment mailer is 5 attempts.").memory_id
    told = core.recall(QUESTION, session="s1")
    assert {first, second} <= {item.id for item in told.items}
    before = [hit.id for hit in core.search("retry budget payment")]
    core.feedback(told.receipt, before[0], False)
    core.feedback(told.receipt, before[1], True)
    after = core.search("retry budget payment")
    assert [hit.id for hit in after][:2] == before[1::-1]
    assert after[0].parts["approval"] > after[1].parts["approval"]
    before = after[0].parts["approval"]
    for _ in range(3):
        core.feedback(told.receipt, after[0].id, False)
    [now] = [hit for hit in core.search("retry budget payment") if hit.id == after[0].id]
    assert now.parts["approval"] < before
