"""The mutator: which changes it finds, that they are made exactly, and how it judges them."""

from __future__ import annotations

import ast
import json
import subprocess
from pathlib import Path
from textwrap import dedent

import pytest

pytest.importorskip("resource", reason="limits are POSIX's")

from tools.mutate import __main__ as command
from tools.mutate import results
from tools.mutate.checkout import Copy
from tools.mutate.covering import Coverage, Measured, measure, mirrored
from tools.mutate.mutations import KINDS, Mutation, every_mutation, mutations
from tools.mutate.plugin import TOO_LONG, Plan
from tools.mutate.results import Result

ROOT = Path(__file__).parents[2]


def mutants(text: str) -> list[str]:
    """Each mutant of a text of one line."""
    return [mutation.apply(text) for mutation in mutations(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = a < b", ["x = a <= b", "x = a >= b"]),
        ("x = a >= b", ["x = a < b", "x = a > b"]),
        ("x = a == b", ["x = a != b"]),
        ("x = a is  not b", ["x = a is b"]),
        ("x = a not in b", ["x = a in b"]),
        (
            "x = (a) < (b) == c",
            ["x = (a) <= (b) == c", "x = (a) >= (b) == c", "x = (a) < (b) != c"],
        ),
        ("x = a and (b or c)", ["x = a and (b and c)", "x = a or (b or c)"]),
        ("x = (not a)", ["x = (a)"]),
        ("x = not(a or b)", ["x = (a or b)", "x = not(a and b)"]),
        ("x = True", ["x = False"]),
        ("x = 3", ["x = 2", "x = 4"]),
        ("x = -1", ["x = -0", "x = -2"]),
        ("x = 101", []),
        ("x = 0x10", []),
        ("x = 1.5", []),
        ("x = a if b else c", ["x = a if not (b) else c"]),
        ("x = [a for a in b if c]", ["x = [a for a in b if True]"]),
        ("def f(a): return a + b", ["def f(a): return a - b"]),
        ("def f(a): return a & b", ["def f(a): return a | b"]),
        ("x += y", ["x -= y"]),
        ("for a in b: break", ["for a in b: continue"]),
        ("for a in b: continue", ["for a in b: break"]),
        ("f(a, flag=False)", ["f(a, flag=True)"]),
        ("def f(a=1): ...", ["def f(a=0): ...", "def f(a=2): ..."]),
        ("x = lambda: 1", ["x = lambda: 0", "x = lambda: 2"]),
        ("é = 'ü', a < b", ["é = 'ü', a <= b", "é = 'ü', a >= b"]),
    ],
)
def test_what_is_changed(text: str, expected: list[str]) -> None:
    assert sorted(mutants(text)) == sorted(expected)


@pytest.mark.parametrize(
    "text",
    [
        '"""A docstring: 1 < 2 and not True."""',
        "x: Literal[True, 1]",
        "def f(a: Literal[1]) -> Literal[True]: ...",
        "raise ValueError(1 < 2)",
        "assert a < 1",
        "x = f'{a < 1 and b}'",
        "class A:\n    def __repr__(self):\n        return a < 1",
        "if TYPE_CHECKING:\n    x = a < 1",
        "if typing.TYPE_CHECKING:\n    x = a < 1",
        "if __name__ == '__main__':\n    f(1)",
        "if sys.version_info >= (3, 11):\n    x = 1",
        "x = 1 if os.name == 'nt' else 2",
        "x = sys.platform != 'win32'",
        "zip(a, b, strict=True)",
        "@lru_cache(maxsize=1)\ndef f(): ...",
        "@overload\ndef f(a=1): ...",
        "def f(a): return a + 'text'",
        "def f(a): return [a] + b",
        "Alias = int | str",
        "x += [a]",
    ],
)
def test_what_is_left_alone(text: str) -> None:
    assert mutants(text) == []


def test_branches() -> None:
    text = "if a(x):\n    b\nelif c == d:\n    e\nelif not f:\n    g\n"
    changed = {(m.kind, m.line, m.after) for m in mutations(text)}
    assert changed == {("branch", 1, "not (a(x))"), ("comparison", 3, "!="), ("negation", 5, "")}


def test_the_other_branch_of_a_condition_for_type_checkers() -> None:
    text = "if TYPE_CHECKING:\n    x = 1\nelse:\n    x = a < b\n"
    assert {m.line for m in mutations(text)} == {4}


def test_an_operator_after_a_comment() -> None:
    text = "x = (\n    a  # and so on\n    and b\n)\n"
    (mutation,) = mutations(text)
    assert (mutation.line, mutation.column, mutation.before) == (3, 5, "and")


def test_places_and_scopes() -> None:
    text = dedent(
        """\
        import a

        def outer():
            def inner():
                return a < 1
            return True
        x = 2
        """
    )
    assert {(m.kind, m.line, m.column, m.scope) for m in mutations(text)} == {
        ("bound", 5, 18, (4, 5)),
        ("comparison", 5, 18, (4, 5)),
        ("integer", 5, 20, (4, 5)),
        ("flag", 6, 12, (3, 6)),
        ("integer", 7, 5, (0, 7)),
    }


def test_every_mutant_of_the_source_is_another_program() -> None:
    """Each mutant of a few modules is Python, and not the same."""
    sources = command.modules(ROOT)
    assert len(sources) > 150
    assert not any("_compiled" in path for path in sources)
    for path in ("base/record", "base/logic", "source/document", "engine/lint", "checks/keys"):
        text = sources[f"src/cfglint/{path}.py"]
        unchanged = ast.dump(ast.parse(text))
        found = mutations(text)
        assert found
        for mutation in found[::7]:
            assert ast.dump(ast.parse(mutation.apply(text))) != unchanged, mutation


def test_a_mutation_of_another_text_is_refused() -> None:
    (mutation,) = mutations("x = True")
    with pytest.raises(AssertionError):
        mutation.apply("x = None")


# ---------------------------------------------------------------------------- what is drawn

SOURCES = {
    "src/cfglint/a.py": "x = 1\ny = 2\n",
    "src/cfglint/b/c.py": "x = a < b\n",
    "src/cfglint/b.py": "x = True\n",
}


def drawn(**arguments: object) -> list[tuple[str, int]]:
    found = command.draw(SOURCES, **{"seed": 1, "count": 100, **arguments})  # type: ignore[arg-type]
    return [(result.path.removeprefix("src/cfglint/"), result.line) for result, _ in found]


def test_drawing() -> None:
    everything = [("a.py", 1)] * 2 + [("a.py", 2)] * 2 + [("b.py", 1)] + [("b/c.py", 1)] * 2
    assert len(list(every_mutation(SOURCES))) == 7
    assert drawn() == everything
    assert drawn(only=["src/cfglint/b"]) == [("b/c.py", 1)] * 2
    assert drawn(only=["src/cfglint/b/"]) == [("b/c.py", 1)] * 2
    assert drawn(only=["src/cfglint/a.py:2", "src/cfglint/b.py"]) == everything[2:5]
    assert drawn(skip=["src/cfglint/a.py"]) == everything[4:]
    assert drawn(kinds=["bound", "flag"]) == [("b.py", 1), ("b/c.py", 1)]
    assert drawn(kinds=["flag"], only=["src/cfglint/b"]) == []
    assert len(drawn(count=3)) == 3
    assert drawn(count=3) == drawn(count=3)
    assert len({tuple(drawn(count=3, seed=seed)) for seed in range(20)}) > 1


def test_every_kind_has_a_name() -> None:
    found: set[str] = set()
    for module in command.modules(ROOT).items():
        found |= {mutation.kind for _, mutation in every_mutation(dict([module]))}
        if len(found) == len(KINDS):
            break
    assert found == set(KINDS)


def test_kinds_on_the_command_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "modules", lambda root: SOURCES)
    assert command.main(["--list", "--kinds", "comparison, flag"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "src/cfglint/b.py:1:5 flag: 'True' -> 'False' in x = True",
        "src/cfglint/b/c.py:1:7 comparison: '<' -> '>=' in x = a < b",
    ]
    assert command.main(["--list"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 7
    with pytest.raises(SystemExit):
        command.main(["--list", "--kinds", "comparison,logics"])
    assert "unknown kind 'logics'; expected one of comparison, logic," in capsys.readouterr().err


# ---------------------------------------------------------------------------- results


def result(verdict: str, line: int = 1, by: str = "") -> Result:
    (first, *_) = command.draw(SOURCES, seed=1, count=100)
    return first[0]._replace(verdict=verdict, by=by, line=line)


def test_results_are_kept(tmp_path: Path) -> None:
    kept = tmp_path / "results.jsonl"
    assert results.read(kept) == {}
    results.append(kept, result("survived"))
    results.append(kept, result("killed", line=7, by="tests/test_a.py::test_ü"))
    (only,) = results.read(kept).values()
    assert only == result("killed", line=7, by="tests/test_a.py::test_ü")
    assert only.identity == result("").identity


def test_figures() -> None:
    made = [
        result(verdict) for verdict in ("killed", "killed", "timeout", "survived", "equivalent")
    ]
    assert results.share_killed(made) == 0.75
    assert results.share_killed([]) == 1.0
    assert results.summary(made).splitlines() == [
        "survived: src/cfglint/a.py:1:5 integer: '1' -> '0' in x = 1",
        "5 mutants: 2 killed, 1 stopped for time, 1 survived, 1 equivalent;"
        " 75.0% of those that differ noticed",
    ]


def test_equivalent_mutants_are_mutants_with_a_reason() -> None:
    rows = json.loads(results.EQUIVALENTS.read_text(encoding="utf-8"))
    for row in rows:
        assert set(row) == {"path", "source", "before", "after", "why"}
        assert row["path"].startswith("src/cfglint/")
        assert row["why"]
    assert len(results.equivalents()) == len(rows)


# ---------------------------------------------------------------------------- which tests


def coverage() -> Coverage:
    own = Measured(
        seconds={"tests/b/test_c.py::test_1": 0.5, "tests/b/test_c.py::test_2": 0.25},
        breadth={"tests/b/test_c.py::test_1": 9, "tests/b/test_c.py::test_2": 9},
        failed=["tests/b/test_c.py::test_2"],
        lines={"b/c.py": {"3": "3", "4": "1"}},
    )
    other = Measured(
        seconds={f"tests/test_z.py::test_{n}": 1.0 for n in range(3)},
        breadth={
            "tests/test_z.py::test_0": 7,
            "tests/test_z.py::test_1": 5,
            "tests/test_z.py::test_2": 1,
        },
        failed=[],
        lines={"b/c.py": {"3": "3"}},
    )
    return Coverage({"tests/b/test_c.py": own, "tests/test_z.py": other})


def mutation_at(line: int, scope: tuple[int, int] = (1, 9)) -> Mutation:
    return Mutation(0, 0, "", "", "flag", line, 1, scope)


def test_stages() -> None:
    own, other, rest = coverage().stages("src/cfglint/b/c.py", mutation_at(3))
    assert own.paths == ["tests/b/test_c.py"]
    assert own.plan.only == ["tests/b/test_c.py::test_1"]
    assert own.plan.limits == {"tests/b/test_c.py::test_1": 12.5}
    assert own.plan.seconds == 32.5
    assert other.plan.only == ["tests/test_z.py::test_1", "tests/test_z.py::test_0"]
    assert rest.plan.only is None
    assert rest.paths == ["tests"]
    assert rest.plan.without == [
        "tests/b/test_c.py::test_1",
        "tests/b/test_c.py::test_2",
        "tests/test_z.py::test_0",
        "tests/test_z.py::test_1",
    ]
    assert rest.plan.limits == {"tests/test_z.py::test_2": 15.0}


def test_what_is_outside_functions_is_for_all_tests_beside_the_module() -> None:
    apart = coverage()
    apart.files["tests/b/test_c.py"].lines.clear()
    first = next(apart.stages("src/cfglint/b/c.py", mutation_at(8, (0, 9))))
    assert first.plan.only == ["tests/b/test_c.py::test_1"]
    inside = next(apart.stages("src/cfglint/b/c.py", mutation_at(8, (7, 9))))
    assert inside.plan.only == ["tests/test_z.py::test_1", "tests/test_z.py::test_0"]


def test_stages_for_one_in_a_hurry() -> None:
    names = [
        stage.name
        for stage in coverage().stages("src/cfglint/b/c.py", mutation_at(3), depth="likeliest")
    ]
    assert names == ["its own tests", "the most specific tests"]


@pytest.mark.parametrize(
    ("line", "scope", "others"),
    [
        (4, (1, 9), False),
        # A line that nothing is known of goes by its function, and else by its module.
        (5, (3, 5), False),
        (5, (2, 5), True),
        (8, (7, 8), True),
        # Whoever imports the module first runs what is outside of functions.
        (4, (0, 9), True),
    ],
)
def test_lines_without_tests(line: int, scope: tuple[int, int], *, others: bool) -> None:
    first, second, *_ = coverage().stages("src/cfglint/b/c.py", mutation_at(line, scope))
    assert first.plan.only == ["tests/b/test_c.py::test_1"]
    assert (second.name == "the most specific tests") is others


def test_mirrored_tests() -> None:
    assert mirrored("src/cfglint/base/record.py") == "tests/base/test_record.py"
    assert mirrored("src/cfglint/engine/sweeps/runner.py") == "tests/engine/sweeps/test_runner.py"


# ---------------------------------------------------------------------------- a small checkout

COMPILED = """\
from pathlib import Path


def ensure_compiled():
    folder = Path(__file__).with_name("_compiled")
    folder.mkdir()
    (folder / "rules.py").touch()
"""
MODULE = """\
def sign(number):
    if number < 0:
        return -1
    while number > 9:
        number -= 10
    return 1
"""
TESTS = """\
import pytest
from cfglint.signs import sign


def test_negative():
    assert sign(-1) == -1


def test_large():
    assert sign(25) == 1


@pytest.mark.parametrize("text", ["a b", "ü", "\\n"])
def test_nothing(text):
    pass


def test_broken():
    assert False
"""


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with the form of this one, whose tests need no plugin of somebody else's."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    folder = tmp_path / "checkout"
    made = {
        "src/cfglint/__init__.py": "",
        "src/cfglint/knowledge/compiled.py": COMPILED,
        "src/cfglint/signs.py": MODULE,
        "tests/test_signs.py": TESTS,
        "pyproject.toml": '[tool.pytest.ini_options]\nmarkers = ["doors: x"]\n',
        ".gitignore": "__pycache__/\n/src/cfglint/knowledge/_compiled/\n/ignored\n",
        "ignored": "",
    }
    for name, text in made.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for name in ("__init__", "plugin", "mutations"):
        path = folder / "tools" / "mutate" / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes((ROOT / "tools" / "mutate" / f"{name}.py").read_bytes())
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    return folder


def test_a_copy_and_what_becomes_of_mutants(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.mutate.covering._LEAST", 1.5)
    folder, kept = tmp_path / "copy", tmp_path / "kept"
    folder.mkdir()
    copy = Copy(checkout, folder)
    assert (folder / "src/cfglint/knowledge/_compiled/rules.py").exists()
    assert not (folder / "ignored").exists()

    known = measure([copy], kept)
    assert known.failing == ["tests/test_signs.py::test_broken"]
    assert len(known.files["tests/test_signs.py"].seconds) == 6
    assert known.files["tests/test_signs.py"].covering("signs.py", [3]) == [
        "tests/test_signs.py::test_negative"
    ]
    assert known.files["tests/test_signs.py"].breadth["tests/test_signs.py::test_large"] == 4

    def judged(line: int, after: str) -> tuple[str, str]:
        path = "src/cfglint/signs.py"
        (found,) = [m for m in mutations(MODULE) if (m.line, m.after) == (line, after)]
        drawn = results.unjudged(path, MODULE, found)
        told = command.judge(copy, known, drawn, found)
        assert (folder / path).read_text(encoding="utf-8") == MODULE
        assert (folder / "src/cfglint/knowledge/_compiled/rules.py").exists()
        return told.verdict, told.by

    assert judged(2, ">=") == ("killed", "tests/test_signs.py::test_negative")
    assert judged(2, "<=") == ("survived", "")
    assert judged(5, "+=") == ("timeout", "tests/test_signs.py::test_large")

    # What is known is not measured again, but for a file that has changed.
    monkeypatch.setattr(copy, "pytest", lambda paths, plan: pytest.fail("ran tests"))
    assert measure([copy], kept).files == known.files
    (folder / "tests/test_signs.py").write_text(TESTS + "\n", encoding="utf-8")
    with pytest.raises(pytest.fail.Exception, match="ran tests"):
        measure([copy], kept)


def test_tests_run_in_the_planned_order(checkout: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    folder.mkdir()
    copy = Copy(checkout, folder)
    names = [f"tests/test_signs.py::{name}" for name in ("test_broken", "test_negative")]
    plan = Plan("", only=[names[1], names[0]], without=["tests/test_signs.py::test_large"])
    assert copy.pytest(["tests"], plan) == (1, {"failed": names[0]})
    assert copy.pytest(["tests"], plan._replace(only=[names[1]])) == (0, {})
    (folder / "src/cfglint/signs.py").write_text("import missing\n", encoding="utf-8")
    outcome = copy.pytest(["tests"], plan)
    assert outcome.code not in (0, 5, TOO_LONG)
    assert outcome.report == {"failed": "tests/test_signs.py"}
