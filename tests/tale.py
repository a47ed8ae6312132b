"""A story made to yield items fast: each choice is answered for two decisions later, by another person's act."""

import re
from pathlib import Path
from typing import Any

import yaml
from benchwright.project import folder
from benchwright.project.folder import Project
from benchwright.project.ingest import ingest

ACTS = (
    ("Odile", "hides the ledger under the bench"), ("Odile", "carries the lamp down to the cellar"),
    ("Odile", "leaves the gate open for the carter"), ("Ferris", "burns the letters in the stove"),
    ("Ferris", "counts the coins onto the table"), ("Ferris", "bolts the yard door from inside"),
    ("Brannick", "hands the keys to the bailiff"), ("Brannick", "saddles the grey mare before dawn"),
    ("Brannick", "empties the barrel into the ditch"), ("Odile", "pins the map above the mantel"),
    ("Odile", "buries the pistol beside the well"), ("Odile", "gives the coat back to the pedlar"),
    ("Ferris", "cuts the rope at the landing"), ("Ferris", "paints a cross upon the mill wheel"),
    ("Ferris", "sends the dog across the ford"), ("Brannick", "signs the contract in red ink"),
    ("Brannick", "smashes the clock on the stairs"), ("Brannick", "wraps the violin in sacking"),
    ("Odile", "pours the medicine out of the window"), ("Odile", "locks the chapel for the winter"),
    ("Odile", "drives the geese into the orchard"), ("Ferris", "nails the notice to the elm"),
    ("Ferris", "drags the boat above the weir"), ("Ferris", "sharpens the scythe behind the barn"),
)  # fmt: skip
CHOICES = (
    "Tell {0} what the miller whispered.",
    "Refuse to answer {0} at all.",
    "Offer {0} half of the harvest money.",
)
PLACES = ["kitchen", "yard", "mill", "chapel", "ford", "orchard", "cellar", "landing"]


def tale(decisions: int = 8) -> str:
    """A story of that many decisions, three choices each, as YAML in our format."""
    names = ("Odile", "Ferris", "Brannick")
    states = {f"s{n}": _state(n, decisions, names) for n in range(decisions)}
    states["end"] = {"lines": [{"text": "Snow falls on the yard and the road is closed."}], "ending": "winter"}
    return yaml.safe_dump(
        {
            "benchwright_story": 1,
            "title": "The Miller's Debt",
            "license": "CC0-1.0",
            "background": "Linnea keeps the mill; a debt is due before the snow.",
            "protagonists": ["Linnea"],
            "people": [{"name": name} for name in names],
            "variables": {f"a{n}": 0 for n in range(decisions)},
            "start": "s0",
            "states": states,
        },
        sort_keys=False,
    )


def _state(n: int, decisions: int, names: tuple[str, ...]) -> dict[str, Any]:
    heard = [{"text": f"Linnea crosses the {PLACES[n % 8]} on day {n + 1}.", "speaker": None}]
    if n >= 2:
        for value in range(3):
            who, act = ACTS[(3 * (n - 2) + value) % len(ACTS)]
            heard.append({"text": f"{who} {act}.", "if": f"a{n - 2} == {value + 1}"})
    forgotten = [f"a{n - 2} = 0"] if n >= 2 else []
    following = f"s{n + 1}" if n + 1 < decisions else "end"
    choices = [
        {"text": text.format(names[n % 3]), "to": following, "effects": [*forgotten, f"a{n} = {value + 1}"]}
        for value, text in enumerate(CHOICES)
    ]
    return {"present": list(names), "lines": heard, "choices": choices}


def let_foils_come_from_farther(project: Path) -> None:
    """The tale is short: at one decision there is too little for a question of three wrong options."""
    file = project / "benchwright.yaml"
    file.write_text(file.read_text("utf-8").replace("foils_within: 0", "foils_within: 2"), encoding="utf-8")


def begin(place: Path, workers: int) -> Project:
    """A project with the tale, ready to be built."""
    story = place / "tale.yaml"
    place.mkdir(parents=True)
    story.write_text(tale(), encoding="utf-8")
    project = folder.init(place / "project")
    text = project.file.path.read_text("utf-8")
    project.file.path.write_text(re.sub("concurrency: .*", f"concurrency: {workers}", text), encoding="utf-8")
    let_foils_come_from_farther(project.root)
    ingest(project, [story])
    return folder.find(project.root)
