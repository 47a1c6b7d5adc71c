"""What Axolotl's releases put on each GPU, as far as a config makes it certain."""
