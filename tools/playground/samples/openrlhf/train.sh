#!/usr/bin/env bash
set -x

deepspeed --module openrlhf.cli.train_dpo \
    --pretrain meta-llama/Llama-3.1-8B-Instruct \
    --dataset OpenRLHF/preference_dataset_mixture2_and_safe_pku \
    --apply_chat_template \
    --chosen_key chosen \
    --rejected_key rejected \
    --max_len 8192 \
    --micro_train_batch_size 1 \
    --train_batch_size 250 \
    --learning_rate 5e-7 \
    --max_epoch 1 \
    --zero_stage 3 \
    --bf16 \
    --save_path checkpoint/llama3-8b-dpo
