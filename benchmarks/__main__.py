"""`python -m benchmarks [NAME]…`: run all measurements, or those named in NAMES.

`retrieval --semantic` measures search by meaning instead.
"""

import sys
from importlib import import_module

NAMES = (
    "size search retrieval hooks startup app redaction judgement extraction"
    " tokens reliability next weeks"
).split()


def main() -> None:
    names = sys.argv[1:]
    if names == ["retrieval", "--semantic"]:
        names = ["retrieval_semantic"]
    for name in names or NAMES:
        if name not in (*NAMES, "retrieval_semantic"):
            sys.exit(f"There is no benchmark {name!r}; there are {', '.join(NAMES)}.")
        import_module(f".{name}", __package__).run()


if __name__ == "__main__":
    main()
