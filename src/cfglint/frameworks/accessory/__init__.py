"""What cfglint knows of LLaMA2-Accessory."""
