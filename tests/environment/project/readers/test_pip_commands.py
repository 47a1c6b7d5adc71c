"""Packages that a command installs."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cfglint.environment.environment import Environment
from cfglint.environment.project.pinned import pinned
from cfglint.environment.project.readers import pip_commands
from cfglint.knowledge.releases.table import releases_of
from tests.draws import each
from tests.environment.project.telling import told


@each(
    ("name", "text", "expected"),
    [
        ("Dockerfile", "RUN pip install axolotl==0.9.2\n", {"axolotl": "0.9.2"}),
        (
            "Dockerfile",
            'RUN pip3 install --no-build-isolation \\\n    "axolotl[deepspeed]==0.9.2" \\\n    torch==2.6.0\n',
            {"axolotl": "0.9.2", "torch": "2.6.0"},
        ),
        ("run.sh", "uv pip install 'trl>=0.17' && pip install x peft==0.15.2\n", {"trl": None, "peft": "0.15.2"}),
        ("run.sh", "# pip install trl==1.0\necho pip; install trl==1.0\n", {}),
        ("run.sh", "pip install axolotl==$VERSION  # trl==1.0\n", {}),
        ("Dockerfile", "ARG TRL=0.24.0\nENV T=2.6\nRUN pip install trl==${TRL} \"torch==$T\"\n", {"trl": "0.24.0", "torch": "2.6"}),
        ("Dockerfile", "ARG TRL=0.24.0\nARG TRL=0.25.0\nRUN pip install trl==${TRL}\n", {}),
        ("modal_x.py", 'image.pip_install("axolotl==0.9.2", "wandb")\n', {"axolotl": "0.9.2"}),
        ("modal_x.py", 'x = "axolotl==0.9.2"\n', {}),
        # A part of a program is searched for what looks like it.
        ("modal_x.py", 'image = (\n    x.pip_install("axolotl==0.9.2", "peft==0.15.2")\n', {"axolotl": "0.9.2", "peft": "0.15.2"}),
        ("modal_x.py", 'import modal\nimage.run_commands("apt update", "cd x && pip install trl==0.24.0 -U peft==0.15.2")\n', {"trl": "0.24.0", "peft": "0.15.2"}),
    ],
)  # fmt: skip
def test_commands(name: str, text: str, expected: dict[str, str | None]) -> None:
    found = pip_commands.read(name, text)
    assert {one.package: one.version for one in found} == expected
    for one in found:
        line = text.splitlines()[one.place.line - 1]
        written = line[one.place.column - 1 :][: one.place.length]
        assert written.startswith(one.package)
        assert written[-1] not in "\"'),"


UNSLOTH = "pip install unsloth==2025.11.4"


@each(
    ("text", "alone"),
    [
        (UNSLOTH, False),
        ("pip install --no-deps unsloth==2025.11.4 unsloth_zoo", True),
        (f"{UNSLOTH}\npip install --upgrade trl", True),
        (f"{UNSLOTH}\npip install -qU trl", True),
        (f"{UNSLOTH}\npip install --no-deps trl peft", True),
        (f"{UNSLOTH}\npip install trl", False),
        (f"{UNSLOTH}\npip install -U trl==0.24.0", False),
        (f"pip install -U trl\n{UNSLOTH}", False),
        (f"{UNSLOTH} -U trl", False),
    ],
)
def test_a_package_without_those_that_it_asks_for(text: str, alone: bool) -> None:
    found = pip_commands.read("run.sh", text)
    assert [one.alone for one in found if one.package == "unsloth"] == [alone]
    assert not any(one.alone for one in found if one.package != "unsloth")
    said = Environment(releases_of("trl"), {one.package: pinned(one, "trl", "") for one in found})
    assert (said.release == releases_of("trl").newest) == (alone and "==0" not in text)


FIRST = "pip install trl==0.9.2"
MAIN = "git+https://github.com/huggingface/trl"


@each(
    ("text", "said"),
    [
        (f"{FIRST}\npip install --force-reinstall --no-deps {MAIN}", [None]),
        (f"{FIRST}\npip install {MAIN}.git", [None]),
        (f"{FIRST}\npip install -U trl", [None]),
        (f"{FIRST} && pip install -qU 'trl<0.12'", ["<0.12"]),
        (f"{FIRST}\npip install 'trl>=0.12'", [">=0.12"]),
        ("pip install 'trl<0.12'\npip install --upgrade trl", [None]),
        # It is there already, comes later, is of another package, or is for the case that the first fails.
        (f"{FIRST}\npip install trl 'trl>=0.9'", ["0.9.2", None, ">=0.9"]),
        (f"pip install -U trl\n{FIRST}", [None, "0.9.2"]),
        (f"{FIRST}\npip install -U peft", ["0.9.2"]),
        (f"{FIRST} || pip install -U trl", ["0.9.2", None]),
        # What a later command installs asks for another release.
        (f"{FIRST}\npip install unsloth==2025.11.4", []),
        (f"pip install unsloth==2025.11.4\n{FIRST}", ["0.9.2"]),
        (f"{FIRST}\npip install --no-deps unsloth==2025.11.4", ["0.9.2"]),
        (f"{FIRST} unsloth==2025.11.4", ["0.9.2"]),
        (f"{FIRST}\npip install unsloth", ["0.9.2"]),
        # Of two exact ones none is known to be meant.
        (f"{FIRST}\npip install trl==0.12.0", ["0.9.2", "0.12.0"]),
    ],
)
def test_a_later_command_installs_it_again(text: str, said: list[str | None]) -> None:
    found = [one for one in pip_commands.read("run.sh", text) if one.package == "trl"]
    assert [one.version or one.spec for one in found] == said


def test_of_the_commands_of_a_page_people_take_one() -> None:
    found = pip_commands.of_readme("README.md", f"{FIRST}\npip install {MAIN}\n")
    assert [one.version for one in found] == ["0.9.2", None]


@given(st.text("pip instal=x\\\n'\"#&@.", max_size=80))
def test_any_script(text: str) -> None:
    pip_commands.read("run.sh", "pip install " + text)
    pip_commands.read("modal.py", "pip_install" + text)


#: What a file states, and what stands there.
TOLD: list[tuple[str, str, list[str]]] = [
    (
        "run.sh",
        "pip install axolotl==0.9.2 'trl>=0.17' \"peft\" -U --pre torch==$X\n",
        [
            "axolotl ==0.9.2 at 1:13 axolotl==0.9.2",
            "trl range >=0.17 at 1:29 trl>=0.17",
            "peft at 1:41 peft",
        ],
    ),
    (
        "run.sh",
        "pip install \\\n  torch==2.6.0 \\\n  # trl==1.0\nuv add trl==0.17.0\n",
        ["torch ==2.6.0 at 2:3 torch==2.6.0", "trl ==0.17.0 at 4:8 trl==0.17.0"],
    ),
    (
        "run.sh",
        "x # pip install trl==0.17.0\npip3 install trl==0.17.0 # peft==0.1.0\n",
        ["trl ==0.17.0 at 2:14 trl==0.17.0"],
    ),
    (
        "run.sh",
        "pip install trl==0.17.0 && pip install peft==0.15.2; accelerate==1.0\n",
        ["trl ==0.17.0 at 1:13 trl==0.17.0", "peft ==0.15.2 at 1:40 peft==0.15.2"],
    ),
    (
        "m.py",
        'image.pip_install(\n    "axolotl==0.9.2",  # x\n    \'trl >=0.17\',\n    # "peft==0.15.2",\n    "torch")\n',
        [
            "axolotl ==0.9.2 at 2:6 axolotl==0.9.2",
            "trl range >=0.17 at 3:6 trl >=0.17",
            "torch at 5:6 torch",
        ],
    ),
    ("m.py", "pip install trl==0.17.0\n", []),
    ("m.py", "x = 'trl==0.17.0'\n", []),
    ("m.py", "pip_install('trl==0.17.0')\n", ["trl ==0.17.0 at 1:14 trl==0.17.0"]),
]


@each(("name", "text", "expected"), TOLD)
def test_what_is_read_from_a_file(name: str, text: str, expected: list[str]) -> None:
    assert told(pip_commands.read(name, text), text) == expected


@each("pair", ["“{}”", "”{}”", "„{}“", "\u2018{}\u2019", "\u201a{}\u2018"])
def test_typographic_quotes_of_a_description(pair: str) -> None:
    text = f"It\u2019s pip install -U {pair.format('axolotl[flash-attn]==0.10.0')} peft==0.15.2\n"
    assert told(pip_commands.of_readme("README.md", text), text) == [
        "axolotl ==0.10.0 [flash-attn] at 1:22 axolotl[flash-attn]==0.10.0",
        "peft ==0.15.2 at 1:51 peft==0.15.2",
    ]


def test_an_apostrophe_of_a_description_opens_no_quotation() -> None:
    text = "pip install trl==0.17.0, which isn\u2019t new, or peft==0.15.2, as that\u2019s there\n"
    assert [one.package for one in pip_commands.of_readme("README.md", text)] == ["trl", "peft"]
