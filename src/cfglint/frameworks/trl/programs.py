"""Programs whose classes extend TRL's: their files have keys of TRL and keys of their own."""

from __future__ import annotations

from itertools import islice

from cfglint.base.type_names import Final
from cfglint.knowledge.keys.table import KeyTable
from cfglint.source.document import Document

#: Keys of the scripts of the alignment-handbook (all its releases) and of open-r1.
_OF_SCRIPTS: Final = frozenset(
    {
        *("chat_template", "dataset_mixer", "dataset_mixture", "dataset_configs"),
        *("dataset_splits", "text_column", "preprocessing_num_workers", "truncation_side"),
        *("auto_insert_empty_system_msg", "base_model_revision", "model_code_revision"),
        *("tokenizer_name_or_path", "use_flash_attention_2", "hub_model_revision"),
        *("push_to_hub_revision", "overwrite_hub_revision", "benchmarks", "callbacks"),
        *("system_prompt", "num_completions_to_print", "wandb_entity", "wandb_project"),
        *("wandb_run_group", "cosine_min_value_wrong", "cosine_max_value_wrong"),
        *("cosine_min_value_correct", "cosine_max_value_correct", "cosine_max_len"),
        *("repetition_n_grams", "repetition_max_penalty", "code_language"),
        *("code_eval_test_batch_size", "code_eval_scoring_mode", "parallel_code_exec_per_proc"),
        *("dataset_prompt_column", "e2b_router_url", "morph_router_url", "code_provider"),
        *("ioi_provider", "max_completion_len", "soft_punish_cache"),
    }
)
#: Those that users of TRL's own commands write as well, by mistake.
_ALSO_SLIPS: Final = frozenset(
    {
        *("wandb_entity", "wandb_project", "wandb_run_group", "use_flash_attention_2"),
        *("preprocessing_num_workers", "truncation_side", "text_column"),
    }
)
#: Keys of other scripts that are known: of tutorials, of TRL's own examples, of SimPO.
_OF_OTHERS: Final = frozenset(
    {
        *("dataset_id_or_path", "spectrum_config_path", "gamma_beta_ratio"),
        *("eval_dataset_path", "project_name"),
    }
)
#: Key that shows a program -> keys of TRL's classes that it has in classes of its own: the
#: alignment-handbook before 0.5 (its model arguments, and before 0.4 those of its trainers), SimPO.
_IN_OWN_CLASSES: Final = {
    "dataset_mixer": frozenset({"torch_dtype", "loss_type", "dataset_kwargs"}),
    "gamma_beta_ratio": frozenset({"max_prompt_length", "loss_type"}),
}
#: Those that TRL has had since then, too.
_ALSO_TRL: Final = frozenset({"num_completions_to_print"})
_MARKS: Final = (_OF_SCRIPTS - _ALSO_SLIPS - _ALSO_TRL) | _OF_OTHERS
#: Keys that name data, and how many unknown keys in a file without one of them speak for a script
#: with arguments of its own.
_DATA: Final = frozenset({"dataset_name", "datasets"})
_MANY: Final = 3
#: Keys of which a file for a training has one.
_OF_TRAINING: Final = frozenset(
    {
        *("learning_rate", "output_dir", "num_train_epochs", "max_steps"),
        *("per_device_train_batch_size", "gradient_accumulation_steps"),
    }
)
#: How a part of a Hydra config begins; what TRL gets is put together from several.
OF_HYDRA: Final = "# @package "


def is_extended(document: Document, keys: KeyTable) -> bool:
    """Whether a program of its own reads a file: its keys say so, or it names its data otherwise, or trains nothing."""
    names = _names(document)
    if _is_of_scripts(names):
        return True
    if not (_DATA.isdisjoint(names) or _OF_TRAINING.isdisjoint(names)):
        return False
    # Not more than it takes: each unknown key of a file asks.
    unknown = (name for name in names if keys.info("", name) is None)
    return len(list(islice(unknown, _MANY))) == _MANY


def may_be_extended(document: Document) -> bool:
    """Whether a file has keys that such a program reads, or that are written by mistake."""
    return not _ALSO_SLIPS.isdisjoint(_names(document))


def own_keys(document: Document) -> frozenset[str]:
    """The keys of a file that the program which reads it is known to have."""
    return _OF_SCRIPTS | _OF_OTHERS if _is_of_scripts(_names(document)) else frozenset()


def loads_like_trl(document: Document, keys: KeyTable) -> bool:
    """Whether the alignment-handbook or open-r1 reads a file, with no argument that is not known.

    Both load and train models as TRL's own commands do (`get_model` in `model_utils.py`,
    `scripts/run_sft.py`): the arguments that memory follows from are TRL's. A copy that has others
    may do anything.
    """
    names = _names(document)
    own = {name for name in names if keys.info("", name) is None}
    return not _OF_SCRIPTS.isdisjoint(names - _ALSO_SLIPS) and own <= _OF_SCRIPTS


def is_of_older_handbook(document: Document) -> bool:
    """Whether the alignment-handbook before 0.5, or one of its forks, reads a file: with a parser of its own."""
    return "dataset_mixer" in _names(document)


def has_in_own_class(document: Document, name: str) -> bool:
    """Whether the program that a file's keys show has a key of TRL's in a class of its own."""
    names = _names(document)
    return any(name in keys and mark in names for mark, keys in _IN_OWN_CLASSES.items())


def _is_of_scripts(names: frozenset[str]) -> bool:
    """Whether one key speaks for a known script, or two that are seldom two mistakes."""
    return not _MARKS.isdisjoint(names) or len(_ALSO_SLIPS & names) > 1


def _names(document: Document) -> frozenset[str]:
    return document.root.names
