"""Which of the commands of `swift` and `megatron` a file or a script is for."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.type_names import Final
from cfglint.environment.surroundings import Surroundings
from cfglint.knowledge import compiled
from cfglint.knowledge.keys.release_keys import ReleaseKeys
from cfglint.knowledge.keys.table import KeyTable
from cfglint.roles.scripts import command_of
from cfglint.source.document import Document, Mapping

#: How the commands of the second program are called here, and what its modules are named after.
_SECOND: Final = "megatron"
#: The commands of `swift` whose arguments are known.
OF_FIRST: Final = (
    *("sft", "pt", "rlhf", "infer", "export", "deploy", "eval", "app", "rollout", "sample"),
)
#: Those of `megatron`.
OF_SECOND: Final = ("sft", "pt", "rlhf", "export")
COMMANDS: Final = (*OF_FIRST, *(f"{_SECOND}_{name}" for name in OF_SECOND))
#: The commands that train with transformers' trainer, and take its arguments.
TRAINING: Final = frozenset({"sft", "pt", "rlhf"})
#: Former commands, and the programs in the examples of 2.x, with the command that they are.
SAME_AS: Final = {
    **dict.fromkeys(("dpo", "orpo", "simpo"), "rlhf"),
    "app-ui": "app",
    "llm-sft": "sft",
    "llm-infer": "infer",
}

#: What starts several processes.
OF_SEVERAL_PROCESSES: Final = (
    *("NPROC_PER_NODE", "NNODES", "WORLD_SIZE", "torchrun", "srun", "deepspeed --"),
    *("accelerate", "torch.distributed"),
)


def called(command: str, program: str) -> str:
    """The command that a word of a line calls; empty when its arguments are not known.

    Args:
        command: the sub-command, or the one that a module or file implements.
        program: the program, module or file.
    """
    name = SAME_AS.get(command, command)
    if _SECOND in program.replace("\\", "/").rpartition("swift")[2] or program == _SECOND:
        return f"{_SECOND}_{name}" if name in OF_SECOND else ""
    return name if name in OF_FIRST else ""


def kind_of_script(document: Document) -> str:
    """The command that a script starts."""
    return command_of(document.root)


def kind_of_file(document: Document, around: Surroundings) -> str:
    """The command that a file is for, by the lines that start it or its keys; empty when undecided."""
    if is_for_ray(document):
        return ""
    launched = {called(line.command, line.program) for line in around.launches} - {""}
    if len(launched) == 1:
        return launched.pop()
    names = {entry.name for entry in document.root.entries}
    if "rlhf_type" in names:
        return f"{_SECOND}_rlhf" if names & ARGUMENTS_OF_SECOND else "rlhf"
    return ""


def is_for_ray(document: Document) -> bool:
    """Whether `megatron rlhf --use_ray` reads a file, which has a section for each group of processes."""
    for entry in document.root.entries:
        if entry.name == _COLOCATED:
            return True
        if entry.name in _GROUPS and isinstance(entry.value.target(), Mapping):
            return True
    return False


#: What such a file has apart from arguments: sections, and who shares GPUs with whom on how many machines.
_GROUPS: Final = frozenset({"train", "rollout", "teacher"})
_COLOCATED: Final = "colocate_groups"
OF_RAY: Final = _GROUPS | {_COLOCATED, "nnodes"}
#: Arguments that only the commands of `megatron` have, one of which nearly every file for them has.
ARGUMENTS_OF_SECOND: Final = frozenset(
    {
        *("mcore_model", "micro_batch_size", "global_batch_size", "tensor_model_parallel_size"),
        *("pipeline_model_parallel_size", "expert_model_parallel_size", "load_safetensors"),
    }
)


def having(name: str, keys: ReleaseKeys) -> Iterator[str]:
    """The commands that have an argument in a release, as a line calls them."""
    for command in COMMANDS:
        info = KeyTable(compiled.load(f"swift_{command}_keys")).info("", name)
        if info is None or not keys.released(info.since):
            continue
        if info.removed is None or not keys.released(info.removed):
            yield spoken(command)


def spoken(command: str) -> str:
    """How a command is called on a line."""
    second, _, name = command.partition("_")
    return f"{second} {name}" if name else f"swift {command}"
