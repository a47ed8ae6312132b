"""1,000 questions to a local server that takes 50 ms for a reply, 64 at once: `evaluate` beside Inspect AI.

Inspect AI poses them with its `multiple_choice`. It is no dependency: name the Python of an environment that has it,
`INSPECT_PYTHON=… python bench/evaluate.py`, and for lack of a network `TIKTOKEN_CACHE_DIR`. Each side runs in a process
of its own, one after the other, and the server in a third. Questions a second are taken twice: from the first request
to the last reply, as the server sees them, and over the whole command, start included.
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from multiprocessing import Process, Queue
from pathlib import Path
from typing import Any, NamedTuple

from benchwright.schemas.base import digest
from benchwright.schemas.clip import ClipRef, TranscriptLine
from benchwright.schemas.files import to_line
from benchwright.schemas.item import Option
from benchwright.schemas.release import KeyRow, Manifest, MediaRow, ModelInput

QUESTIONS = 1000
AT_ONCE = 64
SECONDS = 0.05
ACTS = ("opens the gate", "hides the letter", "calls for help", "says nothing at all", "tells the truth", "walks away")
SCENE = [TranscriptLine(text=f"Alpha waits at the gate, and Beta says nothing ({n}).") for n in range(20)]

INSPECT = """
import json, sys
from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import get_model
from inspect_ai.scorer import choice
from inspect_ai.solver import multiple_choice
address, questions, logs = sys.argv[1:]
samples = [Sample(**one) for one in json.load(open(questions))]
task = Task(dataset=MemoryDataset(samples), solver=multiple_choice(), scorer=choice())
model = get_model("openai/m", base_url=address, api_key="none", responses_api=False)
done = eval(task, model=model, max_connections=64, max_samples=64, temperature=0, display="none", log_dir=logs)
print(done[0].status, len(done[0].samples))
"""


class Took(NamedTuple):
    asked: float
    """Seconds from the first request to the last reply."""
    whole: float
    """Of the command."""


def item(number: int) -> ModelInput:
    identity = f"i{number:012d}"
    texts = sorted((f"Alpha {act} at stop {number}." for act in ACTS), key=lambda text: digest(identity, text))
    return ModelInput(
        id=identity, capability="counterfactual", interaction="trust", format="single", background="A road.",
        clip=ClipRef(media="media/c1.json", start=0, end=len(SCENE), unit="lines"), question=f"What then ({number})?",
        options=tuple(Option(id=f"o{place}", text=text) for place, text in enumerate(texts, 1)),
    )  # fmt: skip


def release(folder: Path) -> Path:
    items = [item(number) for number in range(QUESTIONS)]
    keys = [
        KeyRow(id=one.id, answer=("o1",), answer_text=one.options[0].text, traps={}, tier="A", status="answerable",
               episode=one.id, story="s1") for one in items
    ]  # fmt: skip
    clip = MediaRow(media="media/c1.json", source_id="s1", start=0, end=len(SCENE), unit="lines", sha256="", license="")
    told = Manifest(
        name="bench", version="1.0.0", date="2031-01-02", canary="c", license="CC0-1.0", reviewed=False, counts={},
        files={}, prompts={}, policies={}, permutation_seed=42, resampler_id="r", isolation_root="i", tool_version="0",
    )  # fmt: skip
    files: dict[str, list[Any]] = {
        "model_input/test.jsonl": items, "answers/key.jsonl": keys, "media/manifest.jsonl": [clip],
        "media/c1.json": [[line.model_dump() for line in SCENE]], "release.json": [told],
    }  # fmt: skip
    for name, records in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"".join(map(to_line, records)))
    return folder


def serve(ready: "Queue[int]", times: "Queue[tuple[int, float, float]]") -> None:
    """Answers chat completions; at GET it says how many there were since the last GET, and when."""
    seen: list[float] = []
    body = json.dumps({
        "id": "c", "object": "chat.completion", "created": 1, "model": "m",
        "choices": [{"index": 0, "finish_reason": "stop",
                     "message": {"role": "assistant", "content": '{"answer": "A"}\\nANSWER: A'.replace("\\n", "\n")}}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
    }).encode()  # fmt: skip

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            length = 0
            while header := (await reader.readline()).strip():
                if header.lower().startswith(b"content-length:"):
                    length = int(header.split(b":")[1])
            await reader.readexactly(length)
            if line.startswith(b"GET"):
                times.put((len(seen) // 2, min(seen, default=0.0), max(seen, default=0.0)))
                seen.clear()
                reply = b"{}"
            else:
                seen.append(time.time())
                await asyncio.sleep(SECONDS)
                seen.append(time.time())
                reply = body
            writer.write(
                b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(reply)
            )
            writer.write(reply)
        writer.close()

    async def run() -> None:
        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        ready.put(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(run())


def timed(command: list[str], place: Path, port: int, times: "Queue[tuple[int, float, float]]") -> Took:
    import urllib.request

    started = time.time()
    subprocess.run(command, cwd=place, check=True, stdout=sys.stderr)
    whole = time.time() - started
    urllib.request.urlopen(f"http://127.0.0.1:{port}/").read()
    count, first, last = times.get()
    assert count == QUESTIONS, f"{count} requests"
    return Took(last - first, whole)


def main() -> None:
    ready: Queue[int] = Queue()
    times: Queue[tuple[int, float, float]] = Queue()
    server = Process(target=serve, args=(ready, times), daemon=True)
    server.start()
    port = ready.get()
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        there = release(place / "release")
        place.joinpath("benchwright.yaml").write_text(
            f"version: 1\nname: bench\nmodels: {{openai/m: {{api_base: 'http://127.0.0.1:{port}/v1'}}}}\n"
            "prices: {openai/m: {input: 0.001, output: 0.001}}\nbudget: {usd: 100}\n"
        )
        command = ["-m", "benchwright", "evaluate", str(there), "--model", "openai/m", "--concurrency", str(AT_ONCE)]
        sides = {"benchwright": [sys.executable, *command]}
        if python := os.environ.get("INSPECT_PYTHON"):
            scene = "\n".join(line.text for line in SCENE)
            samples = [
                {"input": f"{scene}\n\n{one.question}", "choices": [o.text for o in one.options], "target": "A"}
                for one in map(item, range(QUESTIONS))
            ]
            (place / "questions.json").write_text(json.dumps(samples))
            (place / "inspect.py.txt").write_text(INSPECT)
            address = f"http://127.0.0.1:{port}/v1"
            sides["inspect"] = [python, str(place / "inspect.py.txt"), address, "questions.json", str(place / "logs")]
        took = {side: timed(command, place, port, times) for side, command in sides.items()}
    for side, own in took.items():
        print(f"{side:12} {QUESTIONS / own.asked:7.1f} questions a second; with the start {QUESTIONS / own.whole:6.1f}")
    if len(took) > 1:
        ours, theirs = took["benchwright"], took["inspect"]
        print(f"{'ratio':12} {theirs.asked / ours.asked:7.1f}; with the start {theirs.whole / ours.whole:6.1f}")
    server.terminate()


if __name__ == "__main__":
    main()
