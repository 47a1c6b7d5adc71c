"""One module per framework: how its files are recognized and what it makes of them."""
