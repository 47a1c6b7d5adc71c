"""What a check costs when its input grows."""
