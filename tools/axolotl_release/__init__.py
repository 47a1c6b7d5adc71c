"""Reads an Axolotl release as text and adds what it says to the tables under ``rules/axolotl``.

Nothing of the release is ever imported or run: archives are opened in memory and every
module is only parsed.  ``python -m tools.axolotl_release --help`` tells how to use it.
"""
