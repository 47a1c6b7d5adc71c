"""YAML as OmegaConf and Hydra read it.

OmegaConf 2.4.0, `_yaml.py`: numbers with an exponent need no point (`1e-4` is one), there are no
dates, and a key that is text may stand only once. `${...}` stays text here: what it gives hangs on
the whole configuration.
"""

from __future__ import annotations

from functools import lru_cache

import yaml

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import Any
from cfglint.source.languages.yaml import Yaml
from cfglint.source.languages.yaml_builder import Dialect
from cfglint.source.scalars import STR, meaning_of

_FLOAT = "tag:yaml.org,2002:float"
_TIMESTAMP = "tag:yaml.org,2002:timestamp"
_RESOLVERS: dict[Any, Any] = yaml.SafeLoader.yaml_implicit_resolvers
_ANY_FIRST: Any = _RESOLVERS.get(None, [])
#: The floats that OmegaConf has besides PyYAML's.
_MORE_FLOATS = lazy_pattern(
    r"[-+]?[0-9]+(?:_[0-9]+)*(?:\.[0-9_]*(?:[eE][-+]?[0-9]+)?|[eE][-+]?[0-9]+)\Z"
    r"|\.[0-9]+(?:_[0-9]+)*(?:[eE][-+][0-9]+)?\Z"
)


@lru_cache(maxsize=16384)
def resolve(text: str) -> str:
    """The tag of an untagged plain scalar."""
    for tag, pattern in _RESOLVERS.get(text[:1], _ANY_FIRST):
        if tag != _TIMESTAMP and pattern.match(text):
            return str(tag)
    return _FLOAT if _MORE_FLOATS.match(text) else STR


@lru_cache(maxsize=16384)
def meaning(text: str) -> tuple[str, Any] | None:
    """Tag and value of an untagged plain scalar; None for those that need a closer look."""
    return meaning_of(resolve(text), text)


OMEGACONF = Yaml(Dialect("OmegaConf", resolve, meaning, keys_are_unique=True))
