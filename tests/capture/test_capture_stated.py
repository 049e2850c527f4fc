"""What a person states without a word of command, class by class, each with its near-misses."""

import pytest

LABELLED = (
    "ok: room rates are gross, never net",
    (
        "also, the front desk export has to stay in ISO-8859-1 because the printer "
        "firmware can't do UTF-8"
    ),
    "yes, keep the guest ledger in cents please, floats drift",
    "yes keep the guest photos out of the backup please, they are huge",
    "lesson: the orbit propagator diverges when the step is over 30 s",
    "lesson learned: never flash the bootloader during an eclipse",
    "for the records: the payroll cut-off is the 20th of each month",
    "images: we use WebP with a JPEG fallback",
    "exit codes: 0 is fine, 1 means an illegal move, 2 an engine timeout",
    "naming: tables are singular, columns are snake_case",
    "one more rule: opening books stay out of the repo",
    "Policy: two editors sign off every front page.",
    "Constraint: the flash image must fit into 512 kB.",
    "and btw: invoices get their number from the tax office, we never make one up",
    "oh and the crossword grid is always square",
    "right, so the loyalty points expire after 18 months",
    "caching: nothing longer than 60 seconds for room prices",
    "time zones: everything in UTC, the hotel's zone only in the UI",
    "hm, one thing: the uplink window is 8 minutes, so every transfer must be resumable",
)

LABELS_OF_THE_MOMENT = (
    "ok: run the tests",
    "also, fix the header",
    "yes, add it please",
    "yes please",
    "question: what does the exit code mean",
    "status: the booking page is broken",
    "result: 3 tests fail",
    "plan: first the parser, then the UI",
    "next: we need tests for the parser",
    "steps: click save, see the spinner",
    "expected: 3, got: 4",
    "also, the button is too small",
    "for the record, I did not break it",
    "error: we use an unknown column",
    "so: what now",
    "to me: it looks fine",
    "note: done",
    "input: 12 rooms, 3 guests",
    "summary: it works now",
    "time: 12 seconds",
    "idea: we could use a queue",
    "problem: we use the wrong table",
)

IMPERSONAL = (
    "Tenancies are only ever created by the onboarding job.",
    "Telemetry frames are only ever written by the ground station.",
    "Nobody edits the seating plan by hand.",
    "no one touches the fuse settings without a second engineer",
    "The move log is append only.",
    "Payslips are immutable once they are sent.",
    "Articles get published through the workflow engine, never straight from the editor.",
    "Salaries may be read by HR alone.",
    "Refunds are not issued automatically.",
    "Opening books are read-only at runtime.",
    "Room numbers are strings, even when they look like integers.",
    "nothing gets deployed during the night audit",
    "Only the scheduler writes to the `passes` table.",
    "The guest list is never exported without consent.",
    "Archived issues must not be reindexed.",
    "The ratings table is written by the tournament job alone.",
    "Headlines are limited to 70 characters.",
    "Bank details are stored encrypted and decrypted in the payment service only.",
)

COMPLAINTS = (
    "Nobody told me.",
    "nobody knows why it fails",
    "no one is using that button",
    "The list is created twice.",
    "No one answered.",
    "The modal is only shown once.",
    "the job is never started",
    "the page is not rendered",
    "Nobody likes this page.",
    "Only the header is broken.",
    "nothing works",
    "nothing happens when I click save",
    "The file is written twice.",
    "The button is not shown to admins.",
    "the invoice is not sent",
    "Only two tests fail.",
    "the rows are read-only for some reason",
)

TERSE = (
    "Short commit messages, imperative mood.",
    "British spelling everywhere.",
    "No emojis in headlines or commit messages.",
    "Small PRs, one topic each.",
    "Plain SQL, no ORM.",
    "Type hints everywhere, please.",
    "Two-space indentation in YAML.",
    "No new dependencies.",
    "Tests first, always.",
    "Snake case for columns, camel case in JSON.",
    "Functions over classes.",
    "No inline styles.",
    "Explicit over implicit, especially in the config.",
    "English only in code and comments.",
)

ANSWERS = (
    "No luck.",
    "Same error.",
    "No rush.",
    "Nice work, thanks.",
    "Three files, two tests.",
    "Not sure.",
    "No idea why.",
    "Still red.",
    "Just the header.",
    "Not the footer, the header.",
    "Maybe later.",
    "Red, not blue.",
    "No change.",
    "No tests yet.",
    "Only two tests left.",
    "No output.",
    "Tests first, then the docs.",
    "Small typo in the header.",
    "No commits since Monday.",
    "More tests please.",
)

OWNED = (
    "Rates are gross, never net, keep that in mind when you touch the invoice code.",
    "The flash chip is 16 MB, not 32, remember that for the update logic.",
    "Shift times are local, never UTC, bear that in mind.",
    "Ask Mira, who owns the payroll export, before you change its columns.",
    "The tariff file belongs to finance, who want to be asked before it changes.",
    "Nothing goes to the printer without Jonas, who signs off the front page.",
    "The seating schema is Priya's, so ask her before you change it.",
    "Changes to the fuse map go through Anders because he keeps the flight records.",
)

PEOPLE = (
    "Mira, who wrote the test, is on holiday.",
    "Ask Mira what the error means.",
    "The person who wrote this is gone.",
    "Jonas, who signs off the front page, says hi.",
    "I asked Anders because he knows the code.",
    "keep that in mind",
)

PLACED = (
    "the ground station gateway is at 10.40.0.12 port 9100",
    "staging CMS: https://cms-stg.example.org",
    "their api only answers 50 requests per minute",
    "The VPN range is 10.88.0.0/16.",
    "the booking db listens on 5433, not 5432",
    "the label printer is on 192.168.7.20",
    "their API returns dates in local time, without a zone",
    "the partner api wants an X-Channel header on each call",
    "the payroll provider's sandbox is sandbox.lohn.example",
    "page size is capped at 200 by the partner",
    "the uplink runs at 9600 baud",
    "max payload is 1024 bytes per frame",
    "the analysis cluster has 8 GPUs, 24 GB each",
    "the channel manager's rate limit is 300 calls an hour",
    "the newsroom VPN only lets 172.20.0.0/14 through",
    "metrics are scraped from port 9464 on every node",
)

SEEN = (
    "the server on port 8080 is down",
    "connect to 10.0.0.5 and restart it",
    "http://localhost:3000 shows a blank page",
    "I see 500 rows",
    "the test takes 3 s",
    "got 429 from their api",
    "line 80 is wrong",
    "the list shows 12 items",
    "their api is down again",
    "the api returns 500 when I save",
    "the response has 3 fields, but I want 4",
    "the build took 12 minutes",
    "its port is 80",
    "the page is at 50 %",
    "the total is 12",
    "there are 8 rooms",
    "the count is 3",
    "the login page is at 404 again",
)

CORRECTED = (
    "one correction to what I said yesterday: the night audit runs at 04:00, not at 03:00",
    "Correction to my earlier message: the frame size is 256 bytes.",
    "I was wrong about the tariff, it is 19 % and not 16 %.",
    "I misspoke earlier: payslips go out on the 25th.",
    "scratch what I said about Redis, sessions stay in Postgres",
    "nobody decided that, we stay on MariaDB",
    "we never agreed on GraphQL, the API stays REST",
    "that was never decided; we keep the monthly release",
    "no one agreed to that, the boards stay SVG",
    "forget what I told you about the retries: the vendor wants at most two",
    "to correct myself: check-out is at 11:00, not at 10:00",
    "I mixed that up, the antenna is north of the dish, so azimuth starts at 180 degrees",
    "nobody asked for Kafka, events stay in the outbox table",
)

TAKEN_BACK = (
    "I was wrong, sorry.",
    "scratch that",
    "nobody decided that.",
    "nobody said it was easy",
    "I mixed that up, sorry",
    "forget what I said",
    "one correction: rename it",
    "we never agreed on anything",
    "nobody asked you",
    "I was wrong about the bug.",
)

PUT_OFF = (
    "I need to hand in the tax export by 2027-03-31.",
    "next week we should rotate the uplink keys",
    "in two weeks, when the new rooms open, we have to raise the seat limit",
    "we have to renew the broker certificate before the 14th of May",
    "by the end of June the old payroll API must be gone",
    "the old tariff API is switched off on 1 March, we have to be off it by then",
    "before the summer season starts we must archive last year's bookings",
    "on Monday we need to switch the elo job to the new server",
    "next month I want to replace the crossword generator",
    "when the satellite is back in range we have to upload the new key table",
    "I have to send the auditors the ledger export before Friday",
    "someone has to clean up the old proofs bucket next sprint",
)

OF_TODAY = (
    "I need to leave in ten minutes.",
    "next week I'm on holiday",
    "We should talk about it next week.",
    "we need to fix it today",
    "I need to go by 5",
    "when the tests pass we have to stop",
    "I need to understand this first",
    "next week is fine",
    "we have to fix the tests first",
    "we should look at it tomorrow",
    "when I click save we have to wait",
    "I need to know by Friday",
)

SET_ASIDE = (
    "The sensor data of 3 May is wrong, exclude it until the lab has recalibrated.",
    (
        "bookings from channel 7 are duplicated, leave them out of all reports until the "
        "import is fixed"
    ),
    "the March payroll numbers are corrupt, don't use them",
    "ignore the games before round 4, their clocks were off",
    "The telemetry from node 12 can't be trusted, skip it in every analysis.",
    "don't use the 2019 circulation figures, they were estimated",
    "The ratings of 12 June are off by one, leave them out until we have the new dump.",
    "frames from the backup antenna are garbled, filter them out until it has been replaced",
)

TO_BE_REPAIRED = (
    "the total is wrong, fix it",
    "the import is wrong, rerun it",
    "ignore the warning",
    "the header is wrong, leave it",
    "the test data is broken, regenerate it",
    "skip the tests",
    "ignore the last message",
    "the figure on the page is wrong, correct it",
    "the date is wrong",
    "exclude node_modules from the search",
    "leave it out",
)

KEPT = (*LABELLED, *IMPERSONAL, *TERSE, *OWNED, *PLACED, *CORRECTED, *PUT_OFF, *SET_ASIDE)
LEFT = (
    *LABELS_OF_THE_MOMENT,
    *COMPLAINTS,
    *ANSWERS,
    *PEOPLE,
    *SEEN,
    *TAKEN_BACK,
    *OF_TODAY,
    *TO_BE_REPAIRED,
)


@pytest.mark.parametrize("sentence", KEPT)
def test_a_statement_that_stands_is_kept(said, sentence):
    assert len(said(sentence)) == 1


@pytest.mark.parametrize("sentence", LEFT)
def test_a_near_miss_is_left_alone(said, sentence):
    assert said(sentence) == []


@pytest.mark.parametrize("sentence", PUT_OFF)
def test_what_has_to_be_done_by_a_day_waits_for_it(session, sentence):
    [kept] = session.asks(sentence).captures()
    assert kept.type == "prospective"


def test_what_is_set_aside_is_a_warning(session):
    [kept] = session.asks(SET_ASIDE[0]).captures()
    assert (kept.category, kept.rule) == ("warning", "person.quarantine")


def test_what_was_wrong_is_named_where_the_correction_only_points_at_it(said):
    text = "I was wrong about the tariff, it is 19 % and not 16 %."
    assert said(text) == ["The tariff is 19 % and not 16 %."]


def test_each_short_sentence_of_a_prompt_is_judged_by_itself(said):
    text = "Please add the invoice view. Dense tables, no cards. Amounts stay in cents. Thanks!"
    assert said(text) == ["Dense tables, no cards.", "Amounts stay in cents."]


def test_a_rule_that_one_way_of_saying_so_refuses_may_fit_another(said):
    """ "belongs to" alone wants a name; with its owner in the same sentence it stands."""
    assert said("The tariff file belongs to finance.") == []
    assert len(said("The tariff file belongs to finance, so ask them first.")) == 1


def test_somebody_elses_service_is_told_with_what_was_said_of_it(said):
    text = "We sell through ChannelHub. Their api only answers 50 requests per minute."
    assert said(text) == [text]
    assert said("Please fix it. Their api only answers 50 requests per minute.") == [
        "Their api only answers 50 requests per minute."
    ]
