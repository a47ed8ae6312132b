"""Families of models: by what a name begins with, whoever serves it."""

import pytest
from benchwright.llm.families import evaluated, family, shared


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("openai/gpt-4o-mini", "gpt"),
        ("azure/gpt-4o", "gpt"),
        ("openai/o3-mini", "gpt"),
        ("openai/qwen2.5-7b", "qwen"),
        ("openrouter/meta-llama/Llama-3.1-8B", "llama"),
        ("gemini/gemini-2.5-flash", "gemini"),
        ("openai/gemma-3-4b", "gemini"),
        ("anthropic/claude-sonnet-4-5", "claude"),
        ("mistral/mixtral-8x7b", "mistral"),
        ("scripted/one.yaml", "scripted/one.yaml"),
        ("rules", ""),
    ],
)
def test_family(model: str, name: str) -> None:
    assert family(model) == name


def test_rules_are_of_no_family() -> None:
    assert shared(["rules", "openai/gpt-5"], ["azure/gpt-4o", "rules"]) == ("gpt",)


def test_a_warning_names_the_roles_that_the_family_played() -> None:
    policies = {
        "question": "openai/gpt-4o",
        "answer": "gemini/gemini-2.5-pro",
        "critic": "azure/gpt-4o",
        "tracker": "rules",
    }
    assert list(evaluated(policies, "openai/o3")) == [
        "openai/o3 is of the family gpt, which played critic, question of these items"
    ]
    assert list(evaluated(policies, "mistral/mistral-small")) == []
