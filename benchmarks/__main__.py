"""`python -m benchmarks [NAME]…`: run all measurements, or those named in ALL."""

import sys
from importlib import import_module

NAMES = (
    "size search retrieval hooks startup app redaction review capture judgement extraction"
    " tokens bulk upkeep week year"
).split()
ALL = {name: import_module(f".{name}", __package__).run for name in NAMES}


def main() -> None:
    given = sys.argv[1:]
    chosen = given[:1] if given[:1] in (["year"], ["upkeep"]) else given or list(ALL)
    for name in chosen:
        if name not in ALL:
            sys.exit(f"There is no benchmark {name!r}; there are {', '.join(ALL)}.")
        ALL[name]()


if __name__ == "__main__":
    main()
