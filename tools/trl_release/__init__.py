"""Reads releases of TRL, and of the transformers below it, into the key tables of TRL's config files.

Nothing of a release is imported or run: what a command takes are the fields of the dataclasses that
its script hands to the parser.
"""
