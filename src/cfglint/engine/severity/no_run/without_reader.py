"""The settings of a launcher whose library no program of the project uses.

What they ask for is carried out by `Accelerator` in the processes, or by trainers that have one. A program without either
runs as if it had been started by torchrun, whatever they say, and refuses none of it. What the launcher itself reads (the
names of its keys, their types) stays as it is.
"""

from __future__ import annotations

import re

from cfglint.base.lazy import lazy_pattern
from cfglint.diagnostic import Diagnostic
from cfglint.engine.severity.no_run.searched_file import SearchedFile
from cfglint.environment.project_texts import MANY, project_texts
from cfglint.environment.python_sources import python_sources
from cfglint.knowledge.marks import Launcher, all_marks, is_about_any, without_comments

#: What has an `Accelerator`, beside the frameworks.
_USES = lazy_pattern(
    r"(?m)\bAccelerator\b|TrainingArguments\b"
    r"|^[ \t]*(?:from|import)[ \t]+(?:FlagEmbedding|adapters|alignment|diffusers|lighteval|lm_eval|optimum"
    r"|sentence_transformers|setfit|span_marker|tevatron|trlx|unsloth\w*)\b"
    r"|\btransformers\b[^\n]{0,200}Trainer\b|^[ \t]*(?:Seq2Seq)?Trainer,?[ \t]*$"
)
#: Around what a program says of itself.
_QUOTES = '"""'
_OF_THE_LAUNCHER = ("JSN", "KEY", "TYP", "YML")


def is_for_processes(found: Diagnostic) -> bool:
    """Whether a finding is about what the processes carry out, and not about what the launcher reads."""
    return not found.code.startswith(_OF_THE_LAUNCHER)


def why_without_reader(file: SearchedFile) -> str:
    """Why nothing carries out the settings of a launcher; empty for other files, and where its library is used."""
    launcher = file.marks.launcher
    if launcher is None or not launcher.settings or _may_be_read(file, launcher):
        return ""
    return f"No program of the project uses {launcher.name}, which alone carries this out."


def _may_be_read(file: SearchedFile, launcher: Launcher) -> bool:
    def look() -> bool:
        programs = python_sources(file.around, file.root)
        scripts = project_texts(file.around, file.root)
        if not programs or None in programs.values() or len(scripts) >= MANY:
            return True
        for _, text in scripts:
            # What is not of the project may be started.
            if (
                text is None
                or is_about_any(text)
                or any(word in text for word in launcher.commands)
            ):
                return True
        used = _of_modules(launcher.name)
        codes = [_code(text or "") for text in programs.values()]
        return any(_USES.search(code) or used.search(code) for code in codes)

    return file.around.memory.once(("settings of a launcher are read", file.root), look)


def _of_modules(library: str) -> re.Pattern[str]:
    """What imports a framework, or has the name of a library: it may start it."""
    words = (word for one in all_marks() if one.words for word in (one.package, *one.words))
    names = (re.escape(word).replace(r"\-", "[-_]") for word in words if not {" ", "/"} & set(word))
    every = "|".join(dict.fromkeys(names))
    return re.compile(rf"(?m)^[ \t]*(?:from|import)[ \t]+(?:{every})\b|\b{library}\b")


def _code(text: str) -> str:
    """A program without its comments, and without its texts of several lines."""
    return without_comments("".join(text.split(_QUOTES)[::2]))
