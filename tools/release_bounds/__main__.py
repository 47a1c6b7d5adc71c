"""``python -m tools.release_bounds``."""

import sys

from tools.release_bounds.cli import main

sys.exit(main())
