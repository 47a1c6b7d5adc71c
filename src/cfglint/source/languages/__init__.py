"""The languages that configurations are written in."""
