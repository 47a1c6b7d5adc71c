"""The rule engine: rule files, their compiled form, conditions and views. Knows no output."""
