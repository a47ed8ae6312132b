"""`pilot`: a few models on the accepted items before they are frozen, and what their answers say of the items.

Each model is asked twice, with the clip and without. Replies are kept, so that a second pilot asks only about what is
new; they depend on what was sent, never on the key.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import isnan
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..errors import RefusedError, StoppedError, UsageError
from ..evaluation.baselines import BASELINES, PREFIX, client_for
from ..evaluation.prompt import Transcripts, template
from ..evaluation.run import RunSettings
from ..evaluation.run import run as ask
from ..llm.gateway import Gateway
from ..schemas.base import content_hash
from ..schemas.files import storing, to_line, write_whole
from ..schemas.pilot import FoilChoice, Pilot, PilotItem, PilotSubscore
from ..schemas.release import KeyRow, ModelInput
from ..scoring.alarms import alarms
from ..scoring.credit import choice
from ..scoring.itemanalysis import ENOUGH_MODELS, Analysed, Asked, Subscore, analyse, subscores
from ..state.store import Store
from . import sources
from .evaluate import ledger_of, slug
from .folder import Project, writable
from .freeze import accepted, key_row, model_input
from .models import Models
from .progress import Live, Progress, quiet

FULL, BLIND = "full", "question-only"
DEFAULT = tuple(f"{PREFIX}{rule}" for rule in BASELINES)
Chosen = Mapping[tuple[str, str], Mapping[str, frozenset[str]]]
"""(model, condition) → item → option ids."""


class Piloted(NamedTuple):
    file: Path
    pilot: Pilot


class Material(NamedTuple):
    """The accepted items with a choice of options, as a release would hold them."""

    inputs: tuple[ModelInput, ...]
    keys: Mapping[str, KeyRow]
    transcripts: Transcripts
    left_out: int
    """Open questions."""

    @property
    def sent(self) -> str:
        """Hash of all that models may be shown."""
        told = {media: list(lines) for media, lines in self.transcripts.items()}
        return content_hash({"inputs": list(self.inputs), "transcripts": told, "prompt": template().sha256})


def pilot(project: Project, models: Sequence[str] = (), *, concurrency: int = 8, progress: Progress = quiet) -> Piloted:
    """Run `models`, or all baselines, and write `.benchwright/pilot/pilot.json`.

    Raises `UsageError` for a model that cannot be called, or a project without store; `RefusedError` where no item with
    options is accepted; `StoppedError` where replies are missing: the same call goes on.
    """
    if not project.store.exists():
        raise UsageError(f"{project.root} has no items yet; run `benchwright build` first")
    with Store.read(project.store) as store:
        material = _material(project, store)
    if not material.inputs:
        raise RefusedError(f"{project.root} has no accepted item with options; a pilot needs some")
    names = tuple(dict.fromkeys(models or DEFAULT))
    folder = project.state / "pilot"
    writable(folder)
    chosen = _ask_all(project, material, names, folder, concurrency, progress)
    found = analysed(material, names, chosen)
    file = folder / "pilot.json"
    with storing(file):
        write_whole(file, [to_line(found)])
    return Piloted(file, found)


def _material(project: Project, store: Store) -> Material:
    every = accepted(store, sources.current(project, store))
    chosen = [one for one in every if one.item.format != "open"]
    return Material(
        tuple(model_input(one.item) for one in chosen),
        {one.item.item_id: key_row(one) for one in chosen},
        {one.clip.ref.media: one.clip.transcript for one in chosen},
        len(every) - len(chosen),
    )


def _ask_all(
    project: Project, material: Material, names: Sequence[str], folder: Path, concurrency: int, progress: Progress
) -> Chosen:
    """Everything is looked up before anything is asked."""
    sent = material.sent
    with ledger_of(project) as ledger:
        models = Models(project, ledger, Path.cwd(), at_once=concurrency, reach=client_for)
        gateways = {name: models.gateway(name) for name in names}
        live = Live(progress, models.meter)

        async def all_of_them() -> Chosen:
            return {
                (name, condition): await _ask(
                    material, gateway, _settings(project, sent, name, condition, concurrency), folder, live
                )
                for name, gateway in gateways.items()
                for condition in (FULL, BLIND)
            }

        return models.run(all_of_them())


async def _ask(
    material: Material, gateway: Gateway, settings: RunSettings, folder: Path, live: Live
) -> dict[str, frozenset[str]]:
    name = slug(f"{settings.model}-{settings.condition}")
    place = folder / settings.release_sha256.removeprefix("sha256:")[:12] / name
    done = await ask(material.inputs, material.transcripts, gateway, settings, place, live.stage(settings.model))
    if done.errors:
        raise StoppedError(f"replies of {settings.model} that failed: {done.errors}; the same command asks again")
    return {response.item: frozenset(response.ids) for response in done.responses}


def _settings(project: Project, sent: str, model: str, condition: str, concurrency: int) -> RunSettings:
    return RunSettings(
        release=f"{project.config.name}, a pilot",
        release_sha256=sent,
        model=model,
        permutation_seed=project.config.seed,
        condition=condition,
        concurrency=concurrency,
    )


def analysed(material: Material, names: Sequence[str], chosen: Chosen) -> Pilot:
    """The item analysis of what `names` chose. Pure."""
    items = sorted(material.inputs, key=lambda item: item.id)
    found = analyse([_asked(item, material.keys[item.id], names, chosen) for item in items])
    blind = {item.id: tuple(_credits(item.id, material, names, chosen, BLIND)) for item in items}
    capabilities = {item.id: item.capability for item in items}
    return Pilot(
        models=tuple(names),
        exploratory=len(names) < ENOUGH_MODELS,
        left_out=material.left_out,
        items=tuple(_item(one, capabilities[one.item], blind[one.item]) for one in found),
        capabilities=_subscores(items, material, names, chosen),
        findings=tuple(alarms(found, blind)),
    )


def _asked(item: ModelInput, key: KeyRow, names: Sequence[str], chosen: Chosen) -> Asked:
    options = tuple(option.id for option in item.options)
    return Asked(item.id, frozenset(key.answer), options, tuple(chosen[name, FULL][item.id] for name in names))


def _credits(item: str, material: Material, names: Sequence[str], chosen: Chosen, condition: str) -> Iterator[float]:
    """Of each model."""
    for name in names:
        yield choice(chosen[name, condition][item], material.keys[item].answer)


def _item(one: Analysed, capability: str, blind: Sequence[float]) -> PilotItem:
    return PilotItem(
        id=one.item,
        capability=capability,
        difficulty=one.difficulty,
        without_clip=sum(blind) / len(blind),
        discrimination=one.discrimination.value,
        reason=one.discrimination.reason,
        foils={foil: FoilChoice(**_thirds(shares)) for foil, shares in one.foils.items()},
    )


def _thirds(shares: tuple[float, float, float]) -> dict[str, float | None]:
    defined = [None if isnan(share) else share for share in shares]
    return dict(zip(("bottom", "middle", "top"), defined, strict=True))


def _subscores(
    items: Sequence[ModelInput], material: Material, names: Sequence[str], chosen: Chosen
) -> dict[str, PilotSubscore]:
    rows: dict[str, list[list[float]]] = {}
    for item in items:
        rows.setdefault(item.capability, []).append([*_credits(item.id, material, names, chosen, FULL)])
    found = subscores({name: np.array(own) for name, own in rows.items()})
    return {name: _subscore(own) for name, own in found.items()}


def _subscore(own: Subscore) -> PilotSubscore:
    return PilotSubscore(
        items=own.items,
        reliability=own.reliability.value,
        prmse=own.prmse.value,
        reason=own.reliability.reason or own.prmse.reason,
    )
