"""The config that a program of the project names in its `hydra.main`."""

from __future__ import annotations

from cfglint.environment.surroundings import Memory, Surroundings, nowhere
from cfglint.frameworks.verl.hydra_main import Main, config_of_program, main_in
from cfglint.frameworks.verl.recipes import program_with
from cfglint.source.files.memory import InMemory
from tests.draws import each

MAIN = '@hydra.main(config_path="{folder}", config_name="{name}")\ndef main(config): ...\n'
OWN = MAIN.format(folder="conf", name="own")


def around(files: dict[str, str]) -> Surroundings:
    contents = {f"/p/{name}": text.encode() for name, text in {".git/HEAD": "", **files}.items()}
    return Surroundings(Memory(), InMemory(contents), "/p/run.sh", "/p")


@each(
    ("text", "expected"),
    [
        (OWN, Main("conf", "own")),
        ("@hydra.main(\n  config_path = '../conf',\n  version_base=None\n)\n", Main("../conf", "")),
        ('@hydra.main(config_name="own")\n', Main("", "own")),
        ("@hydra.main(config_path=HERE, config_name=NAME)\n", Main("", "")),
        ('@hydra.main(config_path="pkg://a.b", config_name="c")\n', Main("pkg://a.b", "c")),
        ("@hydra.main()\n", Main("", "")),
        ("import hydra\n", None),
        (OWN + OWN, None),
    ],
)
def test_what_it_is_called_with(text: str, expected: Main | None) -> None:
    assert main_in(text) == expected


@each(
    ("program", "folder", "name", "expected"),
    [
        ("recipe.own.main", "", "", ("/p/recipe/own/conf", "own")),
        ("recipe/own/main.py", "", "", ("/p/recipe/own/conf", "own")),
        # What the command says counts over what the program says.
        ("recipe.own.main", "../other", "", ("/p/recipe/other", "own")),
        ("recipe.own.main", "", "x", ("/p/recipe/own/conf", "x")),
        ("packaged.py", "", "", ("/p/verl/trainer/config", "c")),
        ("lost.py", "", "", None),
        ("nameless.py", "", "", None),
        ("nameless.py", "conf", "x", ("/p/conf", "x")),
        ("plain.py", "conf", "x", None),
        ("none.py", "conf", "x", None),
    ],
)
def test_the_config_of_a_program(
    program: str, folder: str, name: str, expected: tuple[str, str] | None
) -> None:
    files = {
        "recipe/own/main.py": OWN,
        "packaged.py": MAIN.format(folder="pkg://verl.trainer.config", name="c"),
        "verl/trainer/config/c.yaml": "",
        "lost.py": MAIN.format(folder="pkg://other.config", name="c"),
        "nameless.py": "@hydra.main()\n",
        "plain.py": "print()\n",
    }
    assert config_of_program(program, folder, name, around(files)) == expected
    assert config_of_program(program, folder, name, nowhere()) is None


CONFIG = "a: {b: 1}\nc: null\n"


@each(
    ("files", "key", "expected"),
    [
        ({"r/main.py": OWN, "r/conf/own.yaml": CONFIG}, "a.b", "r.main"),
        ({"r/main.py": OWN, "r/conf/own.yaml": CONFIG}, "a", "r.main"),
        ({"r/main.py": OWN, "r/conf/own.yaml": CONFIG}, "c", "r.main"),
        ({"r/main.py": OWN, "r/conf/own.yaml": CONFIG}, "a.c", ""),
        ({"r/main.py": OWN, "r/conf/own.yaml": "- 1\n"}, "a", ""),
        ({"r/main.py": OWN, "r/conf/own.yaml": "a: [\n"}, "a", ""),
        ({"r/main.py": OWN}, "a", ""),
        ({"r/main.py": "@hydra.main()\n", "r/conf/own.yaml": CONFIG}, "a", ""),
        ({"r/main.py": OWN + OWN, "r/conf/own.yaml": CONFIG}, "a", ""),
        # The program that is started does not have it; of two others it may be either.
        ({"started.py": OWN, "conf/own.yaml": CONFIG}, "a", ""),
        (
            {
                "r/main.py": OWN,
                "r/conf/own.yaml": CONFIG,
                "s/main.py": OWN,
                "s/conf/own.yaml": CONFIG,
            },
            "a",
            "",
        ),
        (
            {
                "r/main.py": OWN,
                "r/conf/own.yaml": CONFIG,
                "s/main.py": OWN,
                "s/conf/own.yaml": "b: 1\n",
            },
            "a",
            "r.main",
        ),
    ],
)
def test_the_program_whose_config_has_a_key(files: dict[str, str], key: str, expected: str) -> None:
    assert program_with(key, around(files), "started") == expected
    assert program_with(key, nowhere(), "started") == ""
