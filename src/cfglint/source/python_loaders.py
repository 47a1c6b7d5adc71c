"""The calls of a program that load a file: what they load, and in which language.

A function of another module of the project may be one, too: the program shows what it is given, and `Loading`
says what is left to find out.
"""

from __future__ import annotations

import ast
import sys

from cfglint.base.record import NamedTuple
from cfglint.source.calls import HYDRA, Loading
from cfglint.source.python_names import last_name
from cfglint.source.python_paths import NO_ARGUMENTS, CallArguments, FileName, Paths
from cfglint.source.python_scopes import Binding, Scopes

#: With `read` of a file, or its text, they take what is in it.
_YAML = frozenset({"safe_load", "load", "full_load", "unsafe_load"})
_READERS = frozenset(
    {
        *("SafeLoader", "FullLoader", "Loader", "UnsafeLoader"),
        *("CSafeLoader", "CFullLoader", "CLoader", "CUnsafeLoader"),
    }
)
_JSON = frozenset({"load", "loads"})
#: The functions of the packages, by the package that a program imports them from.
_PACKAGES = ("yaml", "json", "omegaconf")
#: These give a mapping whose items are its attributes, too.
WRAPPING = frozenset(
    {
        *("AttrDict", "Box", "ConfigBox", "ConfigDict", "DotDict", "DotMap", "EasyDict", "Munch"),
        *("edict", "munchify"),
    }
)
#: These have the keywords that they are given as attributes: `Namespace(**config)`.
SPREADING = frozenset({"Namespace", "SimpleNamespace"})
_MAX_DEPTH = 16
#: A function that loads a file is not given more.
_MAX_ARGUMENTS = 6


class FileLoad(NamedTuple):
    """A file that a program loads."""

    name: FileName
    language: str
    #: What is known of a function of another module that loads it.
    loading: Loading | None = None


class Loaders:
    """Finds what loads a file in one program."""

    def __init__(self, scopes: Scopes, paths: Paths) -> None:
        self._scopes = scopes
        self._paths = paths

    def language(self, call: ast.Call) -> str:
        """The language that a call loads; empty for any other call."""
        package, name = self._origin(call.func)
        if package == "omegaconf" and name == "OmegaConf.load":
            return "omegaconf"
        if package == "json" and name in _JSON:
            return "json"
        if package != "yaml" or name not in _YAML:
            return ""
        readers = [*call.args[1:], *(keyword.value for keyword in call.keywords)]
        return "yaml" if all(last_name(one) in _READERS for one in readers) else ""

    def _origin(self, function: ast.expr) -> tuple[str, str]:
        """The package and the name in it of a function that is imported; empty for any other one."""
        parts: list[str] = []
        while isinstance(function, ast.Attribute):
            parts.insert(0, function.attr)
            function = function.value
        held = self._scopes.binding(function) if isinstance(function, ast.Name) else None
        if held is None or not isinstance(function, ast.Name):
            return "", ""
        if isinstance(held.node, ast.Import):
            names = {one.asname or one.name: one.name for one in held.node.names}
            return names.get(function.id, ""), ".".join(parts)
        if not isinstance(held.node, ast.ImportFrom):
            return "", ""
        module = "." * held.node.level + (held.node.module or "")
        names = {one.asname or one.name: one.name for one in held.node.names}
        return module, ".".join([names[function.id], *parts])

    def loaded(self, call: ast.Call, arguments: CallArguments) -> FileLoad | None:
        """The file that a call loads; None if it loads none, or the program does not show which."""
        language = self.language(call)
        if language:
            name = self._paths.named(self._file(call, language), arguments)
            return None if name is None else FileLoad(name, language)
        return self._elsewhere(call, arguments)

    def _elsewhere(self, call: ast.Call, arguments: CallArguments) -> FileLoad | None:
        """What is loaded if a function that is imported loads a file."""
        module, name = self._origin(call.func)
        package = module.partition(".")[0]
        if module in ("", *_PACKAGES) or package in sys.stdlib_module_names:
            return None
        if len(call.args) + len(call.keywords) > _MAX_ARGUMENTS:
            return None
        if any(isinstance(one, ast.Starred) for one in call.args):
            return None
        if any(keyword.arg is None for keyword in call.keywords):
            return None
        *inner, name = name.split(".")
        joint = "." if inner and not module.endswith(".") else ""
        given = {f"{place}": one for place, one in enumerate(call.args)}
        given.update({str(keyword.arg): keyword.value for keyword in call.keywords})
        files = {place: self._paths.named(one, arguments) for place, one in given.items()}
        if given and not any(files.values()):
            return None
        handed = tuple(
            (place, None if one is None else (one.text, one.beside)) for place, one in files.items()
        )
        loading = Loading(module + joint + ".".join(inner), name, handed)
        return FileLoad(FileName("", False), "", loading)

    def of_hydra(self, name: ast.Name) -> FileLoad | None:
        """The file that `hydra.main` loads for a parameter of the function below it."""
        held = self._scopes.binding(name)
        if held is None or held.kind != "parameter" or not isinstance(held.node, ast.FunctionDef):
            return None
        parameters = [one.arg for one in held.node.args.args]
        decorators = held.node.decorator_list
        call = decorators[0] if len(decorators) == 1 else None
        if parameters[:1] != [name.id] or not isinstance(call, ast.Call):
            return None
        if self._origin(call.func) != ("hydra", "main"):
            return None
        given = {str(one.arg).removeprefix("config_"): one.value for one in call.keywords}
        folder = self._paths.named(given.get("path"), NO_ARGUMENTS)
        file = self._paths.named(given.get("name"), NO_ARGUMENTS)
        if folder is None or file is None or file.beside:
            return None
        suffix = "" if file.text.endswith((".yaml", ".yml")) else ".yaml"
        return FileLoad(FileName(f"{folder.text}/{file.text}{suffix}", True), HYDRA)

    def _file(self, call: ast.Call, language: str) -> ast.expr | None:
        """The path of what a call loads."""
        if not call.args:
            return None
        node = call.args[0]
        if language == "omegaconf":
            return node
        for _ in range(_MAX_DEPTH):
            held = self._scopes.binding(node) if isinstance(node, ast.Name) else None
            if _is_of_file(held):
                assert held is not None
                assert isinstance(held.node, ast.expr)
                node = held.node
                continue
            if not isinstance(node, ast.Call):
                return None
            method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
            if isinstance(node.func, ast.Name) and node.func.id == "open":
                return node.args[0] if node.args and self._scopes.is_builtin(node.func) else None
            if not isinstance(node.func, ast.Attribute):
                return None
            if method in ("read_text", "read_bytes", "open"):
                return node.func.value
            if method != "read":
                return None
            node = node.func.value
        return None


def _is_of_file(held: Binding | None) -> bool:
    """Whether a name is set to a file, or to its text, if that is what it is set to."""
    return held is not None and held.kind in ("set", "with") and isinstance(held.node, ast.expr)
