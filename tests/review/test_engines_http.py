"""Servers as reviewers: what is sent where, and what a server may do without harm."""

import sys
import threading
import time
from dataclasses import replace

import pytest

from memdeck import BadInput

KEY = "k" * 8 + "-4711-" + "of-a-test"
WORDS = '{"importance": 6, "reason": "Useful."}'


def openai(words=WORDS, **usage):
    return {"choices": [{"message": {"role": "assistant", "content": words}}], "usage": usage}


@pytest.fixture(autouse=True)
def _key(monkeypatch):
    monkeypatch.setenv("JUDGE_KEY", KEY)


@pytest.fixture
def ask_openai(model_server, ask):
    return lambda **more: ask(
        **{"kind": "openai", "url": f"{model_server.url}/v1", "model": "llama3.2", **more}
    )


def test_an_openai_compatible_server_is_asked(model_server, ask_openai):
    model_server.answers(openai())

    vote = ask_openai(key_variable="JUDGE_KEY")

    (request,) = model_server.requests
    assert request["path"] == "/v1/chat/completions"
    assert request["headers"]["authorization"] == f"Bearer {KEY}"
    assert set(request["body"]) == {"model", "messages", "stream"}
    assert request["body"]["model"] == "llama3.2"
    assert request["body"]["stream"] is False
    (message,) = request["body"]["messages"]
    assert message["role"] == "user"
    assert "Always run make migrate" in message["content"]
    assert (vote.status, vote.score, vote.reason) == ("ok", 6.0, "Useful.")
    assert vote.engine == "openai llama3.2"


def test_a_server_on_this_machine_needs_no_key_and_costs_nothing(model_server, ask_openai):
    model_server.answers(openai(prompt_tokens=500, completion_tokens=20))
    vote = ask_openai()
    assert vote.cost_usd == 0
    assert "authorization" not in model_server.requests[0]["headers"]


@pytest.mark.parametrize(
    ("path", "asked"),
    [
        ("", "/v1/chat/completions"),
        ("/v1", "/v1/chat/completions"),
        ("/v1/", "/v1/chat/completions"),
        ("/api/v3", "/api/v3/chat/completions"),
        ("/x/chat/completions", "/x/chat/completions"),
    ],
)
def test_the_base_address_may_be_given_with_or_without_its_version(model_server, ask, path, asked):
    model_server.answers(openai())
    root = model_server.url.removesuffix("/v1")
    ask(kind="openai", url=f"{root}{path}", model="m", key_variable="JUDGE_KEY")
    assert [request["path"] for request in model_server.requests] == [asked]


# --- where nothing is sent


def test_an_address_that_would_expose_notes_or_keys_is_refused(reviewer, note, subtests):
    rows = [
        ("http://models.example/v1", "unencrypted"),
        ("http://10.0.0.7:11434", "unencrypted"),
        ("http://0.0.0.0:11434", "unencrypted"),
        ("http://127.0.0.1.evil.example", "unencrypted"),
        ("http://localhost.evil.example", "unencrypted"),
        ("http://[2001:db8::1]/", "unencrypted"),
        ("http://localhost@evil.example", "no password"),
        ("https://me:word@models.example", "no password"),
        ("https://models.example/v1?key=1", "ends with its path"),
        ("ftp://models.example", "begins with https://"),
        ("file:///etc/hosts", "begins with https://"),
        ("models.example/v1", "begins with https://"),
        ("https://", "begins with https://"),
        ("https://a.example:port/", "no address"),
        ("https://[::1", "no address"),
    ]
    for url, says in rows:
        with subtests.test(url=url):
            voter = reviewer(kind="openai", url="https://models.example", model="m")
            vote = replace(
                voter, model=replace(voter.model, engine=replace(voter.model.engine, url=url))
            ).review(note(), 5.0)
            assert (vote.status, vote.cost_usd) == ("failed", 0)
            assert "Nothing was sent" in vote.reason
            assert says in vote.reason
            with pytest.raises(BadInput, match=says):  # settings do not take it either
                reviewer(kind="openai", url=url, model="m")


@pytest.mark.parametrize(
    "url",
    ["https://models.example/v1", "http://localhost:1234", "http://127.0.0.1:8080/v1",
     "http://127.8.8.8", "http://[::1]:11434/v1", "http://LOCALHOST./v1"],
)  # fmt: skip
def test_an_encrypted_address_or_one_on_this_machine_is_good_and_this_machine_is_free(
    url, reviewer
):
    voter = reviewer(kind="openai", url=url, model="m")
    assert (voter.model.expected_usd == 0) is ("models" not in url)


def test_a_redirect_is_not_followed(model_server, ask_openai):
    model_server.status = 307
    model_server.headers = {"location": f"{model_server.url}/elsewhere"}
    vote = ask_openai(key_variable="JUDGE_KEY")
    assert vote.status == "failed"
    assert vote.reason == "HTTP 307: redirects are not followed."
    assert len(model_server.requests) == 1


def test_no_proxy_is_used(model_server, ask_openai, monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    model_server.answers(openai())
    assert ask_openai().status == "ok"


# --- keys


def test_without_its_key_nothing_is_sent(model_server, ask_openai, monkeypatch):
    monkeypatch.delenv("JUDGE_KEY")
    vote = ask_openai(key_variable="JUDGE_KEY")
    assert (vote.status, vote.cost_usd) == ("failed", 0.0)
    assert "JUDGE_KEY" in vote.reason
    assert model_server.requests == []


@pytest.mark.parametrize("key", ["two\nlines", "schlüssel"])
def test_what_cannot_be_a_key_is_not_sent(model_server, ask_openai, monkeypatch, key):
    monkeypatch.setenv("JUDGE_KEY", key)
    vote = ask_openai(key_variable="JUDGE_KEY")
    assert (vote.status, vote.reason) == ("failed", "JUDGE_KEY holds no key.")
    assert model_server.requests == []


@pytest.mark.parametrize("body", [f"wrong: {KEY}", {"message": f"Incorrect key provided: {KEY}"}])
def test_a_key_that_a_server_repeats_does_not_reach_the_reason(model_server, ask_openai, body):
    model_server.status = 401
    model_server.answers({"error": body})
    vote = ask_openai(key_variable="JUDGE_KEY")
    assert KEY not in vote.reason
    assert vote.reason.startswith("HTTP 401: ")
    assert "[REDACTED:api-key]" in vote.reason


# --- what a server may do


def test_an_error_of_the_server_is_a_failure_with_its_message(model_server, ask_openai, subtests):
    for status in [400, 401, 404, 429, 500, 529]:
        with subtests.test(status=status):
            model_server.status = status
            model_server.answers({"error": {"message": "overloaded", "type": "x"}})
            vote = ask_openai()
            assert (vote.status, vote.reason) == ("failed", f"HTTP {status}: overloaded")


def test_an_error_without_json_is_a_failure_too(model_server, ask_openai, subtests):
    rows = [b"", b"<html>Bad gateway</html>", b"[1, 2]", b"[" * 9_999]
    for body in rows:
        with subtests.test(body=body):
            model_server.status = 502
            model_server.body = body
            vote = ask_openai()
            assert vote.status == "failed"
            assert vote.reason.startswith("HTTP 502")


def test_a_server_that_hangs_is_not_waited_for(model_server, ask_openai, subtests):
    for hangs in ["before", "amid", "drip"]:
        with subtests.test(hangs=hangs):
            model_server.answers(openai("x" * 20_000))  # dripping takes a quarter of an hour
            model_server.hangs = hangs
            begun = time.monotonic()
            vote = ask_openai(limit_s=1.5, usd_per_call=0.02)
            assert time.monotonic() - begun < 60
            assert (vote.status, vote.reason) == ("timeout", "No answer within 1.4 s.")
            assert vote.cost_usd == 0.02  # the server may have done the work


def test_an_answer_of_another_form_is_invalid(model_server, ask_openai, subtests):
    rows = [
        {},
        {"choices": []},
        {"choices": "none"},
        {"choices": [7]},
        {"choices": [{"message": None}]},
        {"choices": [{"message": {"content": None}}]},
        {"choices": [{"message": {"content": [{"type": "image"}]}}]},
        [],
        "words",
        None,
    ]
    for answer in rows:
        with subtests.test(answer=answer):
            model_server.answers(answer)
            vote = ask_openai()
            assert (vote.status, vote.score) == ("invalid", None)


def test_an_answer_that_is_no_json_is_invalid(model_server, ask_openai, subtests):
    for body in [b"", b"not JSON", b"{" * 9_999, b"\xff\xfe"]:
        with subtests.test(body=body):
            model_server.body = body
            vote = ask_openai()
            assert vote.status == "invalid"


def test_words_may_come_in_parts(model_server, ask_openai):
    parts = [{"type": "text", "text": part} for part in ("```json", WORDS, "```")]
    model_server.answers(openai(parts))
    assert ask_openai().score == 6


def test_prose_of_a_server_is_invalid(model_server, ask_openai):
    model_server.answers(openai("A fine note."))
    vote = ask_openai()
    assert vote.status == "invalid"
    assert "A fine note." in vote.reason


def test_an_endless_answer_is_cut_off(model_server, ask_openai):
    model_server.body = b"x" * ((4 << 20) + 1_000_000)
    vote = ask_openai()
    assert (vote.status, vote.reason) == ("invalid", "It sent more than 4,194,304 bytes.")


def test_a_server_that_is_not_there_is_a_failure_that_cost_nothing(model_server, ask):
    model_server.close()
    vote = ask(kind="openai", url=model_server.url, model="m", usd_per_call=1.0, review={
        "max_cost_usd_per_day": 5.0})  # fmt: skip
    assert (vote.status, vote.cost_usd) == ("failed", 0.0)
    assert vote.reason.startswith("No connection")


def test_a_missing_library_is_named_with_what_brings_it(model_server, ask_openai, monkeypatch):
    monkeypatch.setitem(sys.modules, "httpx", None)
    vote = ask_openai()
    assert (vote.status, vote.cost_usd) == ("failed", 0.0)
    assert vote.reason == "httpx is not installed: pip install 'memdeck[http]'."


@pytest.mark.slow
def test_the_library_is_loaded_when_a_server_is_asked_and_not_before(run_python):
    code = (
        "import sys, memdeck.core.models.reviewers, memdeck.core.models.client;"
        "print('httpx' in sys.modules)"
    )
    assert run_python(code) == "False\n"


def test_servers_can_be_asked_from_several_threads_at_once(model_server, ask_openai):
    model_server.answers(openai())
    votes = []
    threads = [threading.Thread(target=lambda: votes.append(ask_openai())) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [vote.score for vote in votes] == [6.0] * 3
