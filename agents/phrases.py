"""From story text to English: what a choice is called in a question, how a line is quoted, who acts in it."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from ..knowledge.loader import Language
from ..narrative.runtime import Line
from ..schemas.story import Entity

_QUOTED = re.compile(r"^[\"“](?P<words>[^\"”]+)[\"”]?\.?$")
_SPEECH = re.compile(r"[\"“][^\"”]*[\"”]")
_MARKUP = re.compile(r"</?[A-Za-z][^<>]{0,40}>")
_FIRST_PERSON = re.compile(r"\b(?:I|I'm|I've|I'll|I'd|my|me|myself)\b")


class Deed(NamedTuple):
    """A choice as two verb phrases."""

    present: str
    """After "when she": "chooses to tell Ilse"."""
    supposed: str
    """After "had she": "chosen to tell Ilse"."""


def deed(choice: str, language: Language) -> Deed:
    """What making a choice is called. Unknown shapes are quoted as they stand."""
    text = typeset(choice).rstrip(".…").strip()
    words = re.findall(r"[\w'’—-]+", text.casefold())
    first = words[0] if words else ""
    if match := _QUOTED.match(choice.strip()):
        return _said(match["words"])
    if _is_answer(text, language):
        return Deed(f"answers “{text}”", f"answered “{text}”")
    if first in language.spoken:
        return _said(choice.strip())
    if first in {"don't", "don’t"} and len(words) > 1 and words[1] in language.verbs:
        rest = text[len(first) :].strip()
        return Deed(f"chooses not to {rest}", f"chosen not to {rest}")
    if first in language.verbs and not choice.strip().endswith("…"):
        return Deed(f"chooses to {_lower(text)}", f"chosen to {_lower(text)}")
    return Deed(f"picks “{text}”", f"picked “{text}”")


def _said(words: str) -> Deed:
    words = typeset(words).rstrip(".")
    return Deed(f"says “{words}”", f"said “{words}”")


def _is_answer(text: str, language: Language) -> bool:
    folded = text.casefold().strip("!?. ")
    return any(folded == answer or folded.startswith(answer + ",") for answer in language.answers)


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


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
    return line.speaker is not None or sum(map(len, _SPEECH.findall(line.text))) * 2 > len(line.text)


def names_of(entity: Entity) -> tuple[str, ...]:
    return tuple(sorted(entity.names, key=len, reverse=True))


def actor(line: Line, people: Sequence[Entity], language: Language) -> str | None:
    """First name of the person who speaks or acts in a line, where the line itself says so."""
    if line.speaker is not None:
        return next((e.names[0] for e in people if line.speaker in e.names), line.speaker)
    told = _SPEECH.sub("“”", line.text)
    for entity in people:
        if any(_acts(name, told, language) for name in names_of(entity)):
            return entity.names[0]
    return None


def _acts(name: str, told: str, language: Language) -> bool:
    """Whether the sentence begins with the name as its subject, or attributes its speech to it."""
    subject = re.match(rf"(?:The |Then |But |And )?{re.escape(name)} (?P<verb>[a-z]+)", told)
    if subject:
        return subject["verb"] not in {"and", "is", "was", "has", "had", "of", "or", "in"}
    after = re.search(rf"”,? (?:{re.escape(name)} (?P<verb>[a-z]+)|(?P<before>[a-z]+) {re.escape(name)}\b)", told)
    return bool(after) and (after["verb"] or after["before"]) in language.speech if after else False


def mentioned(text: str, people: Sequence[Entity]) -> frozenset[str]:
    """First names of the people a text names."""
    return frozenset(e.names[0] for e in people if any(re.search(rf"\b{re.escape(n)}\b", text) for n in e.names))


def first_person(text: str) -> bool:
    """Whether the narration, speech left out, is told by "I"."""
    return bool(_FIRST_PERSON.search(_SPEECH.sub("", text)))
