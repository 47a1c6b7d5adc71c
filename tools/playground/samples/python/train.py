"""Fine-tunes a small model with TRL."""

from datasets import load_dataset
from peft import LoraConfig
from trl import SFTConfig, SFTTrainer

dataset = load_dataset("trl-lib/Capybara", split="train")

args = SFTConfig(
    output_dir="out",
    learning_rate=2e-5,
    max_seq_length=2048,
    per_device_train_batch_size=2,
    gradient_accumulation_steps=8,
    eval_strategy="steps",
    bf16=True,
    fp16=True,
)
trainer = SFTTrainer(
    model="Qwen/Qwen2.5-1.5B",
    args=args,
    train_dataset=dataset,
    peft_config=LoraConfig(r=16, lora_alpha=32, target_modules="all-linear"),
)
trainer.train()
