"""What is known about frameworks: keys, releases, rules, and how files are recognized."""
