"""Operators that take functions: `torch.cond`, `torch.while_loop` and scans."""

from .associative_scan import associative_scan
from .cond import cond
from .scan import scan
from .while_loop import while_loop

__all__ = ["associative_scan", "cond", "scan", "while_loop"]
