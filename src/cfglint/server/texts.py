"""The texts that an editor shows, and where the protocol's names for files lead."""

from __future__ import annotations

import os
from urllib.parse import quote

from pygls.uris import from_fs_path, to_fs_path

from cfglint.server.snapshot import OpenText, same_file


class OpenTexts:
    """All open texts. Two names for one file are two texts, of which the later one counts."""

    def __init__(self) -> None:
        self._open: dict[str, OpenText] = {}

    def put(self, uri: str, version: int, text: str, language: str | None = None) -> OpenText:
        """Take a text in, or its next version."""
        known = self._open.pop(uri, None)
        path = known.path if known is not None else path_of(uri, language)
        self._open[uri] = OpenText(uri, path, version, text)
        return self._open[uri]

    def close(self, uri: str) -> None:
        """Forget a text."""
        self._open.pop(uri, None)

    def get(self, uri: str) -> OpenText | None:
        """The text under a name."""
        return self._open.get(uri)

    def by_path(self) -> dict[str, OpenText]:
        """Path -> its text."""
        return {text.path: text for text in self._open.values()}

    def uri_of(self, path: str) -> str:
        """The name of a file: the client's own, when it is open."""
        found = [text.uri for text in self._open.values() if text.path == path]
        return found[-1] if found else file_uri(path)


def file_uri(path: str) -> str:
    """The protocol's name for a file of the disk."""
    return from_fs_path(same_file(path)) or ""


def path_of(uri: str, language: str | None = None) -> str:
    """The path of a text; one that was never saved is a file in the current folder.

    Args:
        language: what the client says that it is written in; tells JSON where no suffix does.
    """
    # A semicolon is part of a name; to pygls it begins something else.
    path = to_fs_path(uri.replace(";", "%3B"))
    if path is not None:
        return same_file(path)
    suffix = ".json" if language in ("json", "jsonc") else ".yml"
    name = quote(uri, safe="")[-200:]
    return os.path.join(os.getcwd(), name if name.endswith(suffix) else name + suffix)
