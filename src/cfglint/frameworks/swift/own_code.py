"""Whether a copy of ms-swift in the project has an argument that the release does not have."""

from __future__ import annotations

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import TYPE_CHECKING, ClassVar, Final
from cfglint.environment.surroundings import Surroundings
from cfglint.roles.own_code import OwnCode
from cfglint.source.files.nearby import read, search, texts_below
from cfglint.source.values import to_python

if TYPE_CHECKING:
    from cfglint.base.type_names import Any
    from cfglint.roles.key_policy import WrittenKey
    from cfglint.roles.parts import FileContext

#: Where a copy has its arguments: ms-swift 3, and the releases since then.
_FOLDERS: Final = (
    *("swift/arguments", "swift/llm/argument", "swift/trainers"),
    *("swift/megatron/arguments", "swift/megatron/argument"),
)
#: Up to 2.6.
_FILES: Final = ("swift/llm/utils/argument.py", "swift/llm/megatron/argument.py")
#: The line of a field of a class: `name: type`.
_FIELD: Final = lazy_pattern(r"(?m)^(?:[ ]{4}|\t)([A-Za-z_]\w{0,80})[ \t]*:[ \t]*\S")
#: Arguments that name an entry of a registry, and those whose files add entries.
_OF_REGISTRIES: Final = frozenset(
    {"model_type", "ref_model_type", "teacher_model_type", "template", "template_type"}
)
#: A program in the examples of 2.x, into which users import such a file.
_EXAMPLE: Final = "llm_sft.py"
_ADDING: Final = ("external_plugins", "custom_register_path")
_MAX_FILES: Final = 100
_MAX_BYTES: Final = 300_000


class SwiftOwnCode(OwnCode):
    """A clone or a fork of ms-swift around the script."""

    modules: ClassVar[tuple[str, ...]] = ("swift",)
    wholes: ClassVar[tuple[str, ...]] = ("arguments", "llm/argument", "llm/utils/argument.py")
    parts: ClassVar[tuple[str, ...]] = ("megatron", "rlhf_trainers", "trainers", "tuners")

    def has(self, key: WrittenKey, ctx: FileContext) -> bool:
        pin = ctx.target.pins.get(self.framework.packages[0])
        if pin is not None and not pin.in_project:
            return False
        return key.name in _arguments(ctx.around)

    def takes(self, key: WrittenKey, value: Any, ctx: FileContext) -> bool:
        """Files that a command imports register models and templates; so may words that are not known."""
        if key.name in _OF_REGISTRIES and not key.section and _adds_entries(ctx):
            return True
        return super().takes(key, value, ctx)


def _adds_entries(ctx: FileContext) -> bool:
    document = ctx.document
    nodes = (document.node((name,)) for name in _ADDING)
    given = any(node is not None and to_python(node) not in (None, "", []) for node in nodes)
    return given or document.hides_keys or _EXAMPLE in document.text


def _arguments(around: Surroundings) -> frozenset[str]:
    """The arguments of the copies that lie around a script; none without one."""
    folder = around.folder
    if folder is None:
        return frozenset()
    return around.memory.once(("copy of ms-swift", folder), lambda: _names(around, folder))


def _names(around: Surroundings, folder: str) -> frozenset[str]:
    found: set[str] = set()
    for written in _FOLDERS:
        folders = search(written, folder, around.files).found
        for text in texts_below(
            folders, ".py", around.files, most=_MAX_FILES, max_bytes=_MAX_BYTES
        ):
            found.update(_FIELD.findall(text))
    for written in _FILES:
        for path in search(written, folder, around.files).found:
            contents = read(path, _MAX_BYTES, around.files)
            found.update(_FIELD.findall(contents.source.text) if contents is not None else ())
    return frozenset(found)


ROLE = SwiftOwnCode
