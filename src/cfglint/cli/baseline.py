"""A baseline: findings that a project already has, so that only new ones are reported.

Findings are counted by file, rule and key. Neither lines nor the numbers of list items count, so
that they may move.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from cfglint.cli.options import CheckOptions
from cfglint.engine.file_report import FileReport
from cfglint.engine.session import RunError
from cfglint.fixes.writing import write_new
from cfglint.knowledge.keys.places import section_of
from cfglint.report.run import RunReport, plural
from cfglint.source.files.base import Files
from cfglint.source.files.links import read_inside

#: What a baseline is called when no other name is given.
DEFAULT_NAME = ".cfglint-baseline.json"
_VERSION = 1
#: Some 60,000 findings; reading a baseline takes some twenty times its size.
_MAX_BYTES = 6 * 1024 * 1024

#: File, code of the rule, key.
_Known = tuple[str, str, str]


def use(
    run: RunReport,
    options: CheckOptions,
    settled: Callable[[str], str | None],
    named: tuple[str, ...],
    files: Files,
) -> None:
    """Make the findings of a run known, or remove those that are; the run's notes report it.

    Args:
        options: those of the run.
        settled: the baseline that the settings name for a file; an option wins. Where neither names
            one, it is written as `DEFAULT_NAME`.
        named: the files and folders that the run looked through to the end.
        files: where it is read.

    Raises:
        RunError: a baseline cannot be read or written.
    """
    path, write = options.baseline, options.write_baseline
    # An entry that was not found no longer exists only if all rules were tried.
    all_rules = not (options.select or options.ignore or options.min_confidence)
    part = options.staged or options.changed_since is not None
    scope = [] if part else [name for name in named if files.is_folder(name)]
    if write and not all_rules:
        raise RunError("--write-baseline needs all rules: no --select, --ignore, --min-confidence")
    renamed: dict[str, str] = {}
    for name, at in {file.framework: file.path for file in run.files}.items():
        if name is not None:
            renamed.update(run.knowledge(name, at).renamed)
    otherwise = path or (DEFAULT_NAME if write else None)
    groups: dict[str, set[str]] = {} if otherwise is None or run.files else {otherwise: set()}
    for file in run.files:
        own = path or settled(file.path) or otherwise
        if own is not None:
            groups.setdefault(own, set()).add(file.path)
    for own, names in groups.items():
        baseline = Baseline(own, files, scope, new=write, renamed=renamed, only=names)
        if not run.failures and write:
            run.notes.append(baseline.write(run))
            if path is None and not any(map(settled, names)):
                hint = f"--baseline {own}, or `baseline` in the settings, hides them from now on."
                run.notes.append(hint)
        gone = baseline.gone(run) if all_rules and not run.failures else 0
        hidden = baseline.hide(run)
        run.known += hidden
        if hidden:
            run.notes.append(f"{plural(hidden, 'finding')} listed in {own} not shown.")
        if gone:
            found = plural(gone, "finding")
            them = "it" if gone == 1 else "them"
            run.notes.append(f"{found} in {own} no longer found; --write-baseline removes {them}.")


class Baseline:
    """The known findings of a project.

    Args:
        path: the file; the paths in it are relative to its folder.
        files: where it is read.
        scope: folders that the run looks through: what is known about any file there and not found
            is gone.
        new: the file does not have to exist.
        renamed: former codes of rules, with the current ones.
        only: the files of a run that it is about; None for all.

    Raises:
        RunError: the file cannot be read, or is not a baseline.
    """

    def __init__(
        self,
        path: str,
        files: Files,
        scope: Iterable[str],
        *,
        new: bool,
        renamed: Mapping[str, str] = MappingProxyType({}),
        only: Container[str] | None = None,
    ) -> None:
        self.path = path
        self._files = files
        self._only = only
        self._folder = os.path.dirname(files.real(path))
        self._scope = [files.real(folder) for folder in scope]
        self._counts: Counter[_Known] = Counter()
        if not new or files.exists(path):
            for (name, code, key), count in _read(path, files).items():
                self._counts[name, renamed.get(code, code), key] += count

    def write(self, run: RunReport) -> str:
        """Make the findings of a run the known ones; returns a sentence on what was done.

        What is known about files that the run has nothing to do with stays.

        Raises:
            RunError: the file cannot be written.
        """
        found, inside = self._found(run), self._inside(run)
        new, gone = found - inside, inside - found
        self._counts = self._counts - inside + found
        rows: dict[str, Any] = {}
        for (path, code, key), count in sorted(self._counts.items()):
            rows.setdefault(path, {}).setdefault(code, {})[key] = count
        text = json.dumps({"version": _VERSION, "files": rows}, indent=2) + "\n"
        data = text.encode("utf-8")
        if len(data) > _MAX_BYTES:
            raise RunError(f"{self.path}: the baseline would be larger than {_MAX_BYTES:,} bytes")
        try:
            write_new(self.path, data)
        except OSError as error:
            raise RunError(f"{self.path}: cannot be written: {error.strerror}") from None
        changes = f"{new.total()} new, {gone.total()} gone"
        return f"{self.path} now holds {plural(self._counts.total(), 'finding')} ({changes})."

    def gone(self, run: RunReport) -> int:
        """How many known findings no longer exist. Call this before any is hidden."""
        return (self._inside(run) - self._found(run)).total()

    def hide(self, run: RunReport) -> int:
        """Remove the known findings from a run; returns how many there were.

        Of several findings of one rule at one key of a file the last are the new ones.
        """
        left = Counter(self._counts)
        hidden = 0
        for at, file in enumerate(run.files):
            if not self._is_about(file):
                continue
            kept = []
            for found in file.diagnostics:
                known = (self._name(file), found.code, section_of(found.path))
                if left[known]:
                    left[known] -= 1
                    hidden += 1
                else:
                    kept.append(found)
            run.files[at] = file.replaced(diagnostics=kept)
        return hidden

    def _found(self, run: RunReport) -> Counter[_Known]:
        return Counter(
            (self._name(file), found.code, section_of(found.path))
            for file in run.files
            if self._is_about(file)
            for found in file.diagnostics
        )

    def _is_about(self, file: FileReport) -> bool:
        return self._only is None or file.path in self._only

    def _inside(self, run: RunReport) -> Counter[_Known]:
        """The known findings of files that the run checked, or that no longer exist.

        Of a file that was checked only with a config that names it, those that were found again.
        """
        about = [file for file in run.files if self._is_about(file)]
        checked = {self._name(file) for file in about if run.is_whole(file)}
        in_part = {self._name(file) for file in about} - checked
        found = self._found(run)
        inside: Counter[_Known] = Counter()
        for known, count in self._counts.items():
            if known[0] in checked or self._in_scope(known[0]):
                inside[known] = count
            elif known[0] in in_part:
                inside[known] = min(count, found[known])
        return inside

    def _in_scope(self, name: str) -> bool:
        path = os.path.join(self._folder, *name.split("/"))
        if not self._files.exists(path):
            return True
        real = self._files.real(path)
        return any(real.startswith(os.path.join(folder, "")) for folder in self._scope)

    def _name(self, file: FileReport) -> str:
        """A file as the baseline has it: from its folder, with slashes."""
        real = self._files.real(file.path)
        try:
            return os.path.relpath(real, self._folder).replace(os.sep, "/")
        except ValueError:  # another drive
            return real.replace(os.sep, "/")


def _read(path: str, files: Files) -> dict[_Known, int]:
    try:
        data = read_inside(path, _MAX_BYTES + 1, files, pipes=True)
    except OSError as error:
        hint = "" if files.exists(path) else "; --write-baseline creates one"
        raise RunError(f"{path}: cannot be read: {error.strerror}{hint}") from None
    if len(data) > _MAX_BYTES:
        raise RunError(f"{path}: larger than {_MAX_BYTES:,} bytes")
    try:
        return dict(_counts(json.loads(data)))
    except (ValueError, LookupError, RecursionError, TypeError, AttributeError):
        raise RunError(f"{path}: not a baseline file; --write-baseline creates one") from None


def _counts(read: Any) -> Iterable[tuple[_Known, int]]:
    """The rows of a baseline.

    Raises:
        ValueError, LookupError, TypeError, AttributeError: it is not a baseline.
    """
    if read["version"] != _VERSION:
        raise ValueError
    for name, rules in read["files"].items():
        for code, keys in rules.items():
            for key, count in keys.items():
                if type(count) is not int or count < 1 or "\0" in name:
                    raise ValueError
                yield (name, code, key), count
