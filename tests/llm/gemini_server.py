"""A stand-in for Gemini: what a local server answers to Google's protocol."""

import re
from typing import Any

from .openai_server import Got, Turn


def generated(text: str = '{"answer": "B"}', finish: str = "STOP", **more: object) -> dict[str, Any]:
    return {
        "candidates": [{"content": {"role": "model", "parts": [{"text": text}]}, "finishReason": finish}],
        "usageMetadata": {"promptTokenCount": 100, "candidatesTokenCount": 7, "thoughtsTokenCount": 3},
        **more,
    }


class Gemini:
    """Speaks Google's protocol. A file is being processed for `polls` looks at it; `turns` are what is generated."""

    def __init__(self, polls: int = 2, *turns: Turn, state: str = "ACTIVE") -> None:
        self.polls, self.state, self.turns = polls, state, turns or (Turn(generated()),)
        self.looks = 0
        self.address = ""
        self.files: dict[str, bytes] = {}
        self.deleted: list[str] = []
        self.asked: list[Any] = []

    def __call__(self, got: Got, number: int) -> Turn:
        path = got.path.partition("?")[0]
        if path == "/upload/v1beta/files":
            number = len(self.files)
            self.files[f"files/f{number}"] = b""
            headers = {"x-goog-upload-url": f"{self.address}/sent/{number}", "x-goog-upload-status": "active"}
            return Turn({}, headers=headers)
        if found := re.fullmatch(r"/sent/(\d+)", path):
            name = f"files/f{found[1]}"
            self.files[name] += got.body
            if "finalize" not in got.headers["x-goog-upload-command"]:
                return Turn({}, headers={"x-goog-upload-status": "active"})
            return Turn({"file": self._file(name, "PROCESSING")}, headers={"x-goog-upload-status": "final"})
        if found := re.fullmatch(r"/v1beta/(files/f\d+)", path):
            return self._look(found[1]) if got.method == "GET" else self._delete(found[1])
        assert path == "/v1beta/models/flash:generateContent", path
        self.asked.append(got.json)
        return self.turns[min(len(self.asked), len(self.turns)) - 1]

    def _look(self, name: str) -> Turn:
        self.looks += 1
        return Turn({**self._file(name, "PROCESSING" if self.looks < self.polls else self.state)})

    def _delete(self, name: str) -> Turn:
        self.deleted.append(name)
        return Turn({})

    def _file(self, name: str, state: str) -> dict[str, str]:
        return {"name": name, "uri": f"https://files/{name}", "mimeType": "video/mp4", "state": state}
