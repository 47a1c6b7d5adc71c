"""Valid configs of TRL's commands."""

from __future__ import annotations

import re
from typing import Any

from tools.runs.bases import Base, Bases

_HEAD: dict[str, Any] = {
    "model_name_or_path": "Qwen/Qwen2.5-0.5B-Instruct",
    "output_dir": "out",
    "learning_rate": 2.0e-5,
    "per_device_train_batch_size": 2,
    "max_steps": 50,
    "logging_steps": 1,
    "save_steps": 2,
}
_EVALUATED: dict[str, Any] = {"eval_strategy": "steps", "eval_steps": 2}
_ADAPTED: dict[str, Any] = {
    "use_peft": True,
    "lora_r": 8,
    "lora_target_modules": ["q_proj", "v_proj"],
}
_CHAT: dict[str, Any] = {"dataset_name": "trl-lib/Capybara"}
_PAIRS: dict[str, Any] = {"dataset_name": "trl-lib/ultrafeedback_binarized"}
_MARKED: dict[str, Any] = {"dataset_name": "trl-lib/kto-mix-14k", "per_device_train_batch_size": 4}
_ASKED: dict[str, Any] = {
    "dataset_name": "trl-lib/DeepMath-103K",
    "reward_funcs": ["think_format_reward"],
    "per_device_train_batch_size": 4,
    "num_generations": 4,
    "max_completion_length": 64,
}
#: The first `trl grpo` reads `reward_funcs` and hands its trainer the model alone.
_SCORED: dict[str, Any] = {
    **{key: value for key, value in _ASKED.items() if key != "reward_funcs"},
    "reward_model_name_or_path": "Qwen/Qwen2.5-0.5B-Reward",
}
_SCORED_UNTIL = "0.20.0"
#: Command -> what its files have beside the head.
_COMMANDS = {
    "sft": _CHAT,
    "dpo": _PAIRS,
    "kto": _MARKED,
    "grpo": _ASKED,
    "reward": _PAIRS,
    "rloo": _ASKED,
}
#: A batch of evaluation holds whole groups, too.
_EVALUATED_ASKED: dict[str, Any] = {**_EVALUATED, "per_device_eval_batch_size": 4}


#: Other ways to train: name -> command and what is different.
_MORE: dict[str, tuple[str, dict[str, Any]]] = {
    "sft-packed": ("sft", {"packing": True, "max_length": 64, **_EVALUATED}),
    "sft-streamed": ("sft", {"dataset_streaming": True}),
    "sft-completions": ("sft", {"completion_only_loss": True}),
    "dpo-computed-before": ("dpo", {"precompute_ref_log_probs": True, **_EVALUATED}),
    "grpo-with-reference": ("grpo", {"beta": 0.04, "num_iterations": 2}),
}
_MORE_SINCE = ">=0.24.0"


def _bases() -> tuple[Base, ...]:
    found = []
    for command, own in _COMMANDS.items():
        asked = own is _ASKED
        releases = f">={_SCORED_UNTIL}" if asked else ""
        adapted = {**_ADAPTED, **({"lora_task_type": "SEQ_CLS"} if command == "reward" else {})}
        evaluated = _EVALUATED_ASKED if asked else _EVALUATED
        for name, more in (("", {}), ("-evaluated", evaluated), ("-adapted", adapted)):
            found.append(Base(command + name, {**_HEAD, **own, **more}, command, releases))
            if command == "grpo":
                scored = {**_HEAD, **_SCORED, **more}
                found.append(Base(command + name, scored, command, f"<{_SCORED_UNTIL}"))
    for name, (command, more) in _MORE.items():
        found.append(Base(name, {**_HEAD, **_COMMANDS[command], **more}, command, _MORE_SINCE))
    return tuple(found)


#: Keys of the network, of other processes, of kernels and packages that a CPU has not; of the
#: machine; and those whose values name what is replaced.
_UNTRIED = re.compile(
    r"output_dir|run_name|project|trackio.*|hub_.*|push_to.*|.*_token|deepspeed|fsdp.*|use_vllm|vllm_.*|ray_.*|torch_compile.*"
    r"|model_name_or_path|model_revision|dataset_name|datasets|tpu.*|mp_.*|ddp_.*|local_rank|no_cuda|use_cpu|use_mps.*"
    r"|jit_mode.*|use_ipex|xpu.*|fp16.*|half_.*|tf32|report_to|use_liger.*|liger_.*|parallelism_config|accelerator_config"
    r"|include_num.*|past_index|.*_full_determinism|full_determinism|teacher.*|.*_proc|use_transformers_paged"
    r"|use_legacy.*|accelerate_config|num_processes|config_file|trust_remote_code|log_completions_hub_repo|debug"
    r"|dataset_config|data_seed|torch_empty_cache_steps|group_by_length|environment_.*|logging_dir|torchdynamo|env"
)
_VALUES: dict[str, tuple[Any, ...]] = {
    "chat_template_path": ("Qwen/Qwen3-0.6B", "template.jinja"),
    "model_name_or_path": ("meta-llama/Llama-3.2-1B", "google/gemma-2-2b-it", "mistralai/Mistral-7B-v0.1"),
    "dtype": ("bfloat16", "float32", "float16", "auto", "bf16"),
    "torch_dtype": ("bfloat16", "float32", "float16", "auto", "bf16"),
    "attn_implementation": ("eager", "sdpa", "flex_attention", "flash_attention_2", "x"),
    "lora_target_modules": (["all-linear"], "all-linear", ["q_proj"], ["Wqkv"], ["lm_head"]),
    "lora_modules_to_save": (["lm_head"], ["embed_tokens"], ["score"], ["x"]),
    "lora_task_type": ("CAUSAL_LM", "SEQ_CLS", "SEQ_2_SEQ_LM", "x"),
    "reward_funcs": (["think_format_reward", "accuracy_reward"], ["get_soft_overlong_punishment"], ["x"], ["rewards.length"], []),
    "reward_weights": ([1.0], [0.5, 0.5], ["1.0"]),
    "reward_model_name_or_path": ("Qwen/Qwen2.5-0.5B-Reward",),
    "loss_type": ("sigmoid", "hinge", "ipo", "nll", "dft", "bnpo", "dr_grpo", "grpo", "dapo", "apo_zero_unpaired", "kto", ["sigmoid", "sft"]),
    "loss_weights": ([1.0], [1.0, 0.5]),
    "metric_for_best_model": ("loss", "eval_loss", "accuracy", "eval_rewards/accuracies"),
    "lr_scheduler_kwargs": ({"min_lr": 1.0e-6}, {"num_cycles": 2}, {"min_lr_rate": 0.1}, {"x": 1}, "min_lr=1e-6"),
    "lr_scheduler_type": ("cosine", "cosine_with_min_lr", "cosine_with_restarts", "constant", "polynomial", "warmup_stable_decay", "reduce_lr_on_plateau", "inverse_sqrt", "greedy"),
    "gradient_checkpointing_kwargs": ({"use_reentrant": False}, {"use_reentrant": True}, {"x": 1}),
    "model_init_kwargs": ({"dtype": "bfloat16"}, {"attn_implementation": "eager"}, {"x": 1}, {"torch_dtype": "float32"}),
    "chat_template_kwargs": ({"enable_thinking": False}, {"x": 1}),
    "dataset_kwargs": ({"skip_prepare_dataset": True}, {"x": 1}),
    "generation_kwargs": ({"temperature": 0.7}, {"max_new_tokens": 8}, {"x": 1}),
    "optim_args": ("betas=(0.9,0.95)", "eps=1e-8", "x", {"rank": 4}),
    "optim": ("adafactor", "sgd", "adamw_torch", "adamw_torch_fused", "galore_adamw", "lomo", "schedule_free_adamw", "adagrad", "rmsprop", "grokadamw", "stable_adamw", "apollo_adamw"),
    "optim_target_modules": ("all-linear", ["q_proj"], ["x"]),
    "eos_token": ("<|im_end|>", "</s>", "<|endoftext|>"),
    "pad_token": ("<|endoftext|>", "<pad>"),
    "dataset_text_field": ("text", "messages", "content"),
    "dataset_train_split": ("train", "train_sft", "train[:50%]"),
    "dataset_test_split": ("test", "validation", "test_sft"),
    "resume_from_checkpoint": (True, "out/checkpoint-10", "last"),
    "cache_implementation": ("dynamic", "static", "x"),
    "warmup_steps": (0, 10, 0.1, -1),
    "warmup_ratio": (0.0, 0.1, 1.0, 2.0),
    "max_length": (None, 64, 8, 1, 0),
    "max_seq_length": (64, 8, 0),
    "max_prompt_length": (None, 8, 1, 0),
    "pad_to_multiple_of": (8, 64, 0),
    "eval_packing": (True, False),
    "packing": (True, False),
    "packing_strategy": ("bfd", "ffd", "wrapped", "bfd_split"),
    "truncation_mode": ("keep_start", "keep_end", "x"),
    "neftune_noise_alpha": (5, 0, -1),
    "gradient_accumulation_steps": (1, 4, 3, 0),
    "generation_batch_size": (4, 8, 6),
    "steps_per_generation": (1, 2, 3),
    "num_generations": (2, 3, 4, 1, 8),
    "per_device_train_batch_size": (1, 4, 6, 8),
    "per_device_eval_batch_size": (1, 2, 4, 3, 8),
    "eval_steps": (2, 0.1, 3, 0, 1.5),
    "save_steps": (2, 0.1, 3, 0, 1.5),
    "logging_steps": (1, 0.1, 0, 10),
    "load_best_model_at_end": (True,),
    "save_strategy": ("steps", "epoch", "no", "best"),
    "eval_strategy": ("steps", "epoch", "no"),
    "num_train_epochs": (1, 0.5, 0, 3),
    "max_steps": (-1, 2, 0, 50),
    "dataset_num_proc": (1, 2),
    "dataloader_num_workers": (0, 1),
    "lora_r": (4, 0, -1, 8.0),
    "lora_alpha": (16, 0, "16"),
    "lora_dropout": (0.0, 0.05, 1.0, 1.5),
    "label_smoothing": (0.0, 0.1, 0.5, 1.0),
    "label_smoothing_factor": (0.1, 1.0),
    "stop_strings": (["</s>"], "x"),
}  # fmt: skip

BASES = Bases(
    bases=_bases(),
    subject=lambda base: (base.command,),
    untried=_UNTRIED,
    values=_VALUES,
    launch="trl {command} --config {file}",
)
