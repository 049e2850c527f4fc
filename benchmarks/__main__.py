"""`python -m benchmarks [NAME]…`: run all measurements, or those named in ALL."""

import sys

from . import capture, hooks, judgement, judging, redaction, retrieval, review, search, size, tokens

ALL = {
    "size": size.run,
    "search": search.run,
    "retrieval": retrieval.run,
    "hooks": hooks.run,
    "redaction": redaction.run,
    "review": review.run,
    "capture": capture.run,
    "judgement": judgement.run,
    "judging": judging.run,
    "tokens": tokens.run,
}


def main() -> None:
    chosen = sys.argv[1:] or list(ALL)
    for name in chosen:
        if name not in ALL:
            sys.exit(f"There is no benchmark {name!r}; there are {', '.join(ALL)}.")
        ALL[name]()


if __name__ == "__main__":
    main()
