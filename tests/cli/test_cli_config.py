"""config: the settings listed, one shown, one changed, and undone."""


def test_the_main_settings_are_listed_and_all_on_request(cli):
    main = cli("config").out.splitlines()
    assert len(main) == 15
    assert main[0].split() == ["preset", "balanced"]
    assert "`memdeck config --all`" in cli("config").err
    every = cli("config", "--all", "--json").lines
    assert len(every) > len(main)
    assert {"key", "value", "default", "source", "allowed", "about"} <= every[0].keys()
    assert max(map(len, cli("config").out.splitlines())) <= 100


def test_one_setting_is_shown_with_its_manual_and_changed(cli, home):
    shown = cli("config", "recall.max_pinned").out
    for words in ("Pinned memories", "5", "0 to 20", "default"):
        assert words in shown
    (home / "config.toml").write_text("# mine\n[recall]\ntop_k = 9\n")
    assert cli("config", "recall.max_pinned", "8").out.startswith("recall.max_pinned = 8")
    assert (home / "config.toml").read_text() == ("# mine\n[recall]\ntop_k = 9\nmax_pinned = 8\n")
    assert cli("config", "recall.max_pinned", "8", "--json").json["source"] == "yours"
    assert cli("config", "recall.top_k", "default").code == 0
    assert cli("undo").code == 0
    assert cli("undo").code == 0
    assert (home / "config.toml").read_text() == "# mine\n[recall]\ntop_k = 9\n"


def test_what_does_not_fit_is_refused_with_what_does(cli, home):
    for words, says in (
        (("recall.max_pinned", "80"), "0 to 20"),
        (("recall.max_pin", "8"), "Did you mean `recall.max_pinned`?"),
        (("auto_memory", "perhaps"), "true or false"),
        (("--all", "preset"), "--all lists the settings"),
    ):
        answer = cli("config", *words)
        assert (answer.code, answer.out) == (1, "")
        assert says in answer.err
    assert not (home / "config.toml").exists()
