"""Tables of numbers out of text."""

from . import text
