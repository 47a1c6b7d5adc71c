"""What cfglint knows about OpenRLHF."""
