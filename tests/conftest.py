"""What makes every test independent of the order, the machine and the tests beside it.

Property tests try the same examples each time, so that a change is what makes them fail.
`HYPOTHESIS_PROFILE=explore pytest` looks for new ones; `first-failure` looks for no smaller example
of what fails.
"""

from __future__ import annotations

import contextlib
import gc
import os
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings

from tests.draws import examples

# Each of the processes that tests start would compile the same modules again.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# How long examples take to make says something of the machine, and nothing of the change.
STEADY = settings(
    derandomize=True,
    deadline=None,
    max_examples=examples(100),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("steady", STEADY)
settings.register_profile("explore", STEADY, derandomize=False)
settings.register_profile("first-failure", STEADY, phases=(Phase.explicit, Phase.generate))
PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "steady")
settings.load_profile(PROFILE)
if PROFILE != "explore":
    # Newer releases make examples of the constants in the modules that happen to be imported, which
    # depends on the tests that ran before in the same worker. There is no setting for that.
    with contextlib.suppress(ImportError, AttributeError):
        from hypothesis.internal.conjecture import providers

        none = providers._local_constants
        providers._get_local_constants = lambda: none


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give the tests of a file to one worker, unless `--dist` says otherwise.

    What they share is then made once: copies of the project, rules, modules that are parsed.
    """
    if config.getoption("dist") != "load":
        return None
    from xdist.scheduler import LoadFileScheduling

    return LoadFileScheduling(config, log)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Spare the garbage collector the tests themselves, which it would look through again and again."""
    gc.collect()
    gc.freeze()
    # What a short test leaves lying about is little.
    gc.set_threshold(10_000, 20, 20)


@pytest.fixture(scope="session", autouse=True)
def nothing_beside_the_folders_of_tests(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[None]:
    """A project's search climbs out of its folder, and would find what another test has left there."""
    yield
    with os.scandir(tmp_path_factory.getbasetemp()) as entries:
        left = sorted(one.name for one in entries if not one.is_dir() and not one.is_symlink())
    assert [name for name in left if name != ".lock"] == []
