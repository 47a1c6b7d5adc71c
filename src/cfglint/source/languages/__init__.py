"""The languages that configs are written in: each reads, writes and judges its own text."""
