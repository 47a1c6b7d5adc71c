"""The keys of a configuration: tables with their history, types, one release at a time."""
