"""What `text` and `annotate` return."""

from matplotlib._more import Noted as Annotation
from matplotlib._options import Worded as Text

__all__ = ["Annotation", "Text"]
