"""Variables of the environment whose name is a slip, or small letters, away from one that a training reads."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cfglint.base.lazy import lazy_pattern
from cfglint.base.spelling import is_one_slip
from cfglint.base.type_names import Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.checks.launcher_options import is_script, lines_of
from cfglint.diagnostic import Edit, Fix, OtherFile
from cfglint.environment.python_sources import any_source
from cfglint.knowledge.recognition import language_of
from cfglint.source.languages.shell import script_of
from cfglint.source.shell_words import SimpleCommand
from cfglint.source.text import SourceText, Span

_SHELL: Final = "shell"
#: What CUDA, NCCL, torch, transformers, the Hub's client and wandb read. No two are a slip apart.
_READ: Final = (
    *("CUDA_VISIBLE_DEVICES", "CUDA_LAUNCH_BLOCKING", "CUDA_DEVICE_MAX_CONNECTIONS"),
    *("PYTORCH_CUDA_ALLOC_CONF", "TORCH_NCCL_ASYNC_ERROR_HANDLING", "TORCH_NCCL_BLOCKING_WAIT"),
    *("NCCL_P2P_DISABLE", "NCCL_IB_DISABLE", "NCCL_SHM_DISABLE", "NCCL_SOCKET_IFNAME"),
    *("TOKENIZERS_PARALLELISM", "TRANSFORMERS_OFFLINE", "HF_DATASETS_OFFLINE", "HF_HUB_OFFLINE"),
    *("HF_HUB_ENABLE_HF_TRANSFER", "HF_ENDPOINT", "WANDB_PROJECT", "WANDB_API_KEY"),
    "VLLM_ATTENTION_BACKEND",
)
#: Names that more than a slip divides, though hardly anybody means another variable.
_MEANT: Final = {
    "PYTORCH_CUDA_ALLOC_CONFIG": "PYTORCH_CUDA_ALLOC_CONF",
    "WANDB_DISABLE": "WANDB_DISABLED",
}
_ASSIGNED = lazy_pattern(r"([A-Za-z][A-Za-z0-9_]{5,40})=")
#: A word that sets a variable, however short its name is.
_SETS = lazy_pattern(r"([A-Za-z_][A-Za-z0-9_]{0,80})\+?=")


def misspelt_variable(ctx: CheckContext) -> Iterator[Hit]:
    """`CUDA_VISIBLE_DEVICE=0,1 python train.py`, or the same behind `export`."""
    own = frozenset[str]()
    if "launcher" not in ctx.document.root.lookup:
        own = ctx.framework.launching.environment
    for text, start, file in _scripts(ctx):
        commands = [one for one in script_of(text).statements if one.words[0].start <= start]
        for name, span in _given_to_programs(commands, text):
            meant = meant_variable(name, own)
            if meant is None or meant in _own_names(text) or _is_used(name, text, ctx):
                continue
            fix = Fix(f"Write {meant}", "unsafe", (Edit(span.start, span.end, meant),), ())
            params = {"variable": name, "meant": meant}
            yield Hit((), span, params, fixes=(fix,), file=file)


def _scripts(ctx: CheckContext) -> Iterator[tuple[str, int, OtherFile | None]]:
    """A script that is checked, or those that start a config or a program: text, place of the command, file."""
    if is_script(ctx):
        yield ctx.document.text, ctx.document.root.start, None
        return
    seen = set()
    for line, text in lines_of(ctx):
        if line.path not in seen and language_of(line.path) == _SHELL:
            seen.add(line.path)
            yield text, line.at, OtherFile(line.path, SourceText(text))


def _given_to_programs(commands: list[SimpleCommand], text: str) -> Iterator[tuple[str, Span]]:
    """The variables that a script exports, or sets for one command alone."""
    for command in commands:
        words = list(command.words)
        exports = text[words[0].start : words[0].end] == "export"
        found = []
        for word in words[1:] if exports else words:
            match = _SETS.match(text, word.start, word.end)
            if match is None:
                break
            found.append((match[1], Span(*match.span(1))))
        if exports or len(found) < len(words):
            yield from found


def _own_names(text: str) -> frozenset[str]:
    """The variables that a script sets itself, whatever it does with them."""
    return frozenset(match[1] for match in _ASSIGNED.finditer(text))


def is_read(name: str) -> bool:
    """Whether a variable is one of the well-known ones that a training reads."""
    return name in _READ or name in _MEANT.values()


def meant_variable(name: str, own: frozenset[str] = frozenset()) -> str | None:
    """The variable that a name is a slip for; None for one that is read, or is like none.

    Args:
        own: what the command itself reads, of which small letters alone are no other name.
    """
    if name in _READ or name in own:
        return None
    if name.upper() in own or (name.islower() and name.upper() in _READ):
        return name.upper()
    return _MEANT.get(name) or next((one for one in _READ if is_one_slip(name, one)), None)


def _is_used(name: str, text: str, ctx: CheckContext) -> bool:
    """Whether the script, or a program of the project, reads a variable of that name."""
    if re.search(rf"\$\{{?[!#]?{name}\b", text) is not None:
        return True
    return any_source(ctx.around, ("has", name), lambda source: name in source, unread=True)


CHECKS = {"misspelt-variable": misspelt_variable}
