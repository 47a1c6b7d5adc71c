"""Shared rules, written with concepts and made into ordinary rules of each framework.

Where a key path is allowed, `$name` is replaced by the key of a value, `{$name: true}` or
`{$name: false}` by the condition of a state. Words have `{$name}` for what is written and
`{key $name}` for the name of the key. A framework gets the rule when it has all concepts of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from cfglint.knowledge.compiling.bases import Bases, whole_examples
from cfglint.knowledge.compiling.concepts import (
    ConceptModel,
    Concepts,
    Meaning,
    StateModel,
    ValueModel,
    unknown_concept,
)
from cfglint.knowledge.compiling.files import RuleFileError, validate
from cfglint.knowledge.compiling.model import RuleModel

_NAME = re.compile(r"\$([a-z][a-z0-9_]*)")
_IN_WORDS = re.compile(r"\{(key )?\$([a-z][a-z0-9_]*)\}")
_UNREAD = re.compile(r"\{[^{}]*\$[^{}]*\}")
_PATHS = ("each", "at", "related", "remedy", "fix", "when")
_WORDS = ("summary", "message", "cost", "if_undecided", "why")


class Standing(NamedTuple):
    """Whether a framework gets a shared rule, and why not."""

    #: The concepts that it lacks.
    lacks: tuple[str, ...] = ()
    #: Why the rule is not for it, though it may have all concepts.
    not_for: str = ""
    #: How many examples of its files there are.
    examples: int = 0

    @property
    def has_it(self) -> bool:
        """Whether the rule is one of the framework's."""
        return not self.lacks and not self.not_for


class SharedRule(NamedTuple):
    """A shared rule that is written with concepts."""

    code: str
    name: str
    summary: str
    #: The concepts that it takes, in the order of their names.
    concepts: tuple[str, ...]
    frameworks: Mapping[str, Standing]


class Expansion(NamedTuple):
    """A shared rule, and the ordinary rules that it is expanded to."""

    shared: SharedRule
    rules: list[RuleModel]


def uses_concepts(data: Any) -> bool:
    """Whether the contents of a rule file are written with concepts."""
    return isinstance(data, dict) and bool(_used(data))


def expand(data: dict[str, Any], path: Path, concepts: Concepts, bases: Bases) -> Expansion:
    """The ordinary rules of a shared one.

    Raises:
        RuleFileError: it says something that no framework could mean, or that one of those that
            have its concepts cannot.
    """
    stand_ins = {name: _stand_in(name, one) for name, one in concepts.vocabulary.items()}
    for name in sorted(_used(data)):
        if name not in concepts.vocabulary:
            raise RuleFileError(f"{path}: {unknown_concept(name, concepts.vocabulary)}")
    # Mistakes are reported even if no framework has all concepts yet.
    whole = validate(RuleModel, _Expander(stand_ins, path).rule(data, "any"), path, at=())
    for example in whole.examples:
        if example.framework is None:
            raise RuleFileError(f"{path}: each example of a shared rule names its `framework`")
    whole = whole_examples(whole, bases, path)
    rules: list[RuleModel] = []
    standings = {}
    for name, has in concepts.frameworks.items():
        own = _of_framework(data, whole, name)
        lacks = tuple(sorted(_used(own) - set(has)))
        standings[name] = Standing(lacks, whole.not_for.get(name, ""), len(own["examples"]))
        if standings[name].has_it:
            rules.append(validate(_OfOne, _Expander(has, path).rule(own, name), path, name))
    shared = SharedRule(
        whole.code, whole.name, whole.summary, tuple(sorted(_used(data))), standings
    )
    return Expansion(shared, rules)


class _OfOne(RuleModel):
    """A rule whose examples may all be of other frameworks."""

    needs_examples: ClassVar[bool] = False


def _of_framework(data: dict[str, Any], whole: RuleModel, name: str) -> dict[str, Any]:
    """The rule as it applies to one framework, still with concepts."""
    own = {**data, **whole.differs.get(name, {})}
    for part in ("differs", "not_for", "base", "common"):
        own.pop(part, None)
    own["examples"] = [
        example.model_dump(exclude_unset=True, exclude={"framework", "base"})
        for example in whole.examples
        if example.framework == name
    ]
    return own


def _used(data: dict[str, Any]) -> set[str]:
    """The concepts that a rule takes; what it says of one framework does not count."""
    paths = [_strings(data.get(part)) for part in _PATHS]
    found = {name for texts in paths for text in texts for name in _NAME.findall(text)}
    words = [_strings(data.get(part)) for part in _WORDS]
    found |= {match[2] for texts in words for text in texts for match in _IN_WORDS.finditer(text)}
    return found


def _strings(part: Any) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict):
        for key, value in part.items():
            yield from _strings(key)
            yield from _strings(value)
    elif isinstance(part, list):
        for item in part:
            yield from _strings(item)


def _stand_in(name: str, concept: ConceptModel) -> Meaning:
    """A concept of no framework, to check a rule with."""
    if concept.kind == "value":
        return ValueModel(value=name)
    return StateModel(holds={name: {"truthy": True}}, at=[name], written=name)


class _Expander:
    """Puts a framework's keys in the places of concepts."""

    def __init__(self, has: Mapping[str, Meaning], path: Path) -> None:
        self._has = has
        self._path = path

    def rule(self, data: dict[str, Any], framework: str) -> dict[str, Any]:
        """The contents of the ordinary rule's file."""
        out = {**data, "framework": framework}
        if isinstance(data.get("when"), list):
            out["when"] = self._condition({"all": data["when"]})
        elif isinstance(data.get("when"), dict):
            out["when"] = self._condition(data["when"])
        if isinstance(data.get("each"), str):
            out["each"] = self._subject(data["each"])
        if isinstance(data.get("at"), list):
            out["at"] = [place for text in data["at"] for place in self._places(text)]
        if isinstance(data.get("related"), list):
            out["related"] = [
                {**part, "path": place, "note": self._words(part.get("note"))}
                for part in data["related"]
                for place in self._places(part.get("path"))
            ]
        if isinstance(data.get("remedy"), list):
            out["remedy"] = [self._remedy(part) for part in data["remedy"]]
        if isinstance(data.get("fix"), list):
            out["fix"] = [self._fix(fix) for fix in data["fix"]]
        for part in _WORDS:
            if part in data:
                out[part] = self._words(data[part])
        return out

    def _error(self, problem: str) -> RuleFileError:
        return RuleFileError(f"{self._path}: {problem}")

    def _meaning(self, name: str, kind: type[Meaning]) -> Any:
        meaning = self._has[name]
        if isinstance(meaning, kind):
            return meaning
        if kind is ValueModel:
            raise self._error(f"`{name}` is a state; it is tested with `${name}: true` or `false`")
        raise self._error(
            f"`{name}` is a value; test it, for instance with `${name}: {{set: true}}`"
        )

    # ------------------------------------------------------------------ conditions

    def _condition(self, data: Any) -> Any:
        if not isinstance(data, dict) or len(data) != 1:
            return data  # which the model will refuse
        ((name, body),) = data.items()
        if name in ("all", "any") and isinstance(body, list):
            return {name: [part for one in body for part in self._member(name, one)]}
        if name == "not":
            return {name: self._condition(body)}
        if name == "count" and isinstance(body, dict):
            return {
                name: {
                    part: [self._subject(text) for text in value]
                    if isinstance(value, list)
                    else value
                    for part, value in body.items()
                }
            }
        if name in ("plugin", "target") or not isinstance(name, str):
            return data
        if isinstance(body, bool):
            return self._state(name, wanted=body)
        return {self._subject(name): self._tests(body)}

    def _member(self, joined: str, data: Any) -> list[Any]:
        """A condition in a list; a state that is such a list itself is part of it."""
        made = self._condition(data)
        is_state = isinstance(data, dict) and any(isinstance(body, bool) for body in data.values())
        return list(made[joined]) if is_state and joined in made else [made]

    def _state(self, text: str, *, wanted: bool) -> dict[str, Any]:
        match = _NAME.fullmatch(text)
        if match is None:
            raise self._error(f"`{text}`: only a state, such as `$bf16`, is true or false")
        state: StateModel = self._meaning(match[1], StateModel)
        if wanted:
            return deepcopy(state.holds)
        return deepcopy(state.fails) if state.fails is not None else {"not": deepcopy(state.holds)}

    def _tests(self, body: Any) -> Any:
        """Tests, in which another key may be an operand."""
        if not isinstance(body, dict):
            return body
        return {
            name: {"key": self._subject(operand["key"])}
            if isinstance(operand, dict) and isinstance(operand.get("key"), str)
            else operand
            for name, operand in body.items()
        }

    def _subject(self, text: Any) -> Any:
        """What a test is about, or a path of a fix."""
        if not isinstance(text, str):
            return text
        return _NAME.sub(lambda match: str(self._meaning(match[1], ValueModel).value), text)

    # ------------------------------------------------------------------ places and words

    def _places(self, text: Any) -> list[Any]:
        """The keys of `at` and `related`."""
        match = _NAME.fullmatch(text) if isinstance(text, str) else None
        return list(self._has[match[1]].places) if match else [self._subject(text)]

    def _remedy(self, part: Any) -> Any:
        if not isinstance(part, dict):
            return part
        out = {**part, "say": self._words(part.get("say"))}
        when = {"all": part["when"]} if isinstance(part.get("when"), list) else part.get("when")
        return out if when is None else {**out, "when": self._condition(when)}

    def _fix(self, fix: Any) -> Any:
        if not isinstance(fix, dict) or not isinstance(fix.get("edits"), list):
            return fix
        return {
            **fix,
            "title": self._words(fix.get("title")),
            "edits": [self._edit(edit) for edit in fix["edits"]],
        }

    def _edit(self, edit: Any) -> Any:
        if not isinstance(edit, dict):
            return edit
        out: dict[str, Any] = {}
        for kind, body in edit.items():
            if isinstance(body, dict):
                renames = kind == "rename"
                out[kind] = {
                    self._subject(path): self._subject(value) if renames else value
                    for path, value in body.items()
                }
            else:
                out[kind] = self._subject(body)
        return out

    def _words(self, text: Any) -> Any:
        if not isinstance(text, str):
            return text
        filled = _IN_WORDS.sub(lambda match: self._word(match[2], is_key=bool(match[1])), text)
        if unread := _UNREAD.search(filled):
            raise self._error(f"`{unread[0]}` is neither `{{$concept}}` nor `{{key $concept}}`")
        return filled

    def _word(self, name: str, *, is_key: bool) -> str:
        meaning = self._has[name]
        if is_key:
            if not meaning.places:
                raise self._error(f"`{name}` is derived and has no key here")
            return meaning.places[0]
        if isinstance(meaning, ValueModel):
            return f"{{{meaning.value}}}"
        if meaning.written is None:
            raise self._error(f"`{name}` needs `written` for this rule's words")
        return meaning.written
