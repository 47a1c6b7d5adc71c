"""Lets the package run as ``python -m tools.parity``."""

import sys

from tools.parity.cli import main

sys.exit(main())
