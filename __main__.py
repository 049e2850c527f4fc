"""`python -m memdeck`: the same as the `memdeck` command."""

from .cli.main import main

if __name__ == "__main__":
    main()
