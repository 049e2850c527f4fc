"""Significant changes of files: new modules, moves, rewrites. Never one memory an edit."""

import pytest

from memdeck.core.capture.changes import LEAST_CHANGED, LEAST_LINES, LEAST_REWRITTEN

ROOT = "/home/dev/acme-api"


def body(lines, head='"""Tax rates by country and date, with their sources."""'):
    return "\n".join([head, "def rate(country):", *(f"    x{n} = {n}" for n in range(lines - 2))])


def writes(session, path, content, result="File created successfully"):
    return session.calls("Write", result, file_path=f"{ROOT}/{path}", content=content)


def changes(session, **options):
    return [c for c in session.captures(**options) if c.rule == "agent.file-change"]


def test_a_new_module_is_told_by_what_it_says_of_itself(session):
    session.asks("Go on with the billing work.")
    writes(session, "billing/tax.py", body(LEAST_LINES))
    [kept] = changes(session.says("Done."))
    assert kept.content == (
        "New module billing/tax.py: Tax rates by country and date, with their sources."
    )
    assert (kept.type, kept.category) == ("episodic", "file_change")
    assert kept.files == ("billing/tax.py",)
    assert kept.details["event_type"] == "agent_response"
    assert kept.details["context"]["files"] == ["billing/tax.py"]


def test_what_the_agent_reported_of_it_becomes_a_part_of_it(session):
    session.asks("Extract the tax rules out of invoices.py.")
    writes(session, "billing/tax.py", body(LEAST_LINES))
    session.says("The tax rules now live in `billing/tax.py`, which invoices.py calls.")
    [kept] = session.captures()
    assert kept.rule == "agent.file-change"
    assert kept.content.startswith("New module billing/tax.py: the tax rules now live in")


def test_where_nothing_else_tells_it_the_request_says_what_for(session):
    session.asks("Please move the rounding of prices to one place.")
    writes(session, "billing/rounding.py", body(LEAST_LINES, "import decimal"))
    [kept] = changes(session.says("Done."))
    assert kept.content == (
        "New module billing/rounding.py (asked for: “move the rounding of prices to one place”)"
    )


def test_a_new_module_without_a_purpose_is_not_kept(session):
    session.asks("Go on.")
    writes(session, "billing/rounding.py", body(LEAST_LINES, "import decimal"))
    assert changes(session.says("Done.")) == []


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("billing/tax.py", body(LEAST_LINES - 1)),  # a stub
        ("tests/test_tax.py", body(40)),
        ("docs/tax.md", body(40)),
        ("/tmp/try.py", body(40)),
        ("billing/__init__.py", body(40)),
        ("billing/tables.py", "\n".join(f"X{n} = {n}" for n in range(40))),  # defines nothing
    ],
)
def test_a_file_that_is_no_module_is_not_kept(session, path, content):
    session.asks("Move the tax rules of the invoices to one place.")
    writes(session, path, content)
    assert changes(session.says("Done.")) == []


@pytest.mark.parametrize("seen", ["Read", "Edit"])
def test_a_file_that_was_there_before_is_not_new(session, seen):
    session.asks("Look at the tax rules of the invoices.")
    session.calls(seen, "…", file_path=f"{ROOT}/billing/tax.py").says("I see.")
    session.asks("Now write the tax rules of the invoices anew.")
    writes(session, "billing/tax.py", body(60))
    assert changes(session.says("Done.")) == []


def test_a_file_that_was_overwritten_is_not_new(session):
    session.asks("Write the tax rules of the invoices anew.")
    writes(session, "billing/tax.py", body(60), "The file has been updated successfully.")
    assert changes(session.says("Done.")) == []


@pytest.mark.parametrize(
    "command", ["git mv core/util.py core/text.py", "mv core/util.py core/text.py"]
)
def test_a_renamed_module_is_kept(session, command):
    session.asks("Rename core/util.py to core/text.py.").runs(command).says("Done.")
    [kept] = changes(session)
    assert kept.content == "core/util.py is now core/text.py."


@pytest.mark.parametrize(
    "command", ["mv notes.txt old.txt", "mv a.py b.py c", "git mv tests/test_a.py tests/test_b.py"]
)
def test_other_moves_are_not(session, command):
    session.asks("Tidy up the folder with the old files.").runs(command).says("Done.")
    assert changes(session) == []


def rewritten(session, files, lines, folder="billing"):
    session.asks("Use Money instead of floats in all of billing.")
    for number in range(files):
        old = "\n".join(f"float{number}_{n} = OldAmount({n})" for n in range(lines))
        session.edits(f"{folder}/part{number}.py", old, old.replace("OldAmount", "Money"))
    return session.says("Done.")


def test_files_of_one_folder_rewritten_together_are_one_memory(session):
    rewritten(session, LEAST_REWRITTEN, LEAST_CHANGED // LEAST_REWRITTEN)
    [kept] = changes(session)
    assert kept.content == (
        "billing/part0.py, billing/part1.py and billing/part2.py were rewritten together (asked"
        " for: “Use Money instead of floats in all of billing”)"
    )


def test_the_report_of_a_rewrite_tells_what_it_was_for(session):
    rewritten(session, LEAST_REWRITTEN, 20).turns.pop()
    session.says("All amounts of billing now use `Money`.")
    [kept] = changes(session)
    assert kept.content.endswith("were rewritten together: all amounts of billing now use `Money`.")


@pytest.mark.parametrize(("files", "lines"), [(LEAST_REWRITTEN - 1, 40), (LEAST_REWRITTEN, 9)])
def test_two_files_or_a_few_lines_are_not_significant(session, files, lines):
    assert changes(rewritten(session, files, lines)) == []


def test_files_that_share_a_replaced_name_belong_together(session):
    session.asks("Use Money instead of OldAmount everywhere.")
    old = "\n".join(f"a{n} = OldAmount({n})" for n in range(20))
    for path in ("billing/a.py", "orders/b.py", "web/c.py"):
        session.edits(path, old, old.replace("OldAmount", "Money"))
    assert len(changes(session.says("Done."))) == 1


def test_files_that_have_nothing_in_common_do_not(session):
    session.asks("Do the three small things from my list.")
    for number, path in enumerate(("billing/a.py", "orders/b.py", "web/c.py")):
        old = "\n".join(f"name{number}_{n} = {n}" for n in range(20))
        session.edits(path, old, old.replace(f"name{number}", f"other{number}"))
    assert changes(session.says("Done.")) == []


@pytest.mark.parametrize("command", ["git checkout .", "rm billing/tax.py", "git reset --hard"])
def test_a_change_that_was_taken_back_is_not_kept(session, command):
    session.asks("Go on with the billing work.")
    writes(session, "billing/tax.py", body(40))
    session.says("Done.").asks("Throw that away again.").runs(command).says("It is gone.")
    assert changes(session) == []


def test_an_undoing_before_the_change_does_not_count(session):
    session.asks("Go on with the billing work.").runs("git checkout .")
    writes(session, "billing/tax.py", body(40))
    assert len(changes(session.says("Done."))) == 1


def test_many_edits_of_a_day_are_no_memories(session):
    session.asks("Fix the typos.")
    for number in range(30):
        session.edits(f"app/part{number % 2}.py", f"teh {number}", f"the {number}")
    assert session.says("Done.").captures() == []


def test_one_piece_of_work_gives_one_memory(session):
    session.asks("Build the tax module of billing as we discussed.")
    for number in range(12):
        writes(session, f"billing/part{number}.py", body(30))
    [kept] = changes(session.says("Done."))
    assert "and 8 more" in kept.content
    assert len(kept.files) == 8


def test_a_place_has_the_same_name_in_every_reading(session):
    session.asks("Go on with the billing work.")
    writes(session, "billing/tax.py", body(40)).says("Half done.")
    first = changes(session, is_over=False)[0].origin.ref
    session.edits("billing/tax.py", "x1 = 1", "x1 = 2").says("Done.")
    assert changes(session)[0].origin.ref == first
