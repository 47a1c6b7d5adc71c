"""The last lines of the report that a person reads: counts, targets, and what could be decided."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable

from cfglint.engine.needs import option_for
from cfglint.report import fixed, target
from cfglint.report.escaping import line_start, visible, visible_path
from cfglint.report.run import RunReport, count_phrase, plural
from cfglint.report.snippet import display_width, wrapped
from cfglint.report.style import Style

#: Of more files that would be fixed if they were named, only the number is shown.
_MOST_NAMED = 2
#: Keys that one remark names.
_MOST_KEYS = 3
#: The general check whose findings may be about keys that a program of the project reads.
_STRANGE = "unknown-key"
#: The programs that a script starts are found by a search, and checked by themselves.
_PROGRAMS = (".py", ".ipynb")


def summary(
    run: RunReport,
    style: Style,
    width: int,
    *,
    verbose: bool = False,
    other_releases: bool = False,
) -> str:
    """The last lines: fixes, counts, targets, and the options that would decide more rules.

    Args:
        verbose: list the files that name others, and the rules that are undecided.
        other_releases: the findings that apply only to other releases are listed, and count.
    """
    lines = _fixed(run, style, width)
    lines += [style.dim(line) for line in _names(run, width, verbose)]
    for path in run.skipped:
        lines += hanging(f"{visible_path(path)}: {_why_skipped(path, run)}", width)
    if not run.files:
        lines.append(visible(run.nothing) if not run.skipped else "Nothing was checked.")
        remarks = [*_left_out(run), *map(visible, run.notes)]
        lines += [style.dim(line) for text in remarks for line in hanging(text, width)]
        return "\n".join(lines) + "\n"
    if run.only_fixes:
        if not run.applied():
            lines.append(f"{fixed.counted(run)}.")
        return "\n".join(lines) + "\n"
    lines += _counted(run, style, width, other_releases)
    for warning in target.warnings(file.target for file in run.files):
        rows = hanging(f"warning: {visible(warning)}", width)
        lines += [style.severity(rows[0], "warning"), *rows[1:]]
    remarks = [*([] if other_releases else _other_releases(run)), *_due(run)]
    suppressed = sum(file.suppressed for file in run.files)
    if suppressed:
        remarks.append(f"{plural(suppressed, 'finding')} suppressed by comments.")
    remarks += [*_left_out(run), *_started_too(run), *map(visible, run.notes)]
    found = [one for file in run.files for one in file.diagnostics]
    if any(one.name == _STRANGE and not (one.meant or one.fixes or one.refuses) for one in found):
        remarks.append(
            "If a fork or a program of yours reads an unknown key, describe it in a schema of the"
            " project."
        )
    remarks += _undecided(run, verbose)
    lines += [style.dim(line) for text in remarks for line in hanging(text, width)]
    if found:
        lines.append(style.dim("`cfglint explain CODE` says why, with the evidence."))
    return "\n".join(lines) + "\n"


def _why_skipped(path: str, run: RunReport) -> str:
    """Why a named file was not checked."""
    started = started_instead(path, run)
    return started or f"{run.reasons.get(path) or 'not a training config'}; not checked"


def started_instead(path: str, run: RunReport) -> str:
    """What to check instead of a script that has no settings of its own; empty where it starts nothing."""
    configs = [visible(name) for name in run.started.get(path, ())]
    rest = f" and {len(configs) - 3} more" if len(configs) > 3 else ""
    what = "that" if len(configs) == 1 else "those"
    text = (
        f"it starts {', '.join(configs[:3])}{rest}; check {what} instead of the script, or the whole run with"
        f" `cfglint preflight {shlex.quote(visible_path(path))}`"
    )
    return text if configs else ""


def _started_too(run: RunReport) -> list[str]:
    """The configs that a checked script starts, and that are not checked with it."""
    named = (*(file.path for file in run.files), *run.skipped)
    checked = set(map(os.path.normpath, named))
    found = []
    for path, configs in run.started.items():
        others = [
            visible(one)
            for one in configs
            if "$" not in one
            and not one.endswith(_PROGRAMS)
            and not any(name.endswith(os.path.normpath(one)) for name in checked)
        ]
        if others and os.path.normpath(path) in checked:
            rest = f" and {len(others) - 3} more" if len(others) > 3 else ""
            which = "that config" if len(others) == 1 else "those configs"
            found.append(
                f"{visible_path(path)} also starts {', '.join(others[:3])}{rest}, which only a check of"
                f" {which} reads."
            )
    return found


def brief(run: RunReport) -> str:
    """The counts alone, on one line."""
    if run.only_fixes:
        return f"{fixed.counted(run)}\n"
    made = run.applied()
    parts = (
        [f"{'Would fix' if run.dry else 'Fixed'} {plural(len(made), 'finding')}"] if made else []
    )
    if run.files:
        parts.append(counts_phrase(run, other_releases=False) + _hint(run))
    else:
        parts.append(visible(run.nothing) if not run.skipped else "Nothing was checked.")
    return "; ".join(parts) + "\n"


def _fixed(run: RunReport, style: Style, width: int) -> list[str]:
    """What fixing did, one line per fix, and what it could not do."""
    lines = []
    made = run.applied()
    if made:
        lines.append(style.added(f"{fixed.counted(run)}:"))
    for file, fix in made:
        text = f"{visible_path(file.path)}:{fix.line}  {fix.code}  "
        lines += [f"  {line}" for line in hanging(text + visible(fix.title), width - 2)]
    for file in run.files:
        path = visible_path(file.path)
        if file.not_written is not None:
            lines += hanging(f"{path}: not written: {visible(file.not_written)}", width)
        for code, reason in file.rejected:
            text = f"{path}: {code} was not fixed: {visible(reason)}"
            _, _, other = reason.partition("would lead to ")
            if other:
                text += f"; decide on both by hand (`cfglint explain {other.split(' ')[0]}`)"
            lines += hanging(text, width)
    return lines


def counts_phrase(run: RunReport, *, other_releases: bool) -> str:
    """`1 error in 2 files`; `No problems in 1 file, but 1 key depends on the release`."""
    nothing = "No new problems" if run.known else "No problems"
    counted = count_phrase(run.counts(other_releases=other_releases))
    text = f"{counted or nothing} in {plural(len(run.files), 'file')}"
    open_keys = run.keys_of_unstated_releases()
    if counted or not open_keys:
        return text
    return f"{text}, but {plural(open_keys, 'key')} depend{'s' * (open_keys == 1)} on the release"


def _hint(run: RunReport) -> str:
    """` (1 fixable with --fix)`; empty if nothing is."""
    fixable, unsafe = run.fixable(), run.unsafely_fixable()
    hints = [f"{fixable} fixable with --fix"] if fixable else []
    what = "more" if hints else "fixable"
    hints += [f"{unsafe} {what} with --unsafe-fixes"] if unsafe else []
    named = run.fixable_if_named()
    if named:
        files = _listed(named) if len(named) <= _MOST_NAMED else f"{len(named)} more files"
        verb = "is" if len(named) == 1 else "are"
        more = "more" if hints else "fixable"
        hints.append(f"{sum(named.values())} {more} if {files} {verb} named, too")
    return f" ({', '.join(hints)})" if hints else ""


def _listed(paths: Iterable[str]) -> str:
    *most, last = map(visible, paths)
    return f"{', '.join(most)} and {last}" if most else last


def _counted(run: RunReport, style: Style, width: int, other_releases: bool) -> list[str]:
    """How many findings there are, and what for: on as few lines as possible."""
    phrase = counts_phrase(run, other_releases=other_releases)
    counted, between, rest = phrase.partition(" in ")
    none = not any(run.counts(other_releases=other_releases).values())
    first = style.added(phrase) if none else style.bold(counted) + between + rest
    hint = _hint(run)
    targets = visible(
        f"checked for {run.in_words(target.of_run(file.target for file in run.files))}"
    )
    capital = hanging(targets[0].upper() + targets[1:], width)
    if len(f"{phrase}{hint} · {targets}") <= width:
        return [f"{first}{hint} · {targets}"]
    if len(phrase + hint) <= width:
        return [first + hint, *capital]
    return [first, *hanging(hint.strip(" ()"), width), *capital]


def _other_releases(run: RunReport) -> list[str]:
    """How many findings apply only to releases that the files are not checked for."""
    found = sum(one.other_releases for file in run.files for one in file.diagnostics)
    if not found:
        return []
    verb = "applies" if found == 1 else "apply"
    return [f"{plural(found, 'finding')} {verb} only to other releases (--other-releases)."]


def _due(run: RunReport) -> list[str]:
    """How many findings cost nothing before an upgrade, and are not listed."""
    assumed: dict[tuple[str, str], list[str]] = {}
    stated = 0
    for file in run.files:
        if file.due_if_assumed:
            package = file.target.releases.package
            assumed.setdefault((package, file.target.release), []).extend(file.due_if_assumed)
        # Those of a file are one note.
        stated += file.due - bool(file.due_if_assumed)
    lines = [
        not_reported(package, release, list(dict.fromkeys(keys)))
        for (package, release), keys in assumed.items()
    ]
    about, them = ("is", "it") if stated == 1 else ("are", "them")
    text = f"{plural(stated, 'note')} {about} about the next upgrade; --min-confidence low lists {them}."
    return [*lines, text] if stated else lines


def not_reported(package: str, release: str, keys: list[str]) -> str:
    """That keys are left alone because the release, which would not read them, is only assumed."""
    shown = [f"`{visible(key)}`" for key in keys[:_MOST_KEYS]]
    if len(keys) > len(shown):
        shown.append(f"{len(keys) - len(shown)} more")
    *most, last = shown
    listed = f"{', '.join(most)} and {last}" if most else last
    verb, them = ("is", "it") if len(keys) == 1 else ("are", "them")
    return (
        f"{listed} {verb} not reported, because no file states the release: {package} {release}, or"
        f" what comes with it, refuses or drops {them} (--target {package}=={release} reports {them})."
    )


def _left_out(run: RunReport) -> list[str]:
    """How much the search left out, by its reason."""
    if not run.left_out:
        return []
    counts = sorted(run.left_out.items(), key=lambda pair: -pair[1])
    listed = ", ".join(f"{count} ({reason})" for reason, count in counts)
    return [f"Left out of the search: {listed}; --show-files lists them."]


def _undecided(run: RunReport, verbose: bool) -> list[str]:
    """What would decide more rules, and on request which."""
    facts = sorted(run.undecided().items(), key=lambda pair: (-pair[1], pair[0]))
    if not facts:
        return []
    if verbose:
        return [
            f"With {option_for(fact)} also: " + ", ".join(f"{code} {name}" for code, name in rules)
            for fact, rules in run.open_rules().items()
        ]
    if len(facts) == 1:
        ((fact, count),) = facts
        return [f"{plural(count, 'more rule')} can be checked with {option_for(fact)}."]
    options = [f"{option_for(fact)} ({count})" for fact, count in facts]
    return [f"More rules can be checked with {', '.join(options[:-1])} or {options[-1]}."]


def hanging(text: str, width: int) -> list[str]:
    """A text wrapped to the width, all lines but the first indented."""
    if display_width(text) <= width:
        return [text]
    return [
        "  " * (number > 0) + line_start(row) for number, row in enumerate(wrapped(text, width - 2))
    ]


def _names(run: RunReport, width: int, verbose: bool) -> list[str]:
    """Which file names which, when files of several frameworks belong together."""
    pairs = [
        f"{visible_path(file.path)} ({file.title}) names {visible_path(named.path)} ({named.title})"
        for file in run.files
        for named in file.names
    ]
    if len(pairs) > 1 and not verbose:
        files = sum(bool(file.names) for file in run.files)
        lead, them = ("1 file names", "it") if files == 1 else (f"{files} files name", "them")
        text = f"{lead} others, which are checked together with {them}; --verbose lists which."
        return hanging(text, width)
    return [row for pair in pairs for row in hanging(f"{pair}.", width)]
