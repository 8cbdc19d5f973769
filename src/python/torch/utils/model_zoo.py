"""The old names of the functions that download weights."""

from torch.hub import load_state_dict_from_url as load_url

__all__ = ["load_url"]
