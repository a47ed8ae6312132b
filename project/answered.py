"""The calls that answered items, replayed against the log: every one was sent the bytes of a logged view, or those and
a correction made of nothing but the model's own reply and what was wrong with it."""

from collections.abc import Iterator, Mapping

from ..agents.answer import PROMPT_ID, ModelAnswering
from ..agents.asking import Asking
from ..errors import InputError, UsageError
from ..llm.gateway import Gateway
from ..llm.ledger import MemoryLedger
from ..llm.scripted import Script, ScriptedClient
from ..prompts.loader import from_bytes
from ..schemas.base import sha256
from ..schemas.call import CallRow, Request
from ..schemas.finding import Finding
from ..schemas.view import AnswerView
from ..state.ledger import StoreLedger
from ..state.log import LogEntry, chains
from ..state.store import Store
from .films import Shelf, shown_again

ROLE = "answer"


def findings(store: Store, slots: Mapping[str, str], films: Shelf) -> Iterator[Finding]:
    """`slots` are slot ids by item id, `films` the videos of clips: what was shown of them is cut again, or found where
    it was kept. Calls of slots that were never logged belong to a build that was stopped: the next one logs them."""
    ledger = StoreLedger(store)
    calls = [row for row in ledger.calls() if row.role == ROLE]
    if not calls:
        return
    allowed: set[str] = set()
    for item_id, links in chains(store):
        for entry in (link.entry for link in links if link.entry.role == ROLE and item_id in slots):
            sent = ledger.request(entry.prompt_sha256)
            if sent is None:
                continue
            try:
                found = _replay(store, slots[item_id], entry, Request.model_validate_json(sent), films)
            except (UsageError, InputError) as error:
                yield Finding(code="isolation-film-missing", message=str(error), place=item_id)
                found = None
            if found is None or sha256(found.prompt) != entry.prompt_sha256:
                said = f"round {entry.round}, run {entry.run}: the prompt is not the one that its view gives"
                yield Finding(code="isolation-prompt-differs", message=said, place=item_id)
            allowed.add(entry.prompt_sha256)
            allowed |= found.corrections(calls, entry.prompt_sha256) if found else set()
    unlogged = sorted({row.request_sha256 for row in calls} - allowed)
    severity = "warning" if _unfinished(store, slots) else "error"
    for request in unlogged:
        said = f"call {request[:19]}… was sent what no logged view gives"
        yield Finding.model_validate(
            {"code": "isolation-call-unlogged", "message": said, "place": ROLE, "severity": severity}
        )


class _Replayed:
    """One view asked again, without sending anything."""

    def __init__(self, answering: ModelAnswering, view: AnswerView) -> None:
        self.answering, self.view = answering, view
        self.prompt = answering.prompt(view) or b""

    def corrections(self, calls: list[CallRow], request_sha256: str) -> set[str]:
        """Hashes of the corrections that the replies to this request lead to."""
        replies = [row.reply for row in calls if row.request_sha256 == request_sha256 and row.reply is not None]
        return {sha256(made) for made in self.answering.corrections(self.view, replies)}


def _replay(store: Store, slot_id: str, entry: LogEntry, sent: Request, films: Shelf) -> _Replayed | None:
    """None where the prompt's template is not kept."""
    kept = store.templates().get(sent.prompt_sha256)
    if kept is None:
        return None
    view = store.view("answer", slot_id, entry.round, entry.run)
    nobody = Gateway(ScriptedClient(Script(benchwright_script=1, default="error")), MemoryLedger())
    texts, show = from_bytes(PROMPT_ID, kept[1].encode()), shown_again(films, sent)
    asking = Asking(nobody, sent.model, texts, ROLE, show, parameters=sent.parameters)
    return _Replayed(ModelAnswering(asking), view)


def _unfinished(store: Store, slots: Mapping[str, str]) -> bool:
    """Whether some slot was begun and never decided."""
    decided = {event.key.slot_id for event in store.events()}
    return not set(slots.values()) <= decided
