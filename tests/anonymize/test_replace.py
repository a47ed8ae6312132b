"""Every form of a name becomes its placeholder; what position does not decide is left and listed."""

import time

import pytest
from benchwright.anonymize.replace import Ambiguous, Anonymizer
from benchwright.errors import UsageError
from benchwright.schemas.story import Entity


def entity(placeholder: str, *names: str, **kwargs: object) -> Entity:
    return Entity.model_validate({"names": names, "placeholder": placeholder, **kwargs})


CAST = (
    entity("Alpha", "Hooper"),
    entity("Beta", "Commander Harris", "Jonah Harris"),
    entity("Gamma", "Hope", common_word=True),
    entity("Delta", "May", common_word=True),
    entity("Epsilon", "Jean-Luc O'Neill", "O'Neill"),
    entity("Zeta", "José"),
    entity("Eta", "Al"),
    entity("Theta", "J. R. Strauß"),
    entity("Iota 2", "MI6 Man", "Q"),
    entity("Place 1", "Bletchley Park", "Bletchley", kind="place"),
    entity("Place 2", "Hut 14", kind="place"),
    entity("Place 3", "The House", kind="place", common_word=True),
    entity("Organization 1", "Reich", kind="organization"),
    entity("Name 1", "ENIGMA", kind="other"),
)


@pytest.fixture(scope="module")
def cast() -> Anonymizer:
    return Anonymizer(CAST)


@pytest.mark.parametrize(
    ("raw", "public"),
    [
        # possessives and plurals
        ("Hooper's coat and Hooper’s hat", "Alpha's coat and Alpha’s hat"),
        ("Harris' hat, Harris's hat", "Beta's hat, Beta's hat"),
        ("HARRIS' HAT", "BETA'S HAT"),
        ("the Hoopers; the Hoopers' house; the Harrises", "the Alphas; the Alphas' house; the Betas"),
        ("'I saw Harris' he said.", "'I saw Beta' he said."),
        ("‘Harris’ is a name", "‘Beta’ is a name"),
        # case
        ("HOOPER! hooper", "ALPHA! Alpha"),
        ("THE HOOPERS", "THE ALPHAS"),
        ("ENIGMA", "Name 1"),
        # titles stay, names of several words, longest first
        ("Commander Harris and Mr. Harris", "Commander Beta and Mr. Beta"),
        ("Jonah Harris; Jonah\nHarris", "Beta; Beta"),
        ("at Bletchley Park, in Bletchley", "at Place 1, in Place 1"),
        ("Hut 14, Hut 145 and hut-14", "Place 2, Hut 145 and Place 2"),
        ("J.R. Strauss met J R Strauß", "Theta met Theta"),
        # hyphens, dashes, apostrophes, derived words
        ("Jean-Luc O'Neill, Jean–Luc O’Neill, Jean Luc ONeill", "Epsilon, Epsilon, Epsilon"),
        ("Hooper-like, un-Hooper, Hooper-Harris", "Alpha-like, un-Alpha, Alpha-Beta"),
        ("Hooperesque and Hooperish", "Alpha-esque and Alpha-ish"),
        ("Hooper—no, Harris—said…", "Alpha—no, Beta—said…"),
        # accents and invisible characters
        ("Jose, JOSÉ, Jose\u0301", "Zeta, ZETA, Zeta"),
        ("Hoo\u200bper, Hoo\u00adper", "Alpha, Alpha"),
        ("Ｈｏｏｐｅｒ", "ALPHA" if "Ｈｏｏｐｅｒ".isupper() else "Alpha"),
        # whole words only; short names by capital
        ("Hooperson, Alfred, also, al, Al, AL's", "Hooperson, Alfred, also, al, Eta, ETA's"),
        # articles
        ("a Hooper, A Hooper, an O'Neill, A HOOPER", "an Alpha, An Alpha, an Epsilon, AN ALPHA"),
        ("a Harris, an ENIGMA, a young Hooper", "a Beta, a Name 1, a young Alpha"),
        ("under the Reich. The Reich fell.", "under Organization 1. Organization 1 fell."),
        ("the Hooper of old", "the Alpha of old"),
        # nothing to do
        ("", ""),
        ("Nothing here.", "Nothing here."),
    ],
)
def test_text(cast, raw, public):
    assert cast.text(raw) == public
    assert cast.text(public) == public


@pytest.mark.parametrize(
    ("raw", "public"),
    [
        ("I hope so. There is hope.", "I hope so. There is hope."),
        ("I saw Hope there.", "I saw Gamma there."),
        ("Then Hope's brother left.", "Then Gamma's brother left."),
        ('"Go," Hope said.', '"Go," Gamma said.'),
        ("Miss Hope nods. Mr. May nods.", "Miss Gamma nods. Mr. Delta nods."),
        ("Dr. Brown met Hope.", "Dr. Brown met Gamma."),
        ("then May laughed", "then Delta laughed"),
        ("out of the House; The House burns", "out of Place 3; Place 3 burns"),
        ("The house burns, and the house too", "The house burns, and the house too"),
    ],
)
def test_a_common_word_is_a_name_where_case_and_position_say_so(cast, raw, public):
    assert cast.text(raw) == public
    assert cast.ambiguous(raw) == []


@pytest.mark.parametrize(
    ("raw", "word"),
    [
        ("Hope is lost.", "Hope"),
        ("He sighed. Hope is lost.", "Hope"),
        ('She says, "Hope is lost."', "Hope"),
        ("Listen: Hope is lost", "Hope"),
        ("- Hope", "Hope"),
        ("<i>Hope</i> is lost", "Hope"),
        ("NO HOPE LEFT", "HOPE"),
        ("No Hope Left", "Hope"),
        ("We met in May.", "May"),
        ("We met on May 3.", "May"),
        ("He said HOPE aloud", "HOPE"),
    ],
)
def test_an_undecided_word_is_left_and_listed(cast, raw, word):
    at = raw.index(word)
    assert cast.text(raw) == raw
    assert [(hit.start, hit.end) for hit in cast.ambiguous(raw)] == [(at, at + len(word))]
    assert cast.leaks(raw) == []


def test_ambiguous_names_the_entry(cast):
    assert cast.ambiguous("May I?") == [Ambiguous("May", 0, 3)]


@pytest.mark.parametrize(
    ("name", "raw", "public"),
    [
        ("Will", "What will happen? Will you? I saw Will.", "What will happen? Will you? I saw Alpha."),
        ("April", "in April, with April", "in April, with Alpha"),
        ("Rose", "Rose nods; a rose; ROSE", "Alpha nods; a rose; ALPHA"),
        ("Pol", "Polish, Pol's, Pols", "Polish, Alpha's, Alphas"),
        ("Jam", "James, Jams", "James, Alphas"),
    ],
)
def test_ordinary_words_are_known_without_being_declared(name, raw, public):
    anonymizer = Anonymizer([entity("Alpha", name)])
    assert anonymizer.text(raw) == public
    assert anonymizer.leaks(public) == []


def test_german_capitals_prove_no_name():
    german = Anonymizer([entity("Alpha", "Wolf", common_word=True)], language="de-AT")
    assert german.text("Er sah den Wolf und Herrn Wolf.") == "Er sah den Wolf und Herrn Alpha."
    assert len(german.ambiguous("Er sah den Wolf.")) == 1
    assert german.leaks("Er sah den Wolf.") == []


def test_articles_are_left_alone_in_other_languages():
    spanish = Anonymizer([entity("Alpha", "Inés")], language="es")
    assert spanish.text("Vio a Inés.") == "Vio a Alpha."


@pytest.mark.parametrize(
    ("raw", "public"),
    [
        ("hooper_shoes.png", "Alpha_shoes.png"),
        ("clips/HarrisTalksToHooper.mp4", "clips/BetaTalksToAlpha.mp4"),
        ("jonah-harris.mp4", "Beta.mp4"),
        ("JonahHarris01.mp4", "Beta01.mp4"),
        ("bletchleypark.jpg", "Place_1.jpg"),
        ("AlAndHooper.txt", "EtaAndAlpha.txt"),
        ("also_al.txt", "also_Eta.txt"),
        ("hope.srt", "Gamma.srt"),
        ("branch_A.mp4", "branch_A.mp4"),
    ],
)
def test_filename(cast, raw, public):
    assert cast.filename(raw) == public
    assert cast.leaks(public) == []


def test_reverse_and_restore(cast):
    assert cast.reverse()["Place 1"] == "Bletchley Park"
    raw = "Hooper met Jean-Luc O'Neill at Bletchley Park."
    assert cast.restore(cast.text(raw)) == raw


def test_placeholders_are_found_whatever_their_case(cast):
    assert cast.placeholders("ALPHA's coat, iota 2 and Place 1; Place 12, alphabet") == ["Alpha", "Iota 2", "Place 1"]


@pytest.mark.parametrize(
    ("entities", "message"),
    [
        ([Entity(names=("Hooper",))], "'Hooper' has no placeholder"),
        ([entity("Alpha", "Hooper"), entity("alpha", "Harris")], "share the placeholder"),
        ([entity("Alpha", "Hooper"), entity("Beta", "Mr Hooper")], "belongs to two entities"),
        ([entity("Alpha", "  ")], "blank"),
    ],
    ids=["no placeholder", "placeholder twice", "name twice", "blank name"],
)
def test_a_lexicon_that_cannot_work_is_refused(entities, message):
    with pytest.raises(UsageError, match=message):
        Anonymizer(entities)


def test_an_empty_lexicon_changes_nothing():
    nobody = Anonymizer([])
    assert nobody.text("Cafe\u0301 Hooper") == "Café Hooper"
    assert (nobody.leaks("Hooper"), nobody.ambiguous("Hooper"), nobody.filename("Hooper")) == ([], [], "Hooper")


def test_thousands_of_lines_a_second():
    names = [
        f"{first}{last}" for first in ("Har", "Man", "Rus", "Col", "Pet", "Bel") for last in ("ris", "ning", "sell")
    ]
    crowd = Anonymizer([entity(f"Alpha {at}", name) for at, name in enumerate(names, 2)])
    line = (
        "Half an hour goes by before Commander Harris comes back, and he closes the door behind him, as though afraid."
    )
    start = time.process_time()
    for _ in range(2000):
        crowd.text(line)
        crowd.leaks(line)
    assert time.process_time() - start < 2
