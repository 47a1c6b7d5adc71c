"""What a scalar means: the YAML 1.1 rules, as PyYAML's SafeLoader applies them.

The tables and the constructors are PyYAML's own, so a value is what `yaml.safe_load` gives,
by construction; this module only calls them lazily and remembers the answers.
"""

from __future__ import annotations

from functools import lru_cache

import yaml
from yaml.constructor import SafeConstructor

from cfglint.base.type_names import Any

STR = "tag:yaml.org,2002:str"
MERGE = "tag:yaml.org,2002:merge"
VALUE = "tag:yaml.org,2002:value"
MAP = "tag:yaml.org,2002:map"
SEQ = "tag:yaml.org,2002:seq"
NULL = "tag:yaml.org,2002:null"
INT = "tag:yaml.org,2002:int"
BINARY = "tag:yaml.org,2002:binary"

#: What PyYAML's constructors raise for a text that its tag does not fit.
UNBUILDABLE = (
    yaml.YAMLError,
    ValueError,
    ArithmeticError,
    LookupError,
    TypeError,
    AttributeError,
)
#: Longer integers take long to build, and Python refuses to print them.
MAX_INTEGER_CHARS = 3000

#: Their constructors are generators, which a text never fits.
COLLECTIONS = frozenset(
    f"tag:yaml.org,2002:{name}" for name in ("map", "seq", "set", "omap", "pairs")
)
_RESOLVERS: dict[Any, Any] = yaml.SafeLoader.yaml_implicit_resolvers
_ANY_FIRST: Any = _RESOLVERS.get(None, [])
_constructor = SafeConstructor()


@lru_cache(maxsize=16384)
def resolve_plain(text: str) -> str:
    """The tag that YAML 1.1 gives an untagged plain scalar."""
    for tag, pattern in _RESOLVERS.get(text[:1], _ANY_FIRST):
        if pattern.match(text):
            return str(tag)
    return STR


@lru_cache(maxsize=16384)
def plain_meaning(text: str) -> tuple[str, Any] | None:
    """Tag and value of an untagged plain scalar; None for those that need a closer look."""
    return meaning_of(resolve_plain(text), text)


def meaning_of(tag: str, text: str) -> tuple[str, Any] | None:
    """Tag and value of a scalar with a tag; None for those that need a closer look.

    These are `<<` and `=`, which mean more than themselves, and text that cannot be built.
    """
    if tag in (MERGE, VALUE):
        return None
    try:
        return tag, construct_scalar(tag, text)
    except UNBUILDABLE:
        return None


@lru_cache(maxsize=16384)
def construct_scalar(tag: str, text: str) -> Any:
    """The Python value of a scalar.

    Raises:
        yaml.YAMLError: the tag is unknown to `yaml.safe_load`.
        ValueError, OverflowError, KeyError: the text looks like a number or a date but is not valid.
    """
    if tag == STR:
        return text
    if tag == INT and len(text) > MAX_INTEGER_CHARS:
        raise ValueError("a number of this length")
    construct = SafeConstructor.yaml_constructors.get(tag)
    if construct is None or tag in COLLECTIONS:
        construct = SafeConstructor.yaml_constructors[None]
    node = yaml.ScalarNode(tag, text)
    return construct(_constructor, node)
