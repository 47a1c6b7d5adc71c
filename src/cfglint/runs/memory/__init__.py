"""The memory that a run certainly needs on each GPU: parameters, gradients, states, activations."""
