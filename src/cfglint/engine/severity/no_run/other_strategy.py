"""Files that only a launcher's settings name, and those settings start their runs in another way.

The launcher hands such a file to the processes for one kind of run alone, and what a command says instead (`--multi_gpu`)
takes the place of that.
"""

from __future__ import annotations

import os
import re

from cfglint.engine.severity.no_run.naming_texts import names_it, other_texts
from cfglint.engine.severity.no_run.searched_file import SearchedFile
from cfglint.environment.project_texts import project_texts
from cfglint.knowledge.marks import Launcher, launchers
from cfglint.runs.starts import launchers as starts

_SETTINGS = (".yaml", ".yml")


def why_other_strategy(file: SearchedFile) -> str:
    """Why no run reads a file that only settings for other runs name; empty for any other file."""
    name = file.case.framework.name
    launcher = next((one for one in launchers() if name in one.hands_on), None)
    if launcher is None or file.around.named_by:
        return ""
    texts = other_texts(file)
    if any(one in text for _, text in texts for one in launcher.hands_on_with):
        return ""
    written = re.compile(rf"(?m)^{launcher.kind}:[ \t]{{0,9}}[\"']?(\w{{1,40}})")
    shown = ""
    for path, text in texts:
        if not names_it(text, path, file):
            continue
        found = written.search(text) if path.endswith(_SETTINGS) else None
        if found is None:
            return ""
        kind = found[1].upper()
        if kind in launcher.other_kinds:
            shown = shown or f"`{launcher.kind}: {kind}`"
            continue
        option = _option_instead(path, texts, launcher, file)
        if kind != launcher.hands_on[name] or option is None:
            return ""
        shown = shown or option
    if not shown:
        return ""
    return f"Only settings of a launcher name this file, and it starts nothing that reads it ({shown})."


def _option_instead(
    path: str, texts: list[tuple[str, str]], launcher: Launcher, file: SearchedFile
) -> str | None:
    """The option that takes the place of the kind in all commands with a launcher's settings; None where one has none.

    A command that is kept in a comment may be the one of tomorrow.
    """
    name = os.path.basename(path)
    written = dict(project_texts(file.around, file.root))
    instead = {f"--{one}" for word in launcher.instead for one in (word, word.replace("_", "-"))}
    options = []
    for other, text in texts:
        if other == path or name not in text:
            continue
        lines = [
            line
            for line in starts.read(other, text, launcher)
            if os.path.basename(line.config.text) == name
        ]
        if len(lines) != (written.get(other) or text).count(name):
            return None
        options += [
            next((one.text for one in line.before if one.text in instead), "") for line in lines
        ]
    if not all(options):
        return None
    return f"`{options[0]}`" if options else ""
