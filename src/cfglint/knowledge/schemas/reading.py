"""A JSON Schema of the project with all files that it refers to, read and checked.

Schemas are part of the repository that is checked, so they are untrusted: nothing is fetched,
nothing outside the project is read, and no pattern may take long.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, NoReturn
from urllib.parse import quote, unquote, urldefrag, urljoin

from jsonschema import (
    Draft4Validator,
    Draft6Validator,
    Draft7Validator,
    Draft201909Validator,
    Draft202012Validator,
)
from jsonschema.protocols import Validator
from referencing import Registry, Specification, jsonschema
from referencing.exceptions import Unresolvable
from referencing.jsonschema import UnknownDialect

from cfglint.base.paths import relative_path
from cfglint.diagnostic import OtherFile
from cfglint.knowledge.rules.linear import UnsuitablePattern
from cfglint.knowledge.rules.patterns import is_simple, linear_pattern
from cfglint.knowledge.schemas.plain import Plain
from cfglint.knowledge.schemas.words import sentence_of
from cfglint.source.files.base import Files
from cfglint.source.files.inside import Inside
from cfglint.source.languages.named import language
from cfglint.source.problems import SourceError
from cfglint.source.text import MAX_BYTES, SourceText, Span

#: More files than one schema refers to.
MAX_FILES = 50
#: Values in all of them. To validate so many by the meta-schema of the draft takes some seconds; the
#: schema of all keys of a framework has eight thousand.
MAX_VALUES = 20_000
_LANGUAGES = {".json": "json", ".yaml": "yaml", ".yml": "yaml"}
#: What `$schema` says, without the scheme and a `#` at the end.
DRAFTS: dict[str, tuple[type[Validator], Specification[Any]]] = {
    "//json-schema.org/draft/2020-12/schema": (Draft202012Validator, jsonschema.DRAFT202012),
    "//json-schema.org/draft/2019-09/schema": (Draft201909Validator, jsonschema.DRAFT201909),
    "//json-schema.org/draft-07/schema": (Draft7Validator, jsonschema.DRAFT7),
    "//json-schema.org/draft-06/schema": (Draft6Validator, jsonschema.DRAFT6),
    "//json-schema.org/draft-04/schema": (Draft4Validator, jsonschema.DRAFT4),
}
_NEWEST = next(iter(DRAFTS))
#: The drafts' own schemas, which a schema may refer to.
_OFFICIAL: Registry[Any] = Registry().with_resources(
    (str(draft.META_SCHEMA.get("$id") or draft.META_SCHEMA["id"]).rstrip("#"), made)
    for draft, specification in DRAFTS.values()
    for made in [specification.create_resource(draft.META_SCHEMA)]
)
#: Keywords that lead to another part of the schema.
REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")


_NOTHING_FETCHED = "schemas are not downloaded: save it in the project, and refer to it by its path"
#: Takes the place of `false` for a key or an item, as jsonschema tells no path of that.
FORBIDDEN: dict[str, Any] = {"not": {}}


class SchemaError(ValueError):
    """A schema cannot be used; the message says which file, where, why, and what to do."""


class _File:
    """One file of a schema."""

    def __init__(self, path: str, source: SourceText, plain: Plain) -> None:
        #: As messages have it.
        self.path = path
        self.source = source
        self.plain = plain
        self.data: dict[str, Any] = plain.data


#: A schema in a file, and the URI that references in it count from.
_Part = tuple[_File, Any, str]


class SchemaFiles:
    """The files of one schema.

    Args:
        path: the schema itself, absolute.
        root: the folder of the project; nothing outside it is read.
        files: where to read.
        shown: what a file is called in messages.

    Raises:
        SchemaError: one of them cannot be used.

    Attributes:
        draft: the validator of the draft that all of them are written in.
        registry: all of them, by their URIs.
        uri: that of the schema itself.
        data: the schema itself.
    """

    def __init__(self, path: str, root: str, files: Files, shown: str) -> None:
        self._files = Inside(root, files)
        self._main = (path, shown)
        self._read: list[_File] = []
        #: `$id` of a file -> its URI.
        self._names: dict[str, str] = {}
        #: The same for the folders of these names: the folder of the project.
        self._folders: dict[str, str] = {}
        self._dialect: str | None = None
        self.draft: type[Validator] = Draft202012Validator
        self._specification: Specification[Any] = jsonschema.DRAFT202012
        self.registry: Registry[Any] = _OFFICIAL
        self.uri = _uri_of(path)
        #: Part of a file that was examined -> the URI that references in it count from. The files
        #: keep all of them alive.
        self._bases: dict[int, str] = {}
        #: Where keys are matched by patterns that jsonschema itself may not try.
        self._demanding: list[tuple[_File, dict[str, Any], str]] = []
        self._has_unevaluated = False
        main = self._load(path, shown, self.uri)
        self.data = main.data
        self._follow(main)

    # ------------------------------------------------------------------ reading

    def _load(self, path: str, shown: str, uri: str) -> _File:
        """Read a file and register it under a URI."""
        if len(self._read) == MAX_FILES:
            raise SchemaError(f"{self._main[1]}: refers to more than {MAX_FILES} files")
        file = self._parsed(path, shown)
        self._read.append(file)
        if sum(one.plain.size for one in self._read) > MAX_VALUES:
            raise SchemaError(
                f"{self._main[1]}: more than {MAX_VALUES:,} values, in all of its files"
            )
        self._take_dialect(file)
        self._check(file, file.data)
        # Files are registered under their paths; an `$id` is an alias.
        name = "id" if self.draft is Draft4Validator else "$id"
        own = "" if str(file.data.get(name, "")).startswith("#") else file.data.pop(name, "")
        try:
            own = urljoin(uri, str(own).rstrip("#"))
            self._names[own] = uri
            for known in (uri, own):
                self._folders.setdefault(urljoin(known, "."), os.path.dirname(path))
            resource = self._specification.create_resource(file.data)
            self.registry = self.registry.with_resource(uri, resource).crawl()
        except (ValueError, UnknownDialect) as error:
            raise SchemaError(f"{shown}: `$id` or `$schema` is wrong: {error}") from None
        return file

    def _parsed(self, path: str, shown: str) -> _File:
        name = _LANGUAGES.get(os.path.splitext(path)[1].lower())
        if name is None:
            raise SchemaError(f"{shown}: expected a .json, .yaml or .yml file")
        try:
            source = SourceText.from_bytes(self._files.read(path, MAX_BYTES + 1))
        except OSError as error:
            raise SchemaError(f"{shown}: cannot be read: {error.strerror}") from None
        except SourceError as error:
            why = "is larger than 1 MiB" if "limit" in error.details else "is not UTF-8"
            raise SchemaError(f"{shown}: {why}") from None
        format_ = name.upper()
        try:
            document = language(name).read(source)
        except SourceError as error:
            line = source.position(error.span.start).line
            problem = error.details.get("problem", error.kind.value.replace("-", " "))
            raise SchemaError(f"{shown}:{line}: cannot be read as {format_}: {problem}") from None
        for problem in document.problems:
            line = source.position(problem.span.start).line
            words = problem.kind.value.removeprefix("json-").replace("-", " ")
            raise SchemaError(f"{shown}:{line}: cannot be read as {format_}: {words}")
        return _File(shown, source, Plain(document))

    def _take_dialect(self, file: _File) -> None:
        """Find out which draft a file is written in: for all files that of the first one."""
        written = file.data.pop("$schema", None)
        if written is None:
            dialect = self._dialect or _NEWEST
        else:
            dialect = str(written).removeprefix("http:").removeprefix("https:").rstrip("#")
            if dialect not in DRAFTS:
                known = ", ".join(f"https:{name}" for name in DRAFTS)
                self._refuse(
                    file, "$schema", f"{written!r} is not a known draft; expected one of {known}"
                )
        if self._dialect is None:
            self._dialect = dialect
            self.draft, self._specification = DRAFTS[dialect]
        elif dialect != self._dialect:
            first = self._main[1]
            self._refuse(file, "$schema", f"this is not the draft of {first}, which refers to it")

    def _check(self, file: _File, part: Any) -> None:
        """Validate a schema, or a part of a file that is used as one, by the meta-schema of its draft."""
        try:
            errors = list(self.draft(self.draft.META_SCHEMA).iter_errors(part))
        except RecursionError:
            raise SchemaError(f"{file.path}: is nested too deep") from None
        places = [(file.plain.place_of(part, one.absolute_path), one) for one in errors]
        if places:
            span, error = min(places, key=lambda place: place[0])
            self._refuse_at(file, span, f"is not a valid schema: {sentence_of(error)}")

    # ------------------------------------------------------------------ following references

    def _follow(self, file: _File) -> None:
        """Look at every schema in a file, and at those that they refer to."""
        waiting: list[_Part] = [(file, file.data, self.uri)]
        references: list[tuple[_File, dict[str, Any], str]] = []
        while waiting or references:
            if not waiting:
                waiting += self._led_to(*references.pop())
                continue
            file, part, base = waiting.pop()
            if id(part) in self._bases or not isinstance(part, dict):
                continue
            resource = self._specification.create_resource(part)
            base = self._bases[id(part)] = urljoin(base, resource.id() or "")
            self._look_at(file, part)
            references += [
                (file, part, keyword)
                for keyword in REFERENCES
                if isinstance(part.get(keyword), str)
            ]
            inner = self._specification.subresources_of(part)
            waiting += [(file, one, base) for one in inner]
        if self._has_unevaluated and self._demanding:
            file, part, pattern = self._demanding[0]
            words = (
                f"the pattern {pattern[:80]!r} may take too long beside `unevaluatedProperties`: "
                "repeat one character or class at most"
            )
            self._refuse(file, "patternProperties", words, part)

    def _look_at(self, file: _File, part: dict[str, Any]) -> None:
        """Refuse what no schema in a file may say, and make `false` a schema like any other."""
        own = part.get("$schema")
        if own is not None:
            self._refuse(
                file, "$schema", "a draft can only be named at the beginning of a file", part
            )
        for key, pattern in _patterns(part):
            problem = _unusable(pattern)
            if problem is not None:
                self._refuse(file, key, f"the pattern {pattern[:80]!r} {problem}", part)
            if key == "patternProperties" and not is_simple(pattern):
                self._demanding.append((file, part, pattern))
        # The only keyword that leaves patterns to jsonschema, which uses `re`.
        self._has_unevaluated |= "unevaluatedProperties" in part

        for keyword in ("properties", "patternProperties"):
            inner = part.get(keyword, {})
            inner.update({name: FORBIDDEN for name, one in inner.items() if one is False})
        for keyword in ("prefixItems", "items"):
            if isinstance(part.get(keyword), list):
                part[keyword][:] = [FORBIDDEN if one is False else one for one in part[keyword]]

    def _led_to(self, file: _File, part: dict[str, Any], keyword: str) -> list[_Part]:
        """What a reference leads to, when that was not examined yet."""
        reference: str = part[keyword]
        led_to: list[_Part] = []
        try:
            uri, fragment = urldefrag(urljoin(self._bases[id(part)], reference))
            if uri not in self.registry:
                uri = self._names.get(uri, uri)
            if uri not in self.registry:
                path = self._path_of(uri)
                if path is None:
                    words = f"{reference[:200]!r} is not a file of the project"
                    self._refuse(file, keyword, f"{words}; {_NOTHING_FETCHED}", part)
                uri = _uri_of(path)
                if uri not in self.registry:
                    other = self._load(path, self._shown(path), uri)
                    led_to.append((other, other.data, uri))
            part[keyword] = f"{uri}#{fragment}"
            target = self.target(part, keyword)
        except SchemaError:
            raise
        except (Unresolvable, LookupError, ValueError):
            words = f"there is nothing at {reference[:200]!r}; mend the reference"
            self._refuse(file, keyword, words, part)
        if isinstance(target, bool) or id(target) in self._bases or uri in _OFFICIAL:
            return led_to
        homes = [one for one in self._read if one.plain.has(target)]
        if not homes or not isinstance(target, dict):
            self._refuse(file, keyword, f"{reference[:200]!r} does not lead to a schema", part)
        # What is where the draft expects no schema was not compared with the draft's own yet.
        self._check(homes[0], target)
        return [*led_to, (homes[0], target, uri)]

    def target(self, part: dict[str, Any], keyword: str) -> Any:
        """What a reference in a part of the schema leads to."""
        resolver = self.registry.resolver(base_uri=self._bases[id(part)])
        return resolver.lookup(part[keyword]).contents

    def _path_of(self, uri: str) -> str | None:
        """The file of the project that a URI refers to; None if there is none."""
        for base, folder in self._folders.items():
            if not uri.startswith(base):
                continue
            rest = unquote(uri.removeprefix(base))
            path = os.path.normpath(os.path.join(folder, *rest.split("/")) if folder else rest)
            if self._files.is_file(path):
                return path
        return None

    def _shown(self, path: str) -> str:
        """The name of a file in messages: relative to the same folder as that of the schema."""
        main, shown = self._main
        relative = relative_path(path, os.path.dirname(main))
        return os.path.normpath(os.path.join(os.path.dirname(shown), relative))

    # ------------------------------------------------------------------ reporting

    def place(self, part: Any, keyword: str) -> tuple[OtherFile, Span] | None:
        """Where a part of the schema is written that says something by a keyword."""
        for file in self._read:
            if file.plain.has(part):
                absolute = os.path.abspath(file.path)
                return OtherFile(absolute, file.source), file.plain.place(part, keyword)
        return None

    def _refuse(
        self, file: _File, keyword: str, words: str, part: dict[str, Any] | None = None
    ) -> NoReturn:
        span = file.plain.place(file.data if part is None else part, keyword)
        self._refuse_at(file, span, f"{keyword}: {words}")

    def _refuse_at(self, file: _File, span: Span, words: str) -> NoReturn:
        line = file.source.position(span.start).line
        raise SchemaError(f"{file.path}:{line}: {words}")


def _patterns(part: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Every regular expression of a schema, with the keyword that it is below."""
    if isinstance(part.get("pattern"), str):
        yield "pattern", part["pattern"]
    many = part.get("patternProperties")
    if isinstance(many, dict):
        yield from (("patternProperties", pattern) for pattern in many)


def _unusable(pattern: str) -> str | None:
    """Why a regular expression cannot be used."""
    try:
        linear_pattern(pattern)
    except UnsuitablePattern as error:
        return str(error)
    return None


def _uri_of(path: str) -> str:
    return "file:///" + quote(path.replace(os.sep, "/").lstrip("/"))
