"""Following how a framework reads a file: its types, conversions and defaults."""
