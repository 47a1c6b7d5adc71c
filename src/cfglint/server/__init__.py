"""The language server: findings, fixes, completions and hover texts for editors."""
