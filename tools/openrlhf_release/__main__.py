"""Lets the package run as ``python -m tools.openrlhf_release``."""

import sys

from tools.openrlhf_release.cli import main

sys.exit(main())
