"""Lets the package run as ``python -m tools.swift_release``."""

import sys

from tools.swift_release.cli import main

sys.exit(main())
