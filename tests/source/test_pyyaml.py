"""PyYAML is imported with one pattern less, and reads as ever."""

from __future__ import annotations

import subprocess
import sys

import pytest

CHECKS = {
    "the pattern is compiled at its first use": """
        assert type(yaml.reader.Reader.NON_PRINTABLE) is not re.Pattern
        assert yaml.reader.Reader.NON_PRINTABLE.search("a\\x01").start() == 1
        assert yaml.reader.Reader.NON_PRINTABLE.search("a\\u20ac\\U0001f600\\t\\n") is None
    """,
    "what may not be read is refused": """
        try:
            yaml.load("a: \\x07", Loader=yaml.SafeLoader)
        except yaml.reader.ReaderError as error:
            assert error.position == 3
        else:
            raise AssertionError("it was read")
    """,
    "the module of patterns is as it was": """
        assert re.compile is compile_before
        assert type(yaml.resolver.Resolver.yaml_implicit_resolvers["0"][0][1]) is re.Pattern
    """,
    "what is imported already stays": """
        before = yaml.reader.Reader
        import_pyyaml()
        assert yaml.reader.Reader is before
    """,
}


@pytest.mark.parametrize("check", CHECKS.values(), ids=CHECKS.keys())
def test_import(check: str) -> None:
    lines = [
        *("import re, sys", "compile_before = re.compile", "assert 'yaml' not in sys.modules"),
        *("from cfglint.source.pyyaml import import_pyyaml", "import_pyyaml()", "import yaml"),
        *(line[8:] for line in check.splitlines()),
    ]
    subprocess.run([sys.executable, "-W", "error", "-c", "\n".join(lines)], check=True)
