"""`python -m tools.runs`."""

from tools.runs.cli import main

if __name__ == "__main__":
    main()
