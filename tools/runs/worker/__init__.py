"""What runs inside a release's environment; it imports nothing of cfglint."""
