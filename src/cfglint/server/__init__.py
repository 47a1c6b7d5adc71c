"""The language server: what a check finds, while a file is being written."""
