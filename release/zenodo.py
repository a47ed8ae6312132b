"""What Zenodo asks of a deposit, so that an upload of the folder (or a release on GitHub) needs no form to be filled.

Source: https://developers.zenodo.org/#representation ("Deposit metadata") and its file `.zenodo.json`.
"""

from html import escape
from typing import Any

from ..schemas.release import Manifest
from . import licenses


def zenodo(manifest: Manifest) -> dict[str, Any]:
    """The metadata as JSON types; a licence that Zenodo has no single name for is said in words."""
    found = licenses.of(manifest.license)
    known = {"license": found[0].hub} if len(found) == 1 and found[0].hub != "other" else {}
    reviewed = "" if manifest.reviewed else " No person has reviewed them."
    items = manifest.counts.get("items", 0)
    said = (
        f"{items} questions of social reasoning, made by benchwright {manifest.tool_version}.{reviewed} "
        f"Licence: {manifest.license}. Canary: {manifest.canary}"
    )
    return {
        "title": f"{manifest.name}, version {manifest.version}",
        "upload_type": "dataset",
        "version": manifest.version,
        "publication_date": manifest.date,
        "creators": [{"name": f"The authors of {manifest.name}"}],
        "description": f"<p>{escape(said)}</p>",
        "keywords": ["benchmark", "social reasoning"],
        "access_right": "open",
        **known,
    }
