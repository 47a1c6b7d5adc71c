"""The configuration that the framework ends up with, value by value, with the reasons."""
