"""From story text to English: what a choice is called in a question, how a line is quoted, who acts in it."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from ..knowledge.loader import Language
from ..narrative.runtime import Line
from ..narrative.words import content_words
from ..schemas.story import Entity

_QUOTED = re.compile(r"^[\"“](?P<words>[^\"”]+)[\"”]?\.?$")
SPEECH = re.compile(r"[\"“][^\"”]*(?:[\"”]|$)")
_MARKUP = re.compile(r"</?[A-Za-z][^<>]{0,40}>")
_FIRST_PERSON = re.compile(r"\b(?:I|I'm|I've|I'll|I'd|my|me|myself)\b")

_NO_DEED = {"and", "is", "was", "has", "had", "of", "or", "in"}
"""Words after a name at the head of a sentence that do not make it the doer of a deed."""


_PRONOUN = re.compile(r"(?:Then |But |And )?(?:[Hh]e|[Ss]he) (?P<verb>[a-z]+)")
_SAID_BY_PRONOUN = re.compile(r"”,? (?:(?:he|she) (?P<verb>[a-z]+)|(?P<before>[a-z]+) (?:he|she)\b)")

_RELATIVE = {"who", "whom", "that", "which", "and", "or", "to", "of", "in", "for", "with"}
"""Words after somebody that do not begin what they do."""


class Deed(NamedTuple):
    """A choice as two verb phrases."""

    present: str
    """After "when she": "chooses to tell Ilse"."""
    supposed: str
    """After "had she": "chosen to tell Ilse"."""

    @property
    def past(self) -> str:
        """After "she": "chose to tell Ilse"."""
        return re.sub(r"^chosen\b", "chose", self.supposed)


def deed(choice: str, language: Language) -> Deed:
    """What making a choice is called. Unknown shapes are quoted as they stand."""
    text = typeset(choice)
    bare = text.rstrip(".…").strip() or text
    words = re.findall(r"[\w'—-]+", bare.casefold().replace("’", "'"))
    first = words[0] if words else ""
    if match := _QUOTED.match(choice.strip()):
        return _said(match["words"])
    if _is_answer(bare, language):
        return Deed(f"answers {_within(bare)}", f"answered {_within(bare)}")
    if first in language.spoken and bare[0] not in "“‘'":
        return _said(text)
    return _imperative(text, words, language) or Deed(f"picks {_within(bare)}", f"picked {_within(bare)}")


def _imperative(text: str, words: list[str], language: Language) -> Deed | None:
    """An order that the player gives, as a verb phrase. Not what trails off, asks, or begins with speech."""
    if not text[:1].isalpha() or text.endswith(("…", "...", "?")):
        return None
    bare = text.rstrip(".!").strip()
    if words[0] == "don't" and len(words) > 1 and words[1] in language.verbs:
        rest = bare[len(words[0]) :].strip()
        return Deed(f"chooses not to {rest}", f"chosen not to {rest}")
    if words[0] in language.verbs:
        return Deed(f"chooses to {_lower(bare)}", f"chosen to {_lower(bare)}")
    return None


def _said(words: str) -> Deed:
    words = typeset(words).rstrip(".")
    return Deed(f"says {_within(words)}", f"said {_within(words)}")


def _within(text: str) -> str:
    """A text in quotes; quotes inside it become single ones."""
    return "“" + text.replace("“", "‘").replace("”", "’") + "”"


def _is_answer(text: str, language: Language) -> bool:
    folded = text.casefold().strip("!?. ")
    return any(folded == answer or folded.startswith(answer + ",") for answer in language.answers)


def _lower(text: str) -> str:
    """Without the capital of a sentence; a word in capitals loses them all."""
    first, _, rest = text.partition(" ")
    first = first.casefold() if first.isupper() else first[:1].lower() + first[1:]
    return f"{first} {rest}".strip()


def typeset(text: str) -> str:
    """Curly quotes and single blanks, no markup; straight quotes alternate."""
    text = _MARKUP.sub("", text)
    text = re.sub(r"\s+", " ", text).strip()
    text = re.sub(r"(?<=\w)'(?=\w)|(?<=s)'(?=\s)", "’", text)
    return re.sub(r"\"([^\"]*)(\"|$)", lambda match: f"“{match[1]}”", text)


def quoted(line: Line) -> str:
    """A line as an answer option: narration as it stands, speech with its speaker."""
    if line.speaker:
        return f"{line.speaker} says, “{typeset(line.text).strip('“”')}”"
    return typeset(line.text)


def is_speech(line: Line) -> bool:
    """Whether most of the line is direct speech."""
    return line.speaker is not None or sum(map(len, SPEECH.findall(line.text))) * 2 > len(line.text)


class Cast:
    """The people of a lexicon, found in story text. What is found in a line is remembered: stories repeat much."""

    def __init__(self, entities: Sequence[Entity], language: Language) -> None:
        self._speech, self._mental, self._between = language.speech, language.mental, language.between
        self._empty = content_words(" ".join((*language.gestures, *language.speech, *language.mental)))
        people = [entity for entity in entities if entity.kind == "person"]
        self._first = {name: entity.names[0] for entity in people for name in entity.names}
        names = "|".join(re.escape(name) for name in sorted(self._first, key=len, reverse=True)) or "(?!)"
        self._name = re.compile(rf"\b(?:{names})\b")
        self._subject = re.compile(rf"(?:The |Then |But |And )?(?P<name>{names}) (?P<verb>[a-z]+)")
        self._somebody = re.compile(rf"\b(?:{names}|[Hh]e|[Ss]he|[Tt]hey|[Ww]e|I)\b(?P<rest>[\w’' ]+)")
        self._attributed = re.compile(
            rf"”,? (?:(?P<name>{names}) (?P<verb>[a-z]+)|(?P<before>[a-z]+) (?P<named>{names})\b)"
        )
        roles = "|".join(sorted(language.roles))
        self._roles = re.compile(rf"\b(?:{roles})s?\b", re.IGNORECASE)
        self._actors: dict[Line, str | None] = {}
        self._mentioned: dict[str, frozenset[str]] = {}

    def by_pronoun(self, line: Line) -> bool:
        """Whether a line of narration begins with what "he" or "she" does, or gives its speech to one of them."""
        told = SPEECH.sub("“”", line.text)
        begun = _PRONOUN.match(told)
        if begun and begun["verb"] not in _NO_DEED and begun["verb"] not in self._between:
            return not self.inward(told)
        said = _SAID_BY_PRONOUN.search(told)
        return bool(said and (said["verb"] or said["before"]) in self._speech)

    def around(self, lines: Sequence[Line]) -> frozenset[str] | None:
        """People whom the narration of lines names, or who speak in them; None where it tells of others, unnamed."""
        told = " ".join(SPEECH.sub("“”", line.text) for line in lines)
        if self._roles.search(told):
            return None
        return self.mentioned(told) | {self.first_name(line.speaker) for line in lines if line.speaker}

    def first_name(self, name: str) -> str:
        """The name that a person goes by first; other names stay as they are."""
        return self._first.get(name, name)

    def actor(self, line: Line) -> str | None:
        """First name of the person who speaks or acts in a line, where the line itself says so."""
        if line not in self._actors:
            self._actors[line] = self.first_name(line.speaker) if line.speaker else self._told(line.text)
        return self._actors[line]

    def mentioned(self, text: str) -> frozenset[str]:
        """First names of the people a text names."""
        if text not in self._mentioned:
            self._mentioned[text] = frozenset(self._first[match[0]] for match in self._name.finditer(text))
        return self._mentioned[text]

    def gesture(self, text: str) -> bool:
        """Whether a text tells of nothing but a nod, a look or that somebody speaks, which would suit any moment."""
        told = " ".join(word for word in self._name.sub("", text).split() if not word.rstrip(",.").endswith("ly"))
        return content_words(told) <= self._empty

    def inward(self, text: str) -> bool:
        """Whether narration begins with what somebody thinks or feels, rather than what they do. Speech is left out."""
        for found in self._somebody.finditer(SPEECH.sub("", text)):
            words = [word for word in found["rest"].replace("’", "'").split() if not word.endswith("ly")]
            verb = next((word for word in words if word not in self._between), "")
            if verb and verb not in _RELATIVE:
                return verb in self._mental
        return False

    def _told(self, text: str) -> str | None:
        """The subject that a line of narration begins with, or whoever its speech is attributed to."""
        told = SPEECH.sub("“”", text)
        begun = self._subject.match(told)
        if begun and begun["verb"] not in _NO_DEED:
            return self._first[begun["name"]]
        said = self._attributed.search(told)
        if said and (said["verb"] or said["before"]) in self._speech:
            return self._first[said["name"] or said["named"]]
        return None


def first_person(text: str) -> bool:
    """Whether the narration, speech left out, is told by "I"."""
    return bool(_FIRST_PERSON.search(SPEECH.sub("", text)))
