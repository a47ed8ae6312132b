"""Build and score a small benchmark of a transcript with a model on this machine (docs/local-models.md).

    python scripts/local_model.py http://127.0.0.1:8000/v1 NAME talk.srt --slots 20

The one model plays Question, Answer and Critic and is evaluated as well: that shows that the path holds, and says
nothing of the items. Whatever comes of the slots is printed; the exit code is 0 where every slot was decided. The same
command with the same `--out` goes on where it was stopped.
"""

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import yaml
from benchwright.errors import RefusedError
from benchwright.knowledge.loader import load_taxonomy
from benchwright.project import folder
from benchwright.project.build import Part, build
from benchwright.project.evaluate import Evaluation, evaluate
from benchwright.project.freeze import freeze
from benchwright.project.ingest import ingest
from benchwright.project.score import score
from benchwright.project.status import status
from benchwright.schemas.view import Verdict
from benchwright.state.store import Store

PARAMETERS = {"max_tokens": 320, "temperature": 0.8, "frequency_penalty": 0.8}
"""A small model that begins to repeat itself would go on until it is cut, at seconds a word."""


def configured(given: argparse.Namespace, place: Path) -> folder.Project:
    """A project of one transcript whose roles are played by the model at the address."""
    if (place / "benchwright.yaml").exists():
        return folder.find(place)
    model, subtitles = f"openai/{given.name}", given.subtitles
    project = folder.init(place)
    (place / subtitles.name).write_bytes(subtitles.read_bytes())
    observed = [name for name, one in load_taxonomy().capabilities.items() if one.domain and one.claim is None]
    config = {
        "version": 1,
        "name": "local",
        # Slots of few capabilities share the beginnings of their prompts, which a server need not read again.
        "targets": dict.fromkeys(observed[: given.capabilities], given.slots),
        "roles": {role: {"policy": "llm", "model": model} for role in ("question", "answer", "critic")},
        "models": {model: {"api_base": given.address, "timeout": 1200, "concurrency": 2, "parameters": PARAMETERS}},
        "prices": {model: {"input": 0, "output": 0}},
        "budget": {"usd": 0},
        "concurrency": 2,
        "taxonomy": "taxonomy.yaml",
    }
    # A transcript in any language serves: what no other type claims belongs to this one.
    everyday = {"definition": "People dealing with each other.", "cues": []}
    taxonomy = {"version": 1, "source": "local", "extends": "bundled", "interactions": {"everyday": everyday}}
    (place / "taxonomy.yaml").write_text(yaml.safe_dump(taxonomy), encoding="utf-8")
    project.file.path.write_text(yaml.safe_dump(config), encoding="utf-8")
    ingest(folder.find(place), [place / subtitles.name], "CC0-1.0")
    return folder.find(place)


def decided(project: folder.Project) -> int:
    """Slots that came to an end."""
    now = status(project)
    return now.accepted + now.surplus + now.discarded


def told(stage: str, done: int, total: int | None) -> None:
    print(f"{time.strftime('%H:%M:%S')} {stage}", file=sys.stderr, flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("address")
    parser.add_argument("name")
    parser.add_argument("subtitles", type=Path)
    parser.add_argument("--slots", type=int, default=20)
    parser.add_argument("--capabilities", type=int, default=2, choices=range(1, 9), metavar="1-8")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    place = given.out or Path(tempfile.mkdtemp()) / "local"
    project = configured(given, place)
    started = time.monotonic()
    counted = build(project, Part(slots=max(0, given.slots - decided(project))), progress=told)
    with Store.read(project.store) as store:
        decisions = Counter(verdict.decision for _, verdict in store.all(Verdict))
    tried = decided(project)
    came = {"slots": tried, "accepted": counted.accepted, "discarded": counted.discarded, "reasons": counted.reasons}
    came |= {"verdicts": dict(decisions), "calls": counted.calls, "seconds": round(time.monotonic() - started)}
    print(json.dumps(came), flush=True)
    try:
        release = freeze(project, "0.1.0", unreviewed=True, day="2026-01-01").folder
    except RefusedError as error:
        print(f"no release: {error}")
        return 0 if tried >= given.slots else 1
    run = evaluate(project, release, Evaluation(f"openai/{given.name}")).folder
    scored = score(release, [run]).runs[0]
    print(json.dumps({"release": str(release), "n": scored.n, "accuracy": scored.accuracy.value}))
    return 0 if tried >= given.slots else 1


if __name__ == "__main__":
    raise SystemExit(main())
