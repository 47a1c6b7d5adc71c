"""The settings of a run: what several layers (files, words of a command, a sweep) give its keys."""
