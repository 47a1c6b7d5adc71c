"""Pages about rules and keys, for terminals and for the site."""
