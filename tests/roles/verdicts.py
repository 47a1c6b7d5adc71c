"""The verdict on one key of a text."""

from __future__ import annotations

from cfglint.checks.context import CheckContext
from cfglint.environment.building import build_environment
from cfglint.environment.surroundings import nowhere
from cfglint.frameworks.for_files import for_document
from cfglint.roles.framework import load_framework
from cfglint.roles.key_policy import Verdict, WrittenKey
from cfglint.source.document import Mapping, Path
from cfglint.source.text import SourceText


def verdict(framework: str, text: str, path: Path, release: str = "") -> Verdict:
    """What becomes of the key at a path of a file.

    Args:
        release: of the framework's package; empty for the newest.
    """
    own = load_framework(framework)
    document = own.language.read(SourceText(text))
    own = for_document(own, document, nowhere())
    pins = (f"{own.packages[0]}=={release}",) if release else ()
    ctx = CheckContext(document, own, build_environment(own.releases, pins=pins), nowhere())
    name, entry, mapping = str(path[-1]), document.entry(path), document.root
    if len(path) > 1:
        parent = document.node(path[:-1])
        assert isinstance(parent, Mapping)
        mapping = parent
    assert entry is not None
    section = own.keys.section_at(path[:-1])
    keys = ctx.release_keys.section(section)
    assert keys is not None
    key = WrittenKey(section, path, entry, name, keys[name].info, mapping)
    return own.key_policy.standing(key, ctx)
