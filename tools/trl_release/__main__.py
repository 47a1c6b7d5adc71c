"""``python -m tools.trl_release``."""

import sys

from tools.trl_release.cli import main

sys.exit(main())
