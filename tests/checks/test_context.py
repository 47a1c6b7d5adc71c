"""What a check is told of a file."""

from __future__ import annotations

from cfglint.checks.context import CheckContext, rests_on_another_copy
from cfglint.environment.surroundings import nowhere
from cfglint.roles.framework import load_framework
from cfglint.source.document import Path
from cfglint.source.languages.yaml import compose
from cfglint.source.text import SourceText
from tests.draws import each
from tests.linting import case_in, environment

TEXT = """\
a: 1
b:
  c: x
  d: [2, {e: 3}, [4]]
f: []
g: {}
"""


def context(text: str = TEXT, target: tuple[str, ...] = ()) -> CheckContext:
    document = compose(SourceText(text))
    return CheckContext(document, load_framework("axolotl"), environment(target), nowhere())


def test_collections_in_the_order_of_the_file() -> None:
    ctx = context()
    assert [path for path, _ in ctx.collections] == [
        *((), ("b",), ("b", "d"), ("b", "d", 1), ("b", "d", 2), ("f",), ("g",)),
    ]
    assert [path for path, _ in ctx.mappings] == [(), ("b",), ("b", "d", 1), ("g",)]
    assert ctx.collections is ctx.collections


@each(
    ("wanted", "found"),
    [
        (str, [(("b", "c"), "c")]),
        (
            int,
            [
                (("a",), "a"),
                (("b", "d", 0), None),
                (("b", "d", 1, "e"), "e"),
                (("b", "d", 2, 0), None),
            ],
        ),
        (float, []),
    ],
)
def test_scalars_of_a_kind(wanted: type, found: list[tuple[Path, str | None]]) -> None:
    scalars = list(context().scalars(lambda one: isinstance(one.value, wanted)))
    assert [(path, entry and entry.label) for path, entry, _ in scalars] == found
    assert all(isinstance(one.value, wanted) for _, _, one in scalars)


@each(
    ("target", "release", "expected"),
    [
        (("axolotl==0.18.0",), "0.18.0", True),
        (("axolotl==0.19.0",), "0.18.0", True),
        (("axolotl==0.17.0",), "0.18.0", False),
        # One that is not known is after none.
        (("axolotl==0.0.3",), "0.18.0", False),
        ((), "0.18.0", True),
    ],
)
def test_since_a_release(target: tuple[str, ...], release: str, expected: bool) -> None:
    assert context(target=target).since(release) is expected


def test_types_of_keys() -> None:
    ctx = context()
    assert ctx.type_at(("micro_batch_size",)) is not None
    assert ctx.type_at(("no_such_key",)) is None


#: A project with a copy of the framework, and a page that installs the newest release.
COPY = {
    ".git/HEAD": "",
    "llamafactory/extras/env.py": 'VERSION = "0.9.1"\n',
    "README.md": "```sh\npip install -U llamafactory\n```\n",
}


@each(
    ("files", "name", "expected"),
    [
        (COPY, "train.yaml", True),
        (COPY, "configs/train.yaml", True),
        # A folder with a longer name is another one.
        (COPY, "llamafactory-runs/train.yaml", True),
        (COPY, "llamafactory/train.yaml", False),
        (COPY, "llamafactory/examples/train.yaml", False),
        ({**COPY, "README.md": "pip install llamafactory==0.9.1\n"}, "train.yaml", False),
        ({**COPY, "README.md": "Nothing.\n"}, "train.yaml", False),
        ({**COPY, "requirements.txt": "llamafactory==0.9.2\n"}, "train.yaml", False),
    ],
)
def test_a_copy_that_the_file_does_not_lie_in(
    files: dict[str, str], name: str, expected: bool
) -> None:
    case, source = case_in(files, "stage: sft\n", name=name, framework="llamafactory")
    ctx = CheckContext(compose(source), case.framework, case.target, case.around)
    assert rests_on_another_copy(ctx) is expected


def test_a_text_by_itself_rests_on_no_copy() -> None:
    assert not rests_on_another_copy(context())
