"""Run a model on records and read what it replied."""

from .parse import ParsedAnswer, parse_answer

__all__ = ["ParsedAnswer", "parse_answer"]
