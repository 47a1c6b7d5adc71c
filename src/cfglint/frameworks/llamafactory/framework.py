"""LLaMA-Factory: the YAML or JSON file that its command line reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from cfglint.base.logic import UNKNOWN, plain
from cfglint.base.type_names import TYPE_CHECKING, Any, ClassVar
from cfglint.checks.sources import has_folder, in_module
from cfglint.environment.surroundings import Surroundings
from cfglint.framework import Framework
from cfglint.frameworks.deepspeed.references import deepspeed_settings
from cfglint.frameworks.llamafactory.derived import DERIVED
from cfglint.frameworks.llamafactory.judge import AS_WRITTEN, SECTIONS_AS_TEXT
from cfglint.frameworks.llamafactory.layout import V1, V1_SINCE, is_v1, is_whole
from cfglint.knowledge import compiled
from cfglint.knowledge.keys.judges import Judge
from cfglint.knowledge.keys.release_keys import ReleaseKeys
from cfglint.knowledge.keys.table import KeyTable
from cfglint.knowledge.rules.index.triggers import has_value
from cfglint.knowledge.rules.knowledge import ProjectRules
from cfglint.knowledge.rules.views import written_value
from cfglint.roles.parts import CheckSource, Reference
from cfglint.source.document import Document, Scalar
from cfglint.source.document import Mapping as MappingNode
from cfglint.source.languages.named import language
from cfglint.source.values import to_python

if TYPE_CHECKING:
    from cfglint.diagnostic import Diagnostic
    from cfglint.environment.environment import Environment
    from cfglint.fit.planning import Planner
    from cfglint.knowledge.rules.views import View
    from cfglint.roles.reading.base import Reading
    from cfglint.settings.words import Override
    from cfglint.source.languages.base import Language
    from cfglint.starts.start import Start

#: The first release that reads YAML with OmegaConf (PR 8505); `yaml.safe_load` did it before.
_OMEGACONF_SINCE = "0.9.4"
#: The first release whose command line takes `key=value` behind the file.
_OVERRIDES_SINCE = "0.9.3"
_MODEL = "model."
#: Arguments that `mcore_adapter` adds when `USE_MCA=1` is set, but for `optimizer`, which is rather
#: another program's name for `optim`.
MEGATRON = frozenset(
    {
        "account_for_embedding_in_pipeline_split",
        "account_for_loss_in_pipeline_split",
        "accumulate_allreduce_grads_in_fp32",
        "additional_configs",
        "apply_rope_fusion",
        "bias_activation_fusion",
        "calculate_per_token_loss",
        "check_for_nan_in_loss_and_grad",
        "ckpt_d2h_non_blocking",
        "ckpt_format",
        "compile_warmup",
        "context_parallel_size",
        "cross_entropy_loss_fusion",
        "cuda_graph_impl",
        "cuda_graph_scope",
        "ddp_average_in_collective",
        "ddp_bucket_size",
        "delay_grad_reduce",
        "distrib_optim_fully_reshardable",
        "distrib_optim_fully_reshardable_mem_efficient",
        "expert_model_parallel_size",
        "expert_tensor_parallel_size",
        "fp8_param",
        "fp8_recipe",
        "moe_aux_loss_coeff",
        "moe_enable_routing_replay",
        "moe_expert_capacity_factor",
        "moe_grouped_gemm",
        "moe_layer_recompute",
        "moe_pad_expert_input_to_capacity",
        "moe_router_dtype",
        "moe_shared_expert_overlap",
        "moe_token_dispatcher_type",
        "moe_token_drop_policy",
        "mtp_num_layers",
        "optimizer_cpu_offload",
        "optimizer_offload_fraction",
        "overlap_grad_reduce",
        "overlap_p2p_comm",
        "overlap_param_gather",
        "pipeline_model_parallel_layout",
        "pipeline_model_parallel_size",
        "recompute_granularity",
        "recompute_method",
        "recompute_modules",
        "recompute_num_layers",
        "save_hf_model",
        "save_merged_model",
        "sequence_packing",
        "sequence_parallel",
        "tensor_model_parallel_size",
        "transformer_impl",
        "use_distributed_optimizer",
        "variable_seq_lengths",
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
        # With `USE_MEGATRON_BRIDGE=1`; `mcore_adapter` has the others of that kind, too.
        "export_hf_on_finish",
        "extra_config",
        "masked_softmax_fusion",
        "megatron_pretrained_checkpoint",
        "use_packed_sequences",
    }
)
#: The same of values: templates, and the precisions of Megatron Bridge. `mixed_precision: bf16` is
#: rather accelerate's.
UNRELEASED_VALUES = {
    "template": frozenset({"hy_dense_1_8b", "hy_dense_7b", "moss_vl"}),
    "mixed_precision": frozenset({"bf16_mixed", "fp16_mixed"}),
}
#: What the entries of `dataset_info.json` say about a dataset, as far as no argument is called the same.
_OF_DATASETS = frozenset(
    {
        *("formatting", "ranking", "subset", "columns", "tags", "num_samples"),
        *("file_name", "hf_hub_url", "ms_hub_url", "script_url"),
        *("messages", "tools", "chosen", "rejected", "kto_tag", "prompt", "query", "response"),
        *("role_tag", "content_tag", "user_tag", "assistant_tag", "observation_tag"),
        *("function_tag", "system_tag"),
    }
)
#: Training arguments that went with a release of transformers (LLF102, LLF103).
_TAKEN_BY = {
    "dispatch_batches": "transformers 4.51",
    "evaluation_strategy": "transformers 4.51",
    "split_batches": "transformers 4.51",
    "tp_size": "transformers 4.52",
}
#: The sections of the v1 layout that choose a plugin, and the class that its plugins are registered with.
_PLUGINS = {"lr_scheduler_config": "LRSchedulerPlugin", "optim_config": "OptimizerPlugin"}
#: The argument whose values have got other names, and the rule that says so.
_METHOD = "quantization_method"
_METHOD_RENAMED = "LLF011"
#: The family of the rules about files of the v1 layout.
_V1_FAMILY = "LFV"
#: Checks of `dataset_info.json`, which the v1 layout does not have.
_DATASET_CHECKS = ("dataset-list-not-read", "undefined-dataset", "dataset-of-other-kind")

#: The first release that runs beside transformers 4.51, too, which no longer has `evaluation_strategy`.
_OLDER_NAME_MAY_BE_GONE = "0.9.3"


def _is_json(around: Surroundings) -> bool:
    """Whether a file's name says that it is JSON."""
    return around.path.lower().endswith(".json")


class LLaMAFactory(Framework):
    """How LLaMA-Factory recognizes, reads and completes a file.

    Args:
        layout: of the files, `v1` or empty for the older one.
    """

    name = "llamafactory"
    checks: ClassVar[Mapping[str, CheckSource]] = {
        **in_module(
            "cfglint.frameworks.llamafactory.checks.dataset_info",
            *_DATASET_CHECKS,
            around=has_folder,
            needs=frozenset({has_value("dataset"), has_value("eval_dataset")}),
        ),
        **in_module(
            "cfglint.frameworks.llamafactory.checks.json_file", "json-file", around=_is_json
        ),
    }
    derived_values = DERIVED

    def __init__(self, project_rules: ProjectRules | None = None, layout: str = "") -> None:
        super().__init__(project_rules)
        self.layout = layout
        self._of_v1: LLaMAFactory | None = None

    def for_document(self, document: Document, around: Surroundings) -> Framework:
        """The framework with the keys and the rules of the layout that a file is in."""
        if self.layout or not is_v1(document, around):
            return self
        if self._of_v1 is None:
            self._of_v1 = LLaMAFactory(self._project_rules, V1)
        return self._of_v1

    @cached_property
    def title(self) -> str:
        return f"{self.own_title} ({self.layout})" if self.layout else self.own_title

    def is_own(self, document: Document) -> bool:
        return is_whole(document)

    @cached_property
    def rules(self) -> int:
        """Those about the layout; most of the older one's are about programs that v1 does not start."""
        knowledge = self.knowledge
        of_v1 = knowledge.rules_of_family(_V1_FAMILY)
        if not self.layout:
            return knowledge.every_rule & ~of_v1
        general = [name for name in knowledge.check_names if name not in _DATASET_CHECKS]
        return of_v1 | knowledge.rules_of_checks(general)

    @cached_property
    def keys(self) -> KeyTable:
        return KeyTable(compiled.load("llamafactory_v1_keys")) if self.layout else super().keys

    @property
    def fields(self) -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
        if not self.layout:
            return super().fields
        return compiled.load("llamafactory_v1_fields").FIELDS  # type: ignore[no-any-return]

    @cached_property
    def aliases(self) -> dict[str, tuple[Any, ...]]:
        if not self.layout:
            return super().aliases
        return compiled.load("llamafactory_v1_aliases").ALIASES  # type: ignore[no-any-return]

    def reads_section(self, section: str, document: Document, keys: ReleaseKeys) -> bool:
        return not self.layout or keys.released(V1_SINCE)

    def language_for(self, text: str, release: str) -> Language:
        """OmegaConf's YAML or PyYAML's, by release; JSON's numbers are OmegaConf's in both."""
        is_json = text.lstrip("\ufeff \t\r\n").startswith("{")
        return self.language if is_json or self._reads_omegaconf(release) else language("yaml")

    def _reads_omegaconf(self, release: str) -> bool:
        return self.release_keys(release).released(_OMEGACONF_SINCE)

    def judge(self, release: str) -> Judge:
        return SECTIONS_AS_TEXT if self.layout else AS_WRITTEN

    def told_by_rules(self, section: str, name: str) -> bool:
        """The arguments of Megatron, which a variable of the environment brings (LLF118), and of main (LLF157)."""
        return not self.layout and (name in MEGATRON or name in UNRELEASED)

    def value_told_by_rules(self, section: str, name: str, value: Any) -> bool:
        """The values of main (LLF157)."""
        known = None if self.layout else UNRELEASED_VALUES.get(name)
        return known is not None and isinstance(value, str) and value in known

    def known_elsewhere(self, section: str, name: str) -> str:
        if self.layout or section or name not in _OF_DATASETS:
            return ""
        return " It belongs in `dataset_info.json`, in the entry of its dataset."

    def is_overwritten(
        self, section: str, name: str, mapping: MappingNode, keys: ReleaseKeys
    ) -> bool:
        """Transformers puts `evaluation_strategy` in `eval_strategy`'s place, as long as it knows that."""
        if section or name != "eval_strategy" or keys.released(_OLDER_NAME_MAY_BE_GONE):
            return False
        older = mapping.lookup.get("evaluation_strategy")
        return older is not None and to_python(older.value) is not None

    def in_own_copy(self, word: str, target: Environment, around: Surroundings) -> bool:
        """Whether a clone or a fork in the project has it: it counts unless the user names a release."""
        pin = target.pins.get(self.packages[0])
        if around.folder is None or (pin is not None and not pin.in_project):
            return False
        from cfglint.frameworks.llamafactory.own_copy import words_around

        return word in words_around(around)

    def own_copy_differs(
        self, hit: Diagnostic, document: Document, target: Environment, around: Surroundings
    ) -> bool:
        """Keys of main (LLF157), the plugins of the v1 layout (LFV010, LFV011), a method's name (LLF011)."""
        name = str(hit.path[0]) if hit.path else ""
        if name == _METHOD and hit.code == _METHOD_RENAMED:
            method = plain(written_value(document, (name,)))
            return isinstance(method, str) and self.in_own_copy(method, target, around)
        if hit.upstream != "rejects":
            return False
        if name in UNRELEASED and not self.layout:
            return self.in_own_copy(name, target, around)
        plugin = _PLUGINS.get(name)
        if plugin is None:
            return False
        chosen = document.node((name, "name"))
        return isinstance(chosen, Scalar) and self.in_own_copy(
            f"{plugin}.{chosen.value}", target, around
        )

    def may_be_completed(self, target: Environment, around: Surroundings) -> bool:
        return not around.launches and self.release_keys(target.release).released(_OVERRIDES_SINCE)

    def taken_by(self, name: str) -> str:
        return _TAKEN_BY.get(name, "")

    def fact(self, name: str, view: View, around: Surroundings) -> Any:
        """A fact about the model, known by its name."""
        model = plain(view.value(("model_name_or_path",)))
        if not name.startswith(_MODEL) or not isinstance(model, str):
            return UNKNOWN
        known = self.knowledge.model(model.rstrip("/").rpartition("/")[2])
        return UNKNOWN if known is None else known.get(name[len(_MODEL) :], UNKNOWN)

    def reading(self, target: Environment) -> Reading:
        from cfglint.frameworks.llamafactory.reading import LLaMAFactoryReading, V1Reading

        return V1Reading(self, target) if self.layout else LLaMAFactoryReading(self, target)

    def planner(
        self, document: Document, target: Environment, around: Surroundings
    ) -> Planner | None:
        if is_v1(document, around):
            return None
        from cfglint.fit.values import Values
        from cfglint.frameworks.llamafactory.fit.planner import LLaMAFactoryPlanner

        return LLaMAFactoryPlanner(Values(document, self, target.release), around)

    def references(self, document: Document, around: Surroundings) -> Iterator[Reference]:
        # The rules about both files are about the older layout's trainer.
        return iter(()) if self.layout else deepspeed_settings(document, around)

    def overrides(self, line: Start, document: Document, release: str) -> Iterable[Override]:
        from cfglint.frameworks.llamafactory.launch_words import overrides

        keys = self.release_keys(release)
        return overrides(line, self.language) if keys.released(_OVERRIDES_SINCE) else ()


FRAMEWORK = LLaMAFactory
