"""The checks of every framework's files by the names that rule files use."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sized

from cfglint.checks import scalar_traps, structure
from cfglint.checks.context import Check, CheckContext, Hit
from cfglint.checks.sources import in_module
from cfglint.checks.written_keys import file_keys, unknown_keys
from cfglint.environment.surroundings import Surroundings
from cfglint.roles.framework import Framework
from cfglint.roles.parts import CheckSource
from cfglint.source.document import Scalar, Sequence

#: What several checks look through, and those that find nothing when it is empty.
LOOKED_THROUGH: tuple[tuple[Callable[[CheckContext], Sized], tuple[str, ...]], ...] = (
    (
        scalar_traps.suspects,
        (
            "date-value",
            "number-as-string",
            "octal-number",
            "quoted-boolean",
            "sexagesimal-number",
            "word-as-boolean",
        ),
    ),
    (unknown_keys, ("foreign-key", "misplaced-key", "unknown-key")),
    (
        lambda ctx: file_keys(ctx).unusual,
        ("key-of-later-release", "plugin-key-without-plugin", "removed-key"),
    ),
    (
        lambda ctx: file_keys(ctx).refused,
        ("out-of-range", "unknown-choice", "wrong-type"),
    ),
)


#: What one language alone makes of a text.
OF_LANGUAGE = {
    "json": frozenset({"duplicate-json-key"}),
    "yaml": frozenset(
        {
            *("byte-order-mark", "date-value", "duplicate-key", "non-text-key", "number-as-string"),
            *("octal-number", "quoted-boolean", "sexagesimal-number", "word-as-boolean"),
        }
    ),
}


def check_for(name: str, framework: Framework, around: Surroundings) -> Check | None:
    """The check with a name; None when it finds nothing with these surroundings.

    Of the surroundings it asks no more than which of `project`, `folder`, `launches` and `schemas`
    there are.
    """
    source = framework.checks.get(name) or SOURCES.get(name)
    if source is None:
        own = framework.language.name
        elsewhere = any(name in OF_LANGUAGE[other] for other in OF_LANGUAGE if other != own)
        return None if elsewhere else CHECKS.get(name)
    if source.around is not None and not source.around(around):
        return None
    return _when_needed(source)


def _when_needed(source: CheckSource) -> Check:
    """The check, whose module is imported when a file has something for it to check."""
    loaded: list[Check] = []

    def check(ctx: CheckContext) -> Iterator[Hit]:
        if source.file is not None and not source.file(ctx):
            return iter(())
        if not loaded:
            loaded.append(source.load())
        return loaded[0](ctx)

    return check


def _may_have_joined_lines(ctx: CheckContext) -> bool:
    """Whether a plain value runs over several lines, or a list has lists among other items."""
    text = ctx.document.text
    for _, node in ctx.collections:
        values = node.items if type(node) is Sequence else [e.value for e in node.entries]  # type: ignore[union-attr]
        lists = 0
        for value in values:
            if type(value) is Scalar:
                if not value.style and text.find("\n", value.start, value.end) >= 0:
                    return True
            elif type(value) is Sequence:
                lists += not value.flow
        if type(node) is Sequence and 0 < lists < len(values):
            return True
    return False


def _has_gpus(ctx: CheckContext) -> bool:
    """Whether the memory of the GPUs is known, and their number may be."""
    facts = ctx.target.facts
    if "gpu.memory_gb" not in facts:
        return False
    is_command = ctx.document.language.structure == "words"
    return "gpus" in facts or is_command or ctx.framework.language.name == "python"


def _states_releases(ctx: CheckContext) -> bool:
    """Whether the release of a package is stated, and that of the package whose program reads the file."""
    pins = ctx.target.pins
    return len(pins) > 1 and ctx.target.releases.package in pins


#: Checks that few files have something for: importing them all takes a twentieth of a plain check.
SOURCES: dict[str, CheckSource] = {
    **in_module("cfglint.checks.foreign_keys", "foreign-key"),
    **in_module("cfglint.checks.keys", "misplaced-key", "plugin-key-without-plugin", "unknown-key"),
    **in_module("cfglint.checks.keys_of_releases", "key-of-later-release", "removed-key"),
    **in_module("cfglint.checks.value_types", "out-of-range", "unknown-choice", "wrong-type"),
    # The steps of migrations, which a plain check does not try.
    **in_module(
        "cfglint.checks.older_names",
        "empty-older-key",
        "name-of-later-release",
        "older-name",
        "refused-value",
        "unread-key",
    ),
    **in_module(
        "cfglint.checks.packages_together",
        *("package-that-refuses-another", "packages-of-different-times"),
        file=_states_releases,
    ),
    **in_module(
        "cfglint.checks.requirements_apart",
        "requirements-apart",
        around=lambda around: around.project is not None,
    ),
    **in_module(
        "cfglint.checks.unmet_requirements",
        "unmet-requirement",
        around=lambda around: around.project is not None,
    ),
    **in_module(
        "cfglint.checks.compiled_parts",
        "compiled-for-other-torch",
        around=lambda around: around.project is not None,
    ),
    **in_module(
        "cfglint.checks.older_arrow",
        "datasets-of-older-arrow",
        around=lambda around: around.project is not None,
    ),
    **in_module("cfglint.checks.fit", "does-not-fit", file=_has_gpus),
    **in_module("cfglint.checks.joined_lines", "joined-line", file=_may_have_joined_lines),
    # What a project's own schemas find.
    **in_module(
        "cfglint.checks.user_schemas",
        "schema-gave-up",
        "schema-missing-key",
        "schema-unexpected-key",
        "schema-violation",
        around=lambda around: bool(around.schemas),
    ),
}
#: Checks that are tried on most files.
CHECKS: dict[str, Check] = {
    "byte-order-mark": structure.byte_order_mark,
    "date-value": scalar_traps.date_value,
    "duplicate-json-key": structure.duplicate_json_key,
    "duplicate-key": structure.duplicate_key,
    "missing-required-key": structure.missing_required_key,
    "non-text-key": structure.non_text_key,
    "number-as-string": scalar_traps.number_as_string,
    "octal-number": scalar_traps.octal_number,
    "quoted-boolean": scalar_traps.quoted_boolean,
    "sexagesimal-number": scalar_traps.sexagesimal_number,
    "typographic-character": scalar_traps.typographic_character,
    "unrecognized-config": structure.unrecognized_config,
    "word-as-boolean": scalar_traps.word_as_boolean,
}
