"""Finds lines in the examples of rules that do not matter to the rule.

    python -m tools.campaigns.example_lines [CODE|FOLDER]… [--write] [--sample N] [--seed 0]

A block, a key at the top level with all that is below it, matters if the rule mentions its key, or
if the example without it has another outcome: another finding, another fix, or another truth of any
test in the rule's condition. So a good example stays good for the same reason. `--write` takes the
blocks that do not matter out of the files. Exit code 1 when there are any.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from cfglint.engine.authoring.selftest import framework_name
from cfglint.knowledge.compiling.bases import (
    NONE,
    BaseError,
    Bases,
    Text,
    layered,
    load_bases,
    on_bases,
)
from cfglint.knowledge.compiling.files import read_yaml
from cfglint.knowledge.compiling.loading import RuleFile, load_rules
from cfglint.knowledge.compiling.model import Example, RuleModel
from cfglint.knowledge.compiling.writing import NotWritable, formatted, with_parts
from cfglint.roles.framework import frameworks
from tools.campaigns.example_outcomes import Outcome, mentioned, outcome

RULES = Path(__file__).parents[2] / "rules"
_KINDS = ("bad", "good", "fixed")


class Superfluous(NamedTuple):
    """A block that does not matter."""

    #: The number of the example from 0; None for `common`.
    example: int | None
    key: str


class Examples:
    """The examples of one rule file, as the file has them."""

    def __init__(self, path: Path, rules: list[RuleModel], bases: Bases) -> None:
        self.path = path
        self._rules = {rule.framework: rule for rule in rules}
        self._bases = bases
        data = read_yaml(path)
        self.base: str | None = data.get("base")
        self.common: str = data.get("common", "")
        self.rows: list[dict[str, Any]] = data["examples"]
        self._known: dict[str, Outcome | None] = {}
        #: What did not matter in a bad example.
        self._ballast: set[tuple[str, str]] = set()

    # ------------------------------------------------------------------ what does not matter

    def superfluous(self) -> Iterator[Superfluous]:
        """The blocks that do not matter, each by itself."""
        numbers = sorted(range(len(self.rows)), key=lambda number: "good" in self.rows[number])
        for number in numbers:
            for key in self._own_keys(number):
                if self._may_go(number, key):
                    yield Superfluous(number, key)
        for key in _single_keys(self.common):
            if self._may_leave_common(key):
                yield Superfluous(None, key)

    def shrink(self) -> int:
        """Take the blocks out one after the other until all that is left matters: how many."""
        for number, row in enumerate(self.rows):
            self.rows[number] = self._rebased(row)
        taken = 0
        while (found := next(self.superfluous(), None)) is not None:
            if found.example is None:
                self.common = without(self.common, found.key)
            else:
                row = self.rows[found.example]
                text = _own(row)
                if "bad" in row:
                    self._ballast.add((found.key, _block(text, found.key)))
                self.rows[found.example] = _row_without(row, found.key)
            taken += 1
        once = [row for number, row in enumerate(self.rows) if row not in self.rows[:number]]
        taken += len(self.rows) - len(once)
        self.rows = once
        return taken

    def _rebased(self, row: dict[str, Any]) -> dict[str, Any]:
        """An example that is a whole file, extending the config that is most like it instead."""
        rule = self._rule_of(row)
        if rule is None or rule.check is not None or row.get("base", self.base or NONE) != NONE:
            return row
        framework = framework_name(rule, Example(**row))
        before = self._outcome(row, self.common)
        if framework is None or before is None:
            return row
        plain = {key: value for key, value in row.items() if key != "base"}
        bases = self._bases.get(framework, {})
        candidates = [({**plain, "base": name}, text) for name, text in bases.items()]
        if self.base not in (None, NONE):
            candidates.insert(0, (plain, layered(bases.get(self.base or "", ""), self.common)))
        own = set(_keys(_own(row)))
        best, most = row, 2
        for other, text in candidates:
            below = set(_keys(text))
            alike = len(below & own) - len(below - own)
            if alike > most and before.stays(self._outcome(other, self.common)):
                best, most = other, alike
        return best

    def write(self) -> None:
        """Write the file with these examples."""
        text = self.path.read_text(encoding="utf-8")
        changed = with_parts(text, {"common": self.common or None, "examples": self.rows})
        self.path.write_text(formatted(changed), encoding="utf-8", newline="")

    def _own_keys(self, number: int) -> list[str]:
        row = self.rows[number]
        if row.get("repeat", 1) != 1 or row.get("encoding", "utf-8") != "utf-8":
            return []
        keys = _single_keys(_own(row))
        rule = self._rule_of(row)
        if not self._is_layered(row) and (len(keys) == 1 or rule is None or rule.check is not None):
            return []  # a whole text, which is what many checks are about
        return keys[::-1]

    def _is_layered(self, row: dict[str, Any]) -> bool:
        """Whether a file is left when an example has no lines of its own."""
        if "base" in row:
            return bool(row["base"] != NONE)
        return bool(self.common) or self.base not in (None, NONE)

    def _may_go(self, number: int, key: str) -> bool:
        row = self.rows[number]
        rule = self._rule_of(row)
        if rule is None or key in self._mentioned(rule) or _is_marked(_block(_own(row), key)):
            return False
        if "fixed" in row and _block(row["fixed"], key) != _block(row["bad"], key):
            return False
        # Without tests, only a bad example shows which lines have nothing to do with the rule.
        is_plain = not self._has_tests(rule) and "good" in row
        if is_plain and (key, _block(row["good"], key)) not in self._ballast:
            return False
        before = self._outcome(row, self.common)
        return before is not None and before.stays(
            self._outcome(_row_without(row, key), self.common)
        )

    def _may_leave_common(self, key: str) -> bool:
        rules = [self._rule_of(row) for row in self.rows if "base" not in row]
        if any(rule is None or key in self._mentioned(rule) for rule in rules):
            return False
        common = without(self.common, key)
        for row in self.rows:
            before = self._outcome(row, self.common)
            if before is None or not before.stays(self._outcome(row, common)):
                return False
        return True

    def _has_tests(self, rule: RuleModel) -> bool:
        return rule.when is not None and rule.edge is None

    def _rule_of(self, row: dict[str, Any]) -> RuleModel | None:
        """The rule that an example is of; None when it is not there to be run."""
        if "any" not in self._rules and "framework" in row:
            return self._rules.get(row["framework"])
        rule = next(iter(self._rules.values()))
        return rule if framework_name(rule, Example(**row)) in frameworks() else None

    def _mentioned(self, rule: RuleModel) -> frozenset[str]:
        own = {key for row in self.rows for key in _all_keys(row)}
        return mentioned(rule, tuple(sorted(own.union(_keys(self.common)))))

    # ------------------------------------------------------------------ outcomes

    def _outcome(self, row: dict[str, Any], common: str) -> Outcome | None:
        """What an example shows; None when it cannot be put on its base."""
        memory = json.dumps([row, common if "base" not in row else ""], sort_keys=True, default=str)
        if memory not in self._known:
            self._known[memory] = self._computed(row, common)
        return self._known[memory]

    def _computed(self, row: dict[str, Any], common: str) -> Outcome | None:
        rule = self._rule_of(row)
        assert rule is not None
        example = Example(**row)
        layered = rule.model_copy(
            update={"base": self.base, "common": common, "examples": [example]}
        )
        try:
            (whole,) = on_bases(layered, self._bases).examples
        except BaseError:
            return None
        return outcome(RuleFile(rule, self.path), whole)


# -------------------------------------------------------------------------------- texts


def without(text: str, key: str) -> str:
    """A text without a key at its top level."""
    whole = Text.of(text)
    blocks = "".join(part for _, part in whole.parts)
    start = text.index(blocks)
    kept = "".join(part for name, part in whole.parts if name != key)
    left = text[:start] + kept + text[start + len(blocks) :]
    if whole.is_json and whole.parts[-1][0] == key:
        left = re.sub(r",([ \t]*(?:#[^\n]*)?\n\}\s*)\Z", r"\1", left)
    return left


def _own(row: dict[str, Any]) -> str:
    text: str = row["bad"] if "bad" in row else row["good"]
    return text


def _row_without(row: dict[str, Any], key: str) -> dict[str, Any]:
    return {
        name: without(part, key) if name in _KINDS and key in _keys(part) else part
        for name, part in row.items()
    }


def _block(text: str, key: str) -> str:
    return next((part for name, part in Text.of(text).parts if name == key), "").rstrip(",\n")


def _keys(text: str) -> list[str]:
    return [key for key, _ in Text.of(text).parts]


def _all_keys(row: dict[str, Any]) -> list[str]:
    return [key for kind in _KINDS if kind in row for key in _keys(row[kind])]


def _single_keys(text: str) -> list[str]:
    keys = _keys(text)
    return [key for key in keys if keys.count(key) == 1]


def _is_marked(block: str) -> bool:
    return "# <- " in block


# -------------------------------------------------------------------------------- the command


def rule_files(wanted: Sequence[str] = ()) -> list[Examples]:
    """The rule files with these codes or below these folders; all of them when none is named."""
    return examples_of(load_rules(RULES), wanted)


def examples_of(files: Iterable[RuleFile], wanted: Sequence[str] = ()) -> list[Examples]:
    """The same for rules that are already read."""
    bases = load_bases(RULES)
    by_path: dict[Path, list[RuleModel]] = {}
    for file in files:
        by_path.setdefault(file.path, []).append(file.rule)
    folders = [Path(text).resolve() for text in wanted]
    return [
        Examples(path, rules, bases)
        for path, rules in by_path.items()
        if not wanted
        or rules[0].code in wanted
        or any(path.resolve().is_relative_to(folder) for folder in folders)
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wanted", nargs="*", metavar="CODE|FOLDER")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--sample", type=int, metavar="N")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    start = time.monotonic()
    files = rule_files(options.wanted)
    if options.sample is not None:
        files = random.Random(options.seed).sample(files, min(options.sample, len(files)))
    count = 0
    for file in files:
        if options.write:
            taken = file.shrink()
            count += taken
            if taken:
                print(f"{file.path}: {taken} blocks taken out")
                try:
                    file.write()
                except NotWritable as error:
                    print(f"{file.path}: {error}")
            continue
        for found in file.superfluous():
            count += 1
            where = "common" if found.example is None else f"example {found.example + 1}"
            print(f"{file.path}: {where}: `{found.key}` does not matter")
    print(
        f"{len(files)} files, {count} blocks that do not matter, {time.monotonic() - start:.0f} s"
    )
    return 1 if count and not options.write else 0


if __name__ == "__main__":
    sys.exit(main())
