"""What a file is checked against: versions and hardware, each with where it is known from."""
