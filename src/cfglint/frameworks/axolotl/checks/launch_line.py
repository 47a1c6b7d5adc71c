"""What is wrong with the commands that start a config. Imported only when a file of the project has one.

These findings are in the script, the job or the image, at the word that is at fault.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import lru_cache

from cfglint.base.shortened import shortened, shortened_value
from cfglint.base.spelling import Speller
from cfglint.base.type_names import Any, Literal
from cfglint.checks.context import CheckContext, Hit
from cfglint.checks.value_types import wanted_words
from cfglint.diagnostic import Edit, Fix, OtherFile, SeverityName
from cfglint.frameworks.axolotl.launch_options import (
    COMMANDS_SINCE,
    FIRST,
    Given,
    final_value,
    given,
    option_name,
    option_names,
)
from cfglint.knowledge.keys.judges import BOUNDS
from cfglint.knowledge.keys.pydantic_types import FALSE
from cfglint.knowledge.recognition import language_of
from cfglint.runs.starts.start import Start
from cfglint.source.text import SourceText, Span

_MANY_NODES = 4
#: With one of these, `preprocess` goes elsewhere, or does nothing.
_UNPREPARED = ("dataset_prepared_path", "skip_prepare_dataset", "pretraining_dataset")


def unknown_option(ctx: CheckContext) -> Iterator[Hit]:
    """An option that the command does not know."""
    for line, found in _given(ctx):
        if found.problem == "lost":
            params = {
                "option": _written(found),
                "what": "is read by accelerate itself and never reaches Axolotl",
                "hint": f" Write `{option_name(found.path)}`.",
            }
            hit = _hit(ctx, line, found, params, upstream="silent")
            yield _renaming(hit, found, option_name(found.path), "unsafe")
        if found.problem != "unknown":
            continue
        hint, meant, sure = _meant(ctx, line, found)
        if not line.own:
            what = "is not a key of Axolotl, which silently ignores it"
            severity: SeverityName | None = "warning"
        else:
            what = f"is not an option of `axolotl {line.command}` in {ctx.target.release}"
            severity = None if sure or not ctx.target.assumed else "warning"
        params = {"option": _written(found), "what": what, "hint": hint}
        upstream = "rejects" if line.own else "silent"
        hit = _hit(ctx, line, found, params, severity, upstream=upstream)
        yield _renaming(hit, found, meant, "safe" if sure else "unsafe")


def _renaming(hit: Hit, found: Given, meant: str, safety: Literal["safe", "unsafe"]) -> Hit:
    """A finding with the option that is meant in the place of the written one."""
    if not meant or hit.file is None or language_of(hit.file.path) != "shell":
        return hit
    written = found.word.text.partition("=")[0]
    start, end = found.word.start, found.word.start + len(written)
    if hit.file.source.text[start:end] != written:
        return hit
    fix = Fix(f"Rename it to {meant}", safety, (Edit(start, end, meant),), ())
    return hit.replaced(fixes=(fix,))


def _meant(ctx: CheckContext, line: Start, found: Given) -> tuple[str, str, bool]:
    """(what may have been meant, in words; that option; whether only the spelling with `_` is at fault)."""
    name = _written(found)[2:]
    candidates = option_names(line, ctx.release_keys, ctx.framework.keys.current(""))
    plain = name.replace("-", "_")
    if line.own and plain in candidates:
        meant = option_name((plain,))
        return f" Write `{meant}`, with hyphens.", meant, True
    guess = _speller(tuple(candidates)).closest(plain)
    if guess is None:
        return "", "", False
    meant = option_name((guess.name,))
    return f" Did you mean `{meant}`?", meant, False


def unfit_value(ctx: CheckContext) -> Iterator[Hit]:
    """A value that the key does not take."""
    for line, found in _given(ctx):
        if found.problem or found.value is None or found.schema is None or not found.path:
            continue
        try:
            value = final_value(found, line, ctx.value(*found.path), ctx.release_keys)
        except ValueError:
            continue
        if value is None:
            continue
        schema = found.schema
        broken = schema.broken_bound(value)
        if schema.takes(value) and broken is None:
            continue
        wanted = wanted_words(schema)
        if broken is not None and schema.takes(value) and broken[0] in BOUNDS:
            wanted = f"{BOUNDS[broken[0]][1]} {broken[1]}"
        note = ""
        if isinstance(value, (int, float)) and "str" in schema.kinds:
            note = "; a number on the command line arrives as a number"
        params = {
            "option": option_name(found.path),
            "key": ".".join(found.path),
            "written": shortened(found.value.text),
            "wanted": wanted,
            "note": note,
        }
        yield _hit(ctx, line, found, params)


def misused_switch(ctx: CheckContext) -> Iterator[Hit]:
    """A switch with a value, or an option without one."""
    for line, found in _given(ctx):
        name = option_name(found.path) if found.path else _written(found).replace("--no-", "--")
        release = ctx.target.release
        no = f"--no-{name[2:]}"
        if found.problem == "valued":
            off = found.value is not None and found.value.text.lower() in FALSE
            problem = f"takes no value in {release}: write just `{no if off else name}`"
        elif found.problem == "bare":
            example = " true" if found.schema is not None and "bool" in found.schema.kinds else ""
            problem = f"needs a value in {release}" + (f": `{name}{example}`" if example else "")
        elif found.problem == "negated":
            problem = f"is not an option in {release}: write `{name} false`"
            if found.schema is not None and isinstance(ctx.value(*found.path), bool):
                problem = f"is not an option in {release}: change the config instead"
        else:
            continue
        # The notation of switches has changed, and the release is not stated.
        severity: SeverityName | None = "warning" if ctx.target.assumed else None
        params = {"option": _written(found), "problem": problem}
        yield _hit(ctx, line, found, params, severity)


def inverted_switch(ctx: CheckContext) -> Iterator[Hit]:
    """A value that means no, and is taken for yes; or a `--no-…` that gets lost."""
    for line, found in _given(ctx):
        existing = ctx.value(*found.path) if found.path else None
        key = ".".join(found.path)
        if found.problem == "dropped":
            problem = "does not reach the processes that accelerate starts"
        elif found.problem or found.value is None or not isinstance(existing, bool):
            continue
        else:
            text = found.value.text
            try:
                value = final_value(found, line, existing, ctx.release_keys)
            except ValueError:
                continue
            if value is not True or text.lower() not in FALSE | {"none", "null"}:
                continue
            problem = f"sets `{key}` to true: any non-empty text counts as true"
        severity: SeverityName | None = "warning" if ctx.target.assumed else None
        written = line_text(ctx, line, found)
        yield _hit(ctx, line, found, {"written": written, "problem": problem, "key": key}, severity)


def replaced_value(ctx: CheckContext) -> Iterator[Hit]:
    """An option for a key of a section, where the config has no section but a value."""
    for line, found in _given(ctx):
        if found.problem or len(found.path) != 2:
            continue
        existing = ctx.value(*found.path[:1])
        if existing is None or isinstance(existing, dict):
            continue
        written = f"{found.path[0]}: {shortened_value(existing)}"
        params = {"option": option_name(found.path), "written": written}
        yield _hit(ctx, line, found, params)


def default_folder(ctx: CheckContext) -> Iterator[Hit]:
    """Data that is prepared beforehand, into the default folder."""
    if any(ctx.value(key) for key in _UNPREPARED):
        return
    project = ctx.around.project
    for line in ctx.around.launches:
        if line.command != "preprocess" or project is None:
            continue
        if any("dataset-prepared-path" in word.text.replace("_", "-") for word in line.words):
            continue
        file = OtherFile(line.path, SourceText(project.text(line.path)))
        yield Hit((), line.span, {}, file=file)


def missing_command(ctx: CheckContext) -> Iterator[Hit]:
    """A command that the release does not have."""
    if ctx.target.assumed or ctx.target.foreign_version is not None:
        return
    project = ctx.around.project
    for line in ctx.around.launches:
        since = COMMANDS_SINCE.get(line.command, FIRST)
        if not line.own or project is None or ctx.release_keys.released(since):
            continue
        instead = ""
        if line.command not in COMMANDS_SINCE:
            module = line.command.replace("-", "_")
            launcher = "accelerate launch" if line.command == "train" else "python"
            instead = f" Write `{launcher} -m axolotl.cli.{module}`."
        params = {"command": line.command, "since": since, "instead": instead}
        file = OtherFile(line.path, SourceText(project.text(line.path)))
        yield Hit((), line.span, params, file=file)


def silent_network(ctx: CheckContext) -> Iterator[Hit]:
    """Many machines, and no word about the network between them."""
    project = ctx.around.project
    nodes = ctx.target.facts.get("env.nodes")
    if project is None or nodes is None or not nodes.value >= _MANY_NODES:
        return
    lines = [line for line in ctx.around.launches if line.command == "train"]
    if not lines or any("NCCL_" in project.text(source.path) for source in project.sources):
        return
    line = lines[0]
    source = SourceText(project.text(line.path))
    span = Span(line.config.start, line.config.end)
    params = {"nodes": nodes.value, "file": os.path.basename(line.path)}
    yield Hit((), span, params, file=OtherFile(line.path, source))


def _given(ctx: CheckContext) -> list[tuple[Start, Given]]:
    def collect() -> list[tuple[Start, Given]]:
        if ctx.target.foreign_version is not None:
            return []
        keys = ctx.release_keys
        return [(line, found) for line in ctx.around.launches for found in given(line, keys)]

    return ctx.once("launch options", collect)


def _written(found: Given) -> str:
    return shortened(found.word.text.partition("=")[0], 80)


def line_text(ctx: CheckContext, line: Start, found: Given) -> str:
    """An option with its value, as it is written."""
    if found.value is None:
        return _written(found)
    joint = "=" if "=" in found.word.text else " "
    return f"{_written(found)}{joint}{shortened(found.value.text)}"


def _hit(
    ctx: CheckContext,
    line: Start,
    found: Given,
    params: dict[str, Any],
    severity: SeverityName | None = None,
    *,
    upstream: str | None = None,
) -> Hit:
    project = ctx.around.project
    assert project is not None
    source = SourceText(project.text(line.path))
    end = found.value.end if found.value is not None else found.word.end
    span = Span(found.word.start, max(found.word.end, end))
    file = OtherFile(line.path, source)
    return Hit((), span, params, severity=severity, upstream=upstream, file=file)


@lru_cache(maxsize=8)
def _speller(names: tuple[str, ...]) -> Speller:
    return Speller(names)


CHECKS = {
    "default-folder-for-data": default_folder,
    "inverted-launch-switch": inverted_switch,
    "launch-option-value": unfit_value,
    "misused-launch-switch": misused_switch,
    "missing-launch-command": missing_command,
    "replaced-value": replaced_value,
    "silent-network": silent_network,
    "unknown-launch-option": unknown_option,
}
