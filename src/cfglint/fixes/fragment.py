"""New values in block style. ruamel.yaml lays out what is nested; it is imported on first use."""

from __future__ import annotations

from functools import lru_cache

from cfglint.base.type_names import Any
from cfglint.fixes.layout import Indentation
from cfglint.fixes.refusal import Refusal
from cfglint.source.languages.yaml_render import (
    is_inline,
    render_float,
    render_inline,
    render_key,
    render_scalar,
)

_FLOAT_TAG = "tag:yaml.org,2002:float"
_NULL_TAG = "tag:yaml.org,2002:null"


def render_block(value: Any, indentation: Indentation) -> list[str]:
    """The lines, without line breaks, of a filled list or mapping that starts at column 0.

    Raises:
        Refusal: the value is no plain data, or PyYAML would not read the lines as this value.
    """
    flat = _flat_lines(value)
    if flat is not None:
        return flat
    import io

    import yaml

    buffer = io.StringIO()
    writer = _writer(indentation)
    writer.dump(_prepared(value), buffer)
    text = buffer.getvalue()
    lines = text.split("\n")[:-1]
    # ruamel.yaml writes an outer list at its dash offset; the caller says where it goes.
    shift = len(lines[0]) - len(lines[0].lstrip(" "))
    lines = [line[shift:] for line in lines]
    if not _same(yaml.safe_load("\n".join(lines)), value):
        raise Refusal("The new value cannot be written as a nested block.")
    return lines


def _flat_lines(value: Any) -> list[str] | None:
    """The lines of a list or mapping without nested collections; None when it does."""
    items = value.values() if isinstance(value, dict) else value
    if not all(is_inline(item) for item in items):
        return None
    if isinstance(value, dict):
        return [f"{render_key(key)}: {render_inline(item)}" for key, item in value.items()]
    return [f"- {render_inline(item)}" for item in items]


@lru_cache(maxsize=8)
def _writer(indentation: Indentation) -> Any:
    from ruamel.yaml import YAML
    from ruamel.yaml.representer import RoundTripRepresenter

    class Representer(RoundTripRepresenter):
        """Floats as YAML 1.1 reads them; an explicit null, which survives any layout."""

    Representer.add_representer(
        float, lambda self, value: self.represent_scalar(_FLOAT_TAG, render_float(value))
    )
    Representer.add_representer(
        type(None), lambda self, _: self.represent_scalar(_NULL_TAG, "null")
    )
    writer = YAML()
    writer.Representer = Representer
    # A dash directly below its key (`dash` 0) still needs its own width of 2.
    writer.indent(
        mapping=indentation.mapping, sequence=indentation.dash + 2, offset=indentation.dash
    )
    writer.width = 2**31
    return writer


def _prepared(value: Any) -> Any:
    """The value with every string marked with the quotes that PyYAML needs."""
    from ruamel.yaml.scalarstring import DoubleQuotedScalarString, SingleQuotedScalarString

    if isinstance(value, dict):
        return {_prepared(key): _prepared(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_prepared(item) for item in value]
    if not isinstance(value, str):
        # Only to refuse what cannot be written.
        render_scalar(value)
        return value
    quote = render_scalar(value)[:1]
    if quote == '"':
        return DoubleQuotedScalarString(value)
    return SingleQuotedScalarString(value) if quote == "'" else value


def _same(left: Any, right: Any) -> bool:
    """Equality that tells 1 from 1.0 and True, and takes two NaN for equal."""
    if isinstance(left, dict) and isinstance(right, dict):
        return list(left) == list(right) and all(_same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, (list, tuple)):
        return len(left) == len(right) and all(map(_same, left, right))
    return isinstance(left, type(right)) and (left == right or (left != left and right != right))
