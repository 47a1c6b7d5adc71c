"""The texts that an editor shows, and the conversion between URIs and paths."""

from __future__ import annotations

import os
from urllib.parse import quote

from pygls.uris import from_fs_path, to_fs_path

from cfglint.server.snapshot import OpenText, same_file


class OpenTexts:
    """All open texts. If two URIs name the same file, the text that was opened later counts."""

    def __init__(self) -> None:
        self._open: dict[str, OpenText] = {}

    def put(self, uri: str, version: int, text: str, language: str | None = None) -> OpenText:
        """Add a text, or replace it by its next version."""
        known = self._open.pop(uri, None)
        path = known.path if known is not None else path_of(uri, language)
        self._open[uri] = OpenText(uri, path, version, text)
        return self._open[uri]

    def close(self, uri: str) -> None:
        """Remove a text."""
        self._open.pop(uri, None)

    def get(self, uri: str) -> OpenText | None:
        """The text of a URI; None when it is not open."""
        return self._open.get(uri)

    def by_path(self) -> dict[str, OpenText]:
        """Path -> its text."""
        return {text.path: text for text in self._open.values()}

    def uri_of(self, path: str) -> str:
        """The URI of a file: the client's own when the file is open."""
        found = [text.uri for text in self._open.values() if text.path == path]
        return found[-1] if found else file_uri(path)


def file_uri(path: str) -> str:
    """The URI of a file of the disk."""
    return from_fs_path(same_file(path)) or ""


def path_of(uri: str, language: str | None = None) -> str:
    """The path of a text; one that was never saved is a file in the current folder.

    Args:
        language: the client's identifier of the language; decides about JSON when there is no suffix.
    """
    # A semicolon is part of a file name; pygls takes it for the beginning of URI parameters.
    path = to_fs_path(uri.replace(";", "%3B"))
    if path is not None:
        return same_file(path)
    suffix = ".json" if language in ("json", "jsonc") else ".yml"
    name = quote(uri, safe="")[-200:]
    return os.path.join(os.getcwd(), name if name.endswith(suffix) else name + suffix)
