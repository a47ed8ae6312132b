"""Logs as Inspect AI and lmms-eval write them, cut down to what they need, around replies given by item."""

import io
import json
import zipfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import zstandard
from benchwright.project.harness import Question, questions

Replies = Mapping[str, str]
MODEL = "scripted/model.yaml"
CUT = "The answer follows from"
"""A reply that the harness says was cut."""


def sample(question: Question, reply: str, epoch: int = 1) -> dict[str, Any]:
    """One of Inspect AI 0.3: what was sent, what came back and why it ended, and the plug-in's word on it."""
    stopped = "max_tokens" if reply == CUT else "stop"
    content = [{"type": "reasoning", "reasoning": "hm"}, {"type": "text", "text": reply}]
    return {
        "id": question.id,
        "epoch": epoch,
        "input": [
            {"role": "system", "content": question.system},
            {"role": "user", "content": question.user[0].text},
        ],
        "target": question.target,
        "output": {
            "model": "model",
            "choices": [{"message": {"role": "assistant", "content": content}, "stop_reason": stopped}],
            "usage": {"input_tokens": 7, "output_tokens": 3, "total_tokens": 10},
        },
        "metadata": {"benchwright": question.metadata},
        "error": None,
    }


def samples(release: Path, replies: Replies) -> list[dict[str, Any]]:
    return [sample(question, replies[question.id]) for question in questions(release)]


def inspect_json(folder: Path, made: list[dict[str, Any]]) -> Path:
    path = folder / "log.json"
    path.write_text(json.dumps({"version": 2, "eval": {"model": MODEL}, "samples": made}), "utf-8")
    return path


def inspect_eval(folder: Path, made: list[dict[str, Any]]) -> Path:
    """Members deflated, as older versions pack them."""
    path = folder / "log.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in _members(made):
            archive.writestr(name, data)
    return path


def inspect_zstd(folder: Path, made: list[dict[str, Any]]) -> Path:
    """The same packed by Zstandard. The module that writes archives does not know it yet, so members are stored packed,
    and method, checksum and true size are written over those of storing, in the local headers and in the directory."""
    file, unpacked = io.BytesIO(), {}
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in _members(made):
            archive.writestr(name, zstandard.ZstdCompressor().compress(data))
            unpacked[name] = data
        places = [info.header_offset for info in archive.infolist()]
    raw = bytearray(file.getvalue())
    for place in places:
        raw[place + 8 : place + 10] = (93).to_bytes(2, "little")
    place = raw.find(b"PK\x01\x02")
    for data in unpacked.values():
        raw[place + 10 : place + 12] = (93).to_bytes(2, "little")
        raw[place + 16 : place + 20] = zlib.crc32(data).to_bytes(4, "little")
        raw[place + 24 : place + 28] = len(data).to_bytes(4, "little")
        place = raw.find(b"PK\x01\x02", place + 4)
    path = folder / "packed.eval"
    path.write_bytes(raw)
    return path


def lmms(folder: Path, release: Path, replies: Replies) -> Path:
    """Samples of lmms-eval 0.7 with the results that lie beside them."""
    place = folder / "lmms" / "scripted__model"
    place.mkdir(parents=True)
    lines = [
        {
            "doc_id": number,
            "target": question.target,
            "filtered_resps": replies[question.id],
            "doc_hash": "0",
            "benchwright": {**question.metadata, "credit": question.credit(replies[question.id])},
            "input": question.text,
        }
        for number, question in enumerate(questions(release))
    ]
    path = place / "20310102_030405_samples_task.jsonl"
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), "utf-8")
    (place / "20310102_030405_results.json").write_text(json.dumps({"model_name": MODEL}), "utf-8")
    return path


Writer = Callable[[Path, Path, Replies], Path]
WRITERS: dict[str, Writer] = {
    "inspect json": lambda folder, release, replies: inspect_json(folder, samples(release, replies)),
    "inspect eval": lambda folder, release, replies: inspect_eval(folder, samples(release, replies)),
    "inspect eval, zstandard": lambda folder, release, replies: inspect_zstd(folder, samples(release, replies)),
    "lmms-eval": lmms,
}


def _members(made: list[dict[str, Any]]) -> list[tuple[str, bytes]]:
    header = ("header.json", json.dumps({"version": 2, "eval": {"model": MODEL}}).encode())
    own = [(f"samples/{one['id']}_epoch_{one['epoch']}.json", json.dumps(one).encode()) for one in made]
    return [header, *own]
