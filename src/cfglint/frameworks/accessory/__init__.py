"""What cfglint knows about LLaMA2-Accessory."""
