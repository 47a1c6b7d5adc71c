"""What cfglint knows about ms-swift."""
