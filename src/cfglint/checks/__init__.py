"""The checks that need code. A rule file names one with `check:`; texts and examples stay there."""
