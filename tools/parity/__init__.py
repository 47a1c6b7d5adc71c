"""Compares cfglint with what Axolotl's own validator says, release by release.

A release's validator runs for real, in a process of its own; only the heavy packages around it
(torch, transformers and so on) are stand-ins.  ``python -m tools.parity --help`` and
``docs/parity.md`` tell how to use it.
"""
