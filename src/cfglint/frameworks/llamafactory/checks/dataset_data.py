"""What is wrong with the files that `dataset_info.json` names, as far as their first rows show it."""

from __future__ import annotations

import os
from collections.abc import Iterator

from cfglint.base.shortened import shortened
from cfglint.base.spelling import Speller
from cfglint.checks.context import CheckContext, Hit, Repair
from cfglint.fixes.actions import SetValue
from cfglint.frameworks.llamafactory.checks.dataset_entries import Listed, listed
from cfglint.frameworks.llamafactory.datasets import LIST
from cfglint.source.document import Scalar
from cfglint.source.files.base import Files
from cfglint.source.files.data import MAX_BYTES, MAX_ROWS, Sample, format_of, sample
from cfglint.source.files.folders import climb, is_inside
from cfglint.source.files.ignores import is_kept_out_of_git
from cfglint.source.files.nearby import is_in_clone

#: The endings that the loader takes, each with the reader (`FILEEXT2TYPE`), in all releases.
_READERS = {
    "arrow": "arrow",
    "csv": "csv",
    "json": "json",
    "jsonl": "json",
    "parquet": "parquet",
    "txt": "text",
}
_FOLLOWED_SINCE = "0.8.0"
#: Columns with the messages of a conversation; the first one is what a `sharegpt` dataset reads by default.
_CONVERSATIONS = ("conversations", "messages")
#: Files of a folder that are looked at.
_MAX_NAMES = 5_000
#: Columns that are read of every row; a file of which only the beginning is known certainly lacks one of
#: the first kind when its first rows do.
_IN_EVERY_ROW = ("prompt", "messages", "chosen", "rejected")
_IN_SOME_ROWS = ("query", "history", "system", "tools", "images", "videos", "audios", "kto_tag")
#: Those that a conversation is not asked for, or not in every row.
_OF_ALPACA = ("prompt", "query", "history", "system")


def missing(ctx: CheckContext) -> Iterator[Hit]:
    """A file that is not there, beside one of nearly its name.

    Of any other one nothing follows: data is made, or brought to the machine that trains.
    """
    files = ctx.around.files
    for entry, path in _paths(ctx):
        if not entry.is_used or is_in_clone(path, entry.folder or "", files):
            continue
        folder, name = os.path.split(path)
        taken = _named_by_others(entry)
        free = [one for one in _data_in(folder, files) if os.path.join(folder, one) not in taken]
        guess = Speller(free).closest(name)
        if guess is None or not guess.sure or is_kept_out_of_git(path, files):
            continue
        written = str(entry.settings["file_name"])
        right = written[: len(written) - len(name)] + guess.name
        repair = Repair(
            f"Name {guess.name}", "unsafe", (SetValue((entry.name, "file_name"), right),)
        )
        params = {"file": shortened(written, 120), "right": shortened(right, 120)}
        yield entry.hit(("file_name",), params, repairs=(repair,))


def ending(ctx: CheckContext) -> Iterator[Hit]:
    """A file whose ending the loader does not know, or a folder with files of several kinds."""
    files = ctx.around.files
    for entry, path in _paths(ctx):
        if files.is_folder(path):
            inside = _names(path, files)
            readers = {_READERS.get(_ending(name)) for name in inside}
            if not inside or (len(readers) == 1 and None not in readers):
                continue
            odd = next((name for name in inside if _ending(name) not in _READERS), inside[-1])
            what = f"`{shortened(odd)}` in the folder `{shortened(str(entry.settings['file_name']), 80)}`"
            why = "all files of a folder must be of one of these kinds"
        elif not _ending(path) and not files.exists(path):
            continue  # a folder that is made, or brought along
        elif _ending(path) not in _READERS:
            what, why = (
                f"`{shortened(str(entry.settings['file_name']), 120)}`",
                "the loader takes no other",
            )
        else:
            continue
        kinds = ", ".join(f"`.{name}`" for name in _READERS)
        yield entry.hit(("file_name",), {"what": what, "why": why, "kinds": kinds})


def folder_twice(ctx: CheckContext) -> Iterator[Hit]:
    """A path that begins with the name of the folder which it is relative to."""
    files = ctx.around.files
    for entry, path in _paths(ctx):
        written = str(entry.settings["file_name"])
        first, slash, rest = written.removeprefix("./").partition("/")
        name = os.path.basename(os.path.normpath(entry.folder or ""))
        if (
            slash
            and rest.strip("/")
            and first == name
            and not is_in_clone(path, entry.folder or "", files)
        ):
            params = {
                "file": shortened(written, 120),
                "right": shortened(rest, 120),
                "folder": shortened(name),
            }
            repair = Repair(
                f"Name {shortened(rest, 120)}",
                "unsafe",
                (SetValue((entry.name, "file_name"), rest),),
            )
            yield entry.hit(("file_name",), params, repairs=(repair,))


def plain_text(ctx: CheckContext) -> Iterator[Hit]:
    """A file that is read line by line, into a column `text`, whatever it contains."""
    for entry, path in _paths(ctx):
        if entry.has_own_format or _READERS.get(_ending(path)) != "text":
            continue
        for key, column in _needed(entry, whole=True):
            if column != "text":
                file = shortened(os.path.basename(path), 80)
                yield entry.hit(
                    ("file_name",), {"column": shortened(column, 80), "file": file, "key": key}
                )
                break


def columns(ctx: CheckContext) -> Iterator[Hit]:
    """A column that the converter looks up, and no row has."""
    for entry, found, whole in samples(ctx):
        for key, column in _needed(entry, whole=whole):
            if found.has(column):
                continue
            have = ", ".join(f"`{shortened(name, 40)}`" for name in found.columns[:8])
            params = {
                "column": shortened(column, 80),
                "file": shortened(os.path.basename(found.path), 80),
                "have": have,
                "key": f"columns.{key}",
                "remedy": _remedy(entry, found, key),
            }
            yield entry.hit(("columns", key), params)
            break


def _remedy(entry: Listed, found: Sample, key: str) -> str:
    """What to write where rows lack a column: rows with conversations are of another format."""
    if entry.attributes.formatting == "alpaca":
        for column in _CONVERSATIONS:
            if found.message_keys(column):
                named = "" if column == _CONVERSATIONS[0] else f" and `columns.messages: {column}`"
                return f"Set `formatting: sharegpt`{named} in the entry of `{shortened(entry.name, 80)}`"
    file = shortened(os.path.basename(found.path), 80)
    return (
        f"Set `columns.{key}` in the entry of `{shortened(entry.name, 80)}` to a column of `{file}`"
    )


def message_keys(ctx: CheckContext) -> Iterator[Hit]:
    """Messages without a role or a content under the names that are looked up."""
    for entry, found, _ in samples(ctx):
        names = entry.attributes.names
        if entry.attributes.formatting == "alpaca":
            continue
        keys = found.message_keys(names["messages"])
        for tag in ("role_tag", "content_tag"):
            if keys and isinstance(names[tag], str) and names[tag] not in keys:
                have = ", ".join(f"`{shortened(key, 40)}`" for key in sorted(keys)[:6])
                params = {
                    "tag": f"tags.{tag}",
                    "name": shortened(names[tag]),
                    "have": have,
                    "file": shortened(os.path.basename(found.path), 80),
                }
                yield entry.hit(("tags", tag), params)
                break


def _needed(entry: Listed, *, whole: bool) -> Iterator[tuple[str, str]]:
    """(name, column) of what every row must have."""
    names, ranking = entry.attributes.names, entry.attributes.ranking
    alpaca = entry.attributes.formatting == "alpaca"
    wanted = [*_IN_EVERY_ROW, *(_IN_SOME_ROWS if whole else ())]
    if not ranking:
        # Only an `alpaca` row without pairs is asked for its answer.
        wanted.append("response")
    for name in wanted:
        if alpaca if name == "messages" else name in (*_OF_ALPACA, "response") and not alpaca:
            continue
        if name in ("chosen", "rejected") and (ranking is not True or names.get("kto_tag")):
            continue
        column = names.get(name)
        if isinstance(column, str) and column:
            yield name, column


def samples(ctx: CheckContext) -> Iterator[tuple[Listed, Sample, bool]]:
    """The entries with a file of which rows can be read, and whether these are all."""
    if not ctx.since(_FOLLOWED_SINCE):
        return
    files = ctx.around.files
    for entry, path in _paths(ctx):
        if entry.has_own_format:
            continue
        kind = format_of(path, None)
        found = sample(path, kind, files) if kind is not None else None
        state = files.state(path)
        if found is None or not found.rows or state is None:
            continue
        whole = state.size <= MAX_BYTES and len(found.rows) < MAX_ROWS and kind == "json"
        yield entry, found, whole or kind == "csv"


def _paths(ctx: CheckContext) -> Iterator[tuple[Listed, str]]:
    """The entries that name a file or a folder of the project, with its path."""
    for entry in listed(ctx):
        written = entry.settings.get("file_name")
        if not entry.attributes.is_file or entry.folder is None or not isinstance(written, str):
            continue
        if not 0 < len(written) <= 1024 or "\0" in written or os.path.isabs(written):
            continue
        path = os.path.normpath(os.path.join(entry.folder, written))
        try:
            root, _ = climb(entry.folder, ctx.around.files)
            if is_inside(path, root, ctx.around.files):
                yield entry, path
        except OSError:
            continue


def _named_by_others(entry: Listed) -> set[str]:
    """The files that other entries of the same list name."""
    named = set()
    for other in entry.document.root.entries:
        node = entry.document.node((other.name, "file_name")) if other.name else None
        if other.name != entry.name and isinstance(node, Scalar):
            named.add(os.path.normpath(os.path.join(entry.folder or "", node.text)))
    return named


def _names(folder: str, files: Files) -> list[str]:
    try:
        return sorted(files.names(folder)[:_MAX_NAMES])
    except OSError:
        return []


def _data_in(folder: str, files: Files) -> list[str]:
    """The names of the data files in a folder."""
    return [one for one in _names(folder, files) if _ending(one) in _READERS and one != LIST]


def _ending(name: str) -> str:
    return os.path.splitext(name)[1][1:]


CHECKS = {
    "dataset-file-below-its-folder-twice": folder_twice,
    "dataset-file-not-there": missing,
    "dataset-file-of-other-kind": ending,
    "dataset-file-of-plain-text": plain_text,
    "dataset-column-not-there": columns,
    "dataset-message-key-not-there": message_keys,
}
