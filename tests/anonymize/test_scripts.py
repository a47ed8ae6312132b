"""Names in other scripts: case endings, no spaces, glued words, marks, text from right to left."""

import unicodedata

import pytest
from benchwright.anonymize.inflection import group
from benchwright.anonymize.replace import Anonymizer
from benchwright.anonymize.scripts import bare, family, variants
from benchwright.schemas.story import Entity


def anonymizer(*names: str, language: str = "en") -> Anonymizer:
    letters = ("Alpha", "Beta", "Gamma")
    cast = [Entity(names=tuple(name.split("/")), placeholder=letters[at]) for at, name in enumerate(names)]
    return Anonymizer(cast, language)


@pytest.mark.parametrize(
    ("names", "language", "raw", "public"),
    [
        ("Анна", "ru", "Анны, Анне, Анну, Анной, АННА", "Alpha, Alpha, Alpha, Alpha, ALPHA"),
        ("Иван", "ru", "Ивана, Ивану, Иваном, об Иване, иван", "Alpha, Alpha, Alpha, об Alpha, Alpha"),
        ("Иван Иванов", "ru", "Иван", "Иван"),
        ("Сергей", "ru", "Сергея, Сергею, Сергеем", "Alpha, Alpha, Alpha"),
        ("Павел", "ru", "Павла и Павлу", "Alpha и Alpha"),
        ("Мария", "ru", "Марии, Марию, Марией", "Alpha, Alpha, Alpha"),
        ("Пётр", "ru", "Петра, Петром, Пётр", "Alpha, Alpha, Alpha"),
        ("Достоевский", "ru", "Достоевского, Достоевскому", "Alpha, Alpha"),
        ("Роман", "ru", "романтика", "романтика"),
        ("Оксана", "uk", "Оксані, Оксаною", "Alpha, Alpha"),
        ("Γιώργος", "el", "Γιώργου, Γιώργο, ΓΙΩΡΓΟΣ", "Alpha, Alpha, ALPHA"),
        ("Kowalski", "pl", "Kowalskiego, Kowalskiemu", "Alpha, Alpha"),
        ("Anna", "pl", "Anny, Annę, Anną", "Alpha, Alpha, Alpha"),
        ("Virtanen", "fi", "Virtasen, Virtanenille", "Virtasen, Alpha"),
        ("Ahmet", "tr", "Ahmet'in, Ahmet’e", "Alpha'in, Alpha’e"),
        ("王明/小王", "zh", "王明说小王来了，王明。", "Alpha说Alpha来了，Alpha。"),
        ("田中/たなか", "ja", "田中さんはたなかです", "AlphaさんはAlphaです"),
        ("アン", "ja", "アンはアンケートを書いた", "Alphaはアンケートを書いた"),
        ("ジョン・スミス/ジョン", "ja", "ジョン・スミスとジョン", "AlphaとAlpha"),
        ("สมชาย", "th", "ผมเจอสมชายเมื่อวาน", "ผมเจอAlphaเมื่อวาน"),
        ("민수", "ko", "민수가 민수에게 민수씨는 김민수", "Alpha가 Alpha에게 Alpha씨는 김민수"),
        ("דוד", "he", "דוד אמר לדוד ודָּוִד", "Alpha אמר ל-Alpha ו-Alpha"),
        ("محمد", "ar", "قال محمد لمحمد وَمُحَمَّد", "قال Alpha ل-Alpha و-Alpha"),
        ("राम", "hi", "राम ने रामा को राम का", "Alpha ने रामा को Alpha का"),
        ("Nguyễn", "vi", "Nguyễn, Nguyen, NGUYỄN", "Alpha, Alpha, ALPHA"),
        ("Łukasz", "pl", "Lukasz i Łukasza", "Alpha i Alpha"),
        ("🐈", "en", "the 🐈 sleeps", "the Alpha sleeps"),
    ],
)
def test_names_in_other_languages(names, language, raw, public):
    alpha = anonymizer(names, language=language)
    assert alpha.text(raw).replace("\u064e-", "-") == public
    assert alpha.text(alpha.text(raw)) == alpha.text(raw)
    assert alpha.text(unicodedata.normalize("NFD", raw)) == alpha.text(raw)


def test_two_names_without_a_space_between_them_stay_apart():
    assert anonymizer("王明", "李华").text("王明李华来了") == "Alpha Beta来了"


def test_a_name_of_one_sign_is_listed_inside_longer_words():
    king = anonymizer("王")
    assert king.text("国王来了。王！") == "国王来了。Alpha！"
    assert len(king.ambiguous("国王来了。")) == 1
    assert king.leaks(king.text("国王来了。王！")) == []


@pytest.mark.parametrize(
    ("name", "text", "leaks"),
    [
        ("Анна", "об Анне", 1),
        ("Роман", "Романа", 1),
        ("王明", "小王明天来", 1),
        ("アン", "アンケート", 0),
        ("محمد", "مُحَمَّد", 1),
        ("राम", "राम", 1),
        ("राम", "रामा", 0),
        ("민수", "민수가", 1),
        ("Nguyễn", "nguyen", 1),
        ("Łódź", "lodz", 1),
    ],
)
def test_leaks_in_other_scripts(name, text, leaks):
    assert len({(leak.start, leak.end) for leak in anonymizer(name).leaks(text)}) == leaks


@pytest.mark.parametrize(
    ("name", "script"),
    [
        ("Hooper", "latin"), ("Анна", "cyrillic"), ("Γιώργος", "greek"), ("王", "unspaced"), ("さくら", "unspaced"),
        ("アン", "katakana"), ("민수", "hangul"), ("דוד", "hebrew"), ("محمد", "arabic"),
        ("राम", "other"), ("14", "other"),
    ],
)  # fmt: skip
def test_family(name, script):
    assert family(name) == script


def test_bare_letters_and_their_variants():
    assert [bare(letter) for letter in "éЙøがｈ한"] == ["e", "И", "o", "が", "h", "한"]
    assert set("eéèêëｅ") <= set(variants("é"))
    assert variants("王") == "王"


def test_cases_of_one_name_are_gathered():
    assert group(["Анна", "Иван", "Анны", "Ивана", "Анной", "Ирина"]) == [
        ["Анна", "Анны", "Анной"],
        ["Иван", "Ивана"],
        ["Ирина"],
    ]
    assert group(["Ann", "Anna"]) == [["Ann"], ["Anna"]]
