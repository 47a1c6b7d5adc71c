"""Lets the package run as ``python -m tools.llamafactory_release``."""

import sys

from tools.llamafactory_release.cli import main

sys.exit(main())
