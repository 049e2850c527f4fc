"""`python -m benchmarks [hooks|search|size]…`: run them all, or those named."""

import sys

from . import hooks, search, size

ALL = {"size": size.run, "search": search.run, "hooks": hooks.run}


def main() -> None:
    chosen = sys.argv[1:] or list(ALL)
    for name in chosen:
        if name not in ALL:
            sys.exit(f"There is no benchmark {name!r}; there are {', '.join(ALL)}.")
        ALL[name]()


if __name__ == "__main__":
    main()
