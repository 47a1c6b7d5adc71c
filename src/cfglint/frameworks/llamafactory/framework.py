"""LLaMA-Factory: the YAML or JSON file that its command line reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from cfglint.checks.sources import has_folder, in_module
from cfglint.environment.surroundings import Surroundings
from cfglint.framework import Framework
from cfglint.framework_parts import Override, Reference
from cfglint.frameworks.deepspeed.references import deepspeed_settings
from cfglint.frameworks.llamafactory.derived import DERIVED
from cfglint.frameworks.llamafactory.judge import AS_WRITTEN
from cfglint.keys.judges import Judge
from cfglint.logic import UNKNOWN, plain
from cfglint.rules.index.triggers import has_value
from cfglint.source.document import Document
from cfglint.source.languages.named import language

if TYPE_CHECKING:
    from cfglint.environment.environment import Environment
    from cfglint.environment.project.launch_commands import LaunchLine
    from cfglint.fit.planning import Planner
    from cfglint.rules.views import View
    from cfglint.source.languages.base import Language

#: The first release that reads YAML with OmegaConf (PR 8505); `yaml.safe_load` did it before.
_OMEGACONF_SINCE = "0.9.4"
#: The first release whose command line takes `key=value` behind the file.
_OVERRIDES_SINCE = "0.9.3"
_MODEL = "model."
#: Arguments that `mcore_adapter` adds when `USE_MCA=1` is set, as far as examples have them.
MEGATRON = frozenset(
    {
        "apply_rope_fusion",
        "bias_activation_fusion",
        "context_parallel_size",
        "expert_model_parallel_size",
        "moe_grouped_gemm",
        "moe_token_dispatcher_type",
        "overlap_grad_reduce",
        "overlap_param_gather",
        "pipeline_model_parallel_size",
        "recompute_granularity",
        "sequence_parallel",
        "tensor_model_parallel_size",
        "use_distributed_optimizer",
        "use_packed_sequences",
        "virtual_pipeline_model_parallel_size",
    }
)
#: Keys that the main branch has had since 0.9.5 (seen on 2026-08-18), and no release yet.
UNRELEASED = frozenset(
    {
        "hyper_parallel_cp_size",
        "kt_config",
        "kt_cpu_activation",
        "kt_non_expert_weight_path",
        "use_megatron_bridge",
    }
)


class LLaMAFactory(Framework):
    """How LLaMA-Factory recognizes, reads and completes a file."""

    name = "llamafactory"
    #: The defaults of its key table are not compared with those of its own reader.
    completes = False
    checks = in_module(
        "cfglint.frameworks.llamafactory.checks.dataset_info",
        "undefined-dataset",
        "dataset-of-other-kind",
        around=has_folder,
        needs=frozenset({has_value("dataset"), has_value("eval_dataset")}),
    )
    derived_values = DERIVED

    def language_for(self, text: str, release: str) -> Language:
        """OmegaConf's YAML or PyYAML's, by release; JSON's numbers are OmegaConf's in both."""
        is_json = text.lstrip("\ufeff \t\r\n").startswith("{")
        return self.language if is_json or self._reads_omegaconf(release) else language("yaml")

    def _reads_omegaconf(self, release: str) -> bool:
        return self.release_keys(release).released(_OMEGACONF_SINCE)

    def judge(self, release: str) -> Judge:
        return AS_WRITTEN

    def told_by_rules(self, section: str, name: str) -> bool:
        """The arguments of Megatron, which a variable of the environment brings (LLF118), and of main (LLF157)."""
        return name in MEGATRON or name in UNRELEASED

    def fact(self, name: str, view: View, around: Surroundings) -> Any:
        """A fact about the model, known by its name."""
        model = plain(view.value(("model_name_or_path",)))
        if not name.startswith(_MODEL) or not isinstance(model, str):
            return UNKNOWN
        known = self.knowledge.model(model.rstrip("/").rpartition("/")[2])
        return UNKNOWN if known is None else known.get(name[len(_MODEL) :], UNKNOWN)

    def planner(
        self, document: Document, target: Environment, around: Surroundings
    ) -> Planner | None:
        from cfglint.fit.values import Values
        from cfglint.frameworks.llamafactory.fit.planner import LLaMAFactoryPlanner

        return LLaMAFactoryPlanner(Values(document, self, target.release), around)

    def references(self, document: Document, around: Surroundings) -> Iterator[Reference]:
        return deepspeed_settings(document, around)

    def overrides(self, line: LaunchLine, document: Document, release: str) -> Iterable[Override]:
        from cfglint.frameworks.llamafactory.launch_words import overrides

        keys = self.release_keys(release)
        return overrides(line, self.language) if keys.released(_OVERRIDES_SINCE) else ()


FRAMEWORK = LLaMAFactory
