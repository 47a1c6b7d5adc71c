"""Programs of a project that convert what lies below a key of which anything goes."""

from __future__ import annotations

from cfglint.checks.context import CheckContext
from cfglint.checks.own_conversion import converting_program
from cfglint.environment.surroundings import nowhere
from cfglint.roles.framework import load_framework
from cfglint.source.languages.yaml import compose
from tests.draws import each
from tests.linting import case_in, environment

KEY = "my_settings"


def program(*texts: str) -> str | None:
    """The program that converts the key, of `a.py`, `b.py` and so on."""
    files = {f"{name}.py": text for name, text in zip("abc", texts, strict=False)}
    case, source = case_in({".git/HEAD": "", **files}, f"{KEY}: {{rate: 1e-5}}\n")
    ctx = CheckContext(compose(source), case.framework, case.target, case.around)
    return converting_program(ctx, KEY)


CONVERTS = f"rate = float(cfg['{KEY}']['rate'])\n"
READS = f"settings = cfg['{KEY}']\nrun(settings)\n"


@each(
    ("texts", "name"),
    [
        ((), None),
        (("print(1)\n",), None),
        ((CONVERTS,), "a.py"),
        ((READS,), "a.py"),
        (("print(1)\n", READS), "b.py"),
        # One that surely converts comes first.
        ((READS, CONVERTS), "b.py"),
        (
            (f"rates = cfg['{KEY}']\n{'x = 1' + chr(10):s}" + "rate = float(rates['rate'])\n",),
            "a.py",
        ),
        ((f"one = getattr(cfg, '{KEY}')\n",), "a.py"),
        ((f"one = getattr(cfg, '{KEY}', None)\n",), "a.py"),
        ((f"if hasattr(cfg, '{KEY}'):\n    pass\n",), "a.py"),
        # A name in a text is no reading of it.
        ((f"print('{KEY} is not known')\n",), None),
        ((f"# {KEY}\n",), None),
    ],
)
def test_programs(texts: tuple[str, ...], name: str | None) -> None:
    assert program(*texts) == name


def test_without_a_folder_there_are_no_programs() -> None:
    case, source = case_in({"a.py": CONVERTS}, f"{KEY}: {{rate: 1e-5}}\n")
    ctx = CheckContext(compose(source), load_framework("axolotl"), environment(), nowhere())
    assert converting_program(ctx, KEY) is None
    assert case.around.folder is not None
