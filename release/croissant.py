"""The Croissant 1.1 description of a release, with the fields of its vocabulary for responsible AI (RAI 1.0).

It covers the public part only: keys and traces are handed out apart. Columns are flat, since readers of JSON lines
take columns and nothing inside them; options become two lists, ids and texts.
Source: https://docs.mlcommons.org/croissant/docs/croissant-spec-1.1.html and .../croissant-rai-spec.html
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..schemas.release import Manifest
from . import layout, licenses

Json = dict[str, Any]

_TERMS = (
    "arrayShape", "citeAs", "column", "containedIn", "equivalentProperty", "extract", "field", "fileProperty",
    "fileObject", "fileSet", "format", "includes", "isArray", "isLiveDataset", "jsonPath", "key", "md5",
    "parentField", "path", "recordSet", "references", "regex", "repeated", "replace", "samplingRate", "separator",
    "source", "subField", "transform",
)  # fmt: skip


class Column(NamedTuple):
    """A field of a record set: a column of the file of the same name, or what `extract` says."""

    name: str
    description: str
    extract: Json | None = None
    inside: str = ""
    """Path inside the value that was extracted."""
    repeated: bool = False
    type: str = "sc:Text"


_IN_CLIP = {"column": "clip"}
_IN_OPTIONS = {"column": "options"}


_ITEM = (
    Column("id", "Identifier of the item, never used again for another."),
    Column("capability", "What the item asks of a reader."),
    Column("interaction", "Kind of social interaction."),
    Column("format", "single, multiple or open."),
    Column("media", "Path of the transcript of the clip.", _IN_CLIP, "media"),
    Column("clip_start", "Where the clip starts, in clip_unit.", _IN_CLIP, "start", type="sc:Float"),
    Column("clip_end", "Where the clip ends, in clip_unit.", _IN_CLIP, "end", type="sc:Float"),
    Column("clip_unit", "seconds of video, or lines of transcript.", _IN_CLIP, "unit"),
    Column("background", "What is true before the clip starts."),
    Column("question", "The question."),
    Column("option_ids", "Identifiers of the options.", _IN_OPTIONS, "id", repeated=True),
    Column("option_texts", "Texts of the options, in the order of option_ids.", _IN_OPTIONS, "text", repeated=True),
    Column("history", "What was said before, if the item rests on it.", repeated=True),
)
_SPLIT = Column("split", "dev, screening or test.", {"fileProperty": "filename"})
_KEY = (
    Column("id", "Identifier of the item."),
    Column("answer", "Identifiers of the options that are right.", repeated=True),
    Column("answer_text", "The answer in words."),
)
_CLIP = (
    Column("media", "Path of the transcript."),
    Column("source_id", "Identifier of the source that the clip was cut from."),
    Column("start", "Where the clip starts, in unit.", type="sc:Float"),
    Column("end", "Where the clip ends, in unit.", type="sc:Float"),
    Column("unit", "seconds of video, or lines of transcript."),
    Column("sha256", "Hash of the transcript's file."),
    Column("license", "SPDX id of the licence of the source."),
)
_LINE = (
    Column("media", "Path of the transcript; lines come in its order.", {"fileProperty": "fullpath"}),
    Column("kind", "line; menu, what could be chosen; or choice, what was.", {"jsonPath": "$[*].kind"}),
    Column("speaker", "Who says it, or makes the choice, if anybody.", {"jsonPath": "$[*].speaker"}),
    Column("text", "The line.", {"jsonPath": "$[*].text"}),
)


def croissant(manifest: Manifest) -> Json:
    """The JSON-LD document as JSON types. Every statement follows from the manifest or from how benchwright works."""
    return {
        "@context": _context(),
        "@type": "sc:Dataset",
        "conformsTo": ["http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0"],
        "name": manifest.name,
        "description": _description(manifest),
        "version": manifest.version,
        "datePublished": manifest.date,
        "license": [license.url for license in licenses.of(manifest.license)],
        "inLanguage": sorted({source.language for source in manifest.sources}),
        "citeAs": f"The authors of {manifest.name}. {manifest.name}, version {manifest.version}, {manifest.date[:4]}.",
        "isLiveDataset": False,
        **_responsible(manifest),
        "distribution": [
            *_item_files(manifest),
            _file(manifest, "clips", layout.MEDIA),
            {
                "@type": "cr:FileSet",
                "@id": "transcripts",
                "name": "transcripts",
                "encodingFormat": "application/json",
                "includes": "media/*.json",
            },
        ],
        "recordSet": [
            *_item_records(manifest),
            _records("clip", {"fileObject": {"@id": "clips"}}, _CLIP, key="media"),
            _records("line", {"fileSet": {"@id": "transcripts"}}, _LINE),
        ],
    }


def _context() -> Json:
    return {
        "@language": "en",
        "@vocab": "https://schema.org/",
        "cr": "http://mlcommons.org/croissant/",
        "rai": "http://mlcommons.org/croissant/RAI/",
        "sc": "https://schema.org/",
        "dct": "http://purl.org/dc/terms/",
        "conformsTo": "dct:conformsTo",
        "name": {"@container": "@language"},
        "description": {"@container": "@language"},
        "data": {"@id": "cr:data", "@type": "@json"},
        "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
        "examples": {"@id": "cr:examples", "@type": "@json"},
        **{term: f"cr:{term}" for term in _TERMS},
    }


def _description(manifest: Manifest) -> str:
    state = "" if manifest.reviewed else " No person has reviewed them."
    return (
        f"{manifest.counts.get('items', 0)} questions of social reasoning about clips from "
        f"{len(manifest.sources)} source(s).{state} Canary: {manifest.canary}"
    )


def _responsible(manifest: Manifest) -> Json:
    tools = [f"{role}: {policy}" for role, policy in sorted(manifest.policies.items())]
    unknown = manifest.counts.get("status/derived, answerability unknown", 0)
    limits = [f"{unknown} items are derived by code; whether the clip is enough to answer them is not known."]
    if not manifest.reviewed:
        limits.append("No person has reviewed the items.")
    return {
        "rai:dataCollection": "Clips were cut from the sources, and questions about them written by benchwright "
        f"{manifest.tool_version}; what it discarded is counted in datasheet.md.",
        "rai:dataPreprocessingProtocol": ["Names of the project's lexicon were replaced by placeholders."],
        "rai:dataAnnotationProtocol": [
            "An answer that follows from a story by code has a recipe by which it can be derived again from the story "
            "alone; other answers rest on the evidence that is stated with them."
        ],
        **({"rai:machineAnnotationTools": tools} if tools else {}),
        "rai:dataLimitations": limits,
        "rai:dataUseCases": ["Evaluation of models. It is not for training."],
        "rai:dataReleaseMaintenancePlan": "A frozen release is never changed. Corrections come as a new version: the "
        "third number for the same records serialised again, the second for added, the first for changed ones.",
    }


def _item_files(manifest: Manifest) -> list[Json]:
    """One file, or one a split with a set of them all, and the key that is public."""
    splits = layout.splits(manifest.files)
    if len(splits) < 2:
        return [_file(manifest, "items", layout.INPUTS)]
    names = [(f"items-{split}", layout.inputs(split)) for split in splits]
    names += [("dev-key", layout.DEV_KEYS)] if layout.DEV_KEYS in manifest.files else []
    every = {
        "@type": "cr:FileSet",
        "@id": "items",
        "name": "items",
        "encodingFormat": "application/jsonlines",
        "includes": "model_input/*.jsonl",
    }
    return [*(_file(manifest, name, path) for name, path in names), every]


def _item_records(manifest: Manifest) -> list[Json]:
    splits = layout.splits(manifest.files)
    if len(splits) < 2:
        return [_records("item", {"fileObject": {"@id": "items"}}, _ITEM, key="id")]
    items = _records("item", {"fileSet": {"@id": "items"}}, (*_ITEM, _SPLIT), key="id")
    split = items["field"][-1]
    split["source"]["transform"] = {"regex": r"^(\w+)\.jsonl$"}
    split["references"] = {"field": {"@id": "splits/name"}}
    dev = {"fileObject": {"@id": "dev-key"}}
    return [
        _splits(splits),
        items,
        *([_records("dev_key", dev, _KEY, key="id")] if layout.DEV_KEYS in manifest.files else []),
    ]


def _splits(names: Sequence[str]) -> Json:
    """The record set of splits, with what the vocabulary calls each."""
    kinds = {"dev": "cr:ValidationSplit", "screening": "cr:ValidationSplit", "test": "cr:TestSplit"}
    fields = [("name", "sc:Text"), ("url", "sc:URL")]
    return {
        "@type": "cr:RecordSet",
        "@id": "splits",
        "name": "splits",
        "dataType": "cr:Split",
        "key": {"@id": "splits/name"},
        "field": [
            {"@type": "cr:Field", "@id": f"splits/{name}", "name": name, "dataType": kind} for name, kind in fields
        ],
        "data": [{"splits/name": name, "splits/url": kinds[name]} for name in names],
    }


def _file(manifest: Manifest, name: str, path: str) -> Json:
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "contentUrl": path,
        "encodingFormat": "application/jsonlines",
        "sha256": manifest.files.get(path, "").removeprefix("sha256:"),
    }


def _records(name: str, files: Json, columns: Sequence[Column], key: str = "") -> Json:
    fields = [_field(name, files, column) for column in columns]
    keys = {"key": {"@id": f"{name}/{key}"}} if key else {}
    return {"@type": "cr:RecordSet", "@id": name, "name": name, **keys, "field": fields}


def _field(record: str, files: Json, column: Column) -> Json:
    transform = {"transform": {"jsonPath": column.inside}} if column.inside else {}
    return {
        "@type": "cr:Field",
        "@id": f"{record}/{column.name}",
        "name": column.name,
        "description": column.description,
        "dataType": column.type,
        **({"repeated": True} if column.repeated else {}),
        "source": {**files, "extract": column.extract or {"column": column.name}, **transform},
    }
