"""Options whose dots name sections: `--actor.adam.lr 1e-6` is the key `lr` of `adam` in `actor`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cfglint.source.document import Entry, Mapping, Node, Path, Scalar

_STR = "tag:yaml.org,2002:str"
#: What is known about a section (`Mapping.about`).
_SECTION = "section of options"


def path_of(option: str, known: frozenset[str]) -> Path:
    """The path of the key that an option sets.

    Args:
        known: the sections of the program. Other dots are a part of the name.
    """
    section = option.rpartition(".")[0]
    return tuple(option.split(".")) if section in known else (option,)


def nested(entries: Sequence[Entry], known: frozenset[str]) -> list[Entry]:
    """Options as entries below their sections, in the order in which they are first written.

    Args:
        known: the sections of the program.
    """
    top: list[Entry] = []
    sections: dict[Path, Mapping] = {}
    for entry in entries:
        *parents, name = map(str, path_of(entry.label, known))
        here = top
        for depth in range(1, len(parents) + 1):
            path = tuple(parents[:depth])
            section = sections.get(path)
            if section is None:
                section = sections[path] = _section(entry)
                key = _key(entry.key, parents[depth - 1])
                here.append(Entry(key, section))
            here = section.entries
        here.append(Entry(_key(entry.key, name), entry.value) if parents else entry)
    return top


def options_in(mapping: Mapping, above: Path = ()) -> Iterator[tuple[Path, Entry]]:
    """The options below a command or a section, each with its path."""
    for entry in mapping.entries:
        if entry.name is None:
            continue
        value = entry.value
        # What starts the program, and further commands, are mappings without sections.
        if isinstance(value, Mapping) and is_section(entry):
            yield from options_in(value, (*above, entry.name))
        else:
            yield (*above, entry.name), entry


def is_section(entry: Entry) -> bool:
    """Whether an entry of a command is there because the dots of options name it."""
    value = entry.value
    return isinstance(value, Mapping) and value.about == _SECTION


def _section(first: Entry) -> Mapping:
    node = Mapping(first.key.start, max(first.key.end, first.value.end), None, None, flow=True)
    node.about = _SECTION
    return node


def _key(written: Node, name: str) -> Scalar:
    """The key with a name, at the place of the whole option."""
    text = written.text if isinstance(written, Scalar) else ""
    return Scalar(written.start, written.end, None, None, text, "", _STR, name)
