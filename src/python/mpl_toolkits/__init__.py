"""What matplotlib keeps beside its own package."""
