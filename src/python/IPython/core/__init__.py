"""Where IPython's own names are defined."""
