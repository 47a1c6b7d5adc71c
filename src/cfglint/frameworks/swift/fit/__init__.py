"""What ms-swift's runs hold in the memory of a GPU."""
