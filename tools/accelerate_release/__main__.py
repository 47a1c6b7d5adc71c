"""Lets the package run as ``python -m tools.accelerate_release``."""

import sys

from tools.accelerate_release.cli import main

sys.exit(main())
