"""The version of a package below a framework that its keys are judged by is the one that a report shows."""

from __future__ import annotations

from cfglint.environment.below import unstated_below, version_below
from cfglint.report.target import as_data, described
from tests.linting import environment


def of_file(*pins: str) -> str:
    return described(environment(pins, framework="trl"))


def of_program(*pins: str) -> str:
    return described(environment(pins, framework="trl_programs"))


def test_a_file_of_trl_shows_the_transformers_that_its_keys_are_judged_by() -> None:
    target = environment(["trl==0.17.0"], framework="trl")
    used = version_below(target, "trl")
    assert f"transformers {used} (as it goes with trl 0.17.0; none is stated)" in described(target)
    row = as_data(target)["transformers"]
    assert (row["version"], row["implied"]) == (used, True)


def test_a_program_shows_which_release_the_classes_of_trl_are_judged_by() -> None:
    target = environment(["trl==0.17.0"], framework="trl_programs")
    used = version_below(environment(["trl==0.17.0"], framework="trl"), "trl")
    assert f"; {used} for classes of trl 0.17.0)" in described(target)
    assert as_data(target)["transformers"]["for_classes_of"] == {"trl": used}


def test_what_is_stated_or_the_newest_is_not_said_twice() -> None:
    for pins in (["trl==0.17.0", "transformers==4.49.0"], [], ["transformers==4.49.0"]):
        for framework in ("trl", "trl_programs"):
            assert not list(unstated_below(environment(pins, framework=framework)))
    assert "transformers" not in described(environment(["axolotl==0.9.2", "trl==0.17.0"]))
