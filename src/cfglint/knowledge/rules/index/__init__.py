"""Which rules can fire on a document, found without trying them."""
