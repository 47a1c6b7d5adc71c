"""What the authors of rules need: finding, testing and writing rule files."""
