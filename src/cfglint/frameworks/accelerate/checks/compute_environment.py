"""Keys of the other kind of file: one for a machine of one's own, one for SageMaker."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.checks.context import Check, CheckContext, Hit, Repair
from cfglint.diagnostic import Related
from cfglint.fixes.actions import DeleteKey
from cfglint.source.document import Entry, Scalar

_LOCAL = "LOCAL_MACHINE"
_SAGEMAKER = "AMAZON_SAGEMAKER"
_CLASSES = {True: "ClusterConfig", False: "SageMakerConfig"}
_WORDS = {True: "a file for SageMaker", False: "a file for a machine of your own"}


def key_of_other_environment(ctx: CheckContext) -> Iterator[Hit]:
    """A key that only the other `compute_environment` has; the first one carries the finding."""
    written = ctx.document.root.lookup.get("compute_environment")
    value = written.value.target() if written is not None else None
    environment = value.value if isinstance(value, Scalar) else None
    local = written is None or environment == _LOCAL
    if isinstance(environment, str) and environment not in (_LOCAL, _SAGEMAKER):
        return  # what is wrong is this word
    others = [entry for entry in ctx.document.root.entries if _is_others(ctx, entry, local)]
    if not others:
        return
    name = str(others[0].name)
    deleted = tuple(DeleteKey((str(entry.name),)) for entry in others)
    title = "Delete it" if len(others) == 1 else f"Delete these {len(others)} keys"
    related = tuple(Related(entry.key.span, "so is this one") for entry in others[1:])
    path, span = (name,), others[0].key.span
    if written is not None and not isinstance(environment, str):
        # A value that no kind of file has is what is wrong.
        path, span = ("compute_environment",), written.span
    elif written is not None:
        related += (Related(written.span, "says what kind of file it is"),)
    yield Hit(
        path,
        span,
        {"key": name, "kind": _WORDS[local]},
        related=related,
        repairs=(Repair(title, "unsafe", deleted),),
    )


def _is_others(ctx: CheckContext, entry: Entry, local: bool) -> bool:
    """Whether a key is one of the release, but not of this kind of file."""
    section = ctx.release_keys.section("")
    name = entry.name
    if section is None or name is None or not section[name].ordinary:
        return False
    return ctx.release_keys.schema_of_class("", name, _CLASSES[local]) is None


CHECKS: dict[str, Check] = {"key-of-other-environment": key_of_other_environment}
