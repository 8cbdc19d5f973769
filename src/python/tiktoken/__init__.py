"""Byte pair encoding as tiktoken does it, with the vocabularies gpt2, r50k_base and cl100k_base."""

from .core import Encoding
from .model import encoding_for_model, encoding_name_for_model
from .registry import get_encoding, list_encoding_names

__version__ = "0.14.0"
