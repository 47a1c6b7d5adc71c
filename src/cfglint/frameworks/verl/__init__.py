"""What cfglint knows about verl."""
