"""Repairs: the actions of a fix, its edits, the verification, the writing."""
