"""The config of accelerate that a launch line names: `accelerate launch --config_file conf.yaml …`."""

from __future__ import annotations

from typing import Any

from cfglint.environment.project.launch_commands import LaunchLine
from cfglint.environment.project.project import Project
from cfglint.record import Record
from cfglint.source.document import Document, Path
from cfglint.source.languages.yaml import compose
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText, Span
from cfglint.source.values import to_python

#: The largest real one has 2 kB.
_MAX_CHARACTERS = 100_000
#: The keys of all releases of accelerate; those it does not know make it stop.
KEYS = frozenset(
    {
        "command_file", "commands", "compute_environment", "debug", "deepspeed_config",
        "distributed_type", "downcast_bf16", "dynamo_backend", "dynamo_config",
        "enable_cpu_affinity", "fp16", "fp8_config", "fsdp_config", "gpu_ids", "ipex_config",
        "machine_rank", "main_process_ip", "main_process_port", "main_training_function",
        "megatron_lm_config", "mixed_precision", "mpirun_config", "num_machines", "num_processes",
        "parallelism_config", "rdzv_backend", "same_network", "tp_config", "tpu_env", "tpu_name",
        "tpu_use_cluster", "tpu_use_sudo", "tpu_vm", "tpu_zone", "use_cpu",
    }
)  # fmt: skip
#: What DeepSpeed's own settings leave no room for.
DEEPSPEED_FIELDS = (
    "gradient_accumulation_steps",
    "gradient_clipping",
    "offload_optimizer_device",
    "offload_optimizer_nvme_path",
    "offload_param_device",
    "offload_param_nvme_path",
    "zero3_save_16bit_model",
    "zero_stage",
)


class AccelerateFile(Record):
    """A config of accelerate, and the line that names it."""

    path: str
    document: Document
    line: LaunchLine

    def value(self, *path: str) -> Any:
        """The value at a path, None when there is none."""
        node = self.document.node(path)
        return None if node is None else to_python(node)

    def span(self, *path: str) -> Span:
        found: Path = path
        return self.document.span(found) or Span(0, 0)

    @property
    def kind(self) -> str:
        """What it starts: `DEEPSPEED`, `FSDP`, `NO` …; empty when it does not say."""
        kind = self.value("distributed_type")
        if kind is False:
            return "NO"
        return kind.upper() if isinstance(kind, str) else ""


def named(project: Project, folder: str, lines: tuple[LaunchLine, ...]) -> list[AccelerateFile]:
    """The configs of accelerate that launch lines name, as far as they can be read."""
    out: dict[str, AccelerateFile] = {}
    for line in lines:
        word = line.option("config_file") if line.launcher == "accelerate" else None
        if word is None or word.open:
            continue
        found = project.named(word.text, folder)
        if found is None or found[0] in out or len(found[1]) > _MAX_CHARACTERS:
            continue
        try:
            document = compose(SourceText(found[1]))
        except SourceError:
            continue
        out[found[0]] = AccelerateFile(found[0], document, line)
    return list(out.values())
