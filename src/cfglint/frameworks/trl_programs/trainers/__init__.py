"""How programs call trainers, and what they do around them."""
