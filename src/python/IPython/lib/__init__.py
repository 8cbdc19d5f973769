"""What IPython shows that isn't a plain kind of data."""
