"""Lines that belong to no config: conflict markers, commands, Markdown fences."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cfglint.base.lazy import lazy_pattern
from cfglint.source.diagnosis.lines import Line, Lines
from cfglint.source.diagnosis.model import Cause, Change, Slip, shown
from cfglint.source.text import Span

_MARKER = lazy_pattern(r"(<{7}|\|{7}|={7}|>{7})(?: |$)")
_FENCE = lazy_pattern(r"(?:```|~~~)[\w+-]*$")
_PROMPT = lazy_pattern(r"(?:\([\w.-]+\) ?)?(?:[\w.-]+@\S{1,200}? ?[$#%] |[$%] |>>> )")
_ASSIGNMENT = lazy_pattern(r"(?:export|set|setenv) +[A-Za-z_]\w*[= ]|(?:[A-Z_][A-Z0-9_]*=\S* +)+\S")
#: Programs that are run around a training; of others a sub-command or an option is needed.
_PROGRAMS = lazy_pattern(
    r"(?:sudo +|time +|nohup +|env +)?(?:\S*/)?(?:apt|apt-get|aws|bash|cat|cd|chmod|conda|cp|curl|"
    r"docker|echo|fetch|gcloud|git|gsutil|hf|huggingface-cli|kubectl|ls|make|mkdir|mv|"
    r"nano|nvidia-smi|pip3?|podman|poetry|pushd|python3?|rm|rsync|sbatch|screen|sh|source|srun|ssh|"
    r"tar|tmux|torchrun|unzip|uv|uvx|vim?|wandb|wget|which|[^\s/]+\.sh)(?= +[^\s:=])|nvidia-smi$"
    r"|[a-z][\w-]{1,40} +(?:launch|train|preprocess|sft|dpo|grpo|kto|reward|chat|export)(?= +[^\s:=])"
)
#: What only a command line has: an option after a word, `&&`, a pipe, a line that goes on.
_OPERATORS = lazy_pattern(r"(?<=\S) (?:--?[A-Za-z][\w-]*(?=[ =]|$)|&& |\|\| |\| [a-z]|\\$)")
#: How much of a line is examined (characters).
_MAX_COMMAND = 1_000


def leftovers(lines: Lines, last: int) -> Iterator[Slip]:
    """Lines up to the one with a number that are not YAML at all."""
    for line in lines.all[: last + 1]:
        if line.kind in ("blank", "comment", "literal"):
            continue
        code = lines.text[line.lead : min(line.end, line.lead + _MAX_COMMAND)]
        if line.lead == line.start and _MARKER.match(code):
            yield _conflict(lines, line)
            return
        if line.kind != "code":
            continue
        if _FENCE.match(code):
            yield _without(
                lines,
                line,
                Cause.CODE_FENCE,
                "A Markdown code fence was left in the file: delete the line.",
            )
        elif _is_command(code, line):
            yield _without(
                lines,
                line,
                Cause.SHELL_LINE,
                f"`{shown(code)}` is a shell command, not YAML: delete the line or write it as a "
                "comment.",
            )


def _is_command(code: str, line: Line) -> bool:
    if _PROMPT.match(code):
        return True
    if line.dashes or line.colons:
        return False
    if _ASSIGNMENT.match(code) or _PROGRAMS.match(code):
        return True
    return _OPERATORS.search(code) is not None and re.match(r"[\w./~-]+ ", code) is not None


def _without(lines: Lines, line: Line, cause: Cause, message: str) -> Slip:
    return Slip(
        cause,
        Span(line.lead, line.end),
        message,
        (Change(line.lead, line.lead, "# "),),
        title="Comment it out",
        cost=0,
    )


def _conflict(lines: Lines, first: Line) -> Slip:
    """A conflict; what is tried is the side above the `=======`."""
    changes = []
    keep = True
    for line in lines.all[first.number :]:
        marker = _MARKER.match(lines.text, line.start, line.end)
        stop = lines.all[line.number + 1].start if line.number + 1 < len(lines.all) else line.end
        if marker is not None and marker.group(1)[0] in "|=":
            keep = False
        if marker is not None or not keep:
            changes.append(Change(line.start, stop, ""))
        if marker is not None and marker.group(1)[0] == ">":
            keep = True
    return Slip(
        Cause.CONFLICT_MARKER,
        Span(first.start, first.end),
        "A merge conflict marker was left in the file: keep one side and delete the markers.",
        tuple(changes),
        cost=-100,
    )
