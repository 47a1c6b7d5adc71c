"""PyYAML is imported without compiling its patterns, and reads as ever."""

from __future__ import annotations

import subprocess
import sys

from tests.draws import each

CHECKS = {
    "patterns are compiled at their first use": """
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
    "scalars mean what they meant": """
        wanted = {"a": 1.5, "b": 0x1F, "c": True, "d": datetime.date(2026, 1, 2), "e": None, "f": "x"}
        text = "{a: 1.5, b: 0x1F, c: on, d: 2026-01-02, e: ~, f: x}"
        assert yaml.safe_load(text) == wanted
        assert yaml.load(text, yaml.CSafeLoader) == wanted
        assert yaml.safe_dump("on") == "'on'\\n"
    """,
    "the patterns serve who extends a loader": """
        table = copy.deepcopy(yaml.SafeLoader.yaml_implicit_resolvers)
        _, pattern = table["0"][0]
        assert pattern.match("0.5") and pattern.flags & re.X and "0-9" in pattern.pattern
    """,
    "the module of patterns is as it was": """
        assert re.compile is compile_before
    """,
    "what is imported already stays": """
        before = yaml.reader.Reader
        import_pyyaml()
        assert yaml.reader.Reader is before
    """,
}


@each("check", CHECKS.values())
def test_import(check: str) -> None:
    lines = [
        *(
            "import copy, datetime, re, sys",
            "compile_before = re.compile",
            "assert 'yaml' not in sys.modules",
        ),
        *("from cfglint.source.pyyaml import import_pyyaml", "import_pyyaml()", "import yaml"),
        *(line[8:] for line in check.splitlines()),
    ]
    subprocess.run([sys.executable, "-W", "error", "-c", "\n".join(lines)], check=True)
