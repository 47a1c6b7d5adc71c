"""What a framework consists of, in parts with one job each."""
