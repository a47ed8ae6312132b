"""`estimate`: calls, tokens, money and time of a build or an evaluation, before anything is paid.

An evaluation is known to the byte: its requests are made, and those already answered are left out. A build is not: it
is reckoned from the slots that are open, and from what such calls were like so far, where there were any.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..agents.answer import PARAMETERS as ANSWERING
from ..agents.asking import PARAMETERS
from ..agents.material import Material, stretches, turns
from ..evaluation.conditions import LOOKS
from ..evaluation.film import Takes, filmed
from ..evaluation.judges import template as judge_template
from ..evaluation.judging import first_request
from ..evaluation.posing import Poser
from ..graph.context import Run
from ..graph.proposing import ATTEMPTS
from ..llm.prices import Tariff
from ..llm.providers import NoMedia, Providers
from ..llm.tokens import Tokens, output, shown, tokens
from ..media.sampling import moments
from ..prompts.compose import KINDS
from ..schemas.call import Part, Request
from ..schemas.clip import Span
from ..schemas.judge import Rubric
from ..schemas.response import Response
from ..state.ledger import Spent, StoreLedger, Usual
from ..state.store import Store
from .evaluate import Evaluation, run_settings
from .folder import Project
from .judge import Judging, cases_of, replies_of
from .models import is_ours, providers, takes
from .releases import Release, open_release
from .sight import Seen, records
from .sources import Opened, gather
from .status import status

ROUNDS = 3
"""Most rounds of one slot."""
ONCE = ("director", "tracker")
"""Roles that are asked once a slot."""
TRIES: Mapping[str, int] = {"question": ATTEMPTS, "generator": ATTEMPTS}
"""Calls of a role in a round at most, where the gates refuse what it proposes; one where it is not named."""
CORRECTED = 2
"""A reply that cannot be read is asked for once more."""
PLAYED = 30.0
"""Seconds of film of an item of a story, about, where a video shows the story."""
SCENE = 1500
"""Input tokens of a call of a build, about, where there was none yet."""
SECONDS = 3.0
"""For one call, about, where there was none yet."""
SHARE = 4
"""A reply has a quarter of the tokens that it may have, about."""
CALLS_A_ROUND = {"answer": Run.answer_runs}
"""Of each role; one where it is not named."""


class Line(NamedTuple):
    """The calls of one role."""

    role: str
    model: str
    calls: int
    """Still to be made."""
    there: int
    """Answered already: they cost nothing."""
    input_tokens: int
    output_tokens: int
    usd: float
    """Likely cost."""
    most: float
    """Worst case: what the budget has to hold, were nothing to come back sooner or shorter than it may."""
    seconds: float
    measured: bool
    """Whether tokens and time rest on calls that were made."""


class Estimate(NamedTuple):
    lines: tuple[Line, ...]
    left: float | None
    """US dollars of the budget that are left; None where there is no cap."""

    def json(self) -> dict[str, Any]:
        counts = {name: self._sum(name) for name in ("calls", "there", "input_tokens", "output_tokens")}
        money = {name: round(self._sum(name), 6) for name in ("usd", "most")}
        roles = [line._asdict() for line in self.lines]
        return {**counts, **money, "seconds": round(self._sum("seconds"), 1), "left": self.left, "roles": roles}

    def _sum(self, name: str) -> Any:
        return sum(getattr(line, name) for line in self.lines)


def of_evaluation(project: Project, release: Path, runs: Sequence[Evaluation]) -> Estimate:
    """What `evaluate` would ask for with the same arguments, run by run. Raises `UsageError` where it cannot."""
    opened = open_release(release)
    seen = Seen(project, opened, runs[0].looking, runs[0].frames)
    reach = providers(project, seen.media)
    with _Books(project) as books:
        lines = [_line(opened, seen, reach, how, books) for how in runs]
        return Estimate(tuple(lines), _left(project, books.spent()))


def of_judging(project: Project, release: Path, run: Path, how: Judging) -> Estimate:
    """What `judge` with the same arguments would ask for at first, rubric by rubric; corrections come on top of it."""
    opened, reach = open_release(release), providers(project)
    responses = replies_of(opened, run)
    with _Books(project) as books:
        lines = [_judged(opened, responses, rubric, how, reach, books) for rubric in how.rubrics]
        return Estimate(tuple(lines), _left(project, books.spent()))


def _judged(
    release: Release, responses: Sequence[Response], rubric: Rubric, how: Judging, reach: Providers, books: "_Books"
) -> Line:
    texts = judge_template(rubric)
    cases = cases_of(release, responses, rubric, how.mismatched)
    keys = [(first_request(rubric, case, how.judge, texts), 0) for case in cases]
    return _asked(rubric, how.judge, reach, keys, how.concurrency, books, texts.id)


def _line(release: Release, seen: Seen, reach: Providers, how: Evaluation, books: "_Books") -> Line:
    settings = run_settings(release, how)
    poser = Poser(settings.posing, release.transcripts(), seen.sight(how.model))
    requests = [poser.ask(item).request for item in records(release, settings)]
    keys = [(request, repeat) for repeat in range(how.repeats) for request in requests]
    return _asked(how.condition, how.model, reach, keys, how.concurrency, books, poser.template.id)


def of_build(project: Project) -> Estimate:
    """What `build` would still ask for, role by role. Empty where rules do everything."""
    standing = status(project)
    decided = standing.accepted + standing.surplus + standing.discarded
    slots = round(standing.open * (decided / standing.accepted if standing.accepted else 1))
    played = [policy.model for policy in project.config.roles.values() if policy.model]
    seeing = any(takes(project, model).kinds for model in played)
    scenes = [scene for one in gather(project).opened.values() for scene in _scenes(one)] if seeing else []
    with _Books(project) as books:
        lines = tuple(
            _played(project, role, policy.model, slots, books.usual(policy.model, role), scenes)
            for role, policy in project.config.roles.items()
            if policy.model is not None
        )
        return Estimate(lines, _left(project, books.spent()))


def _asked(
    role: str,
    model: str,
    reach: Providers,
    keys: Sequence[tuple[Request, int]],
    at_once: int,
    books: "_Books",
    prompt_id: str,
) -> Line:
    """A line for requests that are known to the byte."""
    # One request under several items, such as a probe of one clip, is sent once.
    new = list({(one.sha256, n): one for one, n in keys if not books.answered(one.sha256, n)}.values())
    tariff = None if is_ours(model, reach) else reach.tariff(model)
    usual = books.usual(model, prompt_id)
    counted = [tokens(request, reach.media).likely for request in new]
    said = [round(usual.output_tokens) if usual.calls else (output(request) or 0) // SHARE for request in new]
    priced = list(_priced(tariff, new, said))
    return Line(
        role=role,
        model=model,
        calls=len(new),
        there=len(keys) - len(new),
        input_tokens=sum(counted),
        output_tokens=sum(said),
        usd=sum(likely for likely, _ in priced),
        most=sum(most for _, most in priced),
        seconds=_seconds(len(new), usual, at_once),
        measured=bool(usual.calls),
    )


def _priced(tariff: Tariff | None, requests: Sequence[Request], said: Sequence[int]) -> Iterator[tuple[float, float]]:
    """(likely, worst) US dollars of each request."""
    for request, tokens_said in zip(requests, said, strict=True):
        yield (0.0, 0.0) if tariff is None else (tariff.likely(request, tokens_said), tariff.worst(request))


def _played(project: Project, role: str, model: str, slots: int, usual: Usual, scenes: Sequence["_Scene"]) -> Line:
    reach = providers(project)
    tariff = None if is_ours(model, reach) else reach.tariff(model)
    calls = slots * CALLS_A_ROUND.get(role, 1)
    film = _film_of(project, model, scenes)
    longest = reach.settings(model).longest or int((ANSWERING if role == "answer" else PARAMETERS)["max_tokens"])
    into = round(usual.input_tokens) if usual.calls else SCENE + film.likely
    out = round(usual.output_tokens) if usual.calls else longest // SHARE
    worst = calls * (1 if role in ONCE else ROUNDS) * TRIES.get(role, 1) * CORRECTED
    most_into = min(2 * into + (film.most or 0), (tariff.window.input if tariff else None) or sys.maxsize)
    return Line(
        role=role,
        model=model,
        calls=calls,
        there=0,
        input_tokens=calls * into,
        output_tokens=calls * out,
        usd=calls * tariff.price.of(into, out, media=bool(film.likely)) if tariff else 0.0,
        most=worst * tariff.price.of(most_into, longest, media=bool(film.likely)) if tariff else 0.0,
        seconds=_seconds(calls, usual, project.config.concurrency * CALLS_A_ROUND.get(role, 1)),
        measured=bool(usual.calls),
    )


class _Scene(NamedTuple):
    """What an item may be about."""

    film: float = 0.0
    """Seconds of it; none of what is only told."""
    sounds: bool = False


def _scenes(one: Opened) -> list[_Scene]:
    """The stretches of a video or a transcript; of a story one, whose items are alike."""
    film = one.film
    if one.story or (film and film.footage.story):
        return [_Scene(PLAYED, film.footage.audio) if film else _Scene()]
    found = stretches(Material(turns(film.cues if film else one.said), duration=film.footage.duration if film else 0.0))
    return [_Scene(span.duration, film.footage.audio) if film else _Scene() for span in found]


def _film_of(project: Project, model: str, scenes: Sequence[_Scene]) -> Tokens:
    """Tokens of the film in one call: on average over what there is, and at most."""
    taken = takes(project, model)
    counted = [
        Tokens(sum(count.most or 0 for count in parts), sum(count.likely for count in parts))
        for scene in scenes
        for parts in [[shown(part, NoMedia()) for part in _parts(project, scene, taken)]]
    ]
    if not counted:
        return Tokens(0, 0)
    return Tokens(max(count.most or 0 for count in counted), sum(count.likely for count in counted) // len(counted))


def _parts(project: Project, scene: _Scene, taken: Takes) -> Iterator[Part]:
    """What of a scene is shown to a model that takes this."""
    span = Span(start=0, end=scene.film)
    for form in filmed(LOOKS["full"], taken, lambda: scene.sounds) if scene.film else ():
        pieces = len(moments(span, project.config.frames)) if form == "frames" else 1
        yield from [Part(kind=KINDS[form], start=0, end=scene.film)] * pieces


def _seconds(calls: int, usual: Usual, at_once: int) -> float:
    return calls * (usual.seconds if usual.calls else SECONDS) / max(1, min(at_once, calls))


def _left(project: Project, spent: Spent) -> float | None:
    cap = project.config.budget.usd
    return None if cap is None else round(max(0.0, cap - spent.usd), 6)


class _Books:
    """The ledger of a project, read only; empty where nothing was built yet."""

    def __init__(self, project: Project) -> None:
        self._store = Store.read(project.store) if project.store.exists() else None
        self._ledger = StoreLedger(self._store) if self._store else None

    def __enter__(self) -> "_Books":
        return self

    def __exit__(self, *_: object) -> None:
        if self._store is not None:
            self._store.close()

    def answered(self, request_sha256: str, sample: int) -> bool:
        return self._ledger is not None and self._ledger.settled(request_sha256, sample)

    def usual(self, model: str, prompt_id: str) -> Usual:
        return Usual(0, 0.0, 0.0, 0.0) if self._ledger is None else self._ledger.usual(model, prompt_id)

    def spent(self) -> Spent:
        return Spent(0.0, 0, 0) if self._ledger is None else self._ledger.spent()
