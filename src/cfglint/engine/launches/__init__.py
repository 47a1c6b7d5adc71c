"""What a launch line changes about the file that it starts."""
