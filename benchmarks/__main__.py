"""`python -m benchmarks [NAME]…`: run all measurements, or those named in NAMES."""

import sys
from importlib import import_module

NAMES = (
    "size search retrieval hooks startup app redaction review capture judgement extraction"
    " tokens bulk upkeep reliability week year"
).split()


def main() -> None:
    given = sys.argv[1:]
    chosen = given[:1] if given[:1] in (["year"], ["upkeep"]) else given or NAMES
    for name in chosen:
        if name not in NAMES:
            sys.exit(f"There is no benchmark {name!r}; there are {', '.join(NAMES)}.")
        import_module(f".{name}", __package__).run()


if __name__ == "__main__":
    main()
