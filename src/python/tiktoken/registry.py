"""The vocabularies that are here. Each is loaded when it's first asked for."""

from .core import Encoding

_END = "<|endoftext|>"
_GPT2 = r"""'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s"""
_CL100K = (r"""'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s""")
_ABSENT = ("p50k_base", "p50k_edit", "o200k_base", "o200k_harmony")
_made = {}


def ranks(data):
    """The vocabulary of a file: all single bytes in their order, then for each token the two tokens that it joins. Both lists of
    numbers are kept as three rows of bytes, the lowest first, because they compress better so."""
    tokens = [bytes([b]) for b in data[:256]]
    count = (len(data) - 256) // 6
    left, right = data[256:256 + 3 * count], data[256 + 3 * count:]
    for i in range(count):
        a = left[i] | left[count + i] << 8 | left[2 * count + i] << 16
        b = right[i] | right[count + i] << 8 | right[2 * count + i] << 16
        tokens.append(tokens[a] + tokens[b])
    return {token: rank for rank, token in enumerate(tokens)}


def _gpt2(name):
    from ._gpt2 import data
    return Encoding(name, pat_str=_GPT2, mergeable_ranks=ranks(data), special_tokens={_END: 50256}, explicit_n_vocab=50257)


def _cl100k_base(name):
    from ._cl100k_base import data
    special = {_END: 100257, "<|fim_prefix|>": 100258, "<|fim_middle|>": 100259, "<|fim_suffix|>": 100260, "<|endofprompt|>": 100276}
    return Encoding(name, pat_str=_CL100K, mergeable_ranks=ranks(data), special_tokens=special)


_MAKERS = {"gpt2": _gpt2, "r50k_base": _gpt2, "cl100k_base": _cl100k_base}


def get_encoding(encoding_name):
    if not isinstance(encoding_name, str):
        raise ValueError(f"Expected a string in get_encoding, got {type(encoding_name)}")
    if encoding_name in _ABSENT:
        raise NotImplementedError(f"tiktoken: the vocabulary {encoding_name} isn't here, only gpt2, r50k_base and cl100k_base are")
    if encoding_name not in _MAKERS:
        raise ValueError(f"Unknown encoding {encoding_name}.\nPlugins found: ['tiktoken_ext.openai_public']\n"
                         "tiktoken version: 0.14.0 (are you on latest?)")
    if encoding_name not in _made:
        _made[encoding_name] = _MAKERS[encoding_name](encoding_name)
    return _made[encoding_name]


def list_encoding_names():
    """The names that can be asked for."""
    return list(_MAKERS)
