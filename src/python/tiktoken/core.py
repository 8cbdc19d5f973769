"""`Encoding`: text to tokens and back."""

import re
import unicodedata

# A character for each of Unicode's categories. Python's patterns have no `\p{L}`, so a string is split as its twin: every character
# beyond ASCII is replaced by the one of its category, and a pattern's categories by these.
_ONE = {"Lu": "É", "Ll": "é", "Lt": "ǅ", "Lm": "ʰ", "Lo": "ª", "Mn": "\u0301", "Mc": "\u0903", "Me": "\u0488", "Nd": "٣", "Nl": "Ⅷ",
        "No": "²", "Pc": "‿", "Pd": "–", "Ps": "„", "Pe": "༻", "Pi": "«", "Pf": "»", "Po": "¡", "Sm": "±", "Sc": "£", "Sk": "¨",
        "So": "©", "Zs": "\u00a0", "Zl": "\u2028", "Zp": "\u2029", "Cc": "\u0081", "Cf": "\u00ad", "Co": "\ue000", "Cn": "\u0378"}
_SPACES = "\u0085\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\u00a0"
_ASCII = {"Lu": "A-Z", "Ll": "a-z", "Nd": "0-9"}
# The long s ignores case as an s does, so it stays itself.
_KEPT = "\u017f"


class _Twins(dict):
    def __missing__(self, code):
        c = chr(code)
        if code < 128 or c in _KEPT:
            made = code
        elif c in _SPACES:
            made = 0xa0
        else:
            made = ord(_ONE.get(unicodedata.category(c), "\u0378"))
        self[code] = made
        return made


_twins = _Twins()


def _characters(name):
    """What stands for a category inside brackets."""
    inside = "".join(_ASCII.get(k, "") + re.escape(c) for k, c in _ONE.items() if k.startswith(name) and k != "Zs")
    if not inside and name != "Zs":
        raise ValueError(f"unknown category {name!r} in a pattern")
    if name in ("L", "Ll"):
        inside += _KEPT
    if name in ("P", "S", "Po", "Sm", "Sc", "Sk", "Pc", "Pd", "Ps", "Pe"):
        inside += "".join(re.escape(chr(c)) for c in range(33, 127) if unicodedata.category(chr(c)).startswith(name))
    return inside


def _translated(pattern):
    """A pattern that does the same to twins in Python."""
    made, i, depth = "", 0, 0
    while i < len(pattern):
        c = pattern[i]
        found = re.compile(r"\\([pP])\{?(\^?)(\w+)\}?").match(pattern, i) if pattern.startswith(("\\p", "\\P"), i) else None
        if found is not None:
            inside, other = _characters(found[3]), (found[1] == "P") != bool(found[2])
            if depth and other:
                raise NotImplementedError("tiktoken: \\P inside brackets of a pattern")
            made += inside if depth else f"[{'^' if other else ''}{inside}]"
            i = found.end()
            continue
        if c == "\\":
            made += pattern[i:i + 2]
            i += 2
            continue
        if c == "[" and not depth or c == "]" and depth:
            depth = 1 - depth
        made += {"$": r"\Z"}.get(c, c) if not depth else c
        i += 1
    return re.compile(made)


class Encoding:
    def __init__(self, name, *, pat_str, mergeable_ranks, special_tokens, explicit_n_vocab=None):
        self.name = name
        self._pat_str, self._mergeable_ranks, self._special_tokens = pat_str, mergeable_ranks, special_tokens
        self.max_token_value = max(max(mergeable_ranks.values()), max(special_tokens.values(), default=0))
        if explicit_n_vocab:
            assert len(mergeable_ranks) + len(special_tokens) == explicit_n_vocab
            assert self.max_token_value == explicit_n_vocab - 1
        self._pattern = _translated(pat_str)
        self._bytes = {rank: token for token, rank in mergeable_ranks.items()}
        self._bytes.update((rank, text.encode()) for text, rank in special_tokens.items())
        self._known = {}

    def __repr__(self):
        return f"<Encoding {self.name!r}>"

    def __reduce__(self):
        return _rebuilt, (self.name, self._pat_str, self._mergeable_ranks, self._special_tokens)

    # Text to tokens.

    def _pairs(self, piece):
        """Joins the pair with the lowest rank until none has one."""
        ranks = self._mergeable_ranks
        found = ranks.get(piece)
        if found is not None:
            return [found]
        parts = [piece[i:i + 1] for i in range(len(piece))]
        scores = [ranks.get(a + b) for a, b in zip(parts, parts[1:])]
        while True:
            best = None
            for i, rank in enumerate(scores):
                if rank is not None and (best is None or rank < scores[best]):
                    best = i
            if best is None:
                return [ranks[part] for part in parts]
            parts[best:best + 2] = [parts[best] + parts[best + 1]]
            del scores[best]
            if best < len(scores):
                scores[best] = ranks.get(parts[best] + parts[best + 1])
            if best:
                scores[best - 1] = ranks.get(parts[best - 1] + parts[best])

    def encode_ordinary(self, text):
        """Tokens of a string in which nothing is special."""
        text = _whole(text)
        twin = text if text.isascii() else text.translate(_twins)
        known, made = self._known, []
        for found in self._pattern.finditer(twin):
            piece = text[found.start():found.end()]
            tokens = known.get(piece)
            if tokens is None:
                tokens = self._pairs(piece.encode())
                if len(known) < 1 << 16:
                    known[piece] = tokens
            made += tokens
        return made

    def encode(self, text, *, allowed_special=frozenset(), disallowed_special="all"):
        if not isinstance(text, str):
            raise TypeError(f"a bytes-like object is required, not '{type(text).__name__}'")
        allowed = self.special_tokens_set if allowed_special == "all" else set(allowed_special)
        refused = self.special_tokens_set - allowed if disallowed_special == "all" else set(disallowed_special)
        if refused:
            found = _any_of(refused).search(text)
            if found:
                raise_disallowed_special_token(found.group())
        allowed = allowed & self.special_tokens_set
        if not allowed:
            return self.encode_ordinary(text)
        made, start = [], 0
        for found in _any_of(allowed).finditer(text):
            made += self.encode_ordinary(text[start:found.start()])
            made.append(self._special_tokens[found.group()])
            start = found.end()
        return made + self.encode_ordinary(text[start:])

    def encode_to_numpy(self, text, *, allowed_special=frozenset(), disallowed_special="all"):
        import numpy as np
        return np.array(self.encode(text, allowed_special=allowed_special, disallowed_special=disallowed_special), dtype=np.uint32)

    def encode_ordinary_batch(self, text, *, num_threads=8):
        return [self.encode_ordinary(t) for t in text]

    def encode_batch(self, text, *, num_threads=8, allowed_special=frozenset(), disallowed_special="all"):
        return [self.encode(t, allowed_special=allowed_special, disallowed_special=disallowed_special) for t in text]

    def encode_with_unstable(self, *args, **options):
        raise NotImplementedError("tiktoken: encode_with_unstable isn't here")

    def encode_single_token(self, text_or_bytes):
        token = text_or_bytes.encode() if isinstance(text_or_bytes, str) else text_or_bytes
        if token in self._mergeable_ranks:
            return self._mergeable_ranks[token]
        try:
            return self._special_tokens[token.decode()]
        except (KeyError, UnicodeDecodeError):
            raise KeyError(token) from None

    # Tokens to text.

    def decode_bytes(self, tokens):
        known = self._bytes
        try:
            return b"".join([known[t] for t in (tokens.tolist() if hasattr(tokens, "tolist") else tokens)])
        except KeyError as error:
            raise KeyError(f"Invalid token for decoding: {error.args[0]}") from None

    def decode(self, tokens, errors="replace"):
        return self.decode_bytes(tokens).decode("utf-8", errors=errors)

    def decode_single_token_bytes(self, token):
        if token not in self._bytes:
            raise KeyError(str(token))
        return self._bytes[token]

    def decode_tokens_bytes(self, tokens):
        return [self.decode_single_token_bytes(t) for t in tokens]

    def decode_with_offsets(self, tokens):
        parts = self.decode_tokens_bytes(tokens)
        length, offsets = 0, []
        for part in parts:
            # A token that begins within a character counts from that character's start.
            offsets.append(max(0, length - (0x80 <= part[0] < 0xc0)))
            length += sum(1 for b in part if not 0x80 <= b < 0xc0)
        return b"".join(parts).decode("utf-8", errors="strict"), offsets

    def decode_batch(self, batch, *, errors="replace", num_threads=8):
        return [self.decode(tokens, errors) for tokens in batch]

    def decode_bytes_batch(self, batch, *, num_threads=8):
        return [self.decode_bytes(tokens) for tokens in batch]

    # What there is.

    def token_byte_values(self):
        return sorted(self._mergeable_ranks)

    @property
    def eot_token(self):
        return self._special_tokens["<|endoftext|>"]

    @property
    def special_tokens_set(self):
        return set(self._special_tokens)

    def is_special_token(self, token):
        return token in self._special_tokens.values()

    @property
    def n_vocab(self):
        return self.max_token_value + 1


def _whole(text):
    """The text without halves of characters, which UTF-8 doesn't have."""
    try:
        text.encode()
        return text
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _any_of(tokens):
    return re.compile("|".join(map(re.escape, sorted(tokens, key=len, reverse=True))))


def raise_disallowed_special_token(token):
    raise ValueError(
        f"Encountered text corresponding to disallowed special token {token!r}.\nIf you want this text to be encoded as a special token, "
        f"pass it to `allowed_special`, e.g. `allowed_special={{{token!r}, ...}}`.\nIf you want this text to be encoded as normal text, "
        f"disable the check for this token by passing `disallowed_special=(enc.special_tokens_set - {{{token!r}}})`.\nTo disable this "
        "check for all special tokens, pass `disallowed_special=()`.\n")


def _rebuilt(name, pat_str, ranks, special):
    return Encoding(name, pat_str=pat_str, mergeable_ranks=ranks, special_tokens=special)
