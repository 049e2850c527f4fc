"""Secrets that pass through a session are found in no file of ours, nor on any output."""

import base64
import hashlib
import os


def chance(name, length, alphabet="ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789"):
    """Characters that look like chance; made here, so that no file holds a secret."""
    digest = hashlib.shake_256(name.encode()).digest(length)
    return "".join(alphabet[byte % len(alphabet)] for byte in digest)


def pem():
    body = base64.b64encode(hashlib.shake_256(b"pem").digest(600)).decode()
    lines = [body[at : at + 64] for at in range(0, len(body), 64)]
    name = "RSA PRIVATE KEY"
    return f"-----BEGIN {name}-----\n" + "\n".join(lines) + f"\n-----END {name}-----"


def jwt():
    head = base64.urlsafe_b64encode(b'{"alg":"HS256","typ":"JWT"}').decode().rstrip("=")
    body = base64.urlsafe_b64encode(b'{"sub":"1234567890","admin":true}').decode().rstrip("=")
    return f"{head}.{body}.{chance('jwt', 43)}"


PASSWORD = chance("url", 14)
AWS_ID = "AKIA" + chance("aws", 16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
AWS_SECRET = chance("aws", 40)
SLACK = f"xoxb-{chance('a', 12, '0123456789')}-{chance('b', 12, '0123456789')}-"
PEM = pem()

PLANTED = {
    "github": f"the token ghp_{chance('github', 36)}",
    "aws": f"AWS_ACCESS_KEY_ID={AWS_ID} and AWS_SECRET_ACCESS_KEY={AWS_SECRET}",
    "pem": PEM,
    "url": f"postgres://deploy:{PASSWORD}@db.acme.dev:5432/orders",
    "jwt": f"Authorization: Bearer {jwt()}",
    "slack": SLACK + chance("slack", 24),
    "anthropic": f"sk-ant-api03-{chance('anthropic', 93)}AA",
    "password": f"password: {chance('password', 16)}",
}
"""How each secret is written by those who should not."""

TRACES = {
    "github": [chance("github", 36)],
    "aws": [AWS_ID, AWS_SECRET],
    "pem": PEM.splitlines()[1:-1],
    "url": [PASSWORD],
    "jwt": [chance("jwt", 43)],
    "slack": [chance("slack", 24)],
    "anthropic": [chance("anthropic", 93)],
    "password": [chance("password", 16)],
}
"""What must be found nowhere."""


def tell_everything(session, secret):
    """Every event of a session, with the secret wherever a payload has words."""
    todos = [{"content": f"Rotate {secret} of the service", "status": "pending"}]
    task = {"subject": f"Replace {secret} in the service", "description": secret}
    session.tell("SessionStart", source="startup")
    session.ask(f"From now on always deploy the service with {secret} please.")
    session.todos("TodoWrite", {"todos": todos}, {"oldTodos": [], "newTodos": todos})
    session.todos("TaskCreate", task, {"task": {"id": "1", "subject": task["subject"]}})
    session.tell("Stop", stop_hook_active=False, last_assistant_message=f"It uses {secret}.")
    session.tell("PreCompact", trigger="manual", custom_instructions=f"keep {secret}")
    session.end()


def write_everywhere(session, name, secret):
    """Put the secret wherever a transcript has words: one fact, many places."""
    deploy = {"command": f"deploy {name} --with '{secret}'"}
    todos = {"todos": [{"content": f"Rotate {secret} of the {name} service", "status": "pending"}]}
    task = {"subject": f"Replace {secret} in {name}", "description": secret}
    session.says(
        f"From now on always deploy the {name} service of staging with {secret} please.",
        f"Remember that the {name} service needs {secret} in production.",
        f"{secret}\nis what the {name} service uses. Never show it to anybody else.",
    )
    session.uses("Bash", deploy, f"Error: denied: {secret}", failed=True)
    session.uses("Bash", {"command": f"login --token '{secret}'"}, "welcome")
    session.uses("Bash", deploy, "deployed")
    session.uses("Write", {"file_path": f"{session.cwd}/.env", "content": secret}, "written")
    session.uses("TodoWrite", todos, "Todos have been modified successfully.")
    session.uses("TaskCreate", task, f"Task #1 created successfully: {task['subject']}")
    session.answers(f"The {name} service is deployed now. Decision: it uses {secret} on staging.")


def found_in_files(folder, texts):
    """Every (file, text) such that the file's raw bytes hold the text."""
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            with open(path, "rb") as file:
                data = file.read()
            yield from ((path, text) for text in texts if text.encode() in data)


def test_planted_secrets_are_found_nowhere(start, repository, cli, home, settle, known, no_drain):
    repo = repository("shop", f"https://ci:ghp_{chance('github', 36)}@github.com/acme/shop.git")
    asked = "\n".join(PLANTED.values())
    everything = [text for texts in TRACES.values() for text in texts]
    with no_drain():
        for name, secret in PLANTED.items():
            session = start(f"with-{name}", repo)
            write_everywhere(session, name, secret)
            session.end()
        tell_everything(start("with-all", repo), asked)
        assert list(found_in_files(home.path, everything)) == []  # not even while it waits
    assert cli("drain", cwd=repo).code == 0
    marked = [one.content for one in known(cwd=repo) if "[REDACTED:" in one.content]
    assert len(marked) > 2 * len(PLANTED)

    shown = []
    for name, secret in list(PLANTED.items())[:3]:
        shown.append(start("later", repo).ask(f"how is the {name} service deployed? {secret}"))
        assert "deploy" in shown[-1], name
    for words in (
        ("search", asked),
        ("recall", asked, "--explain"),
        ("remember", f"All keys of the shop at once, for the record: {asked}"),
        ("audit", "--json"),
        ("receipts", "--json"),
        ("export", "--format", "jsonl"),
    ):
        answer = cli(*words, cwd=repo)
        assert answer.code == 0, (words, answer.err)
        shown += [answer.out, answer.err]
    settle()
    assert [text for text in everything if text in "\n".join(shown)] == []
    assert list(found_in_files(home.path, everything)) == []
    assert cli("rebuild", cwd=repo).code == 0
    assert list(found_in_files(home.path, everything)) == []


def words(seed, length):
    """Words that no other seed has, `length` characters of them."""
    return " ".join(f"pier{seed}x{number}" for number in range(80))[:length]


def test_no_piece_of_a_secret_stays_where_a_long_sentence_was_cut(
    start, repo, cli, home, known, no_drain
):
    """Titles end after 80 characters and texts after 500: at any place of a secret."""
    address = f"DATABASE_URL=postgres://deploy:{PASSWORD}@db-with-a-long-name.acme.dev:5432/orders"
    secrets = {"url": address, **{name: PLANTED[name] for name in ("password", "slack", "jwt")}}
    with no_drain():
        for name, secret in secrets.items():
            session = start(f"with-{name}", repo)
            for lead in (*range(0, 64, 5), *range(400, 480, 6)):
                filler = words(f"{name}{lead}", lead)
                session.says(
                    f"From now on always tell {filler} that {secret} is for ships.",
                    f"{secret} of {filler} is what we always use from now on.",
                )
            session.end()
    assert cli("drain").code == 0

    assert len(known()) > 100
    traces = [trace for name in secrets for trace in TRACES[name]]
    pieces = {trace[at : at + 8] for trace in traces for at in range(len(trace) - 7)}
    assert list(found_in_files(home.path, pieces)) == []
