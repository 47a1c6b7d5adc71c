"""The releases that an installer takes of what goes with a framework, where no file states them."""

from __future__ import annotations

from cfglint.environment.environment import Environment
from cfglint.environment.newest_admitted import newest_admitted
from cfglint.environment.pins import Pin
from cfglint.knowledge.releases.table import releases_of
from tests.linting import environment

TRANSFORMERS = releases_of("transformers").newest


def beside(framework: str, *pins: str) -> dict[str, str]:
    return dict(newest_admitted(environment(pins, framework=framework)))


def test_the_newest_that_the_release_asks_for() -> None:
    assert beside("trl", "trl==1.16.0")["transformers"] == TRANSFORMERS
    assert beside("axolotl", "axolotl==0.12.2")["trl"] == "0.21.0"


def test_what_is_stated_is_not_open() -> None:
    assert "transformers" not in beside("trl", "trl==1.16.0", "transformers==5.9.0")
    ranged = Pin(None, None, "requirements.txt line 1", "<5.10")
    target = Environment(releases_of("trl"), {"transformers": ranged})
    assert dict(newest_admitted(target))["transformers"] == "5.9.0"


def test_what_is_built_on_the_package() -> None:
    assert beside("trl_programs")["trl"] == releases_of("trl").newest
    assert "trl" not in beside("trl_programs", "trl==0.24.0")
