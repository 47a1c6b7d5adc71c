"""`python -m cfglint`."""

from __future__ import annotations

from cfglint.cli import script

if __name__ == "__main__":
    script()
