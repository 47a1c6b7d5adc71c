"""Whether another class is called than the released one that a program seems to import."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from cfglint.base.lazy import lazy_pattern
from cfglint.base.spelling import is_one_slip
from cfglint.base.type_names import TYPE_CHECKING, Any
from cfglint.environment.copies import is_copied
from cfglint.frameworks.trl import cut_prompts
from cfglint.frameworks.trl.call_key_policy import is_slip
from cfglint.frameworks.trl.patched import is_patched
from cfglint.knowledge.releases.ranges import within
from cfglint.roles.own_code import OwnCode
from cfglint.source.python_program import program_of

if TYPE_CHECKING:
    from cfglint.diagnostic import Diagnostic
    from cfglint.environment.surroundings import Surroundings
    from cfglint.roles.key_policy import WrittenKey
    from cfglint.roles.parts import FileContext

#: What Unsloth gives each config that has the other name only, and its releases that do not yet.
_ADDED_NAME = ("max_seq_length", "max_length")
_BEFORE_ADDED = "<2025.8.8"

#: Between the words of a class's name: `DPOTrainer` is in `dpo_trainer.py`.
_WORDS = lazy_pattern(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
#: What a program says of a file that its author has changed; what it was made from is left as it was.
_BY_HAND = lazy_pattern(
    r"(?i)\b(?:modified|modify|patched|patch|changed|edited|hacked)\b(?![ \t]+from\b)"
)


class CallOwnCode(OwnCode):
    """Packages that patch the classes, and copies of the package that the project has itself."""

    def has(self, key: WrittenKey, ctx: FileContext) -> bool:
        """Whether the class that is called may have other parameters."""
        package = self.framework.kind.partition(".")[0]
        if self._is_copied(ctx.around) or self._is_patched(key, ctx.around):
            return True
        if self._is_noted_as_changed(key, ctx):
            return True
        # What a package adds is not a letter away from what is there, nor an older name of it.
        is_added = not is_slip(key, self.framework.keys) and not self._is_other_name(key, ctx)
        return is_added and is_patched(package, ctx.document, ctx.around)

    def _is_other_name(self, key: WrittenKey, ctx: FileContext) -> bool:
        """Whether a config never had a key in a release, and has what it means under another name."""
        if key.info is not None or not self.framework.kind.endswith("Config"):
            return False
        row = self.framework.key_policy.aliases().get(key.full_name)
        if row is None or row[1] is None:
            return False
        unsloth = ctx.target.pins.get("unsloth")
        stated = unsloth.version if unsloth is not None else None
        is_added = (key.full_name, row[1]) == _ADDED_NAME
        return not is_added or (stated is not None and within(stated, _BEFORE_ADDED))

    def takes(self, key: WrittenKey, value: Any, ctx: FileContext) -> bool:
        """Whether the class that is called may take a value; a slip in one of a few words is none that a package adds."""
        if not self.has(key, ctx):
            return False
        described = ctx.release_keys.section(key.section)
        schema = None if described is None else described[key.name].schema
        choices = () if schema is None or self._is_copied(ctx.around) else schema.choices
        is_text = isinstance(value, str)
        return not (is_text and any(is_one_slip(value, str(choice)) for choice in choices))

    def differs(self, finding: Diagnostic, ctx: FileContext) -> bool:
        return self._is_copied(ctx.around) or cut_prompts.is_prevented(finding, ctx.around)

    def _is_patched(self, key: WrittenKey, around: Surroundings) -> bool:
        """Whether a class of the same name in the project takes an argument that no release has.

        A patched copy of the package's file, to be put in its place, is not seen in what the program imports.
        """
        folder = around.folder
        if folder is None or key.section or key.info is not None:
            return False
        from cfglint.environment.python_sources import project_root, python_sources

        root, name = project_root(around, folder), self.framework.kind.rpartition(".")[2]
        taken = around.memory.once(
            ("arguments of own class", name, root),
            lambda: frozenset(_arguments_of(name, python_sources(around, root).values())),
        )
        return key.name in taken

    def _is_noted_as_changed(self, key: WrittenKey, ctx: FileContext) -> bool:
        """Whether a program says of an argument's class, which no release has it in, that its file was changed by hand."""
        if key.section or key.info is not None or is_slip(key, self.framework.keys):
            return False
        name = self.framework.kind.rpartition(".")[2]
        file = f"{_WORDS.sub('_', name).lower()}.py"
        text = ctx.document.text
        return file in text and any(
            _BY_HAND.search(line) for line in text.splitlines() if file in line
        )

    def _is_copied(self, around: Surroundings) -> bool:
        """Whether the project has the package itself, as it is or installed beside the program."""
        return is_copied(self.framework.kind.partition(".")[0], around)


def _arguments_of(name: str, texts: Iterable[str | None]) -> Iterator[str]:
    """The arguments that the constructors of all classes of a name have in some sources."""
    for text in texts:
        if text is None or f"class {name}" not in text:
            continue
        tree = program_of(text).tree
        for node in ast.walk(tree) if tree is not None else ():
            if isinstance(node, ast.ClassDef) and node.name == name:
                yield from _arguments(node)


def _arguments(node: ast.ClassDef) -> Iterator[str]:
    for one in node.body:
        if isinstance(one, ast.FunctionDef) and one.name == "__init__":
            yield from (argument.arg for argument in (*one.args.args, *one.args.kwonlyargs))


ROLE = CallOwnCode
