"""Property tests try the same examples each time, so that a change is what makes them fail.

`HYPOTHESIS_PROFILE=explore pytest` looks for new ones; `first-failure` looks for no smaller example
of what fails.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, Phase, settings

# How long examples take to make says something of the machine, and nothing of the change.
STEADY = settings(derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("steady", STEADY)
settings.register_profile("explore", STEADY, derandomize=False)
settings.register_profile("first-failure", STEADY, phases=(Phase.explicit, Phase.generate))
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))
