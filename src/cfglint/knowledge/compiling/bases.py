"""Bases: configs with a name that the examples of rules stand on, so that they show what matters.

`bases.yaml` of a framework has them. An example's text goes on top of the lines that the rule's
examples have in `common`, and these on top of the base. A key at the top level of an
upper layer replaces the key in lower ones, and is written below the lines that are left of those.
Nothing else is merged: a section is replaced as a whole. `without` removes keys.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from cfglint.knowledge.compiling.files import RuleFileError, line_of, read_yaml
from cfglint.knowledge.compiling.model import Example, RuleModel

FILE = "bases.yaml"
#: The name that an example without a base gives, in a rule whose examples have one.
NONE = "none"
#: Framework -> name -> text. `any` has those of the framework that takes files which no
#: framework recognizes, for the examples of shared rules that name no other.
Bases = Mapping[str, Mapping[str, str]]

_KEY = re.compile(
    r"""^(?:"([^"\n]+)"|'([^'\n]+)'|([^\s#"'?:{}\[\],&*!|>%@`-][^:#\n]*?))[ \t]*:(?=\s|$)""", re.M
)
_MEMBER = re.compile(r'^  "([^"\n]+)":(?=\s)', re.M)
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_MARK = re.compile(r"# <- [A-Z]")


class BaseError(Exception):
    """An example cannot stand on its base.

    `place` is the path in the rule file that says so.
    """

    def __init__(self, place: tuple[str | int, ...], problem: str) -> None:
        super().__init__(problem)
        self.place = place


def load_bases(folder: Path) -> Bases:
    """The bases of every framework of a rules folder.

    Raises:
        RuleFileError: a file is malformed, or a text in it is no plain mapping.
    """
    found: dict[str, dict[str, str]] = {}
    for described in sorted(folder.glob("*/framework.yaml")):
        home, data = described.parent, read_yaml(described)
        found[home.name] = _of_framework(home / FILE)
        if isinstance(data, dict) and data.get("fallback") and data.get("language") == "yaml":
            found["any"] = found[home.name]
    return found


def _of_framework(path: Path) -> dict[str, str]:
    if not path.is_file():
        return {}
    data = read_yaml(path)
    if not isinstance(data, dict):
        raise RuleFileError(f"{path}: bases are a mapping of names to texts")
    for name, text in data.items():
        problem = _problem(name, text)
        if problem:
            raise RuleFileError(f"{path}:{line_of(path, (name,))}: base {name!r} {problem}")
    return data


def _problem(name: Any, text: Any) -> str:
    """What is wrong with a base; nothing when it can be stood on."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        return "needs a name of lower-case words that are joined by hyphens"
    if name == NONE:
        return "takes the name with which an example says that it has no base"
    if not isinstance(text, str) or not text.endswith("\n"):
        return "is not a text of whole lines; write it with `|`"
    return _unfit(text)


def _unfit(text: str) -> str:
    """Why nothing can stand on a text; nothing when it can."""
    if _MARK.search(text):
        return "has the mark of a finding, which belongs to an example's own lines"
    if Text.of(text).below("") != text:
        return "has more than keys at the top level"
    return ""


def on_bases(rule: RuleModel, bases: Bases) -> RuleModel:
    """The rule with the whole text of each example.

    Raises:
        BaseError: an example cannot stand on its base.
    """
    if not (rule.base or rule.common or any(part.base or part.without for part in rule.examples)):
        return rule
    if problem := rule.common and _unfit(rule.common):
        raise BaseError(("common",), f"`common` {problem}")
    examples = []
    for number, example in enumerate(rule.examples):
        framework = example.framework or rule.framework
        place: tuple[str | int, ...] = ("examples", number)
        if framework not in bases:
            examples.append(example)  # its framework is not in this folder
        elif example.base is None:
            below = layered(_text(rule.base, framework, bases, ("base",)), rule.common)
            examples.append(_whole(example, below, place))
        else:
            below = _text(example.base, framework, bases, (*place, "base"))
            examples.append(_whole(example, below, place))
    return rule.model_copy(update={"base": None, "common": "", "examples": examples})


def whole_examples(rule: RuleModel, bases: Bases, path: Path) -> RuleModel:
    """The rule of a file with the whole text of each example.

    Raises:
        RuleFileError: an example cannot stand on its base; the message names the line.
    """
    try:
        return on_bases(rule, bases)
    except BaseError as error:
        raise RuleFileError(f"{path}:{line_of(path, error.place)}: {error}") from None


def _text(name: str | None, framework: str, bases: Bases, place: tuple[str | int, ...]) -> str:
    if name is None or name == NONE:
        return ""
    known = bases[framework]
    if name not in known:
        close = get_close_matches(name, known, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise BaseError(place, f"there is no base {name!r} in {FILE} of {framework}{hint}")
    return known[name]


def _whole(example: Example, below: str, place: tuple[str | int, ...]) -> Example:
    """The example with its whole text, and with that of the fixed file."""
    if not below:
        if example.without:
            raise BaseError((*place, "without"), "there is no base that could be without it")
        return example.model_copy(update={"base": None})
    kind = "bad" if example.bad is not None else "good"
    own = _lines(getattr(example, kind))
    if own and Text.of(own).is_json != Text.of(below).is_json:
        raise BaseError((*place, kind), "the base is JSON and the example is not, or the reverse")
    known = _keys(below)
    for key in example.without:
        if key not in known:
            raise BaseError((*place, "without"), f"`{key}` is not in the base")
    kept = Text.of(below).less({*example.without, *_keys(own)})
    whole: dict[str, Any] = {"base": None, "without": [], kind: kept.below(own)}
    if example.fixed is not None:
        for key in sorted(_keys(example.fixed) & {key for key, _ in kept.parts}):
            raise BaseError(
                (*place, "fixed"), f"`{key}` is fixed in the base: write it in `bad`, too"
            )
        whole["fixed"] = kept.below(_lines(example.fixed))
    return example.model_copy(update=whole)


def _lines(text: str) -> str:
    """A text in quotes has no line end of its own."""
    return text if text.endswith("\n") or not text else text + "\n"


def _keys(text: str) -> set[str]:
    return {key for key, _ in Text.of(text).parts}


def layered(below: str, above: str) -> str:
    """One text on top of another."""
    return Text.of(below).less(_keys(above)).below(above) if below and above else below or above


class Text(NamedTuple):
    """A config as the keys at its top level, each with its lines and the comments above it.

    A text with braces is JSON: they stand on lines of their own, the keys two columns in.
    """

    parts: tuple[tuple[str, str], ...]
    is_json: bool

    @classmethod
    def of(cls, text: str) -> Text:
        """A text in parts; what precedes the first key is in none."""
        is_json = text.startswith("{\n")
        end = text.rindex("}") if is_json and "}" in text else len(text)
        starts = []
        for match in (_MEMBER if is_json else _KEY).finditer(text, 0, end):
            start = match.start()
            while start > 0 and text[text.rfind("\n", 0, start - 1) + 1] == "#":
                start = text.rfind("\n", 0, start - 1) + 1
            starts.append((next(filter(None, match.groups())), start))
        ends = [start for _, start in starts[1:]] + [end]
        # Where there is no key, there is one end too many.
        pairs = zip(starts, ends, strict=False)
        return cls(tuple((key, text[start:end]) for (key, start), end in pairs), is_json)

    def less(self, keys: Collection[str]) -> Text:
        """The same without some keys."""
        return Text(tuple(part for part in self.parts if part[0] not in keys), self.is_json)

    def below(self, above: str) -> str:
        """Its lines with another text below them."""
        texts = [text for _, text in self.parts]
        if not self.is_json:
            return "".join(texts) + above
        own = above.removeprefix("{\n").removesuffix("}\n")
        texts = [text.rstrip(",\n") for text in texts]
        if own:
            texts.append(own.removesuffix("\n"))
        return "{\n" + ",\n".join(texts) + "\n}\n"
