"""What a release needs that no other tool does: its notes."""
