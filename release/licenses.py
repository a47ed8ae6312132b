"""Licences as SPDX ids: what is one, where its text stands, and what Hugging Face calls it."""

import re
from collections.abc import Mapping
from importlib import resources
from typing import NamedTuple


class License(NamedTuple):
    name: str
    url: str
    """Where its text, or the deed that leads to it, stands."""
    hub: str
    """Its id on Hugging Face."""


LICENSES = {
    "MIT": License("MIT License", "https://opensource.org/license/mit", "mit"),
    "CC0-1.0": License("Creative Commons Zero 1.0", "https://creativecommons.org/publicdomain/zero/1.0/", "cc0-1.0"),
    "CC-BY-4.0": License(
        "Creative Commons Attribution 4.0", "https://creativecommons.org/licenses/by/4.0/", "cc-by-4.0"
    ),
    "CC-BY-SA-4.0": License(
        "Creative Commons Attribution-ShareAlike 4.0", "https://creativecommons.org/licenses/by-sa/4.0/", "cc-by-sa-4.0"
    ),
    "CC-BY-NC-4.0": License(
        "Creative Commons Attribution-NonCommercial 4.0",
        "https://creativecommons.org/licenses/by-nc/4.0/",
        "cc-by-nc-4.0",
    ),
    "CC-BY-NC-SA-4.0": License(
        "Creative Commons Attribution-NonCommercial-ShareAlike 4.0",
        "https://creativecommons.org/licenses/by-nc-sa/4.0/",
        "cc-by-nc-sa-4.0",
    ),
    "Apache-2.0": License("Apache License 2.0", "https://www.apache.org/licenses/LICENSE-2.0", "apache-2.0"),
}

_SPLIT = re.compile(r" (?:AND|OR|WITH) ")
_EXPRESSION = re.compile(r"[A-Za-z0-9.+-]+(?: (?:AND|OR|WITH) [A-Za-z0-9.+-]+)*")
_NONE = re.compile(r"unknown|none|noassertion|n-?a|other|tbd|todo|unlicensed", re.IGNORECASE)


def is_license(text: str) -> bool:
    """Whether a text has the form of an SPDX expression and is no word for not knowing."""
    return bool(_EXPRESSION.fullmatch(text)) and not _NONE.fullmatch(text)


def texts(expression: str, year: str, name: str) -> list[str]:
    """The legal text of each licence of an expression that comes with benchwright (those of `LICENSES`)."""
    files = resources.files(__package__) / "templates" / "licenses"
    known = [one for one in _SPLIT.split(expression) if one in LICENSES]
    held = {"{year}": year, "{name}": name}
    return [_filled((files / f"{one}.txt").read_text("utf-8"), held) for one in known]


def _filled(text: str, held: Mapping[str, str]) -> str:
    return re.sub(r"\{(?:year|name)\}", lambda match: held[match[0]], text)


def of(expression: str) -> list[License]:
    """What is known of each licence of an expression, in its order; a page of SPDX for the less common ones."""
    names = _SPLIT.split(expression)
    return [LICENSES.get(name) or License(name, f"https://spdx.org/licenses/{name}.html", "other") for name in names]
