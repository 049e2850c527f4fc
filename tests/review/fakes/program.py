"""A program that stands in for an agent: it notes how it was called, then acts its part.

Its part stands in `<name>.part.json` beside it, what it saw goes to `<name>.<n>.seen.json`.
Parts: stdout, stderr, code; do: hang, crash, flood, flood-errors, fork, close-and-hang,
leave-behind.
"""

import json
import os
import sys
import time

SLEEPER = [sys.executable, "-c", "import time; time.sleep(600)"]


def main() -> int:
    me = os.path.abspath(sys.argv[0])
    with open(f"{me}.part.json", encoding="utf-8") as file:
        part = json.load(file)
    seen = {
        "arguments": sys.argv[1:],
        "environment": dict(os.environ),
        "folder": os.getcwd(),
        "inside": sorted(os.listdir()),
        "mode": os.stat(".").st_mode & 0o777,
        "prompt": sys.stdin.buffer.read().decode("utf-8"),
        "pid": os.getpid(),
        "group": os.getpgid(0),
        "files": {},
    }
    for word in (*sys.argv[1:], os.environ.get("GEMINI_CLI_SYSTEM_SETTINGS_PATH", "")):
        if word.endswith(".json") and os.path.exists(word):
            with open(word, encoding="utf-8") as file:
                seen["files"][os.path.basename(word)] = json.load(file)
    deed = "" if sys.argv[1:2] == ["session"] else part.get("do", "")
    if deed in ("fork", "leave-behind"):
        import subprocess

        seen["child"] = subprocess.Popen(SLEEPER).pid  # it inherits our pipes
    number = sum(name.endswith(".seen.json") for name in os.listdir(os.path.dirname(me)))
    with open(f"{me}.{number}.new", "w", encoding="utf-8") as file:
        json.dump(seen, file)
    os.rename(f"{me}.{number}.new", f"{me}.{number}.seen.json")
    sys.stdout.write(part.get("stdout", ""))
    sys.stderr.write(part.get("stderr", ""))
    sys.stdout.flush()
    sys.stderr.flush()
    if deed == "crash":
        os.abort()
    if deed in ("flood", "flood-errors"):
        stream = sys.stdout if deed == "flood" else sys.stderr
        for _ in range(50):
            stream.write("x" * 1_000_000)
    if deed == "close-and-hang":
        os.close(1)
        os.close(2)
    if deed in ("hang", "fork", "close-and-hang"):
        time.sleep(600)
    return int(part.get("code", 0))


if __name__ == "__main__":
    sys.exit(main())
