"""Requests and clients that several tests of this room use."""

from benchwright.schemas.call import Message, Part, Request

SCHEMA = {
    "type": "object",
    "properties": {"answer": {"enum": ["A", "B", "C"]}},
    "required": ["answer"],
    "additionalProperties": False,
}


def request(text: str = "Who left?", model: str = "openai/m", *, schema: bool = True, **parameters: object) -> Request:
    return Request(
        model=model,
        prompt_id="p",
        prompt_sha256="sha256:0",
        messages=(
            Message(role="system", parts=(Part(text="Answer."),)),
            Message(role="user", parts=(Part(text="The scene."), Part(text=text))),
        ),
        answer_schema=SCHEMA if schema else {},
        parameters={"temperature": 0, "max_tokens": 64, **parameters},
    )
