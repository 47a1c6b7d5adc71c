"""What the files of a project say about versions and hardware, one reader a file format."""
