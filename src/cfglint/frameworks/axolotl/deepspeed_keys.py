"""The keys of DeepSpeed's settings, as its sources from 0.10 to 0.19.5 read them."""

from __future__ import annotations

from functools import lru_cache

from cfglint.spelling import Speller

#: Sections whose unknown keys end the run: section -> its keys.
CLOSED: dict[tuple[str, ...], tuple[str, ...]] = {
    ("zero_optimization",): (
        "allgather_bucket_size", "allgather_partitions", "allgather_sequential",
        "contiguous_gradients", "cpu_offload", "cpu_offload_param", "cpu_offload_use_pin_memory",
        "elastic_checkpoint", "enable_sanity_checks", "gather_16bit_weights_on_model_save",
        "ignore_unused_parameters", "leaf_module", "legacy_stage1", "load_from_fp32_weights",
        "log_trace_cache_warnings", "max_live_parameters", "max_reuse_distance",
        "memory_efficient_linear", "mics_hierarchical_params_gather", "mics_shard_size",
        "model_persistence_threshold", "module_granularity_threshold", "offload_optimizer",
        "offload_param", "overlap_comm", "override_module_apply", "param_persistence_threshold",
        "pipeline_loading_checkpoint", "prefetch_bucket_size", "reduce_bucket_size",
        "reduce_scatter", "round_robin_gradients", "save_muon_momentum_buffer_in_memory", "stage",
        "stage3_allgather_sequential", "stage3_gather_16bit_weights_on_model_save",
        "stage3_gather_fp16_weights_on_model_save", "stage3_max_live_parameters",
        "stage3_max_reuse_distance", "stage3_model_persistence_threshold",
        "stage3_module_granularity_threshold", "stage3_param_persistence_threshold",
        "stage3_prefetch_bucket_size", "stage3_use_all_reduce_for_fetch_params", "sub_group_size",
        "use_all_reduce_for_fetch_params", "use_multi_rank_bucket_allreduce", "zenflow",
        "zero_hpz_partition_size", "zero_quantized_gradients",
        "zero_quantized_nontrainable_weights", "zero_quantized_weights", "zeropp_loco_param",
    ),
    ("zero_optimization", "offload_param"): (
        "buffer_count", "buffer_size", "device", "max_in_cpu", "nvme_path", "pin_memory",
    ),
    ("zero_optimization", "offload_optimizer"): (
        "buffer_count", "cpuadam_cores_perc", "device", "fast_init", "nvme_path", "pin_memory",
        "pipeline_read", "pipeline_write", "ratio", "super_offload",
    ),
}  # fmt: skip
#: Read one by one up to 0.17.0, so that an unknown key was ignored.
CLOSED_SINCE_0_17_1: dict[tuple[str, ...], tuple[str, ...]] = {
    ("bf16",): (
        "bf16_master_weights_and_grads", "bf16_optimizer_states", "check_grad_overflow",
        "enabled", "immediate_grad_update",
    ),
    ("fp16",): (
        "auto_cast", "consecutive_hysteresis", "enabled", "fp16_master_weights_and_grads",
        "hysteresis", "initial_scale_power", "loss_scale", "loss_scale_window", "min_loss_scale",
    ),
}  # fmt: skip
#: Keys of the whole file. What is not among them is ignored, and may be somebody's own.
TOP = (
    "activation_checkpointing", "aio", "amp", "autotuning", "bf16", "bfloat16", "checkpoint",
    "comms_logger", "communication_data_type", "compile", "compression_training", "csv_monitor",
    "curriculum_learning", "data_efficiency", "data_types", "dataloader_drop_last",
    "disable_allgather", "dump_state", "eigenvalue", "elasticity", "expert_parallel",
    "flops_profiler", "fp16", "gradient_accumulation_steps", "gradient_allreduce_op",
    "gradient_clipping", "gradient_predivide_factor", "graph_harvesting", "hybrid_engine",
    "memory_breakdown", "nebula", "optimizer", "pipeline", "prescale_gradients",
    "progressive_layer_drop", "quantize_training", "scheduler",
    "seq_parallel_communication_data_type", "sparse_attention", "sparse_gradients",
    "steps_per_print", "tensor_parallel", "tensorboard", "timers", "torch_autocast",
    "train_batch_size", "train_micro_batch_size_per_gpu", "wall_clock_breakdown", "wandb",
    "weight_quantization", "zero_allow_untested_optimizer", "zero_force_ds_cpu_optimizer",
    "zero_optimization",
)  # fmt: skip
#: Keys of accelerate's YAML that lose their meaning in this file: key -> what does it here.
OF_ACCELERATE = {
    "zero3_save_16bit_model": "`stage3_gather_16bit_weights_on_model_save` in `zero_optimization`",
    "zero_stage": "`stage` in `zero_optimization`",
    "offload_optimizer_device": "`offload_optimizer.device` in `zero_optimization`",
    "offload_param_device": "`offload_param.device` in `zero_optimization`",
    "mixed_precision": "`bf16.enabled` or `fp16.enabled`",
}


@lru_cache(maxsize=16)
def speller(names: tuple[str, ...]) -> Speller:
    """Finds which of some names was meant."""
    return Speller(names)
