"""The signs of a sentence: words in any case and form, wherever they stand or only at the start."""

from memdeck.core.judgement.salience import Utterance, features

ROWS = [  # a sign, a text that bears it, one that does not
    ("modal", "Keys MUST rotate.", "Mustard is a colour."),
    ("modal", "It needs to wait; it need to.", "It needs, to be fair, a rest."),
    ("modal", "It can't wait.", "A can of tea."),
    ("modal", "部署前必须先测试。", "部署前测试。"),
    ("universal", "Only here.", "The onlyness of it."),
    ("trouble", "It crashed.", "A gatecrasher came."),
    ("trouble", "One exception was thrown.", "It is exceptional."),
    ("trouble", "The job is failing.", "The failover works."),
    ("denies", "Reverted it.", "The revertant strain."),
    ("contrast", "Postgres, not Redis.", "Not Redis."),
    ("did", "- Added a column.", "The column was added."),
    ("points", "This fails.", "What is this?"),
    ("orders", "Please never push.", "We never push."),
    ("cause", "The fix was small; it was fixed by hand.", "The fixture was made by hand."),
    ("when", "A follow-up is planned.", "We follow upstream."),
    ("passes", "All 12 are here.", "All twelve are here."),
    ("you", "C'est à votre tour.", "Le vote."),
    ("mark", "Done ✅", "Done [x]"),
    ("refuses", "Don’t push.", "Donuts."),  # a typographer's apostrophe is one
    ("intends", "I’ll look at the berths.", "Ill winds."),
]


def signs(text):
    told = features(Utterance(text, is_person=True))
    return {name.removeprefix("s:") for name in told if name.startswith("s:")}


def test_a_sign_is_seen_where_its_words_stand(subtests):
    for sign, borne, lacking in ROWS:
        with subtests.test(sign=sign):
            assert sign in signs(borne)
            assert sign not in signs(lacking)


def test_a_text_without_words_has_no_signs():
    assert signs("") == signs("   ") == signs("· · ·") == set()
