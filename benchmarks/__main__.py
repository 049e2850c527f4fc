"""`python -m benchmarks [NAME]…`: run all measurements, or those named in ALL."""

import sys

from . import (
    app,
    bulk,
    capture,
    extraction,
    hooks,
    house,
    judgement,
    opinions,
    redaction,
    retrieval,
    review,
    search,
    size,
    startup,
    tokens,
    upkeep,
    week,
    year,
)

ALL = {
    "size": size.run,
    "search": search.run,
    "retrieval": retrieval.run,
    "hooks": hooks.run,
    "startup": startup.run,
    "app": app.run,
    "redaction": redaction.run,
    "review": review.run,
    "capture": capture.run,
    "judgement": judgement.run,
    "extraction": extraction.run,
    "opinions": opinions.run,
    "tokens": tokens.run,
    "bulk": bulk.run,
    "upkeep": upkeep.run,
    "week": week.run,
    "year": year.run,
    "house": house.run,
}


def main() -> None:
    given = sys.argv[1:]
    chosen = given[:1] if given[:1] in (["year"], ["upkeep"]) else given or list(ALL)
    for name in chosen:
        if name not in ALL:
            sys.exit(f"There is no benchmark {name!r}; there are {', '.join(ALL)}.")
        ALL[name]()


if __name__ == "__main__":
    main()
