"""LLaMA-Factory: the YAML or JSON file that its command line reads."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from cfglint.base.type_names import ClassVar
from cfglint.checks.context import CheckContext
from cfglint.checks.sources import has_folder, in_module
from cfglint.environment.surroundings import Surroundings
from cfglint.framework import Framework
from cfglint.frameworks.llamafactory.layout import V1, is_v1, is_whole
from cfglint.knowledge.rules.index.triggers import has_value
from cfglint.roles.parts import CheckSource
from cfglint.source.document import Document


def _is_json(around: Surroundings) -> bool:
    """Whether a file's name ends like that of a JSON file."""
    return around.path.lower().endswith(".json")


def _is_of_older_layout(ctx: CheckContext) -> bool:
    return not ctx.framework.kind


class LLaMAFactory(Framework):
    """LLaMA-Factory's files, of the older layout or of `v1`."""

    name = "llamafactory"
    own_roles = frozenset({"key_policy", "launching", "own_code", "parsing", "readings"})
    checks: ClassVar[Mapping[str, CheckSource]] = {
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
            "cfglint.frameworks.llamafactory.checks.json_file", "json-file", around=_is_json
        ),
    }

    def kind_of(self, document: Document, around: Surroundings) -> str:
        return self.kind or (V1 if is_v1(document, around) else "")

    @cached_property
    def title(self) -> str:
        title = str(self.row["title"])
        return f"{title} ({self.kind})" if self.kind else title

    def is_own(self, document: Document) -> bool:
        return is_whole(document)


FRAMEWORK = LLaMAFactory
