"""Whole configurations as people write them, one a way of training: what generated ones start from."""

from __future__ import annotations

from typing import Any

import yaml

_COMMON = """
base_model: NousResearch/Llama-3.2-1B
sequence_len: 2048
micro_batch_size: 2
gradient_accumulation_steps: 4
num_epochs: 1
learning_rate: 0.0002
optimizer: adamw_torch
lr_scheduler: cosine
bf16: auto
output_dir: ./out
logging_steps: 1
"""
_LORA = """
adapter: lora
lora_r: 16
lora_alpha: 32
lora_dropout: 0.05
lora_target_linear: true
"""
_SFT = "datasets: [{path: mhenrichsen/alpaca_2k_test, type: alpaca}]\n"
_BASES = {
    "sft": _SFT + "val_set_size: 0.05\nflash_attention: true\nsample_packing: true\n",
    "chat": """
datasets: [{path: ./data/chats.jsonl, type: chat_template, field_messages: messages}]
chat_template: chatml
train_on_inputs: false
warmup_ratio: 0.1
gradient_checkpointing: true
special_tokens: {pad_token: <pad>}
""",
    "lora": _SFT + _LORA + "evals_per_epoch: 2\nsaves_per_epoch: 1\nval_set_size: 0.1\n",
    "qlora": _SFT
    + _LORA
    + "adapter: qlora\nload_in_4bit: true\noptimizer: paged_adamw_32bit\nsdp_attention: true\n",
    "fsdp": _SFT
    + """
fsdp: [full_shard, auto_wrap]
fsdp_config:
  fsdp_offload_params: false
  fsdp_state_dict_type: FULL_STATE_DICT
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
  fsdp_transformer_layer_cls_to_wrap: LlamaDecoderLayer
""",
    "fsdp2": _SFT
    + """
fsdp_version: 2
fsdp_config:
  offload_params: false
  state_dict_type: FULL_STATE_DICT
  auto_wrap_policy: TRANSFORMER_BASED_WRAP
  transformer_layer_cls_to_wrap: LlamaDecoderLayer
  reshard_after_forward: true
""",
    "deepspeed": _SFT + _LORA + "deepspeed: deepspeed_configs/zero2.json\nweight_decay: 0.1\n",
    "dpo": _LORA
    + """
rl: dpo
rl_beta: 0.1
datasets: [{path: ./data/pairs.jsonl, split: train, type: chatml.intel}]
""",
    "kto": _LORA
    + """
rl: kto
datasets: [{path: ./data/answers.jsonl, split: train, type: llama3.argilla}]
remove_unused_columns: false
""",
    "orpo": _LORA
    + """
rl: orpo
orpo_alpha: 0.1
chat_template: chatml
datasets: [{path: ./data/pairs.jsonl, type: chat_template.argilla}]
""",
    "grpo": """
rl: grpo
trl:
  beta: 0.001
  num_generations: 4
  max_completion_length: 256
  use_vllm: true
  reward_funcs: [rewards.length]
vllm: {tensor_parallel_size: 1, gpu_memory_utilization: 0.8}
datasets: [{path: openai/gsm8k, name: main, split: train, type: rewards.prompt}]
max_steps: 100
""",
    "pretraining": """
pretraining_dataset: [{path: allenai/c4, name: en, type: pretrain, split: train}]
max_steps: 1000
sample_packing: true
flash_attention: true
""",
    "multimodal": _LORA
    + """
base_model: Qwen/Qwen2-VL-7B-Instruct
processor_type: AutoProcessor
skip_prepare_dataset: true
remove_unused_columns: false
sample_packing: false
chat_template: qwen2_vl
datasets: [{path: ./data/pictures.jsonl, type: chat_template}]
lora_target_linear: null
lora_target_modules: [q_proj, v_proj]
""",
    "reward": """
model_type: AutoModelForSequenceClassification
num_labels: 1
reward_model: true
chat_template: tokenizer_default
datasets: [{path: ./data/pairs.jsonl, type: bradley_terry.chat_template}]
remove_unused_columns: false
""",
    "liger": _SFT
    + """
plugins: [axolotl.integrations.liger.LigerPlugin]
liger_rope: true
liger_rms_norm: true
liger_fused_linear_cross_entropy: true
""",
}


def bases() -> dict[str, dict[str, Any]]:
    """Name -> configuration; fresh objects, for the caller to change."""
    return {
        # of keys that the parts write twice, YAML takes the last
        name: {**yaml.safe_load(_COMMON), **yaml.safe_load(text)}
        for name, text in _BASES.items()
    }
