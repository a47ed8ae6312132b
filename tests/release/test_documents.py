"""What people and other programs read of a release: card, Croissant, citation, licence, data sheet, sums, schemas."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from benchwright.release import documents, layout
from benchwright.release.freeze import freeze
from benchwright.release.licenses import LICENSES
from benchwright.release.verify import verify
from benchwright.schemas.release import Ancestor, Manifest, Override, SourceFacts

from .build import SOURCE, content

SCHEMAS = Path(__file__).resolve().parents[2] / "schemas" / "json"
jsonschema: Any = pytest.importorskip("jsonschema")


def manifest_of(release: Path, **changed: Any) -> Manifest:
    return Manifest.model_validate_json((release / layout.MANIFEST).read_bytes()).model_copy(update=changed)


def rows(release: Path, path: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (release / path).read_text("utf-8").splitlines()]


@pytest.mark.parametrize(
    ("path", "schema"),
    [
        (layout.INPUTS, "model-input"),
        (layout.KEYS, "key-row"),
        (layout.TRACES, "trace-row"),
        (layout.MEDIA, "media-row"),
        (layout.MANIFEST, "manifest"),
    ],
)
def test_rows_keep_the_published_schemas(path: str, schema: str, frozen: Path) -> None:
    check = jsonschema.Draft202012Validator(json.loads((SCHEMAS / f"{schema}.schema.json").read_text("utf-8")))
    found = rows(frozen, path)
    assert found
    for row in found:
        check.validate(row)


def test_transcripts_keep_the_published_schema(frozen: Path) -> None:
    check = jsonschema.Draft202012Validator(json.loads((SCHEMAS / "transcript-line.schema.json").read_text("utf-8")))
    for path in frozen.glob("media/c*.json"):
        for line in json.loads(path.read_text("utf-8")):
            check.validate(line)


def front_matter(card: str) -> dict[str, Any]:
    assert card.startswith("---\n")
    found = yaml.safe_load(card.split("---\n")[1])
    assert isinstance(found, dict)
    return found


def test_the_card_loads_as_a_hugging_face_card(frozen: Path) -> None:
    head = front_matter((frozen / "README.md").read_text("utf-8"))
    assert head["license"] == "cc-by-4.0"
    assert head["language"] == ["en"]
    assert head["size_categories"] == ["n<1K"]
    paths = {config["config_name"]: config["data_files"][0]["path"] for config in head["configs"]}
    assert paths == {"items": layout.INPUTS, "key": layout.KEYS}
    assert [config["config_name"] for config in head["configs"] if config.get("default")] == ["items"]
    features = {feature["name"] for feature in head["dataset_info"][0]["features"]}
    assert features == {field for row in rows(frozen, layout.INPUTS) for field in row}


def test_the_card_says_what_a_reader_must_know(frozen: Path) -> None:
    card, manifest = (frozen / "README.md").read_text("utf-8"), manifest_of(frozen)
    for wanted in (
        "**Unreviewed.**", manifest.canary, manifest.isolation_root, SOURCE.sha256, "derived, answerability unknown",
        "`behaviour_prediction` | 2", "@misc{small_unreviewed_1_2_0",
    ):  # fmt: skip
        assert wanted in card


def test_an_override_is_told_with_its_reason_and_opens_nothing_of_its_own(frozen: Path) -> None:
    override = Override(gate="longest-option", reason="known\n\n# Reviewed by all\n[x](http://x) <b>")
    made = documents.of(manifest_of(frozen, overrides=(override,)))
    for name in ("README.md", "datasheet.md"):
        assert "- `longest-option`: known \\# Reviewed by all \\[x\\](http://x) \\<b\\>\n" in made[name]


@pytest.mark.parametrize("name", ['x"""; import os; os.abort(); """', "a\nb: c\n#", "bla_bla", "small"])
def test_no_name_gets_into_the_code_of_plug_ins(name: str, frozen: Path) -> None:
    """They are made of the manifest, and somebody else's may say anything: names and canary are data there."""
    plain = documents.of(manifest_of(frozen))
    made = documents.of(manifest_of(frozen, name=name, canary=name))
    for path in layout.PLUGINS:
        if path.endswith(".py"):
            assert _shape(made[path]) == _shape(plain[path])
        else:
            found, other = (yaml.safe_load(text[path].replace("!function ", "")) for text in (made, plain))
            assert found.pop("metadata") == {"version": "1.2.0", "canary": name}
            assert found | {"task": other["task"]} == {key: other[key] for key in other if key != "metadata"}


def _shape(code: str) -> str:
    """A module without the text of its constants."""
    tree = ast.parse(code)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = ""
    return ast.dump(tree)


@pytest.mark.parametrize(
    ("field", "value"),
    [("name", 'x"""; import os; """'), ("name", ""), ("name", "a/../b"), ("version", "1.0"), ("version", "1.0.0-a"),
     ("version", "01.0.0"), ("version", "１.0.0"), ("version", "9" * 5000 + ".0.0"), ("date", "soon")],
)  # fmt: skip
def test_a_manifest_whose_name_or_version_is_none_is_no_manifest(field: str, value: str, release: Path) -> None:
    told = json.loads((release / layout.MANIFEST).read_text("utf-8"))
    (release / layout.MANIFEST).write_text(json.dumps(told | {field: value}), "utf-8")
    assert layout.MANIFEST in {problem.file for problem in verify(release).problems}


@pytest.mark.parametrize("name", ['say "hi": #1', "a\\b", "naïve – 物語", "a|b`c"])
def test_no_name_breaks_a_document(name: str, frozen: Path) -> None:
    made = documents.of(manifest_of(frozen, name=name, license="LicenseRef-own"))
    assert front_matter(made["README.md"])["pretty_name"] == name
    assert yaml.safe_load(made["CITATION.cff"])["title"] == name
    assert json.loads(made["croissant.json"])["name"] == name


@pytest.mark.parametrize(
    ("spdx", "hub", "says"),
    [
        ("MIT", "mit", 'THE SOFTWARE IS PROVIDED "AS IS"'),
        ("CC-BY-4.0", "cc-by-4.0", "https://creativecommons.org/licenses/by/4.0/"),
        ("CC-BY-4.0", "cc-by-4.0", "Section 8 – Interpretation."),
        ("CC0-1.0", "cc0-1.0", "https://creativecommons.org/publicdomain/zero/1.0/"),
        ("Apache-2.0", "apache-2.0", "END OF TERMS AND CONDITIONS"),
        ("CC-BY-NC-SA-4.0", "cc-by-nc-sa-4.0", "https://creativecommons.org/licenses/by-nc-sa/4.0/"),
        ("Zlib", "other", "https://spdx.org/licenses/Zlib.html"),
        ("CC-BY-4.0 AND MIT", "other", "MIT License: https://opensource.org/license/mit"),
        ("CC-BY-4.0 AND MIT", "other", "Copyright (c) 2026 The authors of small-unreviewed"),
    ],
)
def test_licences(spdx: str, hub: str, says: str, frozen: Path) -> None:
    made = documents.of(manifest_of(frozen, license=spdx))
    assert says in made["LICENSE"]
    head = front_matter(made["README.md"])
    assert head["license"] == hub
    assert (hub == "other") == ("license_name" in head)


def test_the_citation_has_what_cff_asks_for(frozen: Path) -> None:
    found = yaml.safe_load((frozen / "CITATION.cff").read_text("utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= found.keys()
    assert (found["type"], found["version"], found["date-released"]) == ("dataset", "1.2.0", "2026-01-31")


@pytest.mark.parametrize("spdx", LICENSES)
def test_each_licence_comes_with_its_text(spdx: str, frozen: Path) -> None:
    """Nothing is left to be filled in, and the sources' own licences come last."""
    text = documents.of(manifest_of(frozen, license=spdx))["LICENSE"]
    assert len(text) > 1000
    assert not re.search(r"[{}<]", text.replace("<http", "").replace("<https", ""))
    assert text.endswith(f"  {SOURCE.source_id}  {SOURCE.license}\n")


@pytest.mark.parametrize(("spdx", "named"), [("CC-BY-4.0", "cc-by-4.0"), ("CC-BY-4.0 AND MIT", None), ("Zlib", None)])
def test_zenodo_needs_no_form(spdx: str, named: str | None, frozen: Path) -> None:
    found = json.loads(documents.of(manifest_of(frozen, license=spdx, name="a <b> & c"))[".zenodo.json"])
    assert {"title", "upload_type", "publication_date", "creators", "description", "access_right"} <= found.keys()
    assert (found["upload_type"], found["version"], found["publication_date"]) == ("dataset", "1.2.0", "2026-01-31")
    assert found.get("license") == named
    assert spdx in found["description"]
    assert "<b>" not in found["description"]


def test_croissant_describes_the_files_that_are_there(frozen: Path) -> None:
    found = json.loads((frozen / "croissant.json").read_text("utf-8"))
    manifest = manifest_of(frozen)
    files = {file["@id"]: file for file in found["distribution"] if file["@type"] == "cr:FileObject"}
    for file in files.values():
        assert "sha256:" + file["sha256"] == manifest.files[file["contentUrl"]]
    for records in found["recordSet"]:
        for field in records["field"]:
            source = field["source"]
            if "fileObject" in source:
                path = files[source["fileObject"]["@id"]]["contentUrl"]
                assert all(source["extract"]["column"] in row for row in rows(frozen, path))


def loaded(release: Path, records: str) -> list[dict[str, Any]]:
    """Through the reference reader, where it is installed (it is no dependency of ours)."""
    mlc: Any = pytest.importorskip("mlcroissant")
    data = mlc.Dataset(jsonld=str(release / "croissant.json"))
    assert not data.metadata.issues.errors
    return [_decoded(record) for record in data.records(records)]


def _decoded(value: Any) -> Any:
    if isinstance(value, dict):
        return {name.rpartition("/")[2]: _decoded(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_decoded(one) for one in value]
    return value.decode() if isinstance(value, bytes) else value


@pytest.mark.filterwarnings("ignore")
def test_croissant_loads_every_item(frozen: Path) -> None:
    for row, record in zip(rows(frozen, layout.INPUTS), loaded(frozen, "item"), strict=True):
        clip, options = row.pop("clip"), row.pop("options")
        flat = {"media": clip["media"], "clip_unit": clip["unit"]}
        flat |= {"clip_start": float(clip["start"]), "clip_end": float(clip["end"])}
        flat |= {f"option_{part}s": [option[part] for option in options] for part in ("id", "text")}
        assert record == {**row, **flat}


@pytest.mark.filterwarnings("ignore")
def test_croissant_loads_every_clip_and_line(frozen: Path) -> None:
    clips = rows(frozen, layout.MEDIA)
    assert loaded(frozen, "clip") == [
        {**clip, "start": float(clip["start"]), "end": float(clip["end"])} for clip in clips
    ]
    told = [
        {"media": path.relative_to(frozen).as_posix(), **{name: line.get(name) for name in ("kind", "speaker", "text")}}
        for path in sorted(frozen.glob("media/c*.json"))
        for line in json.loads(path.read_text("utf-8"))
    ]
    assert sorted(loaded(frozen, "line"), key=str) == sorted(told, key=str)


LOAD = """
import json, sys, warnings
warnings.simplefilter("ignore")
from datasets import load_dataset
found = load_dataset(*sys.argv[1:])
print(json.dumps({split: [str(rows.features), list(rows)] for split, rows in found.items()}, default=str))
"""


def opened(release: Path, cache: Path, *config: str) -> dict[str, tuple[str, list[dict[str, Any]]]]:
    """By Hugging Face `datasets`, in a process of its own: it sets things up for all that run beside it."""
    pytest.importorskip("datasets")
    offline = {"HF_HOME": str(cache), "HF_HUB_OFFLINE": "1", "HF_DATASETS_DISABLE_PROGRESS_BARS": "1"}
    command = [sys.executable, "-c", LOAD, str(release), *config]
    done = subprocess.run(command, env=os.environ | offline, capture_output=True, check=True, text=True)
    found: dict[str, tuple[str, list[dict[str, Any]]]] = json.loads(done.stdout)
    return found


def test_datasets_loads_the_folder(frozen: Path, tmp_path: Path) -> None:
    found = opened(frozen, tmp_path)
    assert list(found) == ["test"]
    features, items = found["test"]
    assert items == rows(frozen, layout.INPUTS)
    assert "'history': List(Value('string'))" in features  # no item has one; its type does not follow from the rows
    assert "'start': Value('float64')" in features  # all are whole numbers
    _, keys = opened(frozen, tmp_path, "key")["test"]
    assert [(key["id"], key["answer"]) for key in keys] == [
        (key["id"], key["answer"]) for key in rows(frozen, layout.KEYS)
    ]


def test_the_data_sheet_counts_what_was_discarded(frozen: Path) -> None:
    text = (frozen / "datasheet.md").read_text("utf-8")
    assert "| `discarded/question-taken` | 2 |" in text
    assert "No person has reviewed the items." in text


def test_a_later_version_and_an_address_are_told(frozen: Path) -> None:
    source = SOURCE.model_copy(update={"url": "https://example.org/a|b"})
    history = (Ancestor(version="1.0.0", sha256="sha256:0", items=4),)
    made = documents.of(manifest_of(frozen, history=history, sources=(source,)))
    assert "`errata.jsonl`" in made["README.md"]
    assert "can be had at `https://example.org/a\\|b`." in made["README.md"]
    assert "comes after 1.0.0 (4 items)." in made["datasheet.md"]
    first = documents.of(manifest_of(frozen))
    assert "errata.jsonl" not in first["README.md"] + first["datasheet.md"]


def test_bare_manifests_have_documents_too(frozen: Path) -> None:
    """A forged manifest may be empty where ours never is; `verify` must still be able to tell."""
    bare = manifest_of(frozen, counts={}, files={}, sources=(), yields={}, policies={}, prompts={}, license="")
    assert set(documents.of(bare)) == set(layout.DOCUMENTS)


def test_sources_of_several_languages_and_licences(tmp_path: Path) -> None:
    other = SourceFacts(source_id="s1", kind="video", license="CC0-1.0", language="de", sha256="sha256:1")
    release = freeze(content(sources=[SOURCE, other], license="CC0-1.0 AND CC-BY-4.0"), tmp_path / "r")
    assert verify(release).ok
    assert front_matter((release / "README.md").read_text("utf-8"))["language"] == ["de", "en"]


@pytest.mark.skipif(shutil.which("sha256sum") is None, reason="needs sha256sum")
@pytest.mark.parametrize("part", layout.PARTS, ids=lambda part: part.name)
def test_sha256sum_checks_each_part(part: layout.Part, frozen: Path) -> None:
    done = subprocess.run(
        ["sha256sum", "--check", "--strict", "--quiet", layout.SUMS], cwd=frozen / part.folder, check=False
    )
    assert done.returncode == 0
