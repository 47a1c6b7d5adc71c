"""The examples of every rule, run: the rule files test themselves."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cfglint.diagnostic import Diagnostic
from cfglint.engine.case import Case
from cfglint.engine.files_together.edges import Edges
from cfglint.engine.fixing import fix_source
from cfglint.engine.lint import LintResult, lint_source
from cfglint.engine.settings.selection import EVERY_RULE, EVERY_STEP, Selection
from cfglint.environment.building import build_environment
from cfglint.environment.environment import Environment
from cfglint.environment.surroundings import Memory, Surroundings, nowhere
from cfglint.frameworks.for_files import for_path
from cfglint.knowledge import recognition
from cfglint.knowledge.compiling.examples import prepare, prepare_files
from cfglint.knowledge.compiling.loading import RuleFile
from cfglint.knowledge.compiling.model import Example, RuleModel
from cfglint.knowledge.rules.example_marks import strip_markers
from cfglint.roles.framework import Framework, frameworks, load_framework
from cfglint.source.files.disk import Disk
from cfglint.source.json_problems import JsonProblemKind
from cfglint.source.problems import ProblemKind, SourceError
from cfglint.source.text import SourceText

if TYPE_CHECKING:
    from cfglint.knowledge.schemas.schema import UserSchema

#: The good file whose keys belong to a plugin that cfglint cannot know; it gets notes.
OWN_PLUGIN = "own-plugin.yml"
#: What the config of an example with other files is called.
_NAMED = "train.yml"
#: What the sweep file is called that an example is run with.
SWEEP = "sweep.yml"


def failures(
    files: Iterable[RuleFile], framework_of: Callable[[str], Framework] = load_framework
) -> Iterator[str]:
    """What is wrong with the examples of rules, one line each."""
    for file in files:
        for number, example in enumerate(file.rule.examples, 1):
            name = framework_name(file.rule, example)
            if name not in frameworks():
                continue  # a file of a framework that is not here
            for problem in example_failures(file, example, framework_of(name)):
                yield f"{file.rule.code} {file.rule.name}, example {number}: {problem}"


def example_failures(
    file: RuleFile, example: Example, framework: Framework | None = None
) -> Iterator[str]:
    """What is wrong with one example."""
    if framework is None:
        name = framework_name(file.rule, example)
        assert name is not None
        framework = load_framework(name)
    with _files_of(example) as folder:
        yield from _failures(file, example, framework, folder)


@contextmanager
def _files_of(example: Example) -> Iterator[str | None]:
    """The folder with an example's other files, for as long as it is needed; None without any."""
    if not example.files:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="cfglint-") as folder:
        for name, content in prepare_files(example).items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.data)
        yield folder


def _failures(
    file: RuleFile, example: Example, framework: Framework, folder: str | None
) -> Iterator[str]:
    """What is wrong with one example, whose files lie in a folder."""
    rule = file.rule
    data, marked = prepare(example)
    try:
        source = SourceText.from_bytes(data)
    except SourceError as error:
        if rule.name != error.kind.value:
            yield f"cannot be decoded ({error.kind.value})"
        elif error.text is not None and marked != (SourceText(error.text).line_count(),):
            yield f"found after {SourceText(error.text).line_count()} lines, not at {marked}"
        return
    step = rule.migration == "only"
    sweep = rule.check == "sweep"
    result, case, _ = run_example(source, example, framework, folder, step=step, sweep=sweep)
    own = [d for d in result.diagnostics if d.code == rule.code]
    if example.good is not None:
        if own:
            at = own[0].file.path if own[0].file else _lines(own, source)
            yield f"fires on a good example at {at}: {own[0].message}"
        return
    if folder is not None:
        yield from _other_files(own, example, folder)
        own = [d for d in own if d.file is None]
    lines = _lines(own, source)
    if rule.check == "engine":
        return
    if lines != sorted(marked) and (example.repeat == 1 or lines[:1] != sorted(marked)[:1]):
        yield f"fires at lines {lines}, not at {sorted(marked)}"
    # A project's example shows its own rule; whether the rest of the file is complete is no matter.
    is_project = framework.knowledge.has_project_rules and not framework.knowledge.replaced
    others = [
        d
        for d in result.diagnostics
        if d.code != rule.code
        and d.severity == "error"
        and not is_project
        and not step  # what a step repairs is often a finding of a check, too
    ]
    if others:
        yield "other rules fire, too: " + ", ".join(f"{d.code} ({d.message})" for d in others)
    wanted = example.severity or rule.severity
    if own and example.severity is not None and own[0].severity != wanted:
        yield f"is reported as {own[0].severity}, not as {wanted}"
    if own and example.says not in own[0].message:
        yield f"says {own[0].message!r}, and not {example.says!r}"
    if own and own[0].message.endswith(("?.", "`..", "!.")):
        yield f"ends with two marks: {own[0].message!r}"
    if example.fixed is not None:
        # Whether a suppression is of use depends on the rule that it names.
        only = Selection(select=(rule.code,), migration=step)
        if rule.check == "suppressions":
            only = EVERY_RULE
        outcome = fix_source(source, case.replaced(selection=only), unsafe=True)
        fixed = strip_markers(example.fixed)
        if outcome.source.text != fixed:
            yield f"is fixed to\n{outcome.source.text}\nand not to\n{fixed}"


class ExampleRun(NamedTuple):
    """What is found in an example, and what it was checked with."""

    result: LintResult
    case: Case
    source: SourceText


@contextmanager
def example_run(rule: RuleModel, example: Example, framework: Framework) -> Iterator[ExampleRun]:
    """An example of a rule as it is checked, while its other files are there.

    Raises:
        SourceError: its text cannot be decoded.
    """
    source = SourceText.from_bytes(prepare(example).data)
    step, sweep = rule.migration == "only", rule.check == "sweep"
    with _files_of(example) as folder:
        yield run_example(source, example, framework, folder, step=step, sweep=sweep)


def run_example(
    source: SourceText,
    example: Example,
    framework: Framework,
    folder: str | None,
    *,
    step: bool,
    sweep: bool,
) -> ExampleRun:
    """Check the file of an example.

    Args:
        folder: where its other files lie; None when it has none.
        step: whether the rules that are nothing but steps of migrations are tried, too.
        sweep: whether the run is started with the sweep file.
    """
    framework = for_path(framework, example.named or _NAMED)
    target = example_target(example, framework)
    around = nowhere().replaced(path=example.named)
    if folder is not None:
        target, around = _around(target, framework, os.path.join(folder, example.named or _NAMED))
    case = Case(framework, target, around, EVERY_STEP if step else EVERY_RULE, Edges())
    result = lint_source(source, case)
    if sweep and folder is not None:
        result = _with_sweep(result, case, os.path.join(folder, SWEEP))
    return ExampleRun(result, case, source)


def _with_sweep(result: LintResult, case: Case, sweep: str) -> LintResult:
    """What is found when the run is started with a sweep file, too."""
    from cfglint.engine.sweeps.reading import read_sweep
    from cfglint.engine.sweeps.runner import sweep_findings

    read = read_sweep(sweep, case.around.files)
    found = sweep_findings(read, result.document, case)
    return result.replaced(diagnostics=result.diagnostics + found.diagnostics)


def _around(
    target: Environment, framework: Framework, config: str
) -> tuple[Environment, Surroundings]:
    """The environment stated by the files around a config, and the surroundings of the example."""
    from cfglint.environment.project.projects import Projects

    folder = os.path.dirname(config)
    files = Disk()
    schemas = _schemas(config, framework, files)
    project = Projects(files).for_file(config, framework.name)
    if project is None:
        return target, Surroundings(Memory(), files, config, folder, schemas=schemas)
    pins = {**project.pins, **target.pins}
    facts = {**project.hardware(config), **target.facts}
    launches = tuple(project.launches(config))
    return (
        Environment(target.releases, pins, facts, as_of=target.as_of),
        Surroundings(Memory(), files, config, folder, project, launches, schemas=schemas),
    )


def _schemas(config: str, framework: Framework, files: Disk) -> tuple[UserSchema, ...]:
    """The schemas that the settings next to an example name for it."""
    if not files.is_file(os.path.join(os.path.dirname(config), "cfglint.toml")):
        return ()
    from cfglint.engine.session import Options, Session
    from cfglint.engine.settings.nearest import SettingsFinder

    session = Session(Options(), SettingsFinder(files=files))
    return session.environment(framework, session.settings(config), config)[1].schemas


def _other_files(own: list[Diagnostic], example: Example, folder: str) -> Iterator[str]:
    """Marks in the files next to the config that carry no finding, and the other way round."""
    for name, content in prepare_files(example).items():
        path = os.path.join(folder, *name.split("/"))
        lines = sorted(
            d.file.source.position(d.span.start).line
            for d in own
            if d.file is not None and d.file.path == path
        )
        if lines != sorted(content.marked):
            yield f"fires at lines {lines} of {name}, not at {sorted(content.marked)}"


def framework_name(rule: RuleModel, example: Example) -> str | None:
    """The framework of an example's file.

    That is the framework which takes files that none recognizes, unless the example says it;
    None when there is no such framework.
    """
    if rule.framework != "any":
        return example.framework or rule.framework
    return example.framework or recognition.fallback("yaml")


def example_target(example: Example, framework: Framework) -> Environment:
    """The target that an example is checked against."""
    pins = []
    gpus: int | None = None
    gpu: str | None = None
    for name, value in example.target.items():
        if name == "gpus":
            gpus = int(value)
        elif name == "gpu":
            gpu = str(value)
        elif str(value).startswith("@"):
            pins.append(f"{name}{value}")
        else:
            pins.append(f"{name}=={value}")
    return build_environment(framework.releases, pins=pins, gpus=gpus, gpu=gpu)


def false_alarms(folder: Path) -> Iterator[str]:
    """What is found in files that are right, one line each."""
    name = recognition.fallback("yaml")
    if name is None:
        return
    framework = load_framework(name)
    case = Case.of_text(framework, build_environment(framework.releases))
    for path in sorted(folder.glob("*.y*ml")):
        source = SourceText.from_bytes(path.read_bytes())
        for found in lint_source(source, case).diagnostics:
            if found.severity == "note" and path.name == OWN_PLUGIN:
                continue
            yield f"{path.name}:{source.position(found.span.start).line}: {found.code} {found.message}"


def untested_problems(files: Iterable[RuleFile]) -> list[str]:
    """Reading problems that have no rule among cfglint's own."""
    names = {file.rule.name for file in files}
    kinds = (*ProblemKind, *JsonProblemKind)
    return [kind.value for kind in kinds if kind.value not in names]


def _lines(diagnostics: list[Diagnostic], source: SourceText) -> list[int]:
    return sorted(source.position(d.span.start).line for d in diagnostics)


def counted(rules: int, problems: list[str]) -> str:
    """The last line: `1 rule, 0 problems`."""
    things = {"rule": rules, "problem": len(problems)}
    return ", ".join(f"{n} {thing}{'' if n == 1 else 's'}" for thing, n in things.items())
