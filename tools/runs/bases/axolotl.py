"""Axolotl configs that train: one for each trainer and for each way to give it data."""

from __future__ import annotations

import re
from typing import Any

import yaml

from tools.runs.bases import Base, Bases

_COMMON = """
sequence_len: 512
micro_batch_size: 2
gradient_accumulation_steps: 1
num_epochs: 1
learning_rate: 0.0002
optimizer: adamw_torch
lr_scheduler: cosine
bf16: true
logging_steps: 1
output_dir: ./outputs/out
"""
_EVALUATED = "val_set_size: 0.2\nevals_per_epoch: 2\nsaves_per_epoch: 1\n"
_LORA = """
adapter: lora
lora_r: 8
lora_alpha: 16
lora_dropout: 0.05
lora_target_modules: [q_proj, v_proj]
"""
_LLAMA = "base_model: NousResearch/Llama-3.2-1B\nspecial_tokens: {pad_token: <|end_of_text|>}\n"
_QWEN = "base_model: Qwen/Qwen2.5-0.5B\n"
_MISTRAL = "base_model: mistralai/Mistral-7B-v0.1\nspecial_tokens: {pad_token: </s>}\n"
_SFT = {
    "alpaca": _LLAMA + _LORA + "datasets: [{path: org/data, type: alpaca}]\nsample_packing: true\n",
    "chat": _QWEN + "datasets: [{path: org/chats, type: chat_template}]\nchat_template: chatml\n",
    "roles": """
base_model: Qwen/Qwen3-0.6B
datasets:
- {path: org/chats, type: chat_template, roles_to_train: [assistant], train_on_eos: turn}
chat_template: qwen3
sample_packing: true
""",
    "sharegpt-columns": _QWEN
    + _LORA
    + """
datasets:
- path: org/chats
  type: chat_template
  field_messages: conversations
  message_property_mappings: {role: from, content: value}
  roles: {assistant: [gpt], user: [human]}
chat_template: chatml
""",
    "qlora": _MISTRAL
    + _LORA
    + "adapter: qlora\nload_in_4bit: true\ndatasets: [{path: org/text, type: completion}]\n",
    "segments": _MISTRAL + "datasets: [{path: org/parts, type: input_output}]\n",
    "own-columns": _QWEN
    + """
datasets:
- path: org/data
  type: {field_instruction: ask, field_output: say, format: 'Q: {instruction} A:'}
""",
    "tokenized": _QWEN + "datasets: [{path: org/tokens, type: }]\n",
    "two-datasets": _LLAMA
    + _LORA
    + """
datasets:
- {path: org/data, type: alpaca}
- {path: org/text, type: completion, field: text}
dataset_prepared_path: prepared
shuffle_merged_datasets: true
""",
    "gemma": """
base_model: google/gemma-2-2b
datasets: [{path: org/chats, type: chat_template}]
chat_template: tokenizer_default
""",
    "resumed": _LLAMA
    + _LORA
    + "datasets: [{path: org/data, type: alpaca}]\nauto_resume_from_checkpoints: true\n",
    "best": _QWEN
    + """
datasets: [{path: org/chats, type: chat_template}]
chat_template: chatml
evals_per_epoch: null
saves_per_epoch: null
eval_steps: 1
save_steps: 1
load_best_model_at_end: true
metric_for_best_model: eval_loss
""",
    "reward": _QWEN
    + """
model_type: AutoModelForSequenceClassification
num_labels: 1
reward_model: true
chat_template: chatml
remove_unused_columns: false
datasets: [{path: org/pairs, type: bradley_terry.chat_template}]
""",
    "steps-reward": _QWEN
    + """
model_type: AutoModelForTokenClassification
num_labels: 2
process_reward_model: true
remove_unused_columns: false
datasets: [{path: org/solutions, type: stepwise_supervised, step_separator: "\\n"}]
""",
}
_PREFERENCE = {
    "dpo": _QWEN + _LORA + "rl: dpo\ndatasets: [{path: org/pairs, type: chatml.intel}]\n",
    "dpo-chat": _LLAMA
    + """
rl: dpo
chat_template: llama3
datasets: [{path: org/pairs, type: chat_template.default}]
""",
    "ipo": _QWEN + _LORA + "rl: ipo\ndatasets: [{path: org/pairs, type: chatml.intel}]\n",
    "orpo": _QWEN
    + _LORA
    + """
rl: orpo
orpo_alpha: 0.1
chat_template: chatml
datasets: [{path: org/pairs, type: chat_template.argilla}]
""",
    "simpo": _QWEN
    + _LORA
    + """
rl: simpo
rl_beta: 0.1
cpo_alpha: 1.0
simpo_gamma: 0.5
datasets: [{path: org/pairs, type: chatml.intel}]
""",
    "kto": _LLAMA
    + _LORA
    + """
rl: kto
remove_unused_columns: false
datasets: [{path: org/answers, type: llama3.intel, split: train}]
""",
}
_GENERATING = {
    "grpo": _QWEN
    + _LORA
    + """
rl: grpo
trl:
  beta: 0.001
  num_generations: 2
  max_completion_length: 16
  reward_funcs: [rewards.length]
datasets: [{path: org/questions, type: rewards.prompt}]
saves_per_epoch: 1
""",
    "pretraining": _LLAMA
    + "pretraining_dataset: [{path: org/text, type: pretrain}]\nmax_steps: 10\n",
}


#: Keys of the network, of other processes, of kernels and packages that a CPU has not; of the
#: machine; those that the run reduces; and those whose values name what is replaced.
_UNTRIED = re.compile(
    r"(wandb|comet|mlflow|swanlab|trackio|otel|ray|hub|deepspeed|fsdp|ddp|dp_|tensor_par|context_par|vllm|unsloth"
    r"|torch_compile|torchdynamo|liger|flash|fused|fp8|nvfp4|gptq|hf_|export|lm_eval|eval_causal|ebft|diffusion"
    r"|quantize|qat|ple_|gemma|llama4|large_head|cut_cross|image|video|audio|processor|profiler|bench|hatchery"
    r"|gradio|dsv4|autotune|kd_|gc_|torchdistx|use_s[a-z]*moe|llmcompressor|resources_per|qgalore_|num_dataset_shards"
    r"|coreweave|heads_k|expert_par|sequence_par|cloud|telemetry|nf4|kernel|mora|mixlora|nemo|dion_).*"
    r"|base_model.*|.*revision.*|output_dir|.*_kernels?|use_(wandb|mlflow|comet|swanlab|trackio|ray|kernels|otel.*|tensorboard)"
    r"|push_dataset.*|local_rank|world_size|rank|device|device_map|max_memory|gpu_memory.*|strict|trust_remote_code"
    r"|tokenizer_use_mistral.*|torch_dtype|is_.*|s2_attention|(xformers|sage|flex|sdp)_attention|axolotl_config_path"
    r"|lora_model_dir|resume_from_checkpoint|cls_model_config|tokenizer_config|total_.*|sample_packing_eff_est"
    r"|load_in_8bit|skip_prepare_dataset|dataset_(keep|shard|processes|num|exact).*|capabilities|env_capabilities|merge.*"
    r"|(datasets\[\]|test_datasets\[\])\.(path|ds_type|data_files|name|revision|trust_remote.*|data_dir|branch|shards_idx)"
    r"|trl\.(use_vllm|vllm.*|use_liger.*|.*vllm.*|async.*|.*server.*)|low_cpu_mem_usage|deterministic|seed|debug"
)
_VALUES: dict[str, tuple[Any, ...]] = {
    "adapter": ("lora", "qlora", None),
    "rl": ("dpo", "ipo", "orpo", "kto", "simpo"),
    "chat_template": ("chatml", "llama3", "gemma", "qwen3", "tokenizer_default", "jinja", "mistral_v1"),
    "chat_template_jinja": ("{{ messages }}", "{% for m in messages %}{{ m.content }}{% endfor %}"),
    "lr_scheduler": ("linear", "constant", "cosine_with_restarts", "polynomial", "one_cycle", "rex", "log_sweep",
        "inverse_sqrt", "reduce_lr_on_plateau", "cosine_with_min_lr", "warmup_stable_decay", "constant_with_warmup"),
    "lr_scheduler_kwargs": ({"num_cycles": 2}, {"x": 1}, {"min_lr": 1.0e-6}, {"num_decay_steps": 2}),
    "optimizer": ("adafactor", "sgd", "adamw_torch_fused", "lion_pytorch", "muon", "schedule_free_adamw", "came_pytorch",
        "optimi_adamw", "galore_adamw", "apollo_adamw", "adamw_8bit", "ao_adamw_8bit", "rmsprop", "adagrad", "stable_adamw"),
    "optim_args": ({"betas": [0.9, 0.99]}, "x=1", "betas=(0.9,0.95)", {"x": 1}),
    "optim_target_modules": (["q_proj"], "all_linear", ["x"]),
    "eval_strategy": ("no", "steps", "epoch"),
    "save_strategy": ("no", "steps", "epoch", "best"),
    "eval_steps": (1, 2, 0.5, 0),
    "save_steps": (1, 2, 0.5, 0),
    "evals_per_epoch": (1, 2, 0, None),
    "saves_per_epoch": (1, 2, 0, None),
    "val_set_size": (0, 0.1, 8, 1.0, 5000),
    "load_best_model_at_end": (True,),
    "metric_for_best_model": ("eval_loss", "loss", "accuracy"),
    "early_stopping_patience": (2, 1),
    "attn_implementation": ("eager", "sdpa", "flash_attention_2", "flex_attention"),
    "dpo_loss_type": (["sigmoid"], ["ipo"], ["sigmoid", "sft"], ["apo_zero"], ["robust"], ["kto_pair"], ["x"]),
    "dpo_loss_weights": ([1.0], [1.0, 0.5]),
    "unfrozen_parameters": (["lm_head"], ["x"], ["model.layers.0"], ["^model.layers.1"]),
    "lora_target_modules": (["q_proj"], ["Wqkv"], "all-linear", ["gate_proj", "up_proj"], "q_proj"),
    "lora_target_parameters": (["mlp.experts.gate_up_proj"],),
    "lora_modules_to_save": (["embed_tokens", "lm_head"], ["lm_head"], ["x"]),
    "lora_r": (4, 0, -1, 64),
    "lora_alpha": (16, 0, 32),
    "lora_dropout": (0.0, 0.1, 1.0, 1.5),
    "peft_init_lora_weights": (True, False, "gaussian", "pissa", "olora", "loftq", "eva", "x"),
    "peft_layers_to_transform": ([0], [7]),
    "tokens": (["<new_a>", "<new_b>"],),
    "eot_tokens": (["<|im_end|>"], ["</s>"], ["<|eot_id|>"], ["hello there"]),
    "special_tokens": ({"pad_token": "<pad_new>"}, {"eos_token": "<|im_end|>"}, {"bos_token": "hello", "pad_token": "</s>"}),
    "added_tokens_overrides": ({3: "<x>"},),
    "gradient_checkpointing": (True, False, "offload", "offload_disk"),
    "gradient_checkpointing_kwargs": ({"use_reentrant": True}, {"use_reentrant": False}, {"x": 1}),
    "rope_scaling": ({"type": "linear", "factor": 2.0}, {"rope_type": "dynamic", "factor": 2.0}, {"rope_type": "yarn", "factor": 4.0}),
    "bnb_config_kwargs": ({"bnb_4bit_use_double_quant": True}, {"x": 1}),
    "lr_groups": ([{"name": "a", "modules": ["q_proj"], "lr": 1.0e-5}],),
    "test_datasets": ([{"path": "org/test", "type": "alpaca"}], [{"path": "org/test", "type": "chat_template", "split": "train"}]),
    "plugins": (["axolotl.integrations.spectrum.SpectrumPlugin"], ["axolotl.integrations.liger.LigerPlugin"],
        ["axolotl.integrations.grokfast.GrokfastPlugin"], ["axolotl.integrations.x.Plugin"]),
    "model_type": ("AutoModelForCausalLM", "LlamaForCausalLM", "AutoModelForSequenceClassification"),
    "tokenizer_type": ("AutoTokenizer", "LlamaTokenizer"),
    "trainer_cls": ("trl.SFTTrainer", "x.Trainer"),
    "overrides_of_model_config": ({"num_hidden_layers": 1}, {"x": 1}),
    "chat_template_kwargs": ({"enable_thinking": False}, {"x": 1}),
    "accelerator_config": ({"split_batches": True}, {"dispatch_batches": False}, {"x": 1}),
    "fix_untrained_tokens": (True, [1]),
    "warmup_steps": (0, 2, 0.1, -1),
    "warmup_ratio": (0.0, 0.1, 1.0, 2.0),
    "num_epochs": (1, 0.5, 0, 3),
    "max_steps": (2, 0, -1, 50),
    "sequence_len": (512, 128, 0),
    "micro_batch_size": (1, 2, 3),
    "gradient_accumulation_steps": (1, 2, 3, 0),
    "learning_rate": (0.0, "2e-4", 1.0),
    "bf16": (True, False, "auto"),
    "pad_to_multiple_of": (8, 64),
    "pretraining_dataset": ([{"path": "org/more", "type": "pretrain"}],),
    "datasets[].type": ("alpaca", "completion", "chat_template", "x", "chatml.intel", "input_output", "sharegpt",
        "llama3.ultra", "bradley_terry.chat_template", "alpaca.load_no_prompt", "context_qa", "pretrain"),
    "datasets[].train_on_eos": ("all", "turn", "last", "none"),
    "datasets[].train_on_eot": ("all", "turn", "last", "none"),
    "datasets[].roles_to_train": (["assistant", "user"], [], ["gpt"]),
    "datasets[].split": ("train", "train[:50%]"),
    "datasets[].shards": (2, 200, 0),
    "datasets[].chat_template": ("chatml", "tokenizer_default", "jinja", "llama3", "gemma"),
    "datasets[].message_property_mappings": ({"role": "from", "content": "value"}, {"x": "y"}),
    "datasets[].roles": ({"assistant": ["gpt"], "user": ["human"]}, {"x": ["y"]}),
    "datasets[].message_field_training": ("train",),
    "trl.beta": (0.0, 0.1),
    "trl.num_generations": (1, 2, 3, 4),
    "trl.generation_batch_size": (2, 3, 4),
    "trl.steps_per_generation": (1, 2),
    "trl.loss_type": ("grpo", "bnpo", "dr_grpo", "dapo", "cispo", "x"),
    "trl.scale_rewards": (True, False, "batch", "group", "none", "x"),
    "trl.importance_sampling_level": ("token", "sequence", "x"),
    "trl.reward_weights": ([1.0], [1.0, 2.0]),
    "trl.reward_funcs": (["rewards.length", "rewards.form"], ["length"], []),
    "trl.temperature": (0.0, 0.7),
    "trl.top_p": (0.0, 0.9, 2.0),
    "trl.top_k": (0, 5, -1),
    "trl.min_p": (0.1, -1.0),
    "trl.repetition_penalty": (1.1, 0.0),
    "trl.generation_kwargs": ({"x": 1}, {"max_new_tokens": 4}),
    "trl.rollout_func": ("rewards.rollout",),
}  # fmt: skip


#: Bases that end in older releases, which rules say (RLH863, RLH871).
_SINCE = {"reward": ">=0.13.0", "simpo": ">=0.17.0"}


def _bases() -> tuple[Base, ...]:
    evaluated = {name: _COMMON + _EVALUATED + text for name, text in (_SFT | _PREFERENCE).items()}
    texts = evaluated | {name: _COMMON + text for name, text in _GENERATING.items()}
    # of keys that the parts write twice, YAML takes the last
    return tuple(
        Base(name, yaml.safe_load(text), releases=_SINCE.get(name, ""))
        for name, text in texts.items()
    )


BASES = Bases(
    bases=_bases(),
    subject=lambda base: (),
    untried=_UNTRIED,
    values=_VALUES,
    launch="axolotl train {file}",
    sections=("trl", "datasets[]"),
)
