"""The graph's nodes."""

from _torch import Node
