"""How programs load models and put adapters on them."""
