"""Which names the releases of packages import from each other, and which releases of these have them."""
