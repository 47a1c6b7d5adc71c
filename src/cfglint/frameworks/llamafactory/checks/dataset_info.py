"""Whether `dataset_info.json`, the list of all datasets, has those of a config.

The file lies in `dataset_dir` (`data` when the config names none). `ranking` says of each dataset
whether its samples are pairs of a better and a worse answer, and each stage wants one kind.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from cfglint.base.logic import plain
from cfglint.base.shortened import shortened
from cfglint.base.spelling import Speller
from cfglint.base.type_names import Any
from cfglint.checks.context import CheckContext, Hit
from cfglint.environment.named_files import named_document
from cfglint.environment.project_texts import scripts_and_programs
from cfglint.environment.python_sources import project_root
from cfglint.environment.surroundings import Surroundings
from cfglint.frameworks.llamafactory.checks.list_beside import list_beside, may_have
from cfglint.frameworks.llamafactory.datasets import (
    LIST,
    MAX_BYTES,
    REMOTE,
    dataset_folder,
    list_path,
    named_datasets,
)
from cfglint.knowledge.rules.views import written_value
from cfglint.source.document import Document, Mapping, Scalar
from cfglint.source.json_problems import JsonProblemKind
from cfglint.source.languages.named import language
from cfglint.source.values import to_python

#: For so many names of a config the closest of the list is looked for: a list may have thousands.
_MAX_GUESSES = 20
#: What each stage asks of a dataset.
_OF_PAIRS = {
    **dict.fromkeys(("rm", "dpo", "orpo"), True),
    **dict.fromkeys(("pt", "sft", "ppo", "kto"), False),
}
#: What a program or a script has that writes JSON.
_WRITING = ("json.dump", "jq ")
_OF_HUBS = ("hf_hub_url", "ms_hub_url", "om_hub_url")
#: The columns of a better and a worse answer.
_OF_A_PAIR = ("chosen", "rejected")


def list_not_read(ctx: CheckContext) -> Iterator[Hit]:
    """A list of datasets that Python's JSON reader refuses, as LLaMA-Factory does for whatever dataset."""
    known = _written_list(ctx)
    if known is None:
        return
    key = next((key for key, _ in named_datasets(ctx.document)), None)
    span = None if key is None else ctx.document.span((key,))
    why = _refused(known)
    if key is not None and span is not None and why:
        yield Hit((key,), span, {"list": _shown(ctx), "why": why})


def undefined_dataset(ctx: CheckContext) -> Iterator[Hit]:
    """A name that the list of datasets does not have."""
    known, is_beside = _list(ctx), False
    if known is None and _written_list(ctx) is None:
        known, is_beside = list_beside(ctx), True
    if known is None:
        return
    names = dict.fromkeys(filter(None, (entry.name for entry in known.root.entries)))
    of_hubs = _entries_of_hubs(known)
    speller: Speller | None = None
    guesses = 0
    for key, name in named_datasets(ctx.document):
        if name in names or (is_beside and may_have(name, known)):
            continue
        guess = None
        if guesses < _MAX_GUESSES:
            guesses += 1
            speller = speller or Speller(names)
            guess = speller.closest(name)
        hint = f" The closest name is `{guess.name}`." if guess is not None else ""
        of_hub = of_hubs.get(name)
        if of_hub:
            hint = f" `{shortened(of_hub, 80)}` is the entry of this dataset of the Hub."
        elif "/" in name and guess is None:
            hint = " One of the Hub needs an entry with `hf_hub_url`, or `dataset_dir: ONLINE`."
        adder = _adder(name, ctx.around)
        if adder is not None:
            path, starts = adder
            if starts:
                continue
            hint = f" `{shortened(path, 80)}` has that name, and adds it if it runs before."
        span = ctx.document.span((key,))
        if span is not None:
            shown = f"./{LIST}" if is_beside else _shown(ctx)
            params = {"name": shortened(name, 80), "list": shown, "hint": hint}
            is_sure = adder is None and not is_beside
            yield Hit((key,), span, params, severity=None if is_sure else "warning")


def _adder(name: str, around: Surroundings) -> tuple[str, bool] | None:
    """The program or script of the project that has a name and writes the list of datasets; None without one.

    And whether it goes on with the config itself, so that the name is there in time.
    """
    if around.folder is None:
        return None
    root, config = project_root(around, around.folder), os.path.basename(around.path)
    found = None
    for path, text in scripts_and_programs(around):
        if text is None or name not in text or LIST not in text:
            continue
        if any(word in text for word in _WRITING):
            shown = os.path.relpath(path, root).replace(os.sep, "/")
            if config and text.find(config, text.index(LIST)) >= 0:
                return shown, True
            found = found or (shown, False)
    return found


def _entries_of_hubs(known: Document) -> dict[str, str]:
    """Datasets of the Hub -> the name of the first entry that loads each."""
    found: dict[str, str] = {}
    for entry in known.root.entries:
        for key in _OF_HUBS if entry.name is not None else ():
            node = known.node((str(entry.name), key))
            if isinstance(node, Scalar) and isinstance(node.value, str):
                found.setdefault(node.value, str(entry.name))
    return found


def dataset_of_other_kind(ctx: CheckContext) -> Iterator[Hit]:
    """A dataset of pairs in a stage that wants single answers, or the reverse."""
    known = _list(ctx)
    stage = ctx.value("stage")
    pairs = _OF_PAIRS.get(stage if isinstance(stage, str) else "sft")
    if known is None or pairs is None:
        return
    for key, name in named_datasets(ctx.document):
        node = known.node((name,))
        span = ctx.document.span((key,))
        if not isinstance(node, Mapping) or span is None:
            continue
        ranking = _value(known, name)
        if ranking is pairs or not isinstance(ranking, bool):
            continue
        yield Hit(
            (key,),
            span,
            {
                "name": shortened(name, 80),
                "stage": stage or "sft",
                "has": "pairs of a better and a worse answer" if ranking else "single answers",
                "hint": "" if ranking else _hint_of_pairs(known, name),
            },
        )


def streamed_files_without_workers(ctx: CheckContext) -> Iterator[Hit]:
    """A stream of local files is cut into one part for each worker, so there is none without workers.

    What the list of datasets does not show as a file of its folder may come from elsewhere.
    """
    document = ctx.document
    if not plain(written_value(document, ("streaming",))):
        return
    if plain(written_value(document, ("dataloader_num_workers",))) not in (None, 0):
        return
    known = _list(ctx)
    span = document.span(("streaming",))
    for key, name in named_datasets(ctx.document):
        entry = None if known is None else known.node((name,))
        if span is None or key != "dataset" or not isinstance(entry, Mapping):
            continue
        if not any(other in entry.lookup for other in REMOTE):
            yield Hit(("streaming",), span, {"name": shortened(name, 80)})
            return


def _hint_of_pairs(known: Document, name: str) -> str:
    """What an entry lacks that has the columns of pairs, in words."""
    columns = known.node((name, "columns"))
    has_pairs = isinstance(columns, Mapping) and all(one in columns.lookup for one in _OF_A_PAIR)
    return " It has their columns: `ranking: true` is missing in its entry." if has_pairs else ""


def _value(known: Document, name: str) -> Any:
    node = known.node((name, "ranking"))
    return False if node is None else to_python(node)


def _shown(ctx: CheckContext) -> str:
    return f"{dataset_folder(ctx.document)}/{LIST}"[:120]


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
    path = list_path(ctx.document, ctx.around)
    if path is None:
        return None
    return named_document(path, language("json"), ctx.around, MAX_BYTES)


CHECKS = {
    "dataset-list-not-read": list_not_read,
    "undefined-dataset": undefined_dataset,
    "dataset-of-other-kind": dataset_of_other_kind,
    "streamed-files-without-workers": streamed_files_without_workers,
}
