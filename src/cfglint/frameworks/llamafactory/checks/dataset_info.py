"""Whether `dataset_info.json`, the list of all datasets, has those of a config.

The file lies in `dataset_dir` (`data` when the config names none). `ranking` says of each dataset
whether its samples are pairs of a better and a worse answer, and each stage wants one kind.
"""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.logic import plain
from cfglint.base.spelling import Speller
from cfglint.base.type_names import Any
from cfglint.checks.context import CheckContext, Hit
from cfglint.environment.named_files import named_document, named_file
from cfglint.knowledge.rules.views import written_value
from cfglint.source.document import Document, Mapping
from cfglint.source.json_problems import JsonProblemKind
from cfglint.source.languages.named import language
from cfglint.source.values import is_placeholder, to_python

_LIST = "dataset_info.json"
#: The list of a large collection has some hundred kB.
_MAX_BYTES = 2_000_000
#: For so many names of a config the closest of the list is looked for: a list may have thousands.
_MAX_GUESSES = 20
_KEYS = ("dataset", "eval_dataset")
#: What each stage asks of a dataset.
_OF_PAIRS = {
    **dict.fromkeys(("rm", "dpo", "orpo"), True),
    **dict.fromkeys(("pt", "sft", "ppo", "kto"), False),
}


def list_not_read(ctx: CheckContext) -> Iterator[Hit]:
    """A list of datasets that Python's JSON reader refuses, as LLaMA-Factory does for whatever dataset."""
    known = _written_list(ctx)
    if known is None:
        return
    key = next((key for key, _ in _named(ctx)), None)
    span = None if key is None else ctx.document.span((key,))
    why = _refused(known)
    if key is not None and span is not None and why:
        yield Hit((key,), span, {"list": _shown(ctx), "why": why})


def undefined_dataset(ctx: CheckContext) -> Iterator[Hit]:
    """A name that the list of datasets does not have."""
    known = _list(ctx)
    if known is None:
        return
    names = {str(entry.name): None for entry in known.root.entries if entry.name is not None}
    speller: Speller | None = None
    guesses = 0
    for key, name in _named(ctx):
        if name in names:
            continue
        guess = None
        if guesses < _MAX_GUESSES:
            guesses += 1
            speller = speller or Speller(names)
            guess = speller.closest(name)
        hint = f" The closest name is `{guess.name}`." if guess is not None else ""
        if "/" in name and guess is None:
            hint = " One of the Hub needs an entry with `hf_hub_url`, or `dataset_dir: ONLINE`."
        span = ctx.document.span((key,))
        if span is not None:
            yield Hit((key,), span, {"name": name[:80], "list": _shown(ctx), "hint": hint})


def dataset_of_other_kind(ctx: CheckContext) -> Iterator[Hit]:
    """A dataset of pairs in a stage that wants single answers, or the reverse."""
    known = _list(ctx)
    stage = plain(written_value(ctx.document, ("stage",)))
    pairs = _OF_PAIRS.get(stage if isinstance(stage, str) else "sft")
    if known is None or pairs is None:
        return
    for key, name in _named(ctx):
        node = known.node((name,))
        span = ctx.document.span((key,))
        if not isinstance(node, Mapping) or span is None:
            continue
        ranking = _value(known, name)
        if ranking is pairs or not isinstance(ranking, bool):
            continue
        has = "pairs of a better and a worse answer" if ranking else "single answers"
        yield Hit((key,), span, {"name": name[:80], "stage": stage or "sft", "has": has})


def _value(known: Document, name: str) -> Any:
    node = known.node((name, "ranking"))
    return False if node is None else to_python(node)


def _named(ctx: CheckContext) -> Iterator[tuple[str, str]]:
    """The datasets of a config, each with the key that names it."""
    for key in _KEYS:
        written = plain(written_value(ctx.document, (key,)))
        names = written.split(",") if isinstance(written, str) else written
        for name in names if isinstance(names, list) else ():
            if isinstance(name, str) and name.strip() and not is_placeholder(name.strip()):
                yield key, name.strip()


def _folder(ctx: CheckContext) -> str:
    written = plain(written_value(ctx.document, ("dataset_dir",)))
    return written.rstrip("/") if isinstance(written, str) and written else "data"


def _shown(ctx: CheckContext) -> str:
    return f"{_folder(ctx)}/{_LIST}"[:120]


def _list(ctx: CheckContext) -> Document | None:
    """The list of datasets; None when it is not at hand, or cannot be read."""
    known = _written_list(ctx)
    return None if known is None or _refused(known) else known


def _refused(known: Document) -> str:
    """Why Python's JSON reader refuses a text; empty when it does not."""
    for problem in known.problems:
        if problem.kind not in (JsonProblemKind.NON_FINITE, JsonProblemKind.BOM):
            line = known.source.position(problem.span[0]).line
            return f"line {line}: {problem.kind.value.removeprefix('json-').replace('-', ' ')}"
    return ""


def _written_list(ctx: CheckContext) -> Document | None:
    """The list of datasets as it is written; None when there is no file, or it is not read."""
    folder = _folder(ctx)
    if folder == "ONLINE" or folder.startswith("REMOTE:"):
        return None
    if plain(written_value(ctx.document, ("tokenized_path",))):
        return None  # where that exists, the datasets are not examined
    path = named_file(f"{folder}/{_LIST}", ctx.around, _MAX_BYTES)
    if path is None:
        return None
    return named_document(path, language("json"), ctx.around, _MAX_BYTES)


CHECKS = {
    "dataset-list-not-read": list_not_read,
    "undefined-dataset": undefined_dataset,
    "dataset-of-other-kind": dataset_of_other_kind,
}
