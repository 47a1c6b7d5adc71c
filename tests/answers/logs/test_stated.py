"""What the first lines of a log state."""

from __future__ import annotations

from cfglint.answers.logs.lines import lines
from cfglint.answers.logs.parts import LogPart
from cfglint.answers.logs.stated import LogFacts, stated


def read(text: str) -> LogFacts:
    return stated(lines([LogPart(text.encode(), 1)]))


def test_versions_of_known_packages() -> None:
    found = read(
        "Axolotl version: 0.12.2\nTRL==0.24.0\ntorch: 2.8.0+cu128\nnumpy==2.0.0\nx trl 9\n"
    )
    assert found.versions["axolotl"] == ("0.12.2", 1)
    assert found.versions["trl"] == ("0.24.0", 2)
    assert "numpy" not in found.versions


def test_two_versions_of_a_package_are_none() -> None:
    assert read("trl 0.23.0\ntrl 0.24.0\n").versions == {}


def test_gpus_and_the_config() -> None:
    found = read("world_size=8\n+ axolotl train configs/x.yml --learning-rate 1e-4\n")
    assert found.gpus == (8, 1)
    assert found.config == ("configs/x.yml", 2)


def test_several_answers_are_none() -> None:
    found = read("world_size=8\nnum_processes: 4\naxolotl train a.yml\naxolotl train b.yml\n")
    assert (found.gpus, found.config) == (None, None)


def test_the_result_of_a_formula_is_no_number_of_gpus() -> None:
    assert read("gradient_acc_step * world_size 16 != 2 * 1 * 1\n").gpus is None
