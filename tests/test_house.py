"""The plan of the house: who may know whom, what is general, and how large a room may be."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

from cfglint.roles.framework import framework_class
from tests.draws import each

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "src" / "cfglint"
#: Packages (and modules at the top) from low to high, a package inside another one where it has a
#: place of its own. What is in a row may import from the rows above it, not from its neighbours.
FLOORS = (
    ("base", "knowledge"),
    ("source", "knowledge.compiled", "knowledge.rules.predicates"),
    (
        "diagnostic",
        "source.files",
        "knowledge.marks",
        "knowledge.releases",
    ),
    ("knowledge.recognition",),
    (
        "fixes",
        "knowledge.resemblance",
        "knowledge.rules",
        "knowledge.upstream",
        "runs",
    ),
    ("environment",),
    ("environment.project", "knowledge.keys", "knowledge.schemas"),
    ("knowledge.kinds", "runs.memory", "roles.parts", "roles.reading"),
    ("roles",),
    ("roles.framework",),
    ("frameworks.for_files",),
    ("checks", "knowledge.compiling"),
    ("engine", "frameworks"),
    ("answers",),
    ("report",),
    ("answers.preflight",),
    ("api",),
    ("api.scan",),
    ("cli",),
    ("__main__", "server"),
    ("cli.mcp", "cli.server"),
)
#: Package -> the number of its row.
FLOOR_OF = {package: number for number, packages in enumerate(FLOORS) for package in packages}
#: Imports by name against the order, with the reason.
UPWARDS = {
    # A checkout compiles its rules when they have changed; an installed package never gets there.
    ("cfglint.knowledge.compiled", "cfglint.knowledge.compiling.freshness"),
}
#: Imports against the order for type checkers alone; the list is to become empty.
UPWARDS_FOR_TYPES = {
    ("cfglint.environment.surroundings", "cfglint.environment.project.project"),
    ("cfglint.environment.surroundings", "cfglint.knowledge.schemas.schema"),
    ("cfglint.runs.memory.values", "cfglint.roles.framework"),
    ("cfglint.report.scan", "cfglint.api.scan.result"),
    # A framework's parts name the checks that name the framework.
    ("cfglint.roles.parts", "cfglint.checks.context"),
    # A framework makes its roles, and each role knows whose it is.
    ("cfglint.roles.parts", "cfglint.roles.framework"),
    ("cfglint.roles.key_policy", "cfglint.roles.framework"),
    ("cfglint.roles.launching", "cfglint.roles.framework"),
    ("cfglint.roles.own_code", "cfglint.roles.framework"),
    ("cfglint.roles.own_files", "cfglint.roles.framework"),
    ("cfglint.roles.parsing", "cfglint.roles.framework"),
    ("cfglint.roles.readings", "cfglint.roles.framework"),
    ("cfglint.roles.reading.base", "cfglint.roles.framework"),
}
#: What asks the operating system about files: names of functions, and modules that are imported.
TOUCHES = re.compile(
    r"open|io\.open|pathlib|glob|shutil|tempfile|fileinput|linecache"
    r"|os\.(open|stat|lstat|fstat|access|listdir|scandir|walk|fwalk|readlink)"
    r"|os\.path\.(exists|lexists|isdir|isfile|islink|realpath|getsize|getmtime|samefile)"
)
#: What may do so outside of `files`, with the reason.
ON_DISK = {
    "cli/__init__.py": {"open"},  # the null device takes the place of a closed pipe
    "cli/checking.py": {"shutil"},  # copies what standard input has left
    "cli/listed.py": {"os.path.isfile"},  # whether an argument from another program is a file
    "engine/authoring/rule_files.py": {
        "os.path.exists",
        "pathlib",
    },  # what an author of rules names
    "knowledge/compiled.py": {"os.path.isdir", "os.path.isfile"},  # whether it runs from a checkout
    "engine/authoring/selftest.py": {"pathlib", "tempfile"},  # lays out the examples of rules
    "environment/project/installed.py": {"shutil"},  # which Python a shell would start
    "server/explaining.py": {"open", "tempfile"},  # pages for editors that show files only
    "api/scan/result.py": {"os.path.lexists"},  # tables are written where the user said
    "api/scan/run.py": {
        "os.stat",
        "os.path.exists",
        "os.path.isdir",
        "os.path.lexists",
        "os.path.realpath",  # whether results would take the place of a source
        "os.walk",
        "shutil",
    },
    "api/scan/shards.py": {"os.open", "os.path.isfile", "os.path.lexists"},
    "api/scan/stores.py": {"open", "os.stat"},  # tables are not files that are checked
}
#: Whole rooms of that kind: repaired files are written, and the package's own rules compiled.
ROOMS_ON_DISK = ("source/files/", "fixes/writing.py", "knowledge/compiling/")
#: A module in such a room that reads what is checked, like all others.
READS_PROJECTS = "knowledge/compiling/project_rules.py"
#: Names that are keys or classes of one framework, and something else in these files.
NAMES_OF_OTHERS = {
    # Options of torch's launcher.
    "knowledge/marks.py": {
        *("log_dir", "master_addr", "master_port", "max_restarts", "monitor_interval"),
        *("num_nodes", "rdzv_conf"),
    },
    # Fields of a model's config.json.
    "source/files/model.py": {
        *("max_position_embeddings", "model_type", "num_experts", "quant_method"),
        *("original_max_position_embeddings", "seq_length"),
    },
    "runs/memory/": {
        *(
            "add_qkv_bias",
            "ffn_hidden_size",
            "kv_channels",
            "kv_lora_rank",
            "layer_types",
            "linear_conv_kernel_dim",
        ),
        *("linear_key_head_dim", "linear_num_key_heads", "linear_num_value_heads", "model_type"),
        *("linear_value_head_dim", "max_position_embeddings", "moe_layer_freq", "num_experts"),
        *("moe_shared_expert_intermediate_size", "num_attention_heads", "num_heads"),
        *("padded_vocab_size", "q_lora_rank", "qk_layernorm", "quant_method"),
    },
    "knowledge/": {"model_type"},  # a fact about a key, or a field of a model's config.json
    # Fields of the JSON report.
    "report/fit.py": {"language_model_only", "sequence_length"},
}
#: The functions whose first argument is a key, or that look one up.
TAKES_KEY = {"entry", "has_value", "is_true", "node", "value", "value_at", "written"}
#: The roles of a framework.
ROLES = ("key_policy", "launching", "own_code", "own_files", "parsing", "readings")
#: What of a role one framework alone answers in its own way, with the reason; the list stays empty.
OF_ONE_FRAMEWORK: set[str] = set()
#: The packages, and modules, at the top: a newcomer reads their names first.
MAX_AT_THE_TOP = 16
MAX_LINES = 400
MAX_FUNCTION = 60
#: What a framework has besides its roles, and these.
MAX_MEMBERS = 25
MAX_FRAMEWORK_LINES = 199
#: Larger modules, with the reason; the list is to become empty.
LARGE: set[str] = set()


@lru_cache(maxsize=1)
def modules() -> dict[str, Path]:
    """Every module by its full name, but the generated ones."""
    found = {}
    for path in sorted(SOURCES.rglob("*.py")):
        parts = path.relative_to(SOURCES.parent).with_suffix("").parts
        if "_compiled" not in parts:
            found[".".join(parts).removesuffix(".__init__")] = path
    return found


def is_for_types(node: ast.AST) -> bool:
    """Whether a part of a module is read by type checkers only."""
    return (
        isinstance(node, ast.If)
        and isinstance(node.test, ast.Name)
        and node.test.id == "TYPE_CHECKING"
    )


def parts_that_run(node: ast.AST) -> Iterator[ast.AST]:
    """All parts of a module, inside functions too, without those for type checkers."""
    yield node
    for child in ast.iter_child_nodes(node):
        if isinstance(node, ast.If) and is_for_types(node) and child in node.body:
            continue
        yield from parts_that_run(child)


def imports(
    tree: ast.AST, known: frozenset[str], *, for_types: bool = False
) -> tuple[set[str], set[str]]:
    """The modules of cfglint that a module imports by a statement, and those it imports by name.

    Args:
        for_types: count what only type checkers import, too.

    Raises:
        AssertionError: an import is relative, so the module that is meant cannot be told.
    """
    stated, named = set(), set()
    for node in ast.walk(tree) if for_types else parts_that_run(tree):
        if isinstance(node, ast.Import):
            stated |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: a relative import"
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                stated.add(inner if inner in known else str(node.module))
        elif isinstance(node, ast.Call) and node.args:
            called, first = ast.unparse(node.func), node.args[0]
            if called.endswith("import_module") and isinstance(first, ast.Constant):
                named.add(str(first.value))
    return stated & known, named & known


class Seen(NamedTuple):
    """What the tests look for in a module, from one look at it."""

    imports: tuple[set[str], set[str]]
    imports_for_types: set[str]
    keys: list[tuple[int, str]]
    touched: set[str]
    classes: list[str]
    long_functions: set[str]


@lru_cache(maxsize=1)
def seen() -> dict[str, Seen]:
    """Every module is parsed once: that takes most of the time."""
    known = frozenset(modules())
    found = {}
    for name, path in modules().items():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        found[name] = Seen(
            imports(tree, known),
            imports(tree, known, for_types=True)[0],
            list(keys_written(tree)),
            touched(tree),
            [node.name for node in tree.body if isinstance(node, ast.ClassDef)],
            long_functions(tree),
        )
    return found


def imported() -> dict[str, tuple[set[str], set[str]]]:
    """Module -> the modules that it imports by a statement, and by name."""
    return {name: one.imports for name, one in seen().items()}


def package_of(module: str) -> str | None:
    """The package of `FLOORS` that a module is in; None for `cfglint`, whose names are loaded on demand."""
    inner = module.partition(".")[2]
    while inner and inner not in FLOOR_OF:
        inner = inner.rpartition(".")[0]
    return inner or None


def points_down(module: str, other: str) -> bool:
    """Whether one module may import another."""
    own, theirs = package_of(module), package_of(other)
    return None in (own, theirs) or own == theirs or FLOOR_OF[str(own)] > FLOOR_OF[str(theirs)]


def circles(graph: dict[str, set[str]]) -> set[tuple[str, ...]]:
    """The groups of modules each of which leads to all others of its group."""
    reached: dict[str, set[str]] = {}
    for start, first in graph.items():
        seen: set[str] = set()
        waiting = list(first)
        while waiting:
            module = waiting.pop()
            if module not in seen:
                seen.add(module)
                waiting.extend(graph[module])
        reached[start] = seen
    return {
        tuple(sorted(other for other in reached[module] if module in reached[other]))
        for module in graph
        if module in reached[module]
    }


def test_every_package_has_its_floor() -> None:
    listed = [package for packages in FLOORS for package in packages]
    assert len(listed) == len(set(listed))
    assert {f"cfglint.{package}" for package in listed} <= modules().keys()
    there = {name.split(".")[1] for name in modules() if "." in name}
    assert there <= set(listed)
    assert len(there - {"__main__"}) <= MAX_AT_THE_TOP


def test_imports_point_down() -> None:
    upwards = {
        (module, other)
        for module, (stated, named) in imported().items()
        for other in stated | named
        if not points_down(module, other)
    }
    assert upwards == UPWARDS


def test_imports_for_types_point_down_too() -> None:
    upwards = {
        (module, other)
        for module, one in seen().items()
        for other in one.imports_for_types
        if other not in one.imports[0] and not points_down(module, other)
    }
    assert upwards == UPWARDS_FOR_TYPES


def test_no_module_imports_itself_by_way_of_others() -> None:
    assert circles({name: stated for name, (stated, _) in imported().items()}) == set()


def names_of_frameworks() -> re.Pattern[str]:
    """The names of frameworks: those of their folders, and their titles.

    A short one (`trl`) may be part of a word; what is longer is found in one, too (`accelerated`).
    """
    names = set()
    for path in (ROOT / "rules").glob("*/framework.yaml"):
        title = yaml.safe_load(path.read_text(encoding="utf-8"))["title"]
        names |= {path.parent.name, title.lower()}
    parts = [
        re.escape(name) if len(name) > 5 else rf"(?<![a-z]){re.escape(name)}(?![a-z])"
        for name in sorted(names)
    ]
    return re.compile("|".join(parts), re.IGNORECASE)


def test_what_is_general_names_no_framework() -> None:
    own, names = SOURCES / "frameworks", names_of_frameworks()
    named = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in modules().values()
        if path.parent == own or own not in path.parents
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if names.search(line)
    ]
    assert named == []


@each(
    ("text", "named"),
    [
        ("class LlamaFactoryJudge", True),
        ("as LLaMA-Factory does", True),
        ("accelerated", True),
        ("trl_keys", True),
        ("control flow, a control", False),
    ],
)
def test_how_names_of_frameworks_are_found(text: str, named: bool) -> None:
    assert bool(names_of_frameworks().search(text)) is named


@lru_cache(maxsize=1)
def names_of_one_framework() -> frozenset[str]:
    """The keys, sections and classes that the tables of only one framework have."""
    owners: dict[str, set[str]] = {}
    for path in (ROOT / "rules").glob("*/tables/*.json"):
        table = json.loads(path.read_text(encoding="utf-8"))
        names = {*table.get("classes", {}), *(one.rpartition(".")[2] for one in table["plugins"])}
        for place in (*table["keys"], *table["sections"]):
            names.update(parts_of_path(place))
        for info in table["keys"].values():
            names.update(info.get("models", ()))
            names.update(re.findall(r"\b(?:model|enum):(\w+)", str(info)))
        for name in names:
            owners.setdefault(name, set()).add(path.parts[-3])
    return frozenset(name for name, frameworks in owners.items() if len(frameworks) == 1)


def parts_of_path(place: str) -> list[str]:
    """`datasets[].type` -> datasets, type; nothing for what is no path of keys."""
    is_path = re.fullmatch(r"\w+(\[\]|\.\w+|\.\*)*\.?", place)
    return re.findall(r"\w+", place) if is_path else []


def is_distinctive(name: str) -> bool:
    """Whether a name is no ordinary word: it has an underscore, or a capital, inside."""
    return bool(re.search(r"\w_\w|[a-z][A-Z]|[A-Z]{2,}[a-z]", name))


def keys_written(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """The names in a module that may be keys or classes of a framework, with their lines.

    A text counts where all of it is a path of keys. An ordinary word has many uses, so it counts only
    in a place for keys: alone in a path (`("word",)`), as the argument of a function that takes a
    key, or in a path with `[]`. Docstrings and the names of files do not count.
    """
    in_place_of_key: set[int] = set()
    docstrings: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr):
            docstrings.add(id(node.value))
        elif isinstance(node, ast.Tuple) and len(node.elts) == 1:
            in_place_of_key.add(id(node.elts[0]))
        elif isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in TAKES_KEY:
            in_place_of_key.update(map(id, node.args[:1]))
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            continue
        text = node.value
        if id(node) in docstrings or text.endswith((".json", ".jinja")):
            continue
        for name in parts_of_path(text):
            if is_distinctive(name) or "[]" in text or id(node) in in_place_of_key:
                yield node.lineno, name


def test_what_is_general_writes_no_key_of_one_framework() -> None:
    found, of_others = [], set()
    for name_of_module, path in modules().items():
        module = path.relative_to(SOURCES).as_posix()
        if module.count("/") > 1 and module.startswith("frameworks/"):
            continue
        place = next((one for one in NAMES_OF_OTHERS if module.startswith(one)), "")
        for line, name in seen()[name_of_module].keys:
            if name not in names_of_one_framework():
                continue
            if name in NAMES_OF_OTHERS.get(place, ()):
                of_others.add((place, name))
            else:
                found.append(f"{module}:{line}: {name}")
    assert found == []
    listed = {(place, name) for place, names in NAMES_OF_OTHERS.items() for name in names}
    assert of_others == listed, "an exception that nothing needs"


@each(
    ("text", "names"),
    [
        ("x = 'SFTDataset'", ["SFTDataset"]),
        ("x = 'micro_batch_size'", ["micro_batch_size"]),
        ("x = 'fsdp_config.state'", ["fsdp_config"]),
        ("x = 'test_datasets[].'", ["test_datasets"]),
        ("x = 'plugins[]'", ["plugins"]),
        ("x = at['plugins',]", ["plugins"]),
        ("x = is_true('plugins')", ["plugins"]),
        ("x = table['plugins']", []),
        ("x = 'a text with micro_batch_size'", []),
        ("x = 'chat_template.jinja'", []),
        ("def f():\n    'micro_batch_size'", []),
    ],
)
def test_how_keys_in_a_module_are_found(text: str, names: list[str]) -> None:
    assert [name for _, name in keys_written(ast.parse(text))] == names


def members(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Each class of a module with each of its public members, those that `__init__` adds included."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.ClassDef):
            continue
        for part in node.body:
            names: list[str] = []
            if isinstance(part, ast.FunctionDef):
                names = [part.name]
                if part.name == "__init__":
                    names += attributes_set(part)
            elif isinstance(part, ast.AnnAssign):
                names = [ast.unparse(part.target)]
            elif isinstance(part, ast.Assign):
                names = [ast.unparse(target) for target in part.targets]
            yield from ((node.name, name) for name in names if not name.startswith("_"))


def attributes_set(method: ast.FunctionDef) -> list[str]:
    """The attributes that a method gives to its object."""
    return [
        node.attr
        for node in ast.walk(method)
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and ast.unparse(node.value) == "self"
    ]


def test_how_members_are_counted() -> None:
    text = "class A:\n a = b = 1\n c: int\n _d = 1\n def e(self): self.f = 1\n"
    text += " def __init__(self): self.g: int = 1; self._h = 1; other.i = self.j"
    assert [name for _, name in members(ast.parse(text))] == ["a", "b", "c", "e", "g"]


def test_a_framework_is_little_more_than_its_names_and_its_tables() -> None:
    def of(module: str) -> list[tuple[str, str]]:
        return list(members(ast.parse(modules()[module].read_text(encoding="utf-8"))))

    own = [name for cls, name in of("cfglint.roles.framework") if cls == "Framework"]
    assert len(own) == len(set(own)) <= MAX_MEMBERS
    lines = modules()["cfglint.roles.framework"].read_text(encoding="utf-8").splitlines()
    assert len(lines) <= MAX_FRAMEWORK_LINES
    overridden = [
        name
        for module in modules()
        if re.fullmatch(r"cfglint\.frameworks\.\w+\.framework", module)
        for _, name in of(module)
    ]
    alone = {name for name in own if overridden.count(name) == 1}
    assert alone == set(), "what one framework alone does belongs to a role"


def test_a_role_has_little_that_one_framework_alone_answers() -> None:
    alone = {
        f"{role}.{name}"
        for role in ROLES
        for name, owners in answers_of(role).items()
        if len(owners) == 1
    }
    assert alone == OF_ONE_FRAMEWORK


def answers_of(role: str) -> dict[str, set[str]]:
    """Member of a role -> the frameworks that have an answer of their own, for files, calls or options."""
    default = members_of(modules()[f"cfglint.roles.{role}"])
    found: dict[str, set[str]] = {}
    for module, path in modules().items():
        match = re.fullmatch(rf"cfglint\.frameworks\.(\w+)\.(?:call_|option_)?{role}", module)
        if match is not None:
            for name in members_of(path) & default:
                found.setdefault(name, set()).add(match[1])
    return found


def members_of(path: Path) -> set[str]:
    """The methods and the class attributes of a module's classes, but those that every object has."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = set()
    for cls in tree.body:
        for node in cls.body if isinstance(cls, ast.ClassDef) else ():
            if isinstance(node, ast.FunctionDef):
                found.add(node.name)
            elif isinstance(node, ast.AnnAssign):
                found.add(ast.unparse(node.target))
            elif isinstance(node, ast.Assign):
                found.update(ast.unparse(one) for one in node.targets)
    return {name for name in found if not name.startswith("__")}


def test_a_module_of_a_role_is_one_that_its_framework_names() -> None:
    for module in modules():
        match = re.fullmatch(
            rf"cfglint\.frameworks\.(\w+)\.((?:call_|option_)?(?:{'|'.join(ROLES)}))", module
        )
        if match is not None:
            assert match[2] in framework_class(match[1]).own_roles, module


def touched(tree: ast.AST) -> set[str]:
    """What of a module asks the operating system about files."""
    found: set[str] = set()
    for node in parts_that_run(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {str(node.module)} | {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load):
            found.add(ast.unparse(node))
    return {name for name in found if TOUCHES.fullmatch(name)}


def test_nothing_but_files_touches_the_disk() -> None:
    found = {}
    for module, path in modules().items():
        name = path.relative_to(SOURCES).as_posix()
        if name.startswith(ROOMS_ON_DISK) and name != READS_PROJECTS:
            continue
        used = seen()[module].touched
        if used:
            found[name] = used
    # A path object names a rule file in messages and for pydantic; nothing is read through it.
    assert found.pop(READS_PROJECTS) == {"pathlib"}
    assert found == ON_DISK


@each(
    ("text", "used"),
    [
        ("open('x')", {"open"}),
        ("files.open('x')", set()),
        ("class A:\n    open: bool", set()),
        ("files.is_file(path)", set()),
        ("import os\nlist(map(os.path.isfile, names))", {"os.path.isfile"}),
        ("from os import path, listdir", {"os.listdir"}),
        ("from os.path import exists", {"os.path.exists"}),
        ("def f():\n    from pathlib import Path", {"pathlib"}),
        ("os.path.join(os.path.abspath(a), os.getcwd())", set()),
    ],
)
def test_how_reading_is_seen(text: str, used: set[str]) -> None:
    assert touched(ast.parse(text)) == used


def test_modules_are_short() -> None:
    large = {
        path.relative_to(SOURCES).as_posix()
        for path in modules().values()
        if len(path.read_text(encoding="utf-8").splitlines()) > MAX_LINES
    }
    assert large == LARGE


def long_functions(tree: ast.AST) -> set[str]:
    """The functions of a module that are too long to be read at once."""
    return {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and (node.end_lineno or node.lineno) - node.lineno + 1 > MAX_FUNCTION
    }


def test_functions_are_short() -> None:
    assert {
        module: one.long_functions for module, one in seen().items() if one.long_functions
    } == {}


@pytest.mark.parametrize(("length", "found"), [(MAX_FUNCTION, set()), (MAX_FUNCTION + 1, {"f"})])
def test_how_long_functions_are_found(length: int, found: set[str]) -> None:
    assert long_functions(ast.parse("def f():\n" + " pass\n" * (length - 1))) == found


def test_a_class_name_has_one_meaning() -> None:
    places: dict[str, list[str]] = {}
    for module, one in seen().items():
        for name in one.classes:
            places.setdefault(name, []).append(module)
    assert {name: files for name, files in places.items() if len(files) > 1} == {}


@each(
    ("text", "stated", "named"),
    [
        ("import cfglint.a", {"cfglint.a"}, set()),
        ("from cfglint.a import name", {"cfglint.a"}, set()),
        ("from cfglint import a", {"cfglint.a"}, set()),
        ("def f():\n    from cfglint.a import b", {"cfglint.a.b"}, set()),
        ("def f():\n    import_module('cfglint.a')", set(), {"cfglint.a"}),
        (
            "if TYPE_CHECKING:\n    import cfglint.a\nelse:\n    import cfglint.b",
            {"cfglint.b"},
            set(),
        ),
    ],
)
def test_how_imports_are_read(text: str, stated: set[str], named: set[str]) -> None:
    known = frozenset({"cfglint", "cfglint.a", "cfglint.a.b", "cfglint.b"})
    assert imports(ast.parse(text), known) == (stated, named)
    more = {"cfglint.a"} if "TYPE_CHECKING" in text else set()
    assert imports(ast.parse(text), known, for_types=True) == (stated | more, named)


def test_which_imports_point_down() -> None:
    assert points_down("cfglint.engine.lint", "cfglint.checks.context")
    assert points_down("cfglint.engine.lint", "cfglint.engine.case")
    assert not points_down("cfglint.checks.context", "cfglint.engine.lint")
    # Neighbours in a row.
    assert not points_down("cfglint.engine.lint", "cfglint.frameworks.any")
    assert not points_down("cfglint.source.files.any", "cfglint.diagnostic")


def test_how_circles_are_found() -> None:
    graph = {"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": set(), "e": {"e"}}
    assert circles(graph) == {("b", "c"), ("e",)}
