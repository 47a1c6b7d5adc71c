"""Puts examples that are written out in full onto bases: `python -m tools.short_examples [FILE]…`.

Looks at rule files that have no base yet. An example keeps what it says: the file that it stands
for has the same values, and every rule finds in it what it found before. Where that is not so, the
example stays as it is.
"""

from __future__ import annotations

import contextlib
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from cfglint.compiling.bases import NONE, Text, load_bases
from cfglint.compiling.concepts import load_concepts
from cfglint.compiling.examples import prepare, prepare_files, strip_markers
from cfglint.compiling.files import RuleFileError, parse_yaml
from cfglint.compiling.loading import RuleFile, _load, said_by_place
from cfglint.compiling.model import Example
from cfglint.compiling.writing import _example, formatted, written_part
from cfglint.engine.edges import Edges
from cfglint.engine.lint import lint_source
from cfglint.engine.selection import EVERY_RULE, EVERY_STEP
from cfglint.engine.selftest import _around, example_failures, example_target, framework_name
from cfglint.environment.surroundings import nowhere
from cfglint.framework import frameworks, load_framework
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText

RULES = Path("rules")
Blocks = dict[str, str]


class Plan(NamedTuple):
    """How the examples of a rule are written."""

    base: str | None
    common: Blocks
    examples: list[dict[str, Any]]
    lines: int


def main(arguments: list[str]) -> int:
    """Convert the files that are named, or all."""
    paths = [Path(text) for text in arguments] or sorted(RULES.glob("*/*/*.yaml"))
    bases = load_bases(RULES)
    homes = _homes()
    for path in paths:
        _plain(path)
        home = homes.get(_prefix(path), path.parent)
        if path.parent != home and not path.parent.name.startswith("with-"):
            path = path.rename(home / path.name)
            print(f"moved to {path}")
        text = path.read_text(encoding="utf-8")
        data = parse_yaml(text)
        if "name" in data and "when" in data and "view" not in data:
            # What a file of the older shape meant by saying nothing.
            text = text.replace("\nat:", "\nview: late\nat:", 1)
            path.write_text(text, encoding="utf-8")
        if "base" in data or "common" in data or any("base" in one for one in data["examples"]):
            continue
        with contextlib.suppress(Unchanged):
            path.write_text(_converted(path, text, data, bases), encoding="utf-8")
            print(f"{path}: {len(text.splitlines())} -> {len(path.read_text().splitlines())}")
    return 0


def _plain(path: Path) -> None:
    """Writes a condition with comments, whose text stays, as a list."""
    text = path.read_text(encoding="utf-8")
    found = re.search(r"^when:\n  all:\n((?:    .*\n)+)", text, re.M)
    if found and re.search(r"(^| )# ", found[1], re.M):
        listed = re.sub(r"^  ", "", found[1], flags=re.M)
        text = f"{text[: found.start()]}when:\n{listed}{text[found.end() :]}"
        path.write_text(text, encoding="utf-8")


def _homes() -> dict[tuple[str, str], Path]:
    """Framework and prefix -> the folder in which most of the rules are."""
    found: dict[tuple[str, str], Counter[Path]] = {}
    for path in RULES.glob("*/*/*.yaml"):
        if not path.parent.name.startswith("with-"):
            found.setdefault(_prefix(path), Counter())[path.parent] += 1
    return {key: folders.most_common(1)[0][0] for key, folders in found.items()}


def _prefix(path: Path) -> tuple[str, str]:
    code = re.search(r"^code: ([A-Z]+)", path.read_text(encoding="utf-8"), re.M)
    assert code is not None, path
    return path.parts[1], code[1]


class Unchanged(Exception):
    """Nothing is gained, or it cannot be done."""


def _converted(path: Path, text: str, data: dict[str, Any], bases: Any) -> str:
    before = _told(path)
    whole: set[int] = set()
    while True:
        plan = _plan(data, bases, whole, said_by_place(path, RULES)["framework"])
        if plan is None:
            raise Unchanged
        new = formatted(_with_plan(text, plan), said_by_place(path, RULES))
        path.write_text(new, encoding="utf-8")
        try:
            after = _told(path)
        except RuleFileError as error:
            path.write_text(text, encoding="utf-8")
            print(f"{path}: {error}")
            raise Unchanged from None
        different = {number for number, said in before.items() if after[number] != said}
        if not different:
            return new
        path.write_text(text, encoding="utf-8")
        for key in sorted(different):
            number = key[1]
            old, now = before[key], after[key]
            print(
                f"{path}: example {number + 1} differs:",
                [(a, b) for a, b in zip(old, now, strict=False) if a != b][:1],
            )
        if {number for _, number in different} <= whole:
            raise Unchanged
        whole |= {number for _, number in different}


def _with_plan(text: str, plan: Plan) -> str:
    """The rule file with other examples."""
    start = text.index("\nexamples:\n") + 1
    rest = text[start:].split("\n", 1)[1]
    end = next(
        (n for n, line in enumerate(rest.split("\n")) if line[:1] not in ("", " ", "#")), None
    )
    tail = "" if end is None else "\n".join(rest.split("\n")[end:])
    head = f"base: {plan.base}\n" if plan.base else ""
    if plan.common:
        head += written_part("common", "".join(plan.common.values()))
    return text[:start] + head + written_part("examples", plan.examples, layered=True) + tail


# ------------------------------------------------------------------------- what is told


def _told(path: Path) -> dict[tuple[str, int], tuple[Any, ...]]:
    """What is found in each example of a file, and what the fix makes of it."""
    concepts, bases = load_concepts(RULES), load_bases(RULES)
    _, rules = _load(path, RULES, concepts, bases)
    out: dict[tuple[str, int], tuple[Any, ...]] = {}
    for rule in rules:
        for number, example in enumerate(rule.examples):
            name = framework_name(rule, example)
            assert name is not None
            index = number
            if rule.framework != "any" and path.parts[1] == "shared":
                index = _place_in_file(path, name, number)
            if name in frameworks():
                problems = tuple(
                    example_failures(RuleFile(rule, path), example, load_framework(name))
                )
                out[name, index] = (_meaning(example), _found(rule, example, name), problems)
    return out


def _place_in_file(path: Path, framework: str, number: int) -> int:
    examples = parse_yaml(path.read_text(encoding="utf-8"))["examples"]
    return [n for n, one in enumerate(examples) if one["framework"] == framework][number]


def _meaning(example: Example) -> Any:
    """An example without the order of its keys."""
    out = example.model_dump()
    for key in ("bad", "good", "fixed"):
        if out[key] is not None:
            is_json = out[key].startswith("{")
            lines = Counter(
                line.replace(",", "") if is_json else line for line in out[key].splitlines()
            )
            with contextlib.suppress(yaml.YAMLError, ValueError):
                if "&" not in out[key]:  # what holds itself cannot be compared
                    out[key] = (yaml.safe_load(out[key]), lines)
    return out


def _found(rule: Any, example: Example, name: str) -> Any:
    data, _ = prepare(example)
    framework = load_framework(name)
    target = example_target(example, framework)
    every = EVERY_STEP if rule.migration == "only" else EVERY_RULE
    with tempfile.TemporaryDirectory(prefix="cfglint-") as folder:
        around = nowhere()
        if example.files:
            for file, content in prepare_files(example).items():
                place = Path(folder, file)
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(content.data)
            target, around = _around(target, framework, folder)
        try:
            source = SourceText.from_bytes(data)
        except SourceError as error:
            return error.kind.value
        result = lint_source(source, framework, target, every, around, Edges())
        lines = source.text.splitlines() or [""]
        return sorted(
            (
                d.code,
                d.severity,
                d.message.replace(folder, ""),
                tuple(map(str, d.path)),
                ""
                if d.file or not d.path
                else lines[min(source.position(d.span.start).line, len(lines)) - 1],
            )
            for d in result.diagnostics
        )


# ------------------------------------------------------------------------------- plans


class Case(NamedTuple):
    """An example, what can stand below it, and its parts when it has a plain form."""

    example: dict[str, Any]
    text: Blocks | None
    fixed: Blocks | None
    bases: dict[str, Blocks]

    def own(self, below: Blocks) -> set[str]:
        """The keys that it has to say on top of others."""
        assert self.text is not None
        keys = {key for key, block in self.text.items() if below.get(key) != block}
        if self.fixed is not None:
            keys |= {k for k in self.text if k in below and self.fixed.get(k) != below[k]}
        return keys

    def layer(self, below: Blocks) -> dict[str, Any]:
        """What it says on top of others."""
        assert self.text is not None
        own = self.own(below)
        new: dict[str, Any] = {_kind(self.example): self._joined(self.text, own)}
        if self.fixed is not None:
            kept = set(below) & set(self.text) - own
            new["fixed"] = self._joined(self.fixed, set(self.fixed) - kept)
        missing = [key for key in below if key not in self.text]
        return {**new, "without": missing} if missing else new

    def _joined(self, text: Blocks, keys: set[str]) -> str:
        said = [block for key, block in text.items() if key in keys]
        if not self.is_json or not said:
            return "".join(said)
        return "{\n" + "".join([*map(_with_comma, said[:-1]), said[-1]]) + "}\n"

    @property
    def is_json(self) -> bool:
        """Whether its text is JSON."""
        return str(self.example[_kind(self.example)]).startswith("{")

    def size(self, below: Blocks) -> int:
        """About how many lines it takes on top of others."""
        assert self.text is not None
        own = self.own(below)
        lines = sum(self.text[key].count("\n") for key in own)
        size = lines + (lines > 1)
        if self.fixed is not None:
            kept = set(below) & set(self.text) - own
            fixed = sum(v.count("\n") for k, v in self.fixed.items() if k not in kept)
            size += fixed + (fixed > 1)
        return size + sum(key not in self.text for key in below)


def _bare(block: str) -> str:
    """A member of a JSON object without the comma behind it."""
    return re.sub(r",(?=[ \t]*(#[^\n]*)?\n$)", "", block)


def _with_comma(block: str) -> str:
    return re.sub(r"(?=([ \t]*#[^\n]*)?\n$)", ",", block, count=1)


def _plan(data: dict[str, Any], bases: Any, whole: set[int], home: str) -> Plan | None:
    """The shortest way to write the examples of a rule; None when it is the present one."""
    # What the rule is about is seen in each example.
    shown = {re.split(r"[.\[]", path)[0] for path in data.get("at", [])}
    cases = []
    for n, example in enumerate(data["examples"]):
        frame = example.get("framework", data.get("framework", home))
        texts = bases.get(frame, {})
        known = {
            name: {key: _bare(block) for key, block in Text.of(text).parts}
            for name, text in texts.items()
            if text.startswith("{") == str(example[_kind(example)]).startswith("{")
        }
        text = None if n in whole else _blocks(example, _kind(example))
        fixed = _blocks(example, "fixed") if "fixed" in example else None
        if "fixed" in example and fixed is None:
            text = None
        cases.append(Case(example, text, fixed, known))
    best = _written(cases, {}, None, {}, {})
    present = best.lines
    alone = {}
    for n, case in enumerate(cases):
        sizes = [
            (case.size(below) + 1, name)
            for name, below in case.bases.items()
            if case.text is not None
        ]
        alone[n] = min(sizes) if sizes else (10**6, "")
        own_size = str(case.example[_kind(case.example)]).count("\n") + 1
        own_size += str(case.example.get("fixed", "")).count("\n") + 1 if case.fixed else 0
        if own_size <= alone[n][0]:
            alone[n] = (own_size, "")
    names: list[str | None] = [None, *sorted({name for case in cases for name in case.bases})]
    for name in names:
        of: list[Blocks] = [case.bases.get(name, {}) if name else {} for case in cases]
        on = {
            n
            for n, case in enumerate(cases)
            if case.text is not None and (name is None or name in case.bases)
        }
        for _ in range(4):
            if not on:
                break
            common = _common(on, of, cases, shown)
            plan = _written(cases, alone, name, common, {n: {**of[n], **common} for n in on})
            if plan.lines < best.lines:
                best = plan
            fits = {n for n in on if cases[n].size({**of[n], **common}) <= alone[n][0]}
            if fits == on:
                break
            on = fits
    return best if best.lines < present - 2 else None


def _common(on: set[int], of: list[Any], cases: list[Case], shown: set[str]) -> Blocks:
    """The lines that are best said once for these examples."""
    frames = {cases[n].example.get("framework") for n in on}
    if len(frames) > 1 or len(on) < 2:
        return {}
    first = cases[min(on)]
    if first.is_json:
        return {}
    common: Blocks = {}
    keys = [key for n in sorted(on) for key in cases[n].text or {}]
    for key in dict.fromkeys(key for key in keys if key not in shown):
        texts = {n: found[key] for n in on if key in (found := cases[n].text or {})}
        counted = Counter(text for text in texts.values() if "# <- " not in text)
        if not counted:
            continue
        value = counted.most_common(1)[0][0]
        size = value.count("\n")
        base = of[min(on)].get(key, "")
        gain = -size - sum(n not in texts for n in on)
        for n, text in texts.items():
            fixed = cases[n].fixed
            changed = fixed is not None and fixed.get(key) != value
            if text == value != base and not changed:
                gain += size
            elif text == base:
                gain -= text.count("\n")
        if gain > 0:
            common[key] = value
    return common


def _written(
    cases: list[Case], alone: Any, name: Any, common: Blocks, on: dict[int, Blocks]
) -> Plan:
    out = []
    for n, case in enumerate(cases):
        new = dict(case.example)
        if n in on:
            new.update(case.layer(on[n]))
        elif alone and alone[n][1]:
            new.update(base=alone[n][1], **case.layer(case.bases[alone[n][1]]))
        elif name or common:
            new["base"] = NONE
        out.append(new)
    is_layered = bool(name or common or any("base" in one for one in out))
    lines = sum(_example(one, layered=is_layered).count("\n") for one in out)
    lines += sum(len(one.get("without", ())) for one in out)
    lines += bool(name) + (1 + sum(v.count("\n") for v in common.values()) if common else 0)
    return Plan(name, common, out, lines)


def _kind(example: dict[str, Any]) -> str:
    return "bad" if "bad" in example else "good"


def _blocks(example: dict[str, Any], kind: str) -> Blocks | None:
    """The text of an example in parts, if it has a plain form."""
    if example.get("encoding", "utf-8") != "utf-8" or example.get("repeat", 1) > 1:
        return None
    text = example[kind]
    parts = Text.of(text).parts
    whole = "".join(part for _, part in parts)
    if text.startswith("{"):
        whole = "{\n" + whole + "}\n"
    if whole != text or not text.endswith("\n") or "\r" in text or len(dict(parts)) < len(parts):
        return None
    try:
        value = yaml.safe_load(strip_markers(text).replace("\t", " "))
    except (yaml.YAMLError, ValueError):
        return None
    if not isinstance(value, dict) or list(map(str, value)) != [key for key, _ in parts]:
        return None
    if text.startswith("{"):
        return {key: _bare(block) for key, block in parts}
    return dict(parts)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
