"""Whether a project has formats of datasets of its own, or programs that read its configs."""

from __future__ import annotations

import os
from functools import partial

from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.roles.own_code import OwnCode

if TYPE_CHECKING:
    from cfglint.diagnostic import Diagnostic
    from cfglint.roles.key_policy import WrittenKey
    from cfglint.roles.parts import FileContext

#: The rule about types of datasets that no release has.
_UNKNOWN_TYPE: Final = "DAT209"
#: The families of rules about what only a training does.
_OF_TRAINING: Final = ("DAT", "HPR", "OPT", "PAK", "RLH", "SAV")
#: The rules about the four bits of bitsandbytes, and what has a package load models in four bits of its own.
_OF_BITSANDBYTES: Final = frozenset({"PEF121", "PEF452", "PEF850"})
_LOADING: Final = ("ipex_llm import llm_patch",)
#: The rules about plugins of the package's own that no release has.
_UNKNOWN_PLUGIN: Final = frozenset({"KRN217", "KRN218"})
#: A source that names it, and loads YAML, prepares files for it.
_PACKAGE: Final = "axolotl"
#: So many keys that a program has by the same name are no coincidence.
_SEVERAL: Final = 2


class AxolotlOwnCode(OwnCode):
    """Programs that are started with a config, and modules of prompt strategies that are copied into the package."""

    def has(self, key: WrittenKey, ctx: FileContext) -> bool:
        if key.section or key.info is not None or ctx.around.folder is None:
            return False
        if _is_a_programs(ctx) or _is_taken_out(key.name, ctx):
            return True
        from cfglint.environment.project.other_programs import programs_named_with

        # Many configs of a project are started with one program.
        return any(
            ctx.around.memory.once(
                ("named in program", program.path, key.name), partial(program.names, key.name)
            )
            for program in programs_named_with(ctx.document, ctx.around)
        )

    def differs(self, finding: Diagnostic, ctx: FileContext) -> bool:
        if finding.upstream == "rejects" and _is_a_programs(ctx):
            return True
        if finding.code.startswith(_OF_TRAINING) and _is_only_used(ctx):
            return True
        if finding.code in _OF_BITSANDBYTES and _loads_otherwise(ctx):
            return True
        if finding.code != _UNKNOWN_TYPE:
            return False
        from cfglint.environment.python_sources import sources_around

        module = f"{ctx.value(*finding.path)}.py"
        return any(
            os.path.basename(path) == module and text is not None and "def load(" in text
            for path, text in sources_around(ctx.around).items()
        )

    def may_differ(self, finding: Diagnostic, ctx: FileContext) -> bool:
        """Whether a plugin that no release has may be one of a branch: no release is stated, and it is like no other."""
        return (
            finding.code in _UNKNOWN_PLUGIN
            and ctx.target.assumed
            and "Did you mean" not in finding.message
        )


def _loads_otherwise(ctx: FileContext) -> bool:
    """Whether a program of the project has IPEX-LLM replace what loads models, so that bitsandbytes has no part in it."""
    from cfglint.environment.project.other_programs import are_in_sources

    return are_in_sources(_LOADING, ctx.around)


def _is_only_used(ctx: FileContext) -> bool:
    """Whether the file is for a model that is trained already."""
    from cfglint.frameworks.axolotl.used_models import is_only_used

    return is_only_used(ctx.document, ctx.around)


def _is_a_programs(ctx: FileContext) -> bool:
    """Whether a program of the project names a file, and several keys that no release has are read by name there."""
    return ctx.once("a program's own file", lambda: _is_read(ctx))


def _is_taken_out(name: str, ctx: FileContext) -> bool:
    """Whether a program that prepares files for Axolotl reads a key, so that Axolotl need not know it."""
    folder = ctx.around.folder
    if folder is None:
        return False
    from cfglint.environment.python_sources import LOADERS, is_read_in, project_root, sources_around

    def preparing() -> list[str]:
        return [
            text
            for text in sources_around(ctx.around).values()
            if text and _PACKAGE in text.lower() and any(one in text for one in LOADERS)
        ]

    key = "programs that prepare for axolotl", project_root(ctx.around, folder)
    texts = ctx.around.memory.once(key, preparing)
    return any(is_read_in(text, name) for text in texts)


def _is_read(ctx: FileContext) -> bool:
    folder, name = ctx.around.folder, os.path.basename(ctx.around.path)
    keys = ctx.document.root.names
    strange = [one for one in keys if ctx.framework.keys.info("", one) is None]
    if folder is None or not name or len(strange) < _SEVERAL:
        return False
    from cfglint.environment.python_sources import is_read_in, sources_around

    texts = [text for text in sources_around(ctx.around).values() if text is not None]
    if not any(f'{name}"' in text or f"{name}'" in text for text in texts):
        return False
    return sum(any(is_read_in(text, one) for text in texts) for one in strange) >= _SEVERAL


ROLE = AxolotlOwnCode
