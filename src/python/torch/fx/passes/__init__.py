"""What looks at graphs or changes them."""
