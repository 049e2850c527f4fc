"""Ask a model one question: a program without a user, or a server with chat completions.

A program gets an empty folder and a process group of its own. The whole group is killed at the end,
since agents start helpers. The prompt is no argument, since everybody on the machine can see
arguments. A server gets one request without proxy, redirect or `.netrc`: text and key go only to
the configured address.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, Generic, Protocol, TypeVar
from urllib.parse import urlsplit

from .. import hosts
from ..config.settings import is_on_this_machine, refusal_of_address
from ..projects import program_outside
from ..redaction.redact import redact
from ..text.words import clean
from ..values import ms_since

if TYPE_CHECKING:
    from ..config.settings import EnginePolicy

T = TypeVar("T")

MAX_REASON = 300  # characters of a reason that are stored
MAX_BYTES = 4 * 1024 * 1024  # maximum output of a program or a server

MAX_STRAY_BRACES = 1_000
"""Opening braces without an object after which the search ends. Each takes linear time."""

ASSUMED_USD = 0.01  # assumed cost of a call if its host does not say it

PARENTS = ("CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_PROJECT_DIR", "CLAUDE_ENV_FILE")
"""Variables of the agent's session that started us. With the first, Claude Code starts no further
session."""

ANSWER_SCHEMA, LAST_MESSAGE, NO_HOOKS = "schema.json", "last-message.txt", "no-hooks.json"
"""Files beside the empty folder of a program."""

_READ_FOR_REASON = 8_192  # characters
_POLL_S = 0.05  # between two looks at how much a program has printed


# --- answers


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's answer, and its cost if its host says it."""

    text: str
    cost_usd: float | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None


class NoReply(Exception):
    """There is no usable answer. `reason` may be shown to a user."""

    def __init__(
        self,
        status: str,  # timeout, failed, invalid or over_budget
        reason: str,
        *,
        cost_usd: float | None = None,  # the cost that the host reports
        is_sent: bool = True,  # False when nothing was sent, so that it cost nothing
        output: str = "",  # a program's output until then
    ) -> None:
        super().__init__(status)
        self.status = status
        self.reason = tidy(reason)
        self.cost_usd = cost_usd
        self.is_sent = is_sent
        self.output = output


def tidy(text: str) -> str:
    """Return `text` on one line, redacted and cleaned, at most 300 characters."""
    line = " ".join(redact(clean(text[:_READ_FOR_REASON])).value.split())
    return line if len(line) <= MAX_REASON else f"{line[: MAX_REASON - 1].rstrip()}…"


def dollars(value: Any) -> float | None:
    """Return a cost that a host reports; None if it is no amount of money."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        amount = float(value)
    except OverflowError:
        return None
    return amount if math.isfinite(amount) and amount >= 0 else None


def total(*values: Any) -> int | None:
    """Return the sum of the values that are numbers of tokens; None without any."""
    counts = [n for n in values if type(n) is int and 0 <= n < 10**12]
    return sum(counts) if counts else None


def objects_in(text: str) -> Iterator[dict[str, Any]]:
    """Yield the outermost JSON objects in `text`, in order."""
    decoder = json.JSONDecoder()
    strays = 0
    at = text.find("{")
    while at >= 0 and strays <= MAX_STRAY_BRACES:
        try:
            content, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):  # no JSON, a number of 5,000 digits, too deep
            strays += 1
            end = at + 1
        else:
            yield content
        at = text.find("{", end)


def listed_in(text: str, name: str) -> Mapping[str, Any]:
    """Return the last object in a model's answer that has a list `name`. Raises NoReply."""
    objects = [each for each in objects_in(text[:200_000]) if name in each]
    if not objects or not isinstance(objects[-1][name], list):
        raise NoReply("invalid", f"Its answer is no JSON object that lists {name}.")
    return objects[-1]


def schema_of(**properties: object) -> dict[str, object]:
    """Return an object's JSON Schema in the strict form for OpenAI."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def estimated_tokens(text: str) -> int:
    """Return a quarter of the bytes of a text, rounded up."""
    return -(-len(text.encode("utf-8", "replace")) // 4)


# --- models and their cost


class Engine(Protocol):
    """A program or a server."""

    def ask(self, prompt: str, schema: Mapping[str, object], limit_s: float) -> Reply: ...


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    content: T | None  # None unless status is "ok"
    status: str  # ok, timeout, failed, invalid, over_budget
    reason: str = ""
    tokens: int = 0
    cost_usd: float = 0.0
    latency_ms: float = 0.0


class Budget:
    """The daily budget, counted while models are asked. Safe from any thread."""

    def __init__(self, usd: float, calls: int, *, max_usd: float, max_calls: int) -> None:
        self.usd, self.calls = usd, calls
        self._max_usd, self._max_calls = max_usd, max_calls
        self._lock = threading.Lock()

    def refusal(self, expected_usd: float) -> str:
        """Return why a call may not be made today; "" if it may.

        A limit of 0 dollars refuses every call that is not free. Free calls count as calls.
        """
        if self.calls >= self._max_calls:
            return f"{self.calls} calls were made today, and {self._max_calls} are allowed."
        if expected_usd and self._max_usd <= 0:
            return "Nothing may be spent, and this engine costs money."
        if expected_usd and self.usd + expected_usd > self._max_usd:
            return (
                f"${self.usd:.2f} of ${self._max_usd:.2f} were spent today, and a call is taken to"
                f" cost ${expected_usd:.3f}."
            )
        return ""

    def take(self, expected_usd: float) -> str:
        """Reserve a call's expected cost; return why not if that is too much, else ""."""
        with self._lock:
            if not (why := self.refusal(expected_usd)):
                self.usd += expected_usd
                self.calls += 1
            return why

    def settle(self, expected_usd: float, usd: float) -> None:
        """Replace the expected cost of a call by its real cost."""
        with self._lock:
            self.usd = max(self.usd - expected_usd, 0.0) + usd


@dataclass(frozen=True, slots=True)
class Model:
    """An engine with its name in records."""

    name: str
    engine: Engine
    expected_usd: float = ASSUMED_USD  # of a call; 0 on this machine

    def ask(
        self, prompt: str, schema: Mapping[str, object], limit_s: float, parse: Callable[[str], T]
    ) -> Answer[T]:
        """Return the answer within `limit_s` seconds, or why there is none. Never raises.

        `parse` reads the engine's text, or raises NoReply.
        """
        begun, sent = time.perf_counter(), estimated_tokens(prompt)
        reply: Reply | None = None
        try:
            reply = self.engine.ask(prompt, schema, limit_s)
            content = parse(reply.text)
        except NoReply as failure:
            is_sent = reply is not None or failure.is_sent
            tokens = sent + (estimated_tokens(reply.text) if reply else 0) if is_sent else 0
            cost = self._cost(reply.cost_usd if reply else failure.cost_usd) if is_sent else 0.0
            return Answer(None, failure.status, failure.reason, tokens, cost, ms_since(begun))
        except Exception as error:  # an engine that breaks must not break the drain
            reason = f"Unexpected {type(error).__name__}."
            return Answer(None, "failed", reason, sent, self.expected_usd, ms_since(begun))
        tokens_in = sent if reply.tokens_in is None else reply.tokens_in
        tokens_out = estimated_tokens(reply.text) if reply.tokens_out is None else reply.tokens_out
        cost = self._cost(reply.cost_usd)
        return Answer(content, "ok", "", tokens_in + tokens_out, cost, ms_since(begun))

    def _cost(self, reported: float | None) -> float:
        return self.expected_usd if reported is None or not self.expected_usd else reported


def model_of(settings: EnginePolicy) -> Model:
    engine: Engine
    if settings.kind == "openai":
        engine = Server(settings.model, settings.url, settings.key_variable)
    else:
        engine = Program(settings.kind, settings.model, tuple(settings.program))
    called = os.path.basename(settings.program[0]) if settings.program else settings.model
    is_local = bool(settings.url) and is_on_this_machine(settings.url)
    return Model(f"{settings.kind} {called}".strip(), engine, 0.0 if is_local else ASSUMED_USD)


# --- programs


@dataclass(frozen=True, slots=True)
class Output:
    code: int  # exit code; negative when a signal ended it
    stdout: str
    stderr: str


@dataclass(frozen=True, slots=True)
class Call:
    """The input of a dialect: the model, and a folder for its files."""

    model: str
    files: str  # an absolute path; not the folder the program works in
    environment: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Dialect:
    """The way to call one host or another program, and to read its answer.

    Hooks, tools, session files and project settings are switched off if the host allows it.
    """

    arguments: Callable[[Call], list[str]]
    read: Callable[[Output, Call], Reply]
    environment: Callable[[Call], Mapping[str, str]] = lambda _call: {}
    clean_up: Callable[[str], list[str] | None] = lambda _stdout: None


@dataclass(frozen=True, slots=True)
class Program:
    """A program as an engine. `kind` names the host, `program` is the command of any other."""

    kind: str  # the name of a host, or program
    model: str = ""
    program: Sequence[str] = ()

    def ask(self, prompt: str, schema: Mapping[str, object], limit_s: float) -> Reply:
        """Return its reply to the prompt. Raises NoReply."""
        host = hosts.registry.host(self.kind)
        if self.kind == "program":
            dialect = Dialect(lambda _call: list(self.program), _read_program)
        elif host is not None and host.headless is not None:
            dialect = host.headless
        else:
            reason = f"{self.kind} cannot be asked without a user."
            raise NoReply("failed", reason, is_sent=False)
        environment = dict(os.environ)
        with _temporary_folder() as root:
            files, folder = os.path.join(root, "files"), os.path.join(root, "empty")
            os.mkdir(files, 0o700)
            os.mkdir(folder, 0o700)
            no_hooks = {"hooksConfig": {"enabled": False}}
            for name, content in ((ANSWER_SCHEMA, schema), (NO_HOOKS, no_hooks)):
                with open(os.path.join(files, name), "w", encoding="utf-8") as file:
                    json.dump(content, file)
            call = Call(self.model, files, environment)
            arguments = dialect.arguments(call)
            # looked up here and not in the empty folder
            name = os.path.expanduser(arguments[0])
            path = program_outside(name)
            if path is None:
                is_file = os.sep in name and os.path.isfile(name)
                why = "it is not executable" if is_file else _NOT_INSTALLED
                reason = f"{arguments[0]} cannot be started: {why}."
                raise NoReply("failed", reason, is_sent=False)
            arguments[0] = os.path.abspath(path)
            around = {**environment, **dialect.environment(call)}
            printed = ""
            try:
                output = run(
                    arguments, text=prompt, folder=folder, environment=around, limit_s=limit_s
                )
                printed = output.stdout
                return dialect.read(output, call)
            except NoReply as failure:
                printed = printed or failure.output
                raise
            finally:
                if later := dialect.clean_up(printed):
                    words = [arguments[0], *later[1:]]
                    threading.Thread(target=_clean_up, args=(words, environment)).start()


_NOT_INSTALLED = "it is not installed, or not on the PATH"


def _temporary_folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="memdeck-model-", ignore_cleanup_errors=True)


def _clean_up(arguments: Sequence[str], environment: Mapping[str, str]) -> None:
    """Delete a session in the host's own way. Errors are ignored."""
    with _temporary_folder() as folder, contextlib.suppress(NoReply):
        run(arguments, text="", folder=folder, environment=environment, limit_s=10.0)


def _read_program(output: Output, _call: Call) -> Reply:
    """Return the whole output. `total_cost_usd` in an object of it is the cost."""
    reported = [dollars(each.get("total_cost_usd")) for each in objects_in(output.stdout)]
    cost = next((usd for usd in reversed(reported) if usd is not None), None)
    if output.code:
        raise NoReply("failed", last_words(output), cost_usd=cost)
    return Reply(output.stdout, cost)


def events_in(text: str) -> Iterator[dict[str, Any]]:
    """Yield the objects of an output: one, an array of them, or one a line."""
    try:
        contents = [json.loads(text)]
    except (ValueError, RecursionError):
        contents = []
        for line in text.splitlines():
            if line.lstrip().startswith(("{", "[")):
                with contextlib.suppress(ValueError, RecursionError):
                    contents.append(json.loads(line))
    for content in contents:
        members = content if isinstance(content, list) else [content]
        yield from (each for each in members if isinstance(each, dict))


def table(value: Any) -> dict[str, Any]:
    """Return `value` if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def message_in(error: Any, depth: int = 4) -> str:
    """Return the message in a host's error: a text, a list, or an object a few deep."""
    if isinstance(error, str):
        return error
    if not depth:
        return ""
    if isinstance(error, list):
        return "; ".join(filter(None, (message_in(each, depth - 1) for each in error[:3])))
    names = ("message", "data", "error", "name")
    parts = (message_in(table(error).get(name), depth - 1) for name in names)
    return next(filter(None, parts), "")


def last_words(output: Output) -> str:
    """Return the last output of a program, which says why it failed."""
    lines = [line for line in (output.stderr or output.stdout).splitlines() if line.strip()]
    words = " ".join(lines[-3:])
    end = f"signal {-output.code}" if output.code < 0 else f"exit code {output.code}"
    return f"It ended with {end}: {words[-400:] or '(no output)'}"


def run(
    arguments: Sequence[str],
    *,
    text: str,
    folder: str,
    environment: Mapping[str, str],
    limit_s: float,
    max_bytes: int = MAX_BYTES,
) -> Output:
    """Run a program in `folder` with `text` on its standard input. POSIX only.

    Raises NoReply: failed if it cannot start, timeout after `limit_s` seconds, invalid if it prints
    more than `max_bytes` bytes.
    """
    if os.name != "posix":
        raise NoReply("failed", "Programs can be asked on POSIX systems only.", is_sent=False)
    # Files without a name: nothing is left behind, and an open one delays no other process.
    with (
        tempfile.TemporaryFile() as stdin,
        tempfile.TemporaryFile() as stdout,
        tempfile.TemporaryFile() as stderr,
    ):
        stdin.write(text.encode("utf-8", "replace"))
        stdin.seek(0)
        try:
            process = subprocess.Popen(
                list(arguments),
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                cwd=folder,
                env=surroundings(environment, folder),
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            why = "its arguments cannot be passed on"
            if isinstance(error, OSError) and error.errno:
                why = os.strerror(error.errno).lower()
            if isinstance(error, FileNotFoundError):
                why = _NOT_INSTALLED
            reason = f"{arguments[0]} cannot be started: {why}."
            raise NoReply("failed", reason, is_sent=False) from None
        deadline, is_over = time.monotonic() + limit_s, False
        try:
            while not is_over:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(_POLL_S)
                is_over = process.returncode is not None
                if max(os.fstat(file.fileno()).st_size for file in (stdout, stderr)) > max_bytes:
                    raise NoReply("invalid", f"It printed more than {max_bytes:,} bytes.")
                if not is_over and time.monotonic() >= deadline:
                    why = f"No answer within {limit_s:.1f} s."
                    raise NoReply("timeout", why, output=_printed(stdout))
        finally:
            with contextlib.suppress(OSError):  # the whole group: a helper may have stayed behind
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        return Output(process.returncode, _printed(stdout), _printed(stderr))


def _printed(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode("utf-8", "replace").lstrip("\ufeff")


def surroundings(environment: Mapping[str, str], folder: str) -> dict[str, str]:
    """Return the environment of a program in `folder`: guarded, and no child session."""
    rest = {name: value for name, value in environment.items() if name not in PARENTS}
    return {**rest, hosts.GUARD: "1", "PWD": folder}  # some agents take their folder from PWD


# --- servers


CHAT = "chat/completions"


@dataclass(frozen=True, slots=True)
class Server:
    """A server in OpenAI's form: most providers, and Ollama, llama.cpp, LM Studio, vLLM."""

    model: str
    url: str
    key_variable: str = ""  # name of the environment variable that holds the key

    def ask(self, prompt: str, _schema: Mapping[str, object], limit_s: float) -> Reply:
        """Return its reply to the prompt. Raises NoReply."""
        # No limit of tokens and no temperature: servers disagree about their names and ranges.
        content = {"messages": [{"role": "user", "content": prompt}], "stream": False}
        answer = self.post(CHAT, content, limit_s)
        choices = table(answer).get("choices")
        message = table(choices[0] if isinstance(choices, list) and choices else None)
        words = table(message.get("message")).get("content")
        if not isinstance(words, str):
            raise NoReply("invalid", "The answer holds no message.")
        usage = table(table(answer).get("usage"))
        tokens = (total(usage.get(name)) for name in ("prompt_tokens", "completion_tokens"))
        return Reply(words, None, *tokens)

    def post(self, path: str, fields: Mapping[str, Any], limit_s: float) -> Any:
        """Return the JSON that answers the fields at a path; None for other text.

        Raises NoReply, also for a status that is no success.
        """
        if why := refusal_of_address(self.url):
            raise NoReply("failed", f"Nothing was sent to {self.url}: {why}", is_sent=False)
        key = os.environ.get(self.key_variable, "").strip() if self.key_variable else ""
        if self.key_variable and not key:
            reason = f"The environment variable {self.key_variable}, which holds the key, is empty."
            raise NoReply("failed", reason, is_sent=False)
        if not (key.isascii() and key.isprintable()):
            raise NoReply("failed", f"{self.key_variable} holds no key.", is_sent=False)
        address = self.url.rstrip("/").removesuffix(f"/{CHAT}")
        has_path = urlsplit(address).path not in ("", "/")
        address += f"/{path}" if has_path else f"/v1/{path}"
        headers = {"content-type": "application/json"}
        if key:
            headers["authorization"] = f"Bearer {key}"
        status, content = _post(address, headers, {"model": self.model, **fields}, limit_s)
        try:
            answer = json.loads(content)
        except (ValueError, RecursionError):
            answer = None
        if not 200 <= status < 300:
            is_redirect = 300 <= status < 400
            text = "redirects are not followed." if is_redirect else message_in(answer)
            reason = f"HTTP {status}: {text}" if text else f"HTTP {status}."
            # some servers repeat the key in their errors
            raise NoReply("failed", reason.replace(key, "[REDACTED:api-key]") if key else reason)
        return answer


def _post(
    address: str, headers: Mapping[str, str], body: Mapping[str, Any], limit_s: float
) -> tuple[int, bytes]:
    """Return status and body of the response. Raises NoReply.

    The deadline is checked with each part, since httpx's own limit then begins again.
    """
    import ssl  # a status and a list load this module, and ask no model

    try:
        import httpx
    except ImportError:
        reason = "httpx is not installed: pip install 'memdeck[http]'."
        raise NoReply("failed", reason, is_sent=False) from None
    # All of the system's certificates take longer to read than a server at home to answer.
    verify = address.lower().startswith("https:") or ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    headers = {**headers, "accept-encoding": "identity"}  # a small body could be a large one
    deadline, content = time.monotonic() + limit_s, bytearray()
    try:
        with (
            httpx.Client(
                verify=verify, trust_env=False, follow_redirects=False, timeout=limit_s
            ) as client,
            client.stream("POST", address, headers=headers, json=body) as response,
        ):
            for chunk in response.iter_raw():
                content += chunk
                if len(content) > MAX_BYTES:
                    raise NoReply("invalid", f"It sent more than {MAX_BYTES:,} bytes.")
                if time.monotonic() >= deadline:
                    raise httpx.ReadTimeout("")
            return response.status_code, bytes(content)
    except httpx.TimeoutException:
        raise NoReply("timeout", f"No answer within {limit_s:.1f} s.") from None
    except httpx.ConnectError as error:
        raise NoReply("failed", f"No connection: {error}.", is_sent=False) from None
    except httpx.HTTPError as error:
        raise NoReply("failed", f"{type(error).__name__}: {error}") from None
    except (httpx.InvalidURL, OSError, ValueError) as error:
        raise NoReply("failed", f"{type(error).__name__}: {error}", is_sent=False) from None
