"""What the sources of a copy of LLaMA-Factory say: arguments, their choices, and the words a value is compared with.

Nothing is run: the sources are parsed. One that cannot be parsed counts as one that may take any word in it.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from cfglint.base.lazy import lazy_pattern
from cfglint.base.record import Record

#: How far before a name its assignment to another one begins.
_NEAR = 200
#: What is before `.pref_loss` where it gets another name: `self.loss_type = finetuning_args`, `stage=args`.
_RENAMED = lazy_pattern(r"\b([A-Za-z_]\w{0,60})[ \t]{0,9}=[ \t]{0,9}[A-Za-z_][\w.]{0,80}$")
#: The line of a field, in a source that cannot be parsed.
_FIELD = lazy_pattern(r"(?m)^    ([A-Za-z_]\w*)[ \t]*:")
_LITERALS = frozenset({"Literal"})
#: The classes of arguments that a program extends.
_CLASSES = frozenset(
    {"DataArguments", "FinetuningArguments", "GeneratingArguments", "ModelArguments"}
)
#: Types of annotations, as far as values of YAML have them.
_TYPES: dict[str, tuple[type, ...]] = {
    "bool": (bool,),
    "int": (int,),
    "float": (int, float),
    "str": (str,),
    "dict": (dict,),
    "Dict": (dict,),
    "list": (list,),
    "List": (list,),
    "tuple": (list,),
    "Tuple": (list,),
    "Sequence": (list,),
    "None": (type(None),),
}


class OwnField(Record):
    """A field of a class of arguments."""

    #: The words that its annotation lists; empty if it lists none.
    choices: frozenset[str]
    #: The types of YAML's values that its annotation names.
    types: frozenset[type]
    has_default: bool


_UNKNOWN = OwnField(frozenset(), frozenset(), has_default=True)


def either(one: OwnField, other: OwnField) -> OwnField:
    """What two classes with an argument of the same name allow."""
    return OwnField(
        one.choices | other.choices, one.types | other.types, one.has_default and other.has_default
    )


def _parsed(text: str) -> ast.Module | None:
    """The tree of a source; None for one that cannot be parsed, or is too deep for it."""
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def arguments(text: str) -> Iterator[tuple[str, OwnField]]:
    """The fields of all classes of a source, each with its name."""
    tree = _parsed(text)
    if tree is None:
        yield from ((name, _UNKNOWN) for name in _FIELD.findall(text))
        return
    for owner in ast.walk(tree):
        if not isinstance(owner, ast.ClassDef):
            continue
        for node in owner.body:
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                yield node.target.id, _argument(node)


def added_arguments(text: str) -> Iterator[str]:
    """The fields of the classes of a source that extend LLaMA-Factory's: `class Mine(hparams.DataArguments)`."""
    tree = _parsed(text)
    for owner in ast.walk(tree) if tree is not None else ():
        if isinstance(owner, ast.ClassDef) and any(
            last_name(base) in _CLASSES for base in owner.bases
        ):
            for node in owner.body:
                if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                    yield node.target.id


def _argument(node: ast.AnnAssign) -> OwnField:
    names = _names_of_types(node.annotation)
    types = {one for name in names for one in _TYPES.get(name, ())}
    return OwnField(frozenset(_literals(node.annotation)), frozenset(types), _has_default(node))


def _has_default(node: ast.AnnAssign) -> bool:
    if isinstance(node.value, ast.Call) and last_name(node.value.func) == "field":
        return any(one.arg in ("default", "default_factory") for one in node.value.keywords)
    return node.value is not None


def _names_of_types(annotation: ast.AST) -> Iterator[str]:
    """The names of types in an annotation, without those in the brackets of a list or a mapping."""
    left: list[ast.AST] = [annotation]
    while left:
        node = left.pop()
        if isinstance(node, ast.Subscript):
            name = last_name(node.value)
            if name in ("Optional", "Union"):
                left.append(node.slice)
            yield "None" if name == "Optional" else name
        elif isinstance(node, ast.Tuple):
            left += node.elts
        elif isinstance(node, ast.BinOp):
            left += (node.left, node.right)
        elif isinstance(node, ast.Constant):
            yield "None" if node.value is None else str(node.value)
        else:
            yield last_name(node)


def _literals(annotation: ast.AST) -> Iterator[str]:
    for node in ast.walk(annotation):
        if isinstance(node, ast.Subscript) and last_name(node.value) in _LITERALS:
            yield from _words(node.slice)


def last_name(node: ast.AST | None) -> str:
    """The last part of a name, of an attribute, or of what a key or a call of `get` reads; empty for anything else."""
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        return str(node.slice.value)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        is_read = node.func.attr in ("get", "pop") and node.args
        return next(_words(node.args[0]), "") if is_read else ""
    return node.id if isinstance(node, ast.Name) else ""


def _words(*nodes: ast.AST) -> Iterator[str]:
    """The texts among some expressions, and those in a list of them."""
    for node in nodes:
        for one in node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else (node,):
            if isinstance(one, ast.Constant) and isinstance(one.value, str):
                yield one.value


def other_names(text: str, name: str) -> Iterator[str]:
    """The names that the value of an argument gets in a source: `loss_type` for `self.loss_type = args.pref_loss`."""
    end = text.find(f".{name}")
    while end >= 0:
        after = text[end + len(name) + 1 : end + len(name) + 2]
        line = max(text.rfind("\n", 0, end) + 1, end - _NEAR)
        found = _RENAMED.search(text[line:end])
        if found is not None and not (after.isalnum() or after in ("_", ".", "(")):
            yield found[1]
        end = text.find(f".{name}", end + 1)


def knows(text: str, word: str, names: Collection[str], known: Collection[str]) -> bool:
    """Whether a source compares a value with a word, or has it in a table of its choices.

    Args:
        names: what the value is called.
        known: the choices of a release; a table has one of them, too.
    """
    if f'"{word}"' not in text and f"'{word}'" not in text:
        return False
    tree = _parsed(text)
    if tree is None:
        return True
    nodes = list(ast.walk(tree))
    # What a function says that it takes, nothing examines.
    listed = {id(node.slice) for node in nodes if isinstance(node, ast.Subscript)}
    return any(_takes(node, word, names, known) for node in nodes if id(node) not in listed)


def _takes(node: ast.AST, word: str, names: Collection[str], known: Collection[str]) -> bool:
    if isinstance(node, ast.Compare):
        operands = [node.left, *node.comparators]
        return word in _words(*operands) and any(last_name(one) in names for one in operands)
    if isinstance(node, ast.Match):
        return last_name(node.subject) in names and word in _matched(node)
    if isinstance(node, ast.Call):
        called = last_name(node.func)
        given = [*node.args[:1], *(one.value for one in node.keywords if one.arg == "name")]
        return word in _words(*given) and any(f"register_{name}" in called for name in names)
    if isinstance(node, ast.Dict):
        return _is_table(_words(*filter(None, node.keys)), word, known)
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        return _is_table(_words(*node.elts), word, known)
    if isinstance(node, ast.ClassDef):
        values = (one.value for one in node.body if isinstance(one, ast.Assign))
        return _is_table(_words(*values), word, known)
    return False


def _is_table(words: Iterator[str], word: str, known: Collection[str]) -> bool:
    found = set(words)
    return word in found and not found.isdisjoint(known)


def _matched(node: ast.Match) -> Iterator[str]:
    for case in node.cases:
        for one in ast.walk(case.pattern):
            if isinstance(one, ast.MatchValue):
                yield from _words(one.value)


def taken_away(text: str) -> Iterator[str]:
    """The keys that a source takes out of the arguments before they are parsed: `args.pop("evaluators")`."""
    for node in _nodes(text):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            is_taken = node.func.attr == "pop" and last_name(node.func.value) == "args"
            yield from _words(*node.args[:1]) if is_taken else ()


def words_of(text: str) -> Iterator[str]:
    """All texts of a source that are names."""
    for node in _nodes(text):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from (node.value,) if node.value.isidentifier() else ()


def _nodes(text: str) -> Iterator[ast.AST]:
    tree = _parsed(text)
    return iter(()) if tree is None else ast.walk(tree)
