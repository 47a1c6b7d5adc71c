"""YAML as most programs read it. (The reading itself is `cfglint.source.languages.yaml`.)"""

from cfglint.source.languages.yaml import compose
from cfglint.source.languages.yaml_builder import MAX_DEPTH, MAX_NODES

__all__ = ["MAX_DEPTH", "MAX_NODES", "compose"]
