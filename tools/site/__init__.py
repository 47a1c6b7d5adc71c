"""The documentation site: a page for every rule and key, the guides, and a check of its links.

`python -m tools.site --out FOLDER` writes it; nothing that it makes is committed.
"""
