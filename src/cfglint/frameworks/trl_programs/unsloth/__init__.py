"""What programs ask of Unsloth's models."""
