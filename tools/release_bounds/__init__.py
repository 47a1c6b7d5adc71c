"""What the releases of packages of no framework ask for of others."""
