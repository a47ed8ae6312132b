"""Replays the label of every item of a release on its stories alone: `python replay.py RELEASE STORY...`

Needs bink (`pip install bink`) for compiled Ink. For stories in benchwright's own format it borrows benchwright's
runtime, and nothing else. What the words mean stands in docs/replay.md. Exit code 1 if a label is refuted, 2 if one
could not be checked.
"""

import argparse
import hashlib
import json
import operator
import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

OPS = {"==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
NAME = r"[^\W\d_][\w.'’-]*"
SPEECH = re.compile(rf"(?P<name>{NAME}( ({NAME}|\d+)){{0,2}}): (?P<words>\S.*)")


class Moment(NamedTuple):
    """What a play leads to."""

    taken: str
    lines: list[str]
    choices: list[str]
    variables: dict[str, Any]
    ending: str | None


At = Callable[[tuple[int, ...]], Moment]
"""The moment that a play, as choice indices from the start, leads to."""


def exact(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())


def spoken(line: str) -> str:
    """The words of `NAME: words`; the name is up to three words, none beginning with a small letter."""
    speech = SPEECH.fullmatch(line)
    return line if speech is None or any(word[0].islower() for word in speech["name"].split()) else speech["words"]


def ink(path: Path) -> At:
    """Compiled Ink, by bink, every play from the very start."""
    from bink.story import Story

    source = path.read_text(encoding="utf-8-sig")
    names, story = set(re.findall(r'"VAR=": *"(\w+)"', source)), Story(source)

    @cache
    def at(play: tuple[int, ...]) -> Moment:
        nonlocal story
        try:
            return walk(play)
        except RuntimeError:
            story = Story(source)  # bink cannot be trusted after an error
            raise

    def walk(play: tuple[int, ...]) -> Moment:
        story.reset_state()
        taken, lines, ending = "", *told()
        for index in play:
            taken = exact(story.choices[index])
            story.choose_choice_index(index)
            lines, marked = told()
            ending = marked or ending
        offered = [exact(choice) for choice in story.choices]
        values = {name: story.get_variable(name) for name in names}
        return Moment(taken, lines, offered, values, None if offered else ending or "unmarked")

    def told() -> tuple[list[str], str | None]:
        lines, ending = [], None
        while story.can_continue():
            lines.append(spoken(exact(story.cont())))
            ending = next((exact(tag[7:]) for tag in story.tags if tag.startswith("ending:")), ending)
        return lines, ending

    return at


def own(path: Path) -> At:
    """benchwright's own format, by its runtime."""
    from benchwright.narrative.stories import open_story

    runtime = open_story(path).runtime()

    @cache
    def at(play: tuple[int, ...]) -> Moment:
        taken, step = "", runtime.start()
        for index in play:
            taken, step = exact(step.choices[index].text), runtime.choose(index)
        lines, offered = [exact(line.text) for line in step.lines], [exact(choice.text) for choice in step.choices]
        return Moment(taken, lines, offered, dict(step.variables), step.ending)

    return at


def paths(at: At, play: tuple[int, ...], window: int) -> Iterator[list[Moment]]:
    """Every path that begins with the last choice of `play` and goes on for `window` more choices, or to an end."""
    moment = at(play)
    if window == 0 or not moment.choices:
        yield [moment]
        return
    for index in range(len(moment.choices)):
        for rest in paths(at, (*play, index), window - 1):
            yield [moment, *rest]


def comes(event: dict[str, Any], moment: Moment) -> bool:
    """Whether an event happens at a moment."""
    kind, match = event["kind"], event["match"]
    texts = {exact(text) for text in ([match] if isinstance(match, str) else match)}
    if kind in ("signal", "fate"):
        name, op, number = re.fullmatch(r"\s*(\S+?)\s*([<>=!]=|[<>])\s*(\S+)\s*", match).groups()  # type: ignore[union-attr]
        value = moment.variables[name]
        return not isinstance(value, str) and bool(OPS[op](value, float(number)))
    if kind == "ending" and moment.ending == "unmarked":
        raise ValueError("the story marks its ending with no tag, so that bink alone does not tell its id")
    seen = {"line": moment.lines, "choice": [moment.taken], "ending": [moment.ending]}.get(kind, moment.choices)
    return bool(texts.intersection(seen)) != (kind == "choice_lost")


def on(event: dict[str, Any], before: Moment, path: list[Moment]) -> bool:
    """Whether an event happens on a path that leaves the decision at `before`."""
    if event["kind"] == "choice_lost":
        return all(comes(event, moment) for moment in path)
    if event["kind"] in ("signal", "fate") and comes(event, before):
        return False
    return any(comes(event, moment) for moment in (path[1:] if event["kind"] == "choice" else path))


def verdict(recipe: dict[str, Any], at: At) -> tuple[set[str], set[str]]:
    """Ids of the options that are true, and of those that are not but may come true."""
    play, taken, window, events = tuple(recipe["play"]), recipe["taken"], recipe["window"], recipe["events"]
    if recipe["claim"] == "latent_state":
        return latent(recipe, at), set()
    if recipe["claim"] == "causal_antecedent":
        return causes(recipe, at)
    if recipe["claim"] == "moral_dilemma":
        return majority(recipe, at), set()
    asked = recipe["others"][0] if recipe["claim"] == "counterfactual" else taken
    after = list(paths(at, (*play, asked), window))
    instead = list(paths(at, (*play, taken), window)) if recipe["claim"] == "counterfactual" else []
    before, true, possible = at(play), set(), set()
    for option, event in events.items():
        sure = all(on(event, before, path) for path in after) and not any(on(event, before, path) for path in instead)
        if sure or any(on(event, before, path) for path in after):
            (true if sure else possible).add(option)
    return true, possible


def latent(recipe: dict[str, Any], at: At) -> set[str]:
    """Ids of the options whose expression is true at the end; with `since`, its number must be the value there."""
    play, events = tuple(recipe["play"]), recipe["events"]
    if (since := recipe.get("since")) is not None:
        start = at(play[:since])
        for event in events.values():
            same = event | {"match": re.sub(r"[<>=!]+", "==", event["match"])}
            if not 0 <= since <= len(play) or not comes(same, start):
                raise ValueError(f"{event['match']!r} does not compare with the value after {since} choices")
    return {option for option, event in events.items() if comes(event, at((*play, recipe["taken"])))}


def majority(recipe: dict[str, Any], at: At) -> set[str]:
    """The id of the option that clearly most of the recorded players chose, of the choices offered at the decision."""
    offered, n = at(tuple(recipe["play"])).choices, recipe["recorded"]["n"]
    shares = {exact(text): players / n for text, players in recipe["recorded"]["chosen"].items()}
    meant = {option: exact(event["match"][0]) for option, event in recipe["events"].items()}
    if not sorted(shares) == sorted(offered) == sorted(meant.values()):
        raise ValueError("the choices recorded, those offered and the options are not the same")
    first, second = sorted(shares.values(), reverse=True)[:2]
    lead = round(first - second, 9)
    clear = n >= 10 and lead >= 0.1 and lead**2 > 3.841458820694124 * (first + second - lead**2) / n
    return {option for option, text in meant.items() if clear and shares[text] == first}


def causes(recipe: dict[str, Any], at: At) -> tuple[set[str], set[str]]:
    """The same for a causal antecedent: `play` and `taken` are the whole play up to the target."""
    play, target, window = (*recipe["play"], recipe["taken"]), recipe["target"], recipe["window"]
    moments = [at(play[:length]) for length in range(len(play) + 1)]
    came = [comes(target, moment) for moment in moments]
    if not came[-1] or any(came[-2:-1] if target["kind"] in ("signal", "fate") else came[:-1]):
        raise ValueError("the target does not first happen at the end of the play")
    true, possible = set(), set()
    for option, event in recipe["events"].items():
        (k,) = [number for number in range(len(play)) if comes(event, moments[number + 1])]
        siblings = [index for index in range(len(moments[k].choices)) if index != play[k]]
        others = (path for index in siblings for path in paths(at, (*play[:k], index), window))
        if not any(on(target, moments[k], path) for path in others):
            near = 1 <= len(play) - 1 - k <= window and siblings and on(target, moments[k], moments[k + 1 :])
            (true if near else possible).add(option)
    return true, possible


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def main() -> int:
    parser = argparse.ArgumentParser(description="Replay the labels of a release on its stories.")
    parser.add_argument("release", type=Path)
    parser.add_argument("stories", type=Path, nargs="+", metavar="story")
    asked = parser.parse_args()
    files = {"sha256:" + hashlib.sha256(path.read_bytes()).hexdigest(): path for path in asked.stories}
    plays = {sha: (ink if b'"inkVersion"' in path.read_bytes() else own)(path) for sha, path in files.items()}
    keys = {row["id"]: set(row["answer"]) for row in rows(asked.release / "answers/key.jsonl")}
    traces, refuted, unchecked = rows(asked.release / "grounding/trace.jsonl"), 0, 0
    for row in traces:
        try:
            true, possible = verdict(row["recipe"], plays[row["recipe"]["story_sha256"]])
        except (KeyError, ValueError, IndexError, RuntimeError) as error:
            unchecked += 1
            print(f"{row['id']}: not checked: {error!r}")
            continue
        if true != keys[row["id"]] or possible:
            refuted += 1
            print(
                f"{row['id']}: refuted: key {sorted(keys[row['id']])}, true {sorted(true)}, possible {sorted(possible)}"
            )
    print(f"{len(traces)} labels, {refuted} refuted, {unchecked} not checked")
    return 1 if refuted else 2 if unchecked else 0


if __name__ == "__main__":
    raise SystemExit(main())
