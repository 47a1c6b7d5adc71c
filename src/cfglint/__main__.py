"""`python -m cfglint`."""

from __future__ import annotations

from cfglint.cli import main

if __name__ == "__main__":
    main()
