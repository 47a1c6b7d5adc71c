"""Compares what the loaders of an old and a new Axolotl make of the same rows.

A migration replaces `type: sharegpt` by `type: chat_template`. Whether a run learns the same
afterwards is decided by token ids and labels, so both releases' own prompt strategies tokenize
sample rows of every variant, each in an environment of its own, with small tokenizers that are
made here. `measured.json` keeps the outcome; see `docs/migration.md`.
"""
