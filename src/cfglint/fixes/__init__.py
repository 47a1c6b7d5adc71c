"""Repairs: what a fix wants, the edits that do it, the checks afterwards, the writing."""
