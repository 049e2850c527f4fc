"""What a correction replaces, and what only looks like it: each gate lets through and refuses."""

from memdeck.core.judgement.replacement import replaces, speaks_of

CHF = "Invoices are in CHF, not EUR."


def test_what_is_denied_or_given_another_value_is_replaced(subtests):
    rows = [
        (CHF, "Invoices are in EUR."),
        (CHF, "The invoices of the shop are in EUR, because the shop is in Berlin."),
        ("We use Kafka for events, never RabbitMQ.", "Events go to RabbitMQ, not Kafka."),
        ("Sessions live in Postgres instead of Redis.", "Sessions live in Redis."),
        ("Sessions are no longer stored in Redis.", "Sessions are stored in Redis."),
        ("We moved the invoices from EUR to CHF.", "Invoices are in EUR."),
        ("We switched from EUR to CHF for the invoices.", "In this repo invoices are in EUR."),
        ("We replaced EUR with CHF in the invoices.", "Invoices are in EUR."),
        ("CHF replaces EUR in the invoices.", "Invoices are in EUR."),
        ("EUR is gone, invoices are in CHF.", "Invoices are in EUR."),
        ("We dropped EUR, invoices are in CHF.", "Invoices are in EUR."),
        ("We don't write invoices in EUR anymore, they are in CHF.", "Invoices are in EUR."),
        ("Bei den Rechnungen sind wir von EUR auf CHF umgestiegen.", "Rechnungen sind in EUR."),
        ("Bei den Rechnungen haben wir EUR durch CHF ersetzt.", "Rechnungen sind in EUR."),
        ("Hemos pasado las facturas de EUR a CHF.", "Las facturas van en EUR."),
        ("Keep backups for 12 days.", "Keep backups for 9 days."),
        ("Backups are kept for 12 days.", "Keep backups for 9 days."),
        ("Rechnungen werden nicht in EUR gestellt, sondern in CHF.", "Rechnungen sind in EUR."),
        ("Las facturas van en CHF, no en EUR.", "Las facturas van en EUR."),
    ]
    for correction, claim in rows:
        with subtests.test(correction=correction):
            assert replaces(correction, claim)


def test_what_is_doubtful_is_not_replaced(subtests):
    rows = [
        (CHF, CHF),  # the same
        ("We moved the invoices from EUR to CHF.", "Salaries are paid in EUR."),
        ("We moved the invoices from EUR to CHF.", "Invoices are in CHF."),
        ("We replaced EUR with CHF in the offers.", "Invoices are in EUR."),
        ("We moved the button from the header to the footer.", "The header is fixed at the top."),
        ("The EUR column is gone from the report.", "Invoices are in EUR."),
        (CHF, "Salaries are paid in EUR."),  # another subject
        (CHF, "We moved the invoices from EUR to CHF."),  # says so already
        ("Invoices are not sent by mail.", "Invoices are in EUR."),  # denies something else
        ("Staging invoices are in CHF, not EUR.", "Invoices are in EUR."),  # of some only
        ("Invoices in Switzerland are in CHF, not EUR.", "Invoices are in EUR."),
        ("The API listens on port 8080.", "The admin API listens on port 9090."),
        ("The admin API listens on port 9090.", "The API listens on port 8080."),
        ("Keep backups for 12 days.", "Keep logs for 9 days."),
        ("Keep backups for 12 days.", "Keep backups on the NAS for 9 days."),
        ("Keep backups for 12 days.", "Keep backups below 9 GB."),  # another kind of value
        (
            "The cause is the pool, not the index.",
            "The root cause of the slow report is the missing index on orders.",
        ),
        ("Feeds must be streamed, never loaded whole.", "The worker loads the feed into memory."),
        (  # tells what it does
            "The script prints an empty line, which replaces the last message.",
            "The script shows the last message.",
        ),
    ]
    for correction, claim in rows:
        with subtests.test(correction=correction):
            assert not replaces(correction, claim)


def test_what_was_said_just_before_need_not_be_named():
    short, claim = "9090, not 8080", "The API listens on port 8080."
    assert replaces(short, claim, is_near=True)
    assert not replaces(short, claim)
    assert not replaces(short, "The API listens on every interface.", is_near=True)


def test_a_denial_speaks_of_what_shares_its_words(subtests):
    rows = [
        ("retry.py is not even deployed", "`orders/retry.py:88` sends the request again.", True),
        ("retry.py is not even deployed", "`orders/queue.py:88` sends the request again.", False),
        ("the buffer is fine", "parse() drops a row because the buffer is 512 bytes.", False),
        ("the buffer gets a bad row", "parse() drops a row because the buffer is small.", True),
        ("the button must be blue", "Events are published to RabbitMQ.", False),
        ("", "Events are published to RabbitMQ.", False),
    ]
    for denial, claim, is_about in rows:
        with subtests.test(denial=denial):
            assert speaks_of(denial, claim) == is_about


def test_what_is_numbered_keeps_its_own_values():
    first = "Always use port 5400 for the database of service 1."
    assert not replaces("Always use port 5410 for the database of service 2.", first)
    assert replaces("Always use port 5410 for the database of service 1.", first)
