"""What several journeys let a session say and do, in the terse form of the gallery."""

GREETING = "P: good morning, what time is it?\nA: Half past nine.\n"
"""Nothing is learned, and nothing asked for."""

FIX = """
    P: Run the end-to-end tests.
    $ make e2e
    > Error: connect ECONNREFUSED 127.0.0.1:5432
    ! 2
    $ docker compose up -d db
    > started
    $ make e2e
    > 12 passed
    A: They pass.
"""
"""An error and what mended it: two points, an importance below 0.7."""

ASKS_OF_FIX = "P: make e2e says ECONNREFUSED, what was that?\nA: I shall look.\n"

DEPLOYS = "From now on every deploy is announced in the harbour channel an hour before it starts."
"""What a person lays down."""

BERTHS = "The nightly berth report reads the mirror database, since the primary one locks at dawn."
TIDE = "The tide import needs TIDE_ZONE set to UTC, else the import drops the first hour."
"""What agents find."""


def finds(text: str, prompt: str = "Please go on.") -> str:
    """A session that comes to `text` and records it; the prompt asks for nothing of it."""
    return (
        f"P: {prompt}\nA: {text}\n$ memdeck learn '{text}' --json\n> recorded\nA: It works now.\n"
    )
