"""The examples of rules, run: what is reported, and what the fix changes."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from cfglint.base.record import Record
from cfglint.diagnostic import Diagnostic
from cfglint.engine.authoring.selftest import ExampleRun, run_example
from cfglint.engine.file_report import FileReport
from cfglint.engine.fixing import fix_source
from cfglint.engine.settings.selection import EVERY_RULE, Selection
from cfglint.knowledge.compiling.examples import prepare, prepare_files
from cfglint.knowledge.compiling.model import Example
from cfglint.knowledge.rules.rule import Rule
from cfglint.report.formats.text import findings
from cfglint.report.pages.rule_page import changed_lines, target_of
from cfglint.report.style import Style
from cfglint.roles.framework import Framework, load_framework
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText

#: What the file of an example is called in a report.
_NAMES = {
    "yaml": "train.yml",
    "omegaconf": "train.yml",
    "json": "ds_config.json",
    "shell": "train.sh",
}
_WIDTH = 88


class Shown(Record):
    """An example that ran."""

    #: Whether it is reported.
    bad: bool
    #: The versions and the hardware that it is for.
    target: str
    #: Its lines without the marks of the rule file.
    text: str
    #: The format of its file.
    language: str
    #: The files beside it, by name.
    files: dict[str, str]
    #: The report on the rule's findings; empty if the example is not reported.
    report: str
    #: What the rule's fix changes; empty without one.
    diff: str


class NotReported(Exception):
    """An example that the rule was to report has no such finding."""


def shown(rule: Rule, framework: str, data: dict[str, Any]) -> Shown:
    """Run one example of a rule.

    Args:
        framework: whose knowledge the rule is from.

    Raises:
        NotReported: the rule does not report a bad example.
    """
    example = Example.model_validate(data)
    home = load_framework(example.framework or framework)
    with tempfile.TemporaryDirectory(prefix="cfglint-") as folder:
        files = {name: content.data for name, content in prepare_files(example).items()}
        for name, content in files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return _run(rule, home, example, folder if files else None)


def _run(rule: Rule, framework: Framework, example: Example, folder: str | None) -> Shown:
    data, _marked = prepare(example)
    language = framework.language.name
    bad = example.bad is not None
    target = target_of({"target": example.target})
    report = diff = ""
    try:
        source = SourceText.from_bytes(data)
    except SourceError as error:
        # There is no text to show a line of.
        text = data.decode(example.encoding, "replace") if error.text is None else error.text
        return Shown(bad, target, text, language, {}, "", "")
    if bad:
        run = run_example(
            source,
            example,
            framework,
            folder,
            step=rule.migration == "only",
            sweep=rule.check == "sweep",
        )
        report = _report(rule, framework, source, run, folder)
        diff = _diff(rule, framework, source, run)
    files = {name: content.data.decode() for name, content in prepare_files(example).items()}
    return Shown(bad, target, source.text, language, files, report, diff)


def _report(
    rule: Rule, framework: Framework, source: SourceText, run: ExampleRun, folder: str | None
) -> str:
    """The findings of the rule as a terminal shows them, in all files of the example."""
    own = [found for found in run.result.diagnostics if found.code == rule.code]
    if not own and rule.check != "engine":  # which only a run with settings or of several files has
        raise NotReported(f"{rule.code} does not report its example:\n{source.text}")
    by_file: dict[str, list[Diagnostic]] = {}
    for found in own:
        by_file.setdefault(found.file.path if found.file else "", []).append(found)
    text = ""
    for path, there in by_file.items():
        other = there[0].file
        report = FileReport(
            path=path or _NAMES.get(framework.language.name, "train.yml"),
            framework=framework.name,
            source=other.source if other else source,
            diagnostics=tuple(there),
            undecided={},
            suppressed=0,
            target=run.case.target,
            fail_on="error",
            title=framework.title,
        )
        text += findings([report], Style(color=False), _WIDTH, verbose=True)
    return text.replace(f"{folder}/", "") if folder else text


def _diff(rule: Rule, framework: Framework, source: SourceText, run: ExampleRun) -> str:
    # Whether a suppression is of use depends on the rule that it names.
    step = rule.migration == "only"
    only = Selection(select=(rule.code,), migration=step)
    if rule.check == "suppressions":
        only = EVERY_RULE
    outcome = fix_source(source, run.case.replaced(selection=only), unsafe=True)
    if outcome.source.text == source.text:
        return ""
    return changed_lines(source.text, outcome.source.text)
