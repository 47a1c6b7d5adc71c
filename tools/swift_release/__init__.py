"""Reads releases of ms-swift as text, and keeps the tables of the arguments of its commands.

The arguments of a command are the fields of one dataclass. From 3.0 on those that train stand on
transformers' training arguments, of which each release admits a range.
"""
