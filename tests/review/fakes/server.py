"""A model's server on this machine: it notes each request and gives the answer laid down."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class ModelServer:
    """Serves until `close`. `status`, `headers` and `body` are what it answers with."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.status = 200
        self.headers: dict[str, str] = {}
        self.body: bytes = b"{}"
        self.hangs = ""  # before: no answer; amid: headers, then nothing; drip: byte by byte
        self.is_closing = threading.Event()
        fake = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers.get("content-length", 0))
                fake.requests.append(
                    {
                        "path": self.path,
                        "headers": {name.lower(): value for name, value in self.headers.items()},
                        "body": json.loads(self.rfile.read(length)),
                    }
                )
                if fake.hangs == "before":
                    fake.is_closing.wait()
                    return
                self.send_response(fake.status)
                for name, value in fake.headers.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(fake.body)))
                self.end_headers()
                self.wfile.flush()
                if fake.hangs == "amid":
                    fake.is_closing.wait()
                    return
                try:
                    if fake.hangs == "drip":
                        for byte in fake.body:
                            if fake.is_closing.wait(0.05):
                                return
                            self.wfile.write(bytes([byte]))
                            self.wfile.flush()
                    else:
                        self.wfile.write(fake.body)
                except OSError:
                    return  # it was read as far as it was wanted

            do_GET = do_POST

            def log_message(self, *_: object) -> None:
                """Keep the tests' output clean."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.01,), daemon=True
        )
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def answers(self, answer: Any) -> None:
        self.body = json.dumps(answer).encode()

    def close(self) -> None:
        self.is_closing.set()
        self._server.shutdown()
        self._server.server_close()
