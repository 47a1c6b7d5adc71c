"""Lets the package run as ``python -m tools.deepspeed_release``."""

import sys

from tools.deepspeed_release.cli import main

sys.exit(main())
