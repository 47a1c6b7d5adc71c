"""The settings of a launcher whose library no program of the project uses.

What they ask for is carried out by `Accelerator` in the processes, or by trainers that have one. A program without either
runs as if it had been started by torchrun, whatever they say, and refuses none of it. What the launcher itself reads (the
names of its keys, their types) stays as it is.
"""

from __future__ import annotations

import re

from cfglint.base.lazy import lazy_pattern
from cfglint.diagnostic import Diagnostic, as_note
from cfglint.engine.case import Case
from cfglint.engine.file_report import FileReport
from cfglint.environment.project_texts import MANY, project_texts
from cfglint.environment.python_sources import project_root, python_sources
from cfglint.environment.surroundings import Surroundings
from cfglint.knowledge.marks import Launcher, all_marks, is_about_any, marks_of, without_comments
from cfglint.source.files.scripts import SCRIPTS

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


def as_notes_without_reader(report: FileReport, case: Case) -> FileReport:
    """The report on a launcher's settings, with notes for what only its library would carry out where none is used."""
    marks, around = marks_of(case.framework.name), case.around
    if marks.launcher is None or not marks.launcher.settings or around.folder is None:
        return report
    if around.launches or not any(map(_is_weighed, report.diagnostics)):
        return report
    if _may_be_read(around, around.folder, marks.launcher):
        return report
    reason = f"No program of the project uses {marks.launcher.name}, which alone carries this out."
    found = (as_note(one, reason) if _is_weighed(one) else one for one in report.diagnostics)
    return report.replaced(diagnostics=tuple(found))


def _is_weighed(found: Diagnostic) -> bool:
    is_other = found.file is not None or found.severity == "note"
    return not is_other and not found.code.startswith(_OF_THE_LAUNCHER)


def _may_be_read(around: Surroundings, folder: str, launcher: Launcher) -> bool:
    root = project_root(around, folder)

    def look() -> bool:
        programs, scripts = python_sources(around, root), project_texts(around, root, SCRIPTS)
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

    return around.memory.once(("settings of a launcher are read", root), look)


def _of_modules(library: str) -> re.Pattern[str]:
    """What imports a framework, or has the name of a library: it may start it."""
    words = (word for one in all_marks() if one.words for word in (one.package, *one.words))
    names = (re.escape(word).replace(r"\-", "[-_]") for word in words if not {" ", "/"} & set(word))
    every = "|".join(dict.fromkeys(names))
    return re.compile(rf"(?m)^[ \t]*(?:from|import)[ \t]+(?:{every})\b|\b{library}\b")


def _code(text: str) -> str:
    """A program without its comments, and without its texts of several lines."""
    return without_comments("".join(text.split(_QUOTES)[::2]))
