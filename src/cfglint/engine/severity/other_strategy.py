"""Files of DeepSpeed that only a launcher's settings name, and those settings start their runs in another way.

The launcher hands such a file to the processes for one `distributed_type` alone, and what a command says instead
(`--multi_gpu`) takes the place of that.
"""

from __future__ import annotations

import os

from cfglint.base.lazy import lazy_pattern
from cfglint.engine.case import Case
from cfglint.engine.file_report import FileReport
from cfglint.engine.severity.unnamed import names_it, texts_of_project
from cfglint.knowledge.marks import launchers
from cfglint.runs.starts import launchers as starts

#: Framework -> the type for which the launcher hands its file on, and what else asks for that.
_TYPES = {"deepspeed": ("DEEPSPEED", ("use_deepspeed", "USE_DEEPSPEED", "use-deepspeed"))}
#: Those for which nothing of it is read.
_OTHERS = frozenset({"FSDP", "MULTI_CPU", "MULTI_GPU", "NO"})
_TYPE = lazy_pattern(r"(?m)^distributed_type:[ \t]{0,9}[\"']?(\w{1,40})")
_SETTINGS = (".yaml", ".yml")
#: The options that take the place of the type.
_INSTEAD = frozenset({"--cpu", "--multi_gpu", "--multi-gpu", "--use_fsdp", "--use-fsdp"})


def why_other_strategy(_: FileReport, case: Case) -> str:
    """Why no run reads a file that only settings for other runs name; empty for any other file."""
    around = case.around
    own_type, switches = _TYPES.get(case.framework.name, ("", ()))
    if not own_type or around.named_by or around.launches or around.folder is None:
        return ""
    own = os.path.abspath(around.path)
    texts = [row for row in texts_of_project(around, around.folder) if row[0] != own]
    if any(one in text for _, text in texts for one in switches):
        return ""
    shown = ""
    for path, text in texts:
        if not names_it(text, path, case):
            continue
        found = _TYPE.search(text) if path.endswith(_SETTINGS) else None
        if found is None:
            return ""
        written = found[1].upper()
        if written in _OTHERS:
            shown = shown or f"`distributed_type: {written}`"
        elif written == own_type and (option := _option_instead(path, texts)) is not None:
            shown = shown or option
        else:
            return ""
    if not shown:
        return ""
    return f"Only settings of a launcher name this file, and it starts nothing that reads it ({shown})."


def _option_instead(path: str, texts: list[tuple[str, str]]) -> str | None:
    """The option that takes the place of the type in all commands with a launcher's settings; None where one has none."""
    name = os.path.basename(path)
    options = []
    for other, text in texts:
        if other == path or name not in text:
            continue
        lines = [line for one in launchers() for line in starts.read(other, text, one)]
        lines = [line for line in lines if os.path.basename(line.config.text) == name]
        if len(lines) != text.count(name):
            return None
        options += [
            next((one.text for one in line.before if one.text in _INSTEAD), "") for line in lines
        ]
    if not all(options):
        return None
    return f"`{options[0]}`" if options else ""
