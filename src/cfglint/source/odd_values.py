"""What hangs on the order in which PyYAML builds: asked of PyYAML itself.

An anchored or tagged `<<` or `=`, `!!omap` and `!!pairs`: PyYAML rewrites such nodes while it
builds others, so what an alias to them gives depends on which of them came first. No config
needs any of this. Where it occurs, the document counts only if PyYAML builds the same value.
"""

from __future__ import annotations

import yaml

from cfglint.base.type_names import Any
from cfglint.source.document import Mapping
from cfglint.source.problems import ProblemKind, SourceError
from cfglint.source.scalars import UNBUILDABLE
from cfglint.source.text import Span
from cfglint.source.values import same, to_python


def confirm(text: str, root: Mapping, loader_class: Any) -> None:
    """Refuse a document of which PyYAML makes something else, or nothing.

    Args:
        text: a text within all limits.
        root: what was read from it.
        loader_class: the loader that decides.

    Raises:
        SourceError: PyYAML refuses it, or builds another value.
    """
    loader = loader_class(text)
    try:
        value = loader.get_single_data()
    except UNBUILDABLE as error:
        mark = error.problem_mark if isinstance(error, yaml.MarkedYAMLError) else None
        start = min(mark.index, len(text)) if mark is not None else root.start
        words = getattr(error, "problem", None) or str(error)
        raise _refused(start, f"PyYAML cannot build this: {words}") from None
    finally:
        loader.dispose()
    # Merged keys come in another order since PyYAML 6.0.4. No config depends on it.
    if not same(_ordered(value), _ordered(to_python(root))):
        raise _refused(
            root.start, "anchors on `<<` or `=` give a value that depends on their order"
        )


def _ordered(value: Any) -> Any:
    """The same value, with the keys of every mapping in an order that depends on nothing else."""
    if isinstance(value, dict):
        entries = sorted(value.items(), key=lambda entry: (type(entry[0]).__name__, repr(entry[0])))
        return {key: _ordered(inner) for key, inner in entries}
    if isinstance(value, (list, tuple)):
        return type(value)(_ordered(inner) for inner in value)
    return value


def _refused(start: int, problem: str) -> SourceError:
    return SourceError(ProblemKind.UNBUILDABLE, Span(start, start + 1), problem=problem)
