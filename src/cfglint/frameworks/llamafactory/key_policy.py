"""What becomes of a key in one of LLaMA-Factory's files."""

from __future__ import annotations

from cfglint.base.type_names import TYPE_CHECKING, Any, ClassVar
from cfglint.frameworks.llamafactory.examined import KeysOfWords, KeysWithComparedWords, switch_of
from cfglint.frameworks.llamafactory.layout import DATASETS, V1, V1_SINCE
from cfglint.knowledge import compiled
from cfglint.knowledge.keys.release_keys import ReleaseKeys
from cfglint.roles.key_policy import (
    FORKED,
    IDLE,
    LEFT_ALONE,
    READ,
    REFUSED,
    REMOVED,
    UNKNOWN_KEY,
    UNREAD,
    KeyPolicy,
    Verdict,
    WrittenKey,
)
from cfglint.source.document import Mapping
from cfglint.source.values import to_python

if TYPE_CHECKING:
    from cfglint.environment.environment import Environment
    from cfglint.frameworks.llamafactory.own_code import LLaMAFactoryOwnCode
    from cfglint.roles.framework import Framework
    from cfglint.roles.parts import FileContext

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
#: Words that builds between two releases had: key -> what the next release calls each.
_NEWER_WORDS = {"template": {"gpt": "gpt_oss"}}
#: The same of values: templates, and the precisions of Megatron Bridge. `mixed_precision: bf16` is
#: rather accelerate's.
UNRELEASED_VALUES = {
    "template": frozenset({"hy_dense_1_8b", "hy_dense_7b", "moss_vl"}),
    "mixed_precision": frozenset({"bf16_mixed", "fp16_mixed"}),
}
#: Columns that data in the default format have, and others do not.
_OF_ALPACA = frozenset({"prompt", "query", "response", "history"})
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
#: Checksums of files, which releases up to 0.7.0 compared with a warning. Many lists still have them.
_OF_OLDER_LISTS = frozenset({"file_sha1", "dataset_sha1"})
#: Training arguments that went with a release of transformers (LLF102, LLF103).
_TAKEN_BY = {
    "dispatch_batches": "transformers 4.51",
    "evaluation_strategy": "transformers 4.51",
    "split_batches": "transformers 4.51",
    "tp_size": "transformers 4.52",
}
#: The first release that also runs with transformers 4.51, which no longer has `evaluation_strategy`.
_OLDER_NAME_MAY_BE_GONE = "0.9.3"


class LLaMAFactoryKeyPolicy(KeyPolicy):
    """The arguments of the older layout or those of v1, and the fields of the list of datasets."""

    shared_effect: ClassVar[str] = (
        "the command seems to start a fork, which may have options of its own"
    )

    def __init__(self, framework: Framework) -> None:
        super().__init__(framework)
        self._in: dict[str, ReleaseKeys] = {}

    def keys_in(self, target: Environment) -> ReleaseKeys:
        if self.framework.kind:
            return super().keys_in(target)
        known = self._in.get(target.release)
        if known is None:
            read = KeysOfWords if self.framework.in_scripts else KeysWithComparedWords
            known = self._in[target.release] = read(
                self.framework.keys,
                self.framework.releases.versions,
                target.release,
                self.own_key,
                judge=self.framework.parsing.judge(target.release),
            )
        return known

    def aliases(self) -> dict[str, tuple[Any, ...]]:
        if self.framework.kind != V1:
            return {} if self.framework.kind else super().aliases()
        found: dict[str, tuple[Any, ...]] = compiled.load("llamafactory_v1_aliases").ALIASES
        return found

    def reads_section(self, section: str, ctx: FileContext) -> bool:
        return self.framework.kind != V1 or ctx.release_keys.released(V1_SINCE)

    def by_name(self, section: str, name: str, keys: ReleaseKeys) -> Verdict:
        """The arguments of Megatron (LLF118) and of main (LLF157) have rules of their own."""
        verdict = super().by_name(section, name, keys)
        if self.framework.in_scripts and verdict.why == UNKNOWN_KEY and not section:
            from cfglint.source.languages.shell import is_frame

            if is_frame(name):
                return Verdict(LEFT_ALONE)
        of_rules = name in MEGATRON or name in UNRELEASED
        if verdict.why == UNKNOWN_KEY and of_rules and not self.framework.kind:
            return Verdict(LEFT_ALONE)
        return verdict

    def removed_below(self, name: str) -> str | None:
        return _TAKEN_BY.get(name)

    def standing(self, key: WrittenKey, ctx: FileContext) -> Verdict:
        verdict = super().standing(key, ctx)
        if verdict.state == REFUSED and key.full_name in _NEWER_WORDS:
            newer = _NEWER_WORDS[key.full_name].get(str(verdict.value))
            verdict = verdict.replaced(newer_word=newer)
        if verdict.state in (READ, REFUSED) and (
            _is_overwritten(key, ctx.release_keys) or _is_switched_off(key)
        ):
            return Verdict(IDLE)
        if verdict.state == REFUSED and self._is_read_otherwise(verdict.value, key, ctx.target):
            return Verdict(LEFT_ALONE)
        if self.framework.kind == DATASETS and key.name in _OF_OLDER_LISTS:
            return Verdict(LEFT_ALONE)
        unreleased = None if self.framework.kind else UNRELEASED_VALUES.get(key.name)
        if unreleased is not None and (verdict.state == REFUSED or verdict.why == UNKNOWN_KEY):
            value = to_python(key.entry.value)
            if isinstance(value, str) and value in unreleased:
                return Verdict(LEFT_ALONE)  # LLF157
        if verdict.state == REFUSED:
            return verdict.replaced(own_words=self._own_code.words(key, ctx))
        if verdict.state != UNREAD:
            return verdict
        if self.framework.kind == DATASETS and _is_needless_format(key, ctx):
            return Verdict(LEFT_ALONE)
        if self._seems_forked(ctx):
            verdict = verdict.replaced(other_reader=FORKED)
        if verdict.why == REMOVED:
            return verdict.replaced(removed_with=_TAKEN_BY.get(key.name, ""))
        if not (self.framework.kind or key.section) and key.name in _OF_DATASETS:
            hint = " It belongs in `dataset_info.json`, in the entry of its dataset."
            return verdict.replaced(hint=hint)
        return verdict

    @property
    def _own_code(self) -> LLaMAFactoryOwnCode:
        return self.framework.own_code  # type: ignore[return-value]

    def _seems_forked(self, ctx: FileContext) -> bool:
        from cfglint.frameworks.llamafactory.own_program import seems_forked

        return self.framework.in_scripts and seems_forked(self.framework, ctx)

    def _is_read_otherwise(self, value: Any, key: WrittenKey, target: Environment) -> bool:
        """Whether a rule of its own reports a refused value (LLF201), or a build between two releases has the word."""
        if self.framework.kind:
            return self.framework.kind == DATASETS and key.name == "formatting"
        own = target.pins.get(target.releases.package)
        if not target.placed or own is None or own.between is None:
            return False
        rows: list[list[Any]] = compiled.load("llamafactory_data").BETWEEN.get(key.full_name, [])
        return [*map(str, own.between), value] in rows


def _is_overwritten(key: WrittenKey, keys: ReleaseKeys) -> bool:
    """Transformers puts `evaluation_strategy` in `eval_strategy`'s place, as long as it knows that."""
    if key.full_name != "eval_strategy" or keys.released(_OLDER_NAME_MAY_BE_GONE):
        return False
    older = key.mapping.lookup.get("evaluation_strategy")
    return older is not None and to_python(older.value) is not None


def _is_switched_off(key: WrittenKey) -> bool:
    """Whether a setting is of an optimizer that the file does not switch on (LLF142)."""
    switch = switch_of(key.full_name)
    if not switch:
        return False
    entry = key.mapping.lookup.get(switch)
    return entry is None or not to_python(entry.value)


def _is_needless_format(key: WrittenKey, ctx: FileContext) -> bool:
    """Whether `formatting` is where nothing reads it, and the columns are those of the default."""
    if key.name != "formatting" or len(key.path) < 2:
        return False
    columns = ctx.document.node((*key.path[:-2], "columns"))
    names = {entry.name for entry in columns.entries} if isinstance(columns, Mapping) else set()
    return not names.isdisjoint(_OF_ALPACA)


ROLE = LLaMAFactoryKeyPolicy
