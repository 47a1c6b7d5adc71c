"""The calls of a program that load a model: `AutoModelForCausalLM.from_pretrained(…)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cfglint.base.record import Record
from cfglint.base.type_names import TYPE_CHECKING

if TYPE_CHECKING:
    from cfglint.source.python_names import Names

FROM_PRETRAINED = "from_pretrained"


class Load(Record):
    """A call of a method of a class that is imported."""

    call: ast.Call
    #: The class, with its package: `transformers.AutoModel`.
    of: str
    #: The keywords that are written by name.
    given: dict[str, ast.keyword]


def loads(names: Names, methods: tuple[str, ...] = (FROM_PRETRAINED,)) -> Iterator[Load]:
    """The calls of a program that load something by one of some methods, in its order."""
    for call in names.calls:
        method = call.func
        if isinstance(method, ast.Attribute) and method.attr in methods:
            of = names.imported(method.value)
            if of is not None:
                yield Load(call, of, {word.arg: word for word in call.keywords if word.arg})
