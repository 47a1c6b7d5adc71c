"""The fields of TRL's classes of arguments that configure no training, by release."""

from __future__ import annotations

from collections.abc import Mapping

from cfglint.base.type_names import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from cfglint.knowledge.keys.release_keys import ReleaseKeys

#: Class of TRL that no table of keywords has -> field -> the releases from which on, and up to which, it has the field.
OTHER_CLASSES: Final[Mapping[str, Mapping[str, tuple[str, str]]]] = {
    "trl.ModelConfig": {
        **dict.fromkeys(
            (
                *("model_name_or_path", "model_revision", "attn_implementation", "use_peft"),
                *("lora_r", "lora_alpha", "lora_dropout", "lora_target_modules"),
                *("lora_modules_to_save", "load_in_8bit", "load_in_4bit", "bnb_4bit_quant_type"),
                "use_bnb_nested_quant",
            ),
            ("", ""),
        ),
        "torch_dtype": ("", "0.27.0"),
        "trust_remote_code": ("", "1.7.0"),
        "lora_task_type": ("0.8.0", ""),
        "use_rslora": ("0.10.1", ""),
        "use_dora": ("0.16.0", ""),
        "lora_target_parameters": ("0.21.0", ""),
        "dtype": ("0.23.0", ""),
        "bnb_4bit_quant_storage": ("0.26.0", ""),
    },
    "trl.ScriptArguments": {
        **dict.fromkeys(
            ("dataset_name", "dataset_train_split", "dataset_test_split", "ignore_bias_buffers"),
            ("", ""),
        ),
        "gradient_checkpointing_use_reentrant": ("", "0.27.0"),
        "dataset_config": ("0.13.0", ""),
        "dataset_streaming": ("0.19.0", ""),
    },
}
#: Of each, the fields that it has in every release.
ALWAYS: Final[Mapping[str, frozenset[str]]] = {
    name: frozenset(field for field, bounds in fields.items() if bounds == ("", ""))
    for name, fields in OTHER_CLASSES.items()
}


def fields_in(full: str, keys: ReleaseKeys) -> frozenset[str]:
    """The fields that a class has in a release; none of a class that is not one of these."""
    return frozenset(
        field
        for field, (since, until) in OTHER_CLASSES.get(full, {}).items()
        if not (since and not keys.released(since)) and not (until and keys.released(until))
    )
