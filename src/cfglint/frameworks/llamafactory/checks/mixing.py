"""Whether the shares of mixed datasets are what the datasets library draws with."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.checks.context import CheckContext, Hit

#: What NumPy tolerates when it adds probabilities: the root of the smallest step of a double.
_TOLERANCE = 2**-26
#: Names, and shares, of a config that are looked at.
_MAX_SHARES = 1_000


def shares_of_datasets(ctx: CheckContext) -> Iterator[Hit]:
    """Shares, one for each dataset, that do not add up to 1."""
    shares = _shares(ctx.value("interleave_probs"))
    if len(shares) < 2 or ctx.value("mix_strategy") in (None, "concat"):
        return
    total = sum(shares)
    span = ctx.document.span(("interleave_probs",))
    if span is not None and abs(total - 1) > _TOLERANCE:
        yield Hit(("interleave_probs",), span, {"total": f"{total:.6g}"})


def share_of_each_dataset(ctx: CheckContext) -> Iterator[Hit]:
    """Another number of shares than there are datasets, of training or of evaluation."""
    shares = _shares(ctx.value("interleave_probs"))
    span = ctx.document.span(("interleave_probs",))
    if not shares or span is None:
        return
    if ctx.value("mix_strategy") in (None, "concat"):
        return
    for key in ("dataset", "eval_dataset"):
        names = _names(ctx.value(key))
        if names and names != len(shares):
            facts = {"shares": str(len(shares)), "names": str(names), "key": key}
            yield Hit(("interleave_probs",), span, facts)
            return


def _names(written: object) -> int:
    """How many datasets a text with commas or a list names."""
    return len(
        written.split(",")
        if isinstance(written, str)
        else written
        if isinstance(written, list)
        else ()
    )


def _shares(written: object) -> list[float]:
    """The numbers of a text with commas or of a list; none when one of them is not a number."""
    parts = written.split(",") if isinstance(written, str) else written
    if not isinstance(parts, list) or len(parts) > _MAX_SHARES:
        return []
    try:
        return [float(part) for part in parts]
    except (TypeError, ValueError, OverflowError):
        return []


CHECKS = {
    "shares-of-datasets": shares_of_datasets,
    "share-of-each-dataset": share_of_each_dataset,
}
