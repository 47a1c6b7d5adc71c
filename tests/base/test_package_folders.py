"""The folders of installed packages in a text."""

from __future__ import annotations

from cfglint.base.package_folders import with_package_names
from tests.draws import each


@each(
    "asked",
    [
        """$(python -c "import a; print(a.__path__[0])")""",
        """$(uv run python3.11 -c 'import a; print(a.__path__[0])')""",
        """$(python -c 'import os, a; print(os.path.dirname(a.__file__))')""",
        """`python3 -c "import a; print(a.__path__[0])"`""",
    ],
)
def test_the_name_of_the_package_takes_its_place(asked: str) -> None:
    assert with_package_names(f"torchrun {asked}/cli/b.py --c") == "torchrun a/cli/b.py --c"


@each(
    "other",
    [
        """$(python -c "import a; print(a.__path__[0])") b""",
        """$(python -c "import a; print(a.__path__)")/b.py""",
        """$(python -c "import a.b; print(a.b.__path__[0])")/b.py""",
        """$(python -c "import a, b; print(a.__path__[0] + b.__path__[0])")/b.py""",
        """$(python -c "from os.path import *; import a; print(dirname(dirname(a.__file__)))")/b.py""",
        """$(python -c "import a; print(a.__path__[0] + '/..')")/b.py""",
        """$(pwd)/b.py # __path__""",
    ],
)
def test_what_is_no_folder_of_one_package_is_left(other: str) -> None:
    assert with_package_names(other) == other
