"""The terminal goes without a word, as a killed emulator or a lost container leaves it."""

import sys

from memdeck.benchmarks.terminal import Terminal


def test_without_its_terminal_the_app_ends(home_path, core, harbour):
    command = ["-m", "memdeck", "--home", str(home_path), "--project", "harbour"]
    terminal = Terminal([sys.executable, *command, "--screen", "memories"])
    terminal.sees("Tide tables", "1 of 5")
    terminal.type("j")
    terminal.sees("2 of 5")
    assert terminal.vanish() == 0
