"""Reads a DeepSpeed release as text and adds what it says to the tables under ``rules/deepspeed``.

Nothing of the release is ever imported or run.  ``python -m tools.deepspeed_release --help`` tells
how to use it.
"""
