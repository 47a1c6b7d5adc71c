"""Variables that a script sets for the program it starts, and does not export: the program never gets them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import Edit, Fix, Related
from cfglint.source.languages.shell import script_of
from cfglint.source.shell_words import RawWord, Script, SimpleCommand
from cfglint.source.text import Span

#: What the libraries of every training read: CUDA, NCCL, torch, the Hub's client and wandb.
_READ: Final = frozenset(
    {
        *("CUDA_VISIBLE_DEVICES", "PYTORCH_CUDA_ALLOC_CONF", "HF_ENDPOINT", "HF_HOME"),
        *("HF_HUB_OFFLINE", "HF_TOKEN", "WANDB_API_KEY", "WANDB_DISABLED", "WANDB_MODE"),
        "WANDB_PROJECT",
    }
)
_ALLOCATOR: Final = "PYTORCH_CUDA_ALLOC_CONF"
_EXPANDABLE: Final = "expandable_segments"
_ROLLOUT: Final = "vllm"
_OF_NCCL: Final = "NCCL_"
#: Set by the job's own environment, so that a script changes what is exported already.
_OF_JOBS: Final = frozenset({"CUDA_VISIBLE_DEVICES"})
_JOB = lazy_pattern(r"(?m)^#(?:SBATCH|PBS|BSUB|COBALT|\$)[ \t]")
#: A setting with which the engine that answers prompts does not start: the run owes it to the missing `export`.
_HARMFUL: Final = (
    "expandable_segments:True",
    'expandable_segments:True"',
    "expandable_segments:True'",
)
_ENGINE: Final = "vllm"
#: What exports everything, and what names a variable by the value of another.
_EXPORTS_ALL = lazy_pattern(r"\bset[ \t]+-\w{0,9}a|\ballexport\b|\A#![^\n]{0,99} -\w{0,9}a|\$\{!")
#: A Ray that gets the number of GPUs: by a variable, or a number.
_RAY = lazy_pattern(
    r"(?m)^[^#\n]{0,200}\bray[ \t]+start\b[^\n]{0,400}?--num-gpus[= ][\"']?(?:\$\{?(\w{1,60})\}?|(\d{1,3}))(?![\w:])"
)
_NAME = lazy_pattern(r"\w+")
_ASSIGNED = lazy_pattern(r"([A-Za-z_]\w*)=(?=.)")


def variable_not_exported(ctx: CheckContext) -> Iterator[Hit]:
    """`CUDA_VISIBLE_DEVICES=0,1` on a line of its own before the command."""
    text = ctx.document.text
    if _EXPORTS_ALL.search(text) is not None:
        return
    script = script_of(text)
    at = ctx.document.root.start
    command = next((one for one in script.statements if one.words[-1].end > at), None)
    if command is None or command.words[0].start > at:
        return
    set_here = [] if _is_for_cluster(command, text) else list(_set_before(command, script, ctx))
    if not set_here:
        return
    others = _other_places(script, text)
    own = ctx.document.root.lookup["program"].value
    for statement, word, name in set_here:
        if name in others or (name in _OF_JOBS and _JOB.search(text) is not None):
            continue
        # vLLM's pool of memory, which sleeps between rollouts, refuses such segments: exported, they end the run.
        segments = name == _ALLOCATOR and _EXPANDABLE in text[word.start : word.end]
        if segments and _ROLLOUT in text.lower():
            continue
        if name in _OF_JOBS and _sees_the_same(text[word.start : word.end], text):
            continue
        start = statement.words[0].start
        fix = Fix("Export it", "unsafe", (Edit(start, start, "export "),), ())
        yield Hit(
            (),
            Span(word.start, word.start + len(name)),
            {"variable": name, "program": text[own.start : own.end].rpartition("/")[2]},
            related=(Related(Span(own.start, own.end), "the program that is started without it"),),
            fixes=(fix,),
        )


def _sees_the_same(assigned: str, text: str) -> bool:
    """Whether the GPUs that a variable lists are those which the script's own Ray hands out: the first so many."""
    listed = assigned.partition("=")[2].strip("\"'").split(",")
    started = _RAY.search(text)
    if started is None or listed != [str(number) for number in range(len(listed))]:
        return False
    written = started[2]
    if started[1]:
        set_to = set(
            re.findall(rf"(?m)^[ \t]{{0,40}}(?:export[ \t]+)?{started[1]}=[\"']?(\w*)", text)
        )
        written = set_to.pop() if len(set_to) == 1 else ""
    return written == str(len(listed))


def _is_for_cluster(command: SimpleCommand, text: str) -> bool:
    """Whether a command hands a job to Ray, whose environment is not that of the script."""
    words = [text[one.start : one.end] for one in command.words]
    return ("ray", "job") in pairwise(words)


def _set_before(
    command: SimpleCommand, script: Script, ctx: CheckContext
) -> Iterator[tuple[SimpleCommand, RawWord, str]]:
    """The variables that surely are set before a command, for nothing but the shell, and that its program reads."""
    known = _READ
    if "launcher" not in ctx.document.root.lookup:
        known |= ctx.framework.launching.environment
    text, seen = ctx.document.text, set()
    for statement in script.statements:
        if statement is command:
            return
        found = [_ASSIGNED.match(text, word.start, word.end) for word in statement.words]
        if command.block[: len(statement.block)] != statement.block or not all(found):
            continue
        for word, match in zip(statement.words, found, strict=True):
            name = match[1] if match is not None else ""
            if text[word.start : word.end].endswith(_HARMFUL) and _ENGINE in text:
                continue
            if (name in known or name.startswith(_OF_NCCL)) and name not in seen:
                seen.add(name)
                yield statement, word, name


def _other_places(script: Script, text: str) -> set[str]:
    """The names that the script has elsewhere than where it sets a variable for the shell alone.

    A script that exports it, uses it or hands it on names it there; what is in comments does not count.
    """
    left, at = [], 0
    plain = [
        (word.start, match.end())
        for statement in script.statements
        if all(_ASSIGNED.match(text, one.start, one.end) for one in statement.words)
        for word in statement.words
        if (match := _ASSIGNED.match(text, word.start, word.end)) is not None
    ]
    comments = [(one.span.start, one.span.end) for one in script.comments]
    for start, end in sorted((*plain, *comments)):
        if start >= at:
            left.append(text[at:start])
        at = max(at, end)
    left.append(text[at:])
    return {name for part in left for name in _NAME.findall(part)}


CHECKS = {"variable-not-exported": variable_not_exported}
