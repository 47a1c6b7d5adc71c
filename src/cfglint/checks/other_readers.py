"""Whether something else seems to read a file, or a fork of the framework: by the unknown keys that it has."""

from __future__ import annotations

from cfglint.checks.context import CheckContext
from cfglint.checks.key_spelling import is_sure_slip
from cfglint.checks.written_keys import unknown_keys
from cfglint.roles.key_policy import WrittenKey


def of_another_reader(ctx: CheckContext, key: WrittenKey) -> bool:
    """Whether a key is one of so many that another program seems to read the file, too."""
    if key.info is not None or not _may_be_shared(ctx, key):
        return False
    if not has_another_reader(ctx):
        return False
    # What another program is known not to have is for no reader.
    return not key.verdict.has_no_reader


def _may_be_shared(ctx: CheckContext, key: WrittenKey) -> bool:
    """Whether an unknown key may show that something else reads it: at the top level of a file, or anywhere in a command.

    What a command starts is then a fork of the framework, and of a stated release there is none.
    """
    if ctx.document.language.structure == "words":
        return ctx.target.pins.get(ctx.framework.packages[0]) is None
    return not key.section


def has_another_reader(ctx: CheckContext) -> bool:
    """Whether another program, or a fork, seems to read a file."""
    return ctx.once("another reader", lambda: _is_read_by_another(ctx))


def _is_read_by_another(ctx: CheckContext) -> bool:
    unknown, policy = unknown_keys(ctx), ctx.framework.key_policy
    if any(key.verdict.other_reader for key in unknown):
        return True
    shared = [key for key in unknown if _may_be_shared(ctx, key)]
    if policy.starts_a_copy(ctx):
        return bool(shared)
    # Slips are made in every file, and say nothing of who reads it.
    strange = [key for key in shared if not is_sure_slip(ctx.framework.keys, key)]
    return policy.shared_from is not None and len(strange) >= policy.shared_from
