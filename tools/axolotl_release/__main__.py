"""Lets the package run as ``python -m tools.axolotl_release``."""

import sys

from tools.axolotl_release.cli import main

sys.exit(main())
