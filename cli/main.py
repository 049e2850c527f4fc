"""The entry point of the `memdeck` command.

Hooks and the MCP server are sent on before click is imported, because an agent waits for them.
Everything else goes through the command tree; here, once, errors become exit codes:

0  done                     2  the command was not understood
1  refused, or not found    3  the store cannot be used
"""

import gc
import os
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress

INTERRUPTED = 130  # as shells report a process ended by ctrl+c


def main() -> None:
    """Answer one command line and leave with its exit code."""
    arguments = sys.argv[1:]
    if arguments[:1] == ["hook"] and not {"-h", "--help"} & set(arguments):
        from ..agents.main import main as answer_hook

        sys.argv = [sys.argv[0], *arguments[1:]]  # as if called by the name memdeck-hook
        sys.exit(answer_hook())
    if arguments[:1] == ["mcp"] and not {"-h", "--help", "--snippet"} & set(arguments):
        from ..agents.mcp import main as serve

        sys.exit(serve(arguments[1:]))
    code = run(arguments)
    if threading.active_count() == 1:  # taking apart what was loaded takes as long as a command
        with suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    sys.exit(code)


def _taken(word: str) -> str:
    """Return an argument for commands: all input passes `clean` once.

    Except the names of files, which must stay as they are. Raises click.UsageError for bytes that
    are no text in the encoding of the terminal.
    """
    from ..core.text.words import clean

    if os.path.lexists(word):
        return word
    if not word.isascii() and any("\udc80" <= item <= "\udcff" for item in word):
        import click

        raise click.UsageError(
            "An argument is not UTF-8. Convert it with `iconv -f latin1 -t utf-8` in a pipe to `-`."
        )
    return clean(word)


def run(arguments: Sequence[str]) -> int:
    """Return the exit code of one command line; reasons and hints are on standard error."""
    gc.set_threshold(50_000)  # what a command loads is no garbage
    import click

    from ..db.errors import ManagerError
    from .options import print_error
    from .output import narrate
    from .root import root

    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the caller: it has no reader
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="backslashreplace")  # a narrow encoding must not end a listing
    try:
        words = [_taken(word) for word in arguments]
        return int(root.main(args=words, prog_name="memdeck", standalone_mode=False) or 0)
    except ManagerError as error:
        return print_error(error)
    except click.Abort:
        return INTERRUPTED
    except click.ClickException as error:
        code = print_error(error)
        if isinstance(error, click.UsageError) and error.ctx:
            path, takes = error.ctx.command_path, error.ctx.command.params
            is_text = isinstance(error, click.NoSuchOption) and not error.possibilities
            if is_text and any(take.nargs == -1 for take in takes):
                narrate(f"  Words that begin with `-` stand behind `--`: `{path} -- …`.")
            narrate(f"  `{path} -h` shows what it takes, with an example.")
        return code
