"""Lets the package run as ``python -m tools.verl_release``."""

import sys

from tools.verl_release.cli import main

sys.exit(main())
