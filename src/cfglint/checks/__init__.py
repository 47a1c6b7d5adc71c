"""The checks that need code. A rule file names one with `check:`; words and examples stay there."""
