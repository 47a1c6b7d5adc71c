"""What Axolotl makes of written values."""

from __future__ import annotations

from cfglint.base.logic import MISSING
from cfglint.base.type_names import Any
from cfglint.knowledge.keys.pydantic_types import as_scalar, split_type
from cfglint.roles.parsing import Parsing, TextForNumber
from cfglint.source.document import Document, Path, Scalar

#: Beginnings of the names of optimizers that Axolotl builds itself, with arguments as they are.
_OWN_OPTIMIZERS = (
    "optimi_", "ao_", "adopt_", "adamc", "came_", "muon", "dion", "sinkgd", "polora", "flash_",
    "scao", "q_galore_",
)  # fmt: skip


class AxolotlParsing(Parsing):
    """Axolotl's validator, which converts texts."""

    def coerce(self, path: Path, value: Any) -> Any:
        """What Axolotl's validator makes of a scalar at a path: `"yes"` is true, `"3"` is 3."""
        type_ = self.framework.keys.type_at(path)
        if type_ is not None:
            kinds = split_type(type_)
            if "str" not in kinds and type(value).__name__ not in kinds:
                # A whole number for another number is the same number, so it stays as written.
                for kind in ("bool", "int", "float") if isinstance(value, str) else ("bool",):
                    if kind in kinds and (found := as_scalar(kind, value)) is not MISSING:
                        return found
        return value

    def text_for_number(self, path: Path, document: Document) -> TextForNumber | None:
        """The arguments of the optimizers that are not its own, which transformers reads from text."""
        if path[0] != "optim_args":
            return None
        node = document.node(("optimizer",))
        if isinstance(node, Scalar) and str(node.value).startswith(_OWN_OPTIMIZERS):
            return None
        effect = "but transformers gets the arguments of its optimizers as text in any case"
        return TextForNumber("note", effect=effect)


ROLE = AxolotlParsing
