"""The file of a module that a program imports."""

from __future__ import annotations

from cfglint.environment.python_modules import module_file
from tests.draws import each

FILES = {
    "/p/run/near.py",
    "/p/top.py",
    "/p/pkg/__init__.py",
    "/p/pkg/deep.py",
    "/p/src/lib/files.py",
    "/p/run/both.py",
    "/p/both.py",
}


@each(
    ("module", "expected"),
    [
        ("near", "/p/run/near.py"),
        ("top", "/p/top.py"),
        ("both", "/p/run/both.py"),
        ("pkg", "/p/pkg/__init__.py"),
        ("pkg.deep", "/p/pkg/deep.py"),
        ("lib.files", "/p/src/lib/files.py"),
        (".near", "/p/run/near.py"),
        ("..top", "/p/top.py"),
        (".top", None),
        ("absent", None),
    ],
)
def test_where_a_module_is(module: str, expected: str | None) -> None:
    assert module_file(module, "/p/run", "/p/run", "/p", FILES.__contains__) == expected
