"""Property tests try the same examples each time, so that a change is what makes them fail.

`HYPOTHESIS_PROFILE=explore pytest` looks for new ones; `first-failure` looks for no smaller example
of what fails.
"""

from __future__ import annotations

import os

from hypothesis import Phase, settings

settings.register_profile("steady", derandomize=True)
settings.register_profile("explore", derandomize=False)
settings.register_profile(
    "first-failure", derandomize=True, phases=(Phase.explicit, Phase.generate)
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))
