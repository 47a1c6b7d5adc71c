"""LLaMA-Factory: the YAML or JSON file that its command line reads."""

from __future__ import annotations

from collections import abc
from functools import cached_property

from cfglint.base.type_names import ClassVar
from cfglint.checks.context import CheckContext
from cfglint.checks.sources import has_folder, has_project, in_module, is_launched, of_scripts
from cfglint.environment.surroundings import Surroundings
from cfglint.frameworks.llamafactory.layout import DATASETS, V1
from cfglint.knowledge.rules.index.triggers import has_value, is_true
from cfglint.roles.framework import Framework
from cfglint.roles.parts import CheckSource


def _is_json(around: Surroundings) -> bool:
    """Whether a file's name ends like that of a JSON file."""
    return around.path.lower().endswith(".json")


def _is_config(ctx: CheckContext) -> bool:
    return ctx.framework.kind != DATASETS


def _is_of_older_layout(ctx: CheckContext) -> bool:
    return not ctx.framework.kind


def _has_datasets(ctx: CheckContext) -> bool:
    """Whether a file is the list of datasets, or names some of it."""
    if ctx.framework.kind:
        return ctx.framework.kind == DATASETS
    return any(ctx.document.entry((key,)) is not None for key in ("dataset", "eval_dataset"))


def _is_file(ctx: CheckContext) -> bool:
    return not ctx.framework.in_scripts


class LLaMAFactory(Framework):
    """LLaMA-Factory's files, of the older layout or of `v1`."""

    name = "llamafactory"
    own_roles = frozenset(
        {"key_policy", "launching", "own_code", "own_files", "parsing", "readings"}
    )
    checks: ClassVar[abc.Mapping[str, CheckSource]] = {
        **of_scripts(),
        **in_module("cfglint.frameworks.llamafactory.checks.missing_key", "missing-required-key"),
        # The v1 layout has no `dataset_info.json`.
        **in_module(
            "cfglint.frameworks.llamafactory.checks.dataset_info",
            "dataset-list-not-read",
            "undefined-dataset",
            "dataset-of-other-kind",
            around=has_folder,
            file=_is_of_older_layout,
            needs=frozenset({has_value("dataset"), has_value("eval_dataset")}),
        ),
        **in_module(
            "cfglint.frameworks.llamafactory.checks.launch_line",
            "launch-evaluation-removed",
            "launch-export-file-trained",
            "launch-short-ending",
            "launch-training-file-elsewhere",
            "launch-words-behind-file",
            "launch-rank-variable",
            around=is_launched,
            file=_is_file,
        ),
        **in_module(
            "cfglint.frameworks.llamafactory.checks.deepspeed_file",
            "deepspeed-file-missing",
            around=has_folder,
            file=_is_file,
            needs=frozenset({is_true("deepspeed")}),
        ),
        **in_module(
            "cfglint.frameworks.deepspeed.trainer_pair",
            "deepspeed-settings-of-file-differ",
            needs=frozenset({is_true("deepspeed")}),
        ),
        **in_module(
            "cfglint.frameworks.deepspeed.other_schedule",
            "deepspeed-schedule-replaces",
            needs=frozenset({is_true("deepspeed")}),
        ),
        **in_module(
            "cfglint.frameworks.accelerate.launched_deepspeed",
            "launched-deepspeed-settings-differ",
            around=has_project,
        ),
        **in_module(
            "cfglint.frameworks.accelerate.other_strategy",
            "launch-of-other-strategy",
            around=has_project,
        ),
        **in_module(
            "cfglint.frameworks.accelerate.trainer_pair",
            "launch-settings-differ",
            around=has_folder,
            needs=frozenset({has_value("gradient_accumulation_steps"), has_value("max_grad_norm")}),
        ),
        **in_module(
            "cfglint.frameworks.llamafactory.checks.dataset_info",
            "streamed-files-without-workers",
            around=has_folder,
            file=_is_of_older_layout,
            needs=frozenset({has_value("streaming")}),
        ),
        **in_module(
            "cfglint.frameworks.llamafactory.checks.mixing",
            "shares-of-datasets",
            "share-of-each-dataset",
            file=_is_of_older_layout,
            needs=frozenset({has_value("interleave_probs")}),
        ),
        **in_module(
            "cfglint.frameworks.llamafactory.checks.json_file",
            "json-file",
            around=_is_json,
            file=_is_config,
        ),
        **in_module(
            "cfglint.frameworks.llamafactory.checks.dataset_entries",
            "dataset-without-source",
            "dataset-of-unknown-format",
            "dataset-column-without-name",
            "dataset-setting-under-another-name",
            file=_has_datasets,
        ),
        **in_module(
            "cfglint.frameworks.llamafactory.checks.dataset_data",
            "dataset-file-not-there",
            "dataset-file-of-other-kind",
            "dataset-column-not-there",
            "dataset-message-key-not-there",
            "dataset-file-below-its-folder-twice",
            "dataset-file-of-plain-text",
            around=has_folder,
            file=_has_datasets,
        ),
        **in_module(
            "cfglint.frameworks.llamafactory.checks.dataset_media",
            "dataset-media-without-places",
            around=has_folder,
            file=_has_datasets,
        ),
    }

    @cached_property
    def title(self) -> str:
        title = str(self.row["title"])
        return f"{title} ({self.kind})" if self.kind == V1 else title


FRAMEWORK = LLaMAFactory
