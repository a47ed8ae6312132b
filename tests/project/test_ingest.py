"""Stories come in once, with their names; what cannot be read is named and leaves nothing behind."""

import asyncio
from pathlib import Path

import pytest
from benchwright.errors import InputError, UsageError
from benchwright.project import folder, sources
from benchwright.project.folder import Project
from benchwright.project.ingest import ingest
from benchwright.project.lexicon import anonymizer, entries, sync
from benchwright.schemas.base import sha256, source_id
from benchwright.state.store import Store


def lexicon(project: Project) -> dict[str, str]:
    """First name to placeholder."""
    with Store.open(project.store) as store:
        entities = [entry.entity for entry in entries(store)]
    return {entity.names[0]: entity.placeholder for entity in entities}


def test_a_story_is_listed_stored_and_its_names_known(project: Project, story: Path) -> None:
    done = ingest(project, [story])
    assert [source.path for source in done.added] == ["../key.story.yaml"]
    assert done.added[0].source_id == source_id(project.config.seed, sha256(story.read_bytes()))
    assert (done.known, done.refused) == ((), ())
    again = folder.find(project.root)
    assert [entry.path for entry in again.config.sources] == ["../key.story.yaml"]
    names = lexicon(project)
    assert {"Tobin Ashe", "Renfield", "Mara"} == set(names)
    assert len(set(names.values())) == len(names) == len(done.names)
    with Store.open(project.store) as store:
        assert sources.sources_of(store) == {done.added[0].source_id: done.added[0]}


INK = Path(__file__).parents[1] / "narrative" / "stories" / "keys.ink.json"


def listing(project: Project, *entries: str) -> Project:
    project.file.path.write_text("version: 1\nname: told\nsources:\n" + "".join(f"- {entry}\n" for entry in entries))
    return folder.find(project.root)


def test_an_entry_says_of_a_finished_ink_story_what_it_does_not_say_itself(project: Project) -> None:
    pytest.importorskip("bink")
    told = listing(project, f'{{path: "{INK}", background: "Vera keeps the house.", protagonists: [Vera Holt]}}')
    (opened,) = sources.gather(told).opened.values()
    assert opened.source.background == "Vera keeps the house."
    assert opened.story is not None
    assert opened.story.info.protagonists == ("Vera Holt",)
    assert "Vera Holt" in [person.name for person in opened.story.info.people]
    runtime = opened.story.runtime()
    assert runtime.start().protagonist == "Vera Holt"
    runtime.close()


def test_a_story_that_names_its_protagonists_is_given_no_others(project: Project, story: Path) -> None:
    (refused,) = sources.gather(listing(project, f'{{path: "{story}", protagonists: [Ivo]}}')).refused
    assert refused.place == 4
    assert "names its protagonists itself (Mara)" in refused.problem


def test_names_are_replaced_in_the_language_of_the_sources(project: Project, story: Path, tmp_path: Path) -> None:
    texts = {"de": "German", "en-GB": "Other", "de-AT": "Third"}
    for language, title in texts.items():
        written = story.read_text().replace("The Spare Key", f"{title}\nlanguage: {language}")
        (tmp_path / f"{title}.story.yaml").write_text(written)
    ingest(project, [tmp_path / "German.story.yaml"])
    project = folder.find(project.root)
    with Store.open(project.store) as store:
        assert anonymizer(project, store).language == "de"
    ingest(project, [tmp_path / "Other.story.yaml", tmp_path / "Third.story.yaml"])
    project = folder.find(project.root)
    with Store.open(project.store) as store:
        assert anonymizer(project, store).language == "de"


def test_the_same_file_again_says_so_and_adds_nothing(project: Project, story: Path, tmp_path: Path) -> None:
    ingest(project, [story])
    before = project.file.path.read_bytes()
    copy = tmp_path / "copy.yaml"
    copy.write_bytes(story.read_bytes())
    done = ingest(folder.find(project.root), [story, copy])
    assert (done.added, len(done.known)) == ((), 2)
    assert project.file.path.read_bytes() == before


def test_what_cannot_be_read_is_refused_and_the_rest_goes_on(project: Project, story: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_text("benchwright_story: 1\ntitle: x\nstates: {}\nstart: a\nprotagonists: [A]\ncolour: red\n")
    done = ingest(project, [bad, tmp_path / "missing.yaml", story])
    assert [source.title for source in done.added] == ["The Spare Key"]
    assert [str(error.path) for error in done.refused] == [str(bad), str(tmp_path / "missing.yaml")]
    assert done.refused[0].place == 6
    assert [entry.path for entry in folder.find(project.root).config.sources] == ["../key.story.yaml"]


def test_nothing_readable_changes_nothing(project: Project, tmp_path: Path) -> None:
    before = project.file.path.read_bytes()
    done = ingest(project, [tmp_path / "missing.yaml"])
    assert (done.added, len(done.refused)) == ((), 1)
    assert project.file.path.read_bytes() == before


@pytest.mark.parametrize(("given", "kept"), [("", "CC0-1.0"), ("CC-BY-4.0", "CC-BY-4.0")], ids=["story's", "author's"])
def test_licence(project: Project, story: Path, given: str, kept: str) -> None:
    assert ingest(project, [story], given).added[0].license == kept
    assert folder.find(project.root).config.sources[0].license == given


def test_a_licence_that_is_none_is_refused(project: Project, story: Path) -> None:
    with pytest.raises(UsageError, match="no SPDX id"):
        ingest(project, [story], "free for all!")


def test_a_licence_added_later_reaches_the_store(project: Project, story: Path) -> None:
    story.write_text(story.read_text().replace("license: CC0-1.0\n", ""))
    first = ingest(project, [story]).added[0]
    text = project.file.path.read_text().replace(
        "- path: ../key.story.yaml", "- {path: ../key.story.yaml, license: MIT}"
    )
    project.file.path.write_text(text)
    changed = folder.find(project.root)
    with Store.open(project.store) as store:
        asyncio.run(sources.keep(store, sources.gather(changed).opened.values()))
        assert sources.sources_of(store) == {first.source_id: first.model_copy(update={"license": "MIT"})}


def test_names_keep_their_placeholders_when_the_author_adds_to_them(project: Project, story: Path) -> None:
    ingest(project, [story])
    before = lexicon(project)
    text = project.file.path.read_text().replace(
        "entities: []", "entities:\n- {names: [Tobin Ashe, Ashworth]}\n- {names: [Zoltan]}"
    )
    project.file.path.write_text(text)
    changed = folder.find(project.root)
    with Store.open(project.store) as store:
        stories = list(sources.gather(changed).stories.values())
        first = sync(store, changed.config, stories)
        assert sync(store, changed.config, stories) == first
    after = lexicon(project)
    assert {name: after[name] for name in before} == before
    assert set(after) - set(before) == {"Zoltan"}
    assert next(entity for entity in first if entity.names[0] == "Tobin Ashe").names[-1] == "Ashworth"


def test_a_missing_source_is_named_with_its_line(project: Project, story: Path) -> None:
    ingest(project, [story])
    story.unlink()
    changed = folder.find(project.root)
    gathered = sources.gather(changed)
    line = project.file.path.read_text().splitlines().index("- path: ../key.story.yaml") + 1
    assert gathered.opened == {}
    assert [str(error) for error in gathered.refused] == [
        f"{project.file.path}:{line}: {story}: no such file or directory"
    ]


def test_a_changed_story_is_refused_by_ingest_and_build_alike(project: Project, story: Path) -> None:
    ingest(project, [story])
    story.write_text(story.read_text().replace("Say nothing.", "Say nothing at all."))
    changed = folder.find(project.root)
    done = ingest(changed, [story])
    assert [error.problem.split(";")[0] for error in done.refused] == ["changed since it was ingested"]
    with Store.open(project.store) as store, pytest.raises(InputError, match="changed since it was ingested"):
        sources.sync(changed, store)


def test_sources_listed_by_hand_come_in_with_the_build(project: Project, story: Path) -> None:
    text = project.file.path.read_text().replace("sources: []", "sources: [{path: ../key.story.yaml}]")
    project.file.path.write_text(text)
    changed = folder.find(project.root)
    project.state.mkdir()
    with Store.open(project.store) as store:
        found = sources.sync(changed, store).opened
        assert sources.current(changed, store) == set(found) == {source_id(42, sha256(story.read_bytes()))}
        assert sources.current(project, store) == set()


def test_signals_are_proposed_as_comments_and_never_used(project: Project, story: Path) -> None:
    text = story.read_text().replace("start: workshop", "variables: {trust_tobin: 1, tins: 0}\nstart: workshop")
    story.write_text(
        text.replace("{text: Tell him., to: end}", "{text: Tell him., to: end, effects: [trust_tobin += 1]}")
    )
    done = ingest(project, [story])
    assert {name: one.signal.between for name, one in done.signals.items()} == {"trust_tobin": ("Mara", "Tobin Ashe")}
    again = folder.find(project.root)
    assert again.config.signals == {}
    written = again.file.path.read_text()
    line = "#  trust_tobin: {kind: relationship_change, between: [Mara, Tobin Ashe], label: trust}"
    assert line in written
    again.file.path.write_text(written.replace(line, line[1:]))
    assert folder.find(project.root).config.signals["trust_tobin"].label == "trust"
