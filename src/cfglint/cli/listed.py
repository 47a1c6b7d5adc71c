"""Command lines that another program made: options, then the names of files as they are."""

from __future__ import annotations

import os

from cfglint.cli.options import OPTIONS

_FLAGS = frozenset(form for option in OPTIONS for form in (option.flag, option.short))


def files_as_paths(arguments: list[str]) -> list[str]:
    """The arguments, with `./` before the names of files that begin with a dash.

    Such a program puts the names of files behind options that a person chose, without a `--`
    between them. A file that is named like an option with a value (`--output=x.yml`) must not
    become one.
    """
    return [
        f"./{text}"
        if text.startswith("-") and text not in ("-", "--", *_FLAGS) and os.path.isfile(text)
        else text
        for text in arguments
    ]
