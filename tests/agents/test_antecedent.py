"""Causal antecedents on a story whose one cause is known: helping Otto, three decisions before he brings the key."""

from pathlib import Path

from benchwright.agents.antecedent import CausalAntecedent

from .tales import Scenes, assert_sound, drafts, narrative, tell, wording

END = "Otto brings Marta the spare key to the cellar."
DOOR = ("Lene closes the window against the wind.", "Lene counts the cups on the tray.")


def scenes(other_end: str = "Otto walks past Marta without a greeting.") -> Scenes:
    """Two ways of the same four decisions; only the first choice tells them apart."""

    def way(name: str, end: str) -> Scenes:
        return {
            f"{name}1": {
                "Watch Lene at the window": (f"{name}2", [DOOR[0]]),
                "Leave Lene to her work": (f"{name}2", [DOOR[1]]),
            },
            f"{name}2": {
                "Sit down beside Lene": (f"{name}3", ["Lene moves her basket aside."]),
                "Walk once round the table": (f"{name}3", ["Lene follows Marta with her eyes."]),
            },
            f"{name}3": {
                "Pour the rest of the tea": (f"{name}4", [end]),
                "Light the lamp by the door": (f"{name}4", [end]),
            },
            f"{name}4": {},
        }

    first: Scenes = {
        "start": {
            "Carry the crates upstairs": ("a1", ["Otto wipes his forehead and thanks Marta."]),
            "Read the letter on the stairs": ("b1", ["Otto lifts the crates alone."]),
        }
    }
    return first | way("a", END) | way("b", other_end)


def test_the_choice_that_the_end_needed_is_the_key(tmp_path: Path) -> None:
    story = tell(tmp_path, scenes())
    about = narrative(story, (0, 0, 0, 0))
    maker = CausalAntecedent(wording(3))
    made = [(plan, draft) for plan in maker.plans(about) for draft in drafts(maker, about, plan)]
    assert made
    for plan, draft in made:
        assert_sound(story, plan, draft)
    ending_in_the_key = [draft for _, draft in made if draft.target and END in draft.target.match]
    assert ending_in_the_key
    assert all("carry the crates" in draft.answer.casefold() for draft in ending_in_the_key)


def test_an_end_that_comes_either_way_needs_no_choice(tmp_path: Path) -> None:
    about = narrative(tell(tmp_path, scenes(other_end=END)), (0, 0, 0, 0))
    maker = CausalAntecedent(wording(3))
    made = [draft for plan in maker.plans(about) for draft in drafts(maker, about, plan)]
    assert not [draft for draft in made if draft.target and END in draft.target.match]
