"""``python -m tools.release_imports``."""

import sys

from tools.release_imports.cli import main

sys.exit(main())
