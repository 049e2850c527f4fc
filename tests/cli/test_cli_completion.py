"""Completion scripts, and what they complete."""


def test_each_shell_has_its_script(cli, subtests):
    for shell in ["bash", "zsh", "fish"]:
        with subtests.test(shell=shell):
            answer = cli("completion", shell, code=0)
            assert "_MEMDECK_COMPLETE" in answer.out
            assert cli("completion", shell, "--json").json == {"shell": shell, "script": answer.out}


def test_a_shell_completes_commands_and_options(process):
    for line, expected in (("memdeck rec", "receipts"), ("memdeck search --ex", "--explain")):
        words = len(line.split(" ")) - 1
        answer = process(_MEMDECK_COMPLETE="bash_complete", COMP_WORDS=line, COMP_CWORD=str(words))
        assert f"plain,{expected}" in answer.out.splitlines()
