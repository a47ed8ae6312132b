"""Freezes and verifies made-up items, and holds both against a bare loop over the same rows.

    python bench/freeze.py [ITEMS] [--repeat N] [--folder DIR]

The rows lie in files, as they would in a store. The bare loop reads each, brings it into canonical form with rfc8785,
hashes it and writes it, a file a clip: what no release can do without. Each of the three runs in a process of its own.
Printed are seconds by the clock and of the processor, the ratios to the bare loop, and peak memory.
"""

import argparse
import hashlib
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar

import rfc8785
from benchwright.anonymize.leaks import LeakTest
from benchwright.release.content import ReleaseContent
from benchwright.release.freeze import freeze
from benchwright.release.verify import verify
from benchwright.schemas.base import Record, canonical, digest, sha256
from benchwright.schemas.clip import Clip, ClipRef, TranscriptLine
from benchwright.schemas.grounding import Event, Evidence, GroundedClaim, Recipe, Trace
from benchwright.schemas.item import Option
from benchwright.schemas.release import KeyRow, ModelInput, SourceFacts, TraceRow
from benchwright.schemas.story import Entity

AnyRecord = TypeVar("AnyRecord", bound=Record)

SOURCE = SourceFacts(source_id="s0123456789", kind="story", license="CC-BY-4.0", language="en", sha256=sha256(b"story"))
NAMES = ("Hooper", "Manning", "Russell Square", "Bletchley", "Marguerite")
LINE = "Alpha puts the cup down and looks at Beta for a long while, as if there were more to say than “good night”."
ACTS = ("opens the gate", "hides the letter", "calls for help", "says nothing at all", "tells the truth", "walks away")


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure freezing and verifying.")
    parser.add_argument("items", type=int, nargs="?", default=20_000)
    parser.add_argument("--repeat", type=int, default=1, help="runs of each, of which the least figures count")
    parser.add_argument("--folder", type=Path, help="where to write; a temporary folder if not given")
    parser.add_argument("--only", choices=sorted(WORK), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.only:
        print(json.dumps(measure(WORK[arguments.only], arguments.folder)))
        return
    with tempfile.TemporaryDirectory(dir=arguments.folder) as name:
        folder = Path(name)
        prepare(arguments.items, folder)
        report([{name: apart(name, folder) for name in WORK} for _ in range(arguments.repeat)])


def report(runs: list[dict[str, dict[str, float]]]) -> None:
    """Print the least of each figure over the runs: other work on the machine only ever adds."""
    least = {name: {key: min(run[name][key] for run in runs) for key in runs[0][name]} for name in WORK}
    for name, figures in least.items():
        clock, cpu = (figures[key] / least["bare"][key] for key in ("clock", "cpu"))
        print(
            f"{name:>6}: {figures['clock']:.1f} s by the clock, {figures['cpu']:.1f} s of the processor, "
            f"{clock:.2f} and {cpu:.2f} times the bare loop; peak memory {figures['memory']:.0f} MB"
        )


def apart(name: str, folder: Path) -> dict[str, float]:
    """Run one of the three in a process of its own."""
    for made in ("bare", "release") if name == "bare" else ():
        shutil.rmtree(folder / made, ignore_errors=True)
    command = [sys.executable, __file__, "--folder", str(folder), "--only", name]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def measure(work: Callable[[Path], None], folder: Path) -> dict[str, float]:
    clock, cpu = time.perf_counter(), time.process_time()
    work(folder)
    clock, cpu = time.perf_counter() - clock, time.process_time() - cpu
    return {"clock": clock, "cpu": cpu, "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


def work_bare(folder: Path) -> None:
    out = folder / "bare"
    (out / "media").mkdir(parents=True)
    for name in ("items", "keys", "traces"):
        whole = hashlib.sha256()
        with (folder / name).open("rb") as rows, (out / name).open("wb") as file:
            for line in rows:
                data = rfc8785.dumps(json.loads(line))
                whole.update(data)
                file.write(data)
    with (folder / "clips").open("rb") as rows:
        for line in rows:
            clip = json.loads(line)
            data = rfc8785.dumps(clip["transcript"])
            hashlib.sha256(data).hexdigest()
            (out / clip["ref"]["media"]).write_bytes(data)


def work_freeze(folder: Path) -> None:
    freeze(content(folder), folder / "release")


def work_verify(folder: Path) -> None:
    problems = verify(folder / "release").problems
    if problems:
        raise SystemExit(f"{problems[0]}")


WORK: dict[str, Callable[[Path], None]] = {"bare": work_bare, "freeze": work_freeze, "verify": work_verify}


def content(folder: Path) -> ReleaseContent:
    with (folder / "heads").open(encoding="utf-8") as file:
        heads = dict(line.split() for line in file)
    return ReleaseContent(
        name="bench",
        version="1.0.0",
        date="2026-01-31",
        license="CC-BY-4.0",
        reviewed=False,
        sources=[SOURCE],
        clips=lambda: stored(folder / "clips", Clip),
        items=lambda: stored(folder / "items", ModelInput),
        keys=lambda: stored(folder / "keys", KeyRow),
        traces=lambda: stored(folder / "traces", TraceRow),
        heads=heads,
        leaks=LeakTest(Entity(names=(name,), placeholder="Alpha") for name in NAMES).find,
        permutation_seed=7,
        resampler_id="bench",
        tool_version=version("benchwright"),
    )


def stored(path: Path, kind: type[AnyRecord]) -> Iterator[AnyRecord]:
    with path.open("rb") as file:
        yield from map(kind.model_validate_json, file)


def prepare(count: int, folder: Path) -> None:
    """Write the rows of `count` items, one clip each, in order."""
    ids = sorted((digest(7, number)[:12], number) for number in range(count))
    names = ("items", "keys", "traces", "clips", "heads")
    items, keys, traces, clips, heads = ((folder / name).open("wb") for name in names)
    with items, keys, traces, clips, heads:
        for name, number in ids:
            clip = clip_of(name, number)
            item = item_of(name, number, clip.ref)
            items.write(canonical(item) + b"\n")
            keys.write(canonical(key_of(item)) + b"\n")
            traces.write(canonical(trace_of(item)) + b"\n")
            clips.write(canonical(clip) + b"\n")
            heads.write(f"{item.id} {sha256(name.encode())}\n".encode())


def clip_of(name: str, number: int) -> Clip:
    lines = tuple(TranscriptLine(text=f"{LINE} {number}", speaker="Beta" if at % 2 else None) for at in range(12))
    ref = ClipRef(media=f"media/c{name}.json", start=0, end=len(lines), unit="lines")
    return Clip(clip_id=f"c{name}", source_id=SOURCE.source_id, ref=ref, background="", transcript=lines)


def item_of(name: str, number: int, clip: ClipRef) -> ModelInput:
    texts = sorted((f"Alpha {act} at stop {number}." for act in ACTS), key=lambda text: digest("i" + name, text))
    return ModelInput(
        id="i" + name,
        capability="behaviour_prediction",
        interaction="trust" if number % 2 else "conflict",
        format="single",
        clip=clip,
        background="Alpha and Beta travel together. It is “late”, and neither has said what the letter is about.",
        question=f"What does Alpha do before the next choice, at stop {number}?",
        options=tuple(Option(id=f"o{at}", text=text) for at, text in enumerate(texts, 1)),
    )


def key_of(item: ModelInput) -> KeyRow:
    right, *wrong = item.options
    return KeyRow(
        id=item.id,
        answer=(right.id,),
        answer_text=right.text,
        traps={option.id: "logic" for option in wrong},
        cues=("line 11", "line 12"),
        tier="A",
        status="derived, answerability unknown",
        episode="e" + item.id[1:11],
        story=SOURCE.source_id,
    )


def trace_of(item: ModelInput) -> TraceRow:
    recipe = Recipe(
        claim="behaviour",
        story_sha256=SOURCE.sha256,
        play=tuple(range(12)),
        taken=1,
        window=3,
        events={option.id: Event(kind="line", match=(option.text,)) for option in item.options},
    )
    evidence = Evidence(kind="line", quote=LINE, place="story.ink:12", source_sha256=SOURCE.sha256)
    claims = tuple(GroundedClaim(text=LINE, evidence=(evidence,)) for _ in range(3))
    trace = Trace(claims=claims, signals={"trust": 0.5, "suspicion": 0.25}, present=("Marguerite",), tier="A")
    return TraceRow(id=item.id, recipe=recipe, trace=trace, proof="enumerated 36 paths", rationale="She waits.")


if __name__ == "__main__":
    main()
