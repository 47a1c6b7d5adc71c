"""What OpenRLHF's runs hold in the memory of a GPU."""
