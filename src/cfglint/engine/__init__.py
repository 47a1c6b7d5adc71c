"""Ties the parts together: text and target in, diagnostics out. Prints nothing."""
