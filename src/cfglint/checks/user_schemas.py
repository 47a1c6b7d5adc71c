"""What the project's own JSON Schemas have against a file."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.type_names import Literal
from cfglint.checks.context import Check, CheckContext, Hit
from cfglint.knowledge.schemas.plain import Plain
from cfglint.knowledge.schemas.schema import GivenUp, UserSchema, Violation

#: So much of a schema's description is repeated.
_SHOWN = 300


class _Outcome:
    """What the schemas of a file find."""

    def __init__(self, ctx: CheckContext) -> None:
        self.found: list[tuple[UserSchema, Violation]] = []
        #: The schemas that were given up, with the reason.
        self.gave_up: list[tuple[UserSchema, str]] = []
        plain = Plain(ctx.document)
        for schema in ctx.around.schemas:
            try:
                self.found += [(schema, violation) for violation in schema.violations(plain)]
            except GivenUp as error:
                self.gave_up.append((schema, str(error)))
        self.first = plain.span(())


def _outcome(ctx: CheckContext) -> _Outcome:
    return ctx.once("schemas", lambda: _Outcome(ctx))


def _of_kind(kind: Literal["value", "missing", "unexpected"]) -> Check:
    def check(ctx: CheckContext) -> Iterator[Hit]:
        for schema, violation in _outcome(ctx).found:
            if violation.problem.kind == kind:
                yield _hit(schema, violation)

    return check


def _hit(schema: UserSchema, violation: Violation) -> Hit:
    problem = violation.problem
    sentence = f"{problem.sentence[0].upper()}{problem.sentence[1:]}"
    description = " ".join(violation.description.split())
    params = {
        "problem": sentence,
        "schema": schema.name,
        "description": f": {description[:_SHOWN]}" if description else ".",
    }
    return Hit(problem.path, violation.span, params, related=violation.related)


def _gave_up(ctx: CheckContext) -> Iterator[Hit]:
    outcome = _outcome(ctx)
    for schema, why in outcome.gave_up:
        yield Hit((), outcome.first, {"schema": schema.name, "why": why})


CHECKS: dict[str, Check] = {
    "schema-gave-up": _gave_up,
    "schema-missing-key": _of_kind("missing"),
    "schema-unexpected-key": _of_kind("unexpected"),
    "schema-violation": _of_kind("value"),
}
