"""The keys of a config to which a program of the project gives other values."""

from __future__ import annotations

import os

from cfglint.environment.project.laid_over import keys_filled_in, keys_laid_over
from cfglint.environment.surroundings import Memory, Surroundings
from cfglint.source.document import Document
from cfglint.source.files.memory import InMemory
from cfglint.source.languages.named import language
from cfglint.source.text import SourceText
from tests.draws import each

CONFIG = "seed: 1\nrate: 2\n"
LOAD = "import yaml\nconfig = yaml.safe_load(open('train.yml'))\n"


def project(
    program: str, *, folder: str | None = "p", path: str = "p/train.yml"
) -> tuple[Document, Surroundings]:
    files = {"p/.git/HEAD": "", "p/train.yml": CONFIG, "p/main.py": program}
    around = Surroundings(
        Memory(),
        InMemory({name: text.encode() for name, text in files.items()}),
        path=path and os.path.abspath(path),
        folder=None if folder is None else os.path.abspath(folder),
    )
    return language("yaml").read(SourceText(CONFIG)), around


@each(
    ("code", "keys"),
    [
        ("config['seed'] = 1", {"seed"}),
        ('config["seed"]["x"][0] |= y', {"seed"}),
        ("config['seed'] += 1", {"seed"}),
        ("config['seed'] == 1", set()),
        ("print(config['seed'])", set()),
        ("config[seed] = 1", set()),
        ("del config['seed']", {"seed"}),
        ("config.pop('seed')", {"seed"}),
        ("config.setdefault(\n    'seed', 1)", {"seed"}),
        ("config.get('seed', 1)", set()),
        ("config.seed = 1", {"seed"}),
        ("my_cfg.seed.x = 1", {"seed"}),
        ("conf.seed == 1", set()),
        ("args.seed = 1", set()),
        ("self.config.seed = 1", set()),
        ("config.update({'seed': 1, \"rate\": 2})", {"seed", "rate"}),
        ("config.update(seed=1, rate=f(2))", {"seed", "rate"}),
        ("config.update(x.seed == 1)", set()),
        # An option of any name is laid over a key of that name.
        ("p.add_argument('--seed')\nvars(args)", {"seed"}),
        ("p.add_argument('--my-seed/--other')\nsetattr(a, b, c)", {"my_seed"}),
        ("p.add_argument('--seed')", set()),
    ],
)
def test_what_a_program_sets(code: str, keys: set[str]) -> None:
    assert keys_laid_over(*project(f"{LOAD}{code}\n")) == keys


@each(
    ("code", "keys"),
    [
        ("set_if_auto(config, 'seed', 1)", {"seed"}),
        ("setattr(cfg, \n 'seed', 1)", {"seed"}),
        ("set_if_auto(other, 'seed', 1)", set()),
        ("set_if_auto(config, 'seed')", set()),
        ("reset(config, 'seed', 1)", set()),
        ("config['seed'] = 1", set()),
    ],
)
def test_what_a_program_fills_in(code: str, keys: set[str]) -> None:
    assert keys_filled_in(*project(f"{LOAD}{code}\n")) == keys


@each(
    "program",
    [
        # It loads another file, or none, or lets the framework load it.
        "import yaml\nconfig = yaml.safe_load(open('other.yml'))\nconfig['seed'] = 1\n",
        "import yaml\nconfig = yaml.safe_load(open('other_train.yml.bak'))\nconfig['seed'] = 1\n",
        "name = 'train.yml'\nconfig['seed'] = 1\n",
        "",
    ],
)
def test_a_program_that_does_not_load_the_file(program: str) -> None:
    assert keys_laid_over(*project(program)) == set()
    assert keys_filled_in(*project(program + "set_x(config, 'seed', 1)")) == set()


def test_a_text_that_lies_nowhere() -> None:
    program = f"{LOAD}config['seed'] = 1\nset_x(config, 'seed', 1)\n"
    for around in (project(program, folder=None), project(program, path="")):
        assert keys_laid_over(*around) == set()
        assert keys_filled_in(*around) == set()


HANDED = "import yaml\nimport paths\nfrom other import put\n\nconfig = yaml.safe_load(open(paths.TEMPLATE))\nput(config, 1)\n"


@each(
    ("constant", "other", "keys"),
    [
        (
            'TEMPLATE = DIR + "train.yml"',
            "def put(config, value):\n    config['seed'] = value\n",
            {"seed"},
        ),
        (
            "TEMPLATE = 'train.yml'",
            "def put(config, value):\n    return config\n\ndef more(config):\n    config['seed'] = 1\n",
            set(),
        ),
        ("TEMPLATE = 'other.yml'", "def put(config, value):\n    config['seed'] = value\n", set()),
        ("template = 'train.yml'", "def put(config, value):\n    config['seed'] = value\n", set()),
    ],
)
def test_what_a_function_of_another_module_sets(constant: str, other: str, keys: set[str]) -> None:
    document, around = project(HANDED)
    files = {
        "p/.git/HEAD": "",
        "p/train.yml": CONFIG,
        "p/main.py": HANDED,
        "p/paths.py": f"{constant}\n",
        "p/other.py": other,
        "p/third.py": "import yaml\nconfig = yaml.safe_load(open(name))\nconfig['rate'] = 3\n",
    }
    there = InMemory({name: text.encode() for name, text in files.items()})
    assert keys_laid_over(document, around.replaced(files=there)) == keys
