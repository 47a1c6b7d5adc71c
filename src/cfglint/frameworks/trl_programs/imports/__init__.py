"""What programs import, and from which releases."""
