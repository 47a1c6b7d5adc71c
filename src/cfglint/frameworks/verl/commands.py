"""The commands that start verl's programs, and the config that each one reads."""

from __future__ import annotations

from collections.abc import Mapping as MappingOf
from collections.abc import Sequence
from functools import lru_cache

from cfglint.base.lazy import lazy_pattern
from cfglint.base.record import Record
from cfglint.base.type_names import Final
from cfglint.knowledge import compiled
from cfglint.source.document import Mapping, Scalar
from cfglint.source.languages.overrides import Overrides
from cfglint.source.languages.shell import Program, command_of
from cfglint.source.shell_values import ExpandedWord
from cfglint.source.values import Unexpanded

#: The config whose keys are in the table of the package.
MAIN: Final = "ppo_trainer"
_MODULE: Final = ("-m", "--module")
#: The folder of a program's own configs, as it is written behind `--config-path`.
_OWN_FOLDER: Final = frozenset({"", "config", "./config", "config/", "./config/"})
#: A word that sets a key of the section that nothing but verl has, and how many of them show what a program is.
_SETS = lazy_pattern(r"[+~]{0,2}actor_rollout_ref\.[\w.]{1,200}=")
_LEAST: Final = 2
_SUFFIX: Final = ".py"
#: The beginnings of the options of Hydra.
_OF_HYDRA: Final = (
    *("cfg", "config-", "experimental-", "help", "hydra-help", "info", "multirun", "package"),
    *("resolve", "run", "shell-completion", "version"),
)
#: The group that replaces the config of most runs by another one, and the choice that does.
ENGINE, _MEGATRON, _MEGATRON_CONFIG = "model_engine", "megatron", "ppo_megatron_trainer"


class Config(Record):
    """The config that a command reads."""

    #: One that the releases ship; empty when the command names another one.
    name: str
    #: What is written behind `--config-path` and `--config-name`, if that names another one.
    folder: str = ""
    file: str = ""
    #: The name of the file, where a choice makes another config of it.
    written: str = ""
    #: The program, if it is the project's own: what its `hydra.main` names counts where the command does not.
    program: str = ""


def programs() -> MappingOf[str, str]:
    """Module -> the name of the config that it reads."""
    table: dict[str, str] = compiled.load("verl_data").PROGRAMS
    return table


def released_names() -> frozenset[str]:
    """The names of the configs that releases ship."""
    return frozenset({*compiled.load("frameworks").FRAMEWORKS["verl"]["kinds"], MAIN})


def groups_of(config: str) -> MappingOf[str, MappingOf[str, list[str]]]:
    """Group that words choose from -> `sections` that it fills, and what is `usual` there."""
    rows: dict[str, dict[str, list[str]]] = compiled.load("verl_data").GROUPS.get(config, {})
    return rows


@lru_cache(maxsize=64)
def _grammar(config: str) -> Overrides:
    return Overrides(frozenset(groups_of(config)))


def program_at(words: Sequence[ExpandedWord], at: int) -> Program | None:
    """The program that a word of a command is: a module, or its file in a checkout.

    A module of the project that is given verl's keys is one, too.
    """
    text = words[at].text
    module = text
    if text.endswith(_SUFFIX):
        path = text.removesuffix(_SUFFIX).replace("/", ".")
        module = next((m for m in programs() if f".{path}".endswith(f".{m}")), "")
    elif at == 0 or words[at - 1].text not in _MODULE:
        return None
    config = programs().get(module)
    if config is not None:
        return Program(module, _grammar(config))
    following = words[at + 1 :]
    sets = sum(1 for one in following if _SETS.match(one.text))
    if sets < _LEAST or any(_has_own_parser(one.text) for one in following):
        return None
    return Program(text, _grammar(MAIN))


def _has_own_parser(word: str) -> bool:
    """Whether a word is an option that Hydra does not have: the program reads its words itself."""
    return word.startswith("--") and not word.removeprefix("--").startswith(_OF_HYDRA)


def config_of(root: Mapping) -> Config | None:
    """The config that the first command of a script reads; None when it starts no program of verl's."""
    program = _text(root, "program") or ""
    default = programs().get(program)
    command = command_of(root)
    if default is None and (not program or command is None or command.overrides is None):
        return None
    folder = _text(root, "--config-path", "-cp")
    file = _text(root, "--config-name", "-cn")
    if folder is None or file is None or _text(root, "--config-dir", "-cd"):
        return Config("", folder or "", file or "")
    if default is None:
        return Config("", folder, file.removesuffix(".yaml"), program=program)
    name = file.removesuffix(".yaml") or default
    if folder not in _OWN_FOLDER or name not in released_names():
        return Config("", folder, name)
    words = command.overrides or () if command is not None else ()
    if name == MAIN and any((one.key, one.value) == (ENGINE, _MEGATRON) for one in words):
        return Config(_MEGATRON_CONFIG, written=name)
    return Config(name, written=name)


def kind_of_config(name: str) -> str:
    """The kind of files of a config; empty for that of most runs."""
    return "" if name == MAIN else name


def _text(root: Mapping, *names: str) -> str | None:
    """The value of an option of Hydra's; empty without one, None when it is not known."""
    for name in names:
        entry = root.lookup.get(name)
        if entry is not None:
            node = entry.value.target()
            value = node.value if isinstance(node, Scalar) else None
            return None if value is None or isinstance(value, Unexpanded) else str(value)
    return ""
