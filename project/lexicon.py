"""The project's lexicon in the store: names from the configuration, the stories, and those proposed from their text."""

import asyncio
from collections import Counter
from collections.abc import Iterable

from ..agents.material import Material, speakers_of
from ..anonymize.lexicon import assign, merge
from ..anonymize.propose import propose
from ..anonymize.replace import Anonymizer
from ..narrative.runtime import Story
from ..schemas.source import LexiconEntry
from ..schemas.story import Entity, StoryPerson
from ..state.store import Store
from ..state.tables import lexicon_key
from . import sources
from .config import Config
from .folder import Project


def entries(store: Store) -> list[LexiconEntry]:
    """The lexicon as it stands: the newest version of each entry."""
    newest = {entry.number: entry for _, entry in store.all(LexiconEntry)}
    return [newest[number] for number in sorted(newest)]


def anonymizer(project: Project, store: Store) -> Anonymizer:
    """Renames what stands in the lexicon, in the language of the project's sources; of several, that of the most."""
    known, current = sources.sources_of(store), sources.current(project, store)
    languages = Counter(known[name].language.partition("-")[0].casefold() for name in current)
    language = min(languages, key=lambda one: (-languages[one], one), default="en")
    return Anonymizer((entry.entity for entry in entries(store)), language)


def sync(
    store: Store, config: Config, stories: Iterable[Story], materials: Iterable[Material] = ()
) -> tuple[Entity, ...]:
    """Add what the configuration, the stories, and the speakers of videos and transcripts bring; entries and
    placeholders once given stay. Returns it whole."""
    stories, materials = list(stories), list(materials)
    before = entries(store)
    people = [person for story in stories for person in story.info.people]
    named = {name.casefold() for entity in (*config.entities, *(one.entity for one in before)) for name in entity.names}
    named |= {name.casefold() for person in people for name in (person.name, *person.aliases)}
    speakers = [name for material in materials for name in speakers_of(material) if name.casefold() not in named]
    people += [StoryPerson(name=name) for name in dict.fromkeys(speakers)]
    merged = merge(before, author=config.entities, story=people)
    known = [entry.entity for entry in merged]
    texts = [text for story in stories for text in (*story.info.texts, story.info.background)]
    texts += [turn.text for material in materials for turn in material.turns]
    after = assign(merge(merged, proposed=propose(texts, known)), texts)
    asyncio.run(_store(store, before, after))
    return tuple(entry.entity for entry in after)


async def _store(store: Store, before: list[LexiconEntry], after: list[LexiconEntry]) -> None:
    versions = {key.round: key.run for key, _ in store.all(LexiconEntry)}
    known = {entry.number: entry for entry in before}
    for entry in after:
        if known.get(entry.number) != entry:
            key = lexicon_key(entry.number)._replace(run=versions.get(entry.number, -1) + 1)
            await store.put(key, entry)
