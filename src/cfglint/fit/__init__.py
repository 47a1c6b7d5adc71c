"""What a run holds on each GPU for certain: parameters, gradients, states, activations."""
