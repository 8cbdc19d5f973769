"""Attention whose scores and mask are functions of your own, as in torch.nn.attention.flex_attention."""

import functools
import inspect
import itertools
import math
import warnings
from typing import NamedTuple, TypedDict

import torch
from _torch import Tensor
from torch.func import vmap

__all__ = ["BlockMask", "flex_attention", "AuxOutput", "AuxRequest", "FlexKernelOptions", "create_block_mask", "create_mask",
           "or_masks", "and_masks", "noop_mask"]

_FLEX_ATTENTION_DISABLE_COMPILE_DEBUG = False
_DEFAULT_SPARSE_BLOCK_SIZE = 128
_UNFUSED = (
    "flex_attention called without torch.compile() - this will use an unfused implementation that materializes the full scores "
    "matrix instead of generating a fused kernel.\n\nSOLUTION: Use torch.compile(flex_attention)(...)\n\nIf you want to debug your "
    "score_mod/mask_mod, you can set:\ntorch.nn.attention.flex_attention._FLEX_ATTENTION_DISABLE_COMPILE_DEBUG = True\n\nThis will "
    "allow you to use print statements or breakpoints. Note: This doesn't work with the backwards pass and may produce incorrect "
    "results.")
_SLICED = "Cannot use mask_mod from a sliced BlockMask"
_said = set()

FlexKernelOptions = TypedDict("FlexKernelOptions", dict.fromkeys((
    "num_warps", "num_stages", "BLOCK_M", "BLOCK_N", "BLOCK_M1", "BLOCK_N1", "BLOCK_M2", "BLOCK_N2", "PRESCALE_QK",
    "ROWS_GUARANTEED_SAFE", "BLOCKS_ARE_CONTIGUOUS", "WRITE_DQ", "FORCE_USE_FLEX_ATTENTION", "USE_TMA", "kpack",
    "matrix_instr_nonkdim", "waves_per_eu", "BACKEND"), object), total=False)


class AuxRequest(NamedTuple):
    """What `flex_attention` should return beside its output."""

    lse: bool = False
    max_scores: bool = False


class AuxOutput(NamedTuple):
    lse: Tensor | None = None
    max_scores: Tensor | None = None


def _warn_once(text, category=UserWarning):
    if text not in _said:
        _said.add(text)
        warnings.warn(text, category, stacklevel=3)


def noop_mask(batch, head, token_q, token_kv):
    """The mask that hides nothing."""
    return batch.new_ones(size=(), dtype=torch.bool, device=batch.device)


def _sliced_mask_mod_error(batch, head, token_q, token_kv):
    raise RuntimeError(
        f"{_SLICED}. When you slice a BlockMask using [], the mask_mod attribute is reset. You must set it from the original "
        "BlockMask's mask_mod.\n\nIncorrect usage:\n  base_mask = create_block_mask(my_mask_fn, ...)\n  sliced_mask = base_mask[:, :, "
        "block_idx]\n  sliced_mask.mask_mod = apply_offset(sliced_mask.mask_mod, offset)  # WRONG!\n\nCorrect usage:\n  base_mask = "
        "create_block_mask(my_mask_fn, ...)\n  sliced_mask = base_mask[:, :, block_idx]\n  sliced_mask.mask_mod = "
        "apply_offset(base_mask.mask_mod, offset)  # Use base_mask!")


def _joined(name, start, join):
    def make(*mask_mods):
        if not all(callable(arg) for arg in mask_mods):
            raise RuntimeError(f"All inputs should be callable mask_mods: {mask_mods}")

        def mask(b, h, q_idx, kv_idx):
            return functools.reduce(join, (mod(b, h, q_idx, kv_idx) for mod in mask_mods), start(b))

        mask.__name__ = name[:-1]
        return mask

    make.__name__ = make.__qualname__ = name
    return make


or_masks = _joined("or_masks", lambda b: b.new_zeros((), dtype=torch.bool), lambda a, b: a | b)
and_masks = _joined("and_masks", lambda b: b.new_ones((), dtype=torch.bool), lambda a, b: a & b)


def _takes_scores(mod):
    """Whether a function changes scores (five arguments) or is a mask (four)."""
    count = sum(p.default is inspect.Parameter.empty for p in inspect.signature(mod).parameters.values())
    if count not in (4, 5):
        raise AssertionError(f"Expected 4 or 5 positional args, got {count}")
    return count == 5


def _everywhere(mod, scores, shape, device):
    """What `mod` returns for each score, as one tensor: it's called once, with the numbers of all scores as rows."""
    own = () if scores is None else (0,)
    for place in (3, 2, 1, 0):
        mod = vmap(mod, in_dims=own + tuple(0 if i == place else None for i in range(4)))
    given = [] if scores is None else [scores]
    return mod(*given, *[torch.arange(n, device=device) for n in shape])


def _device(device):
    return (torch.accelerator.current_accelerator() or "cpu") if device is None else device


def create_mask(mod_fn, B, H, Q_LEN, KV_LEN, device=None):
    """The mask of a function, with True where the score counts."""
    shape, device = (B or 1, H or 1, Q_LEN, KV_LEN), _device(device)
    if _takes_scores(mod_fn):
        return ~torch.isneginf(_everywhere(mod_fn, torch.zeros(shape, device=device), shape, device))
    return _everywhere(mod_fn, None, shape, device)


def _cdiv(a, b):
    return (a + b - 1) // b


def _ordered_to_dense(num_blocks, indices, columns):
    taken = torch.arange(indices.shape[-1], dtype=torch.int, device=indices.device) < num_blocks.unsqueeze(-1)
    dense = indices.new_zeros(*indices.shape[:-1], columns + 1, dtype=torch.int32)
    return dense.scatter_(-1, torch.where(taken, indices, columns).long(), 1)[..., :columns].contiguous()


def _dense_to_ordered(dense):
    dense = dense.to(torch.int32)
    return dense.sum(-1).to(torch.int32), torch.argsort(dense, dim=-1, descending=True, stable=True).to(torch.int32).contiguous()


class BlockMask:
    """Which blocks of a matrix of scores count: none of their scores, some (`kv_indices`), or all (`full_kv_indices`)."""

    _TENSOR_ATTRS = ["kv_num_blocks", "kv_indices", "full_kv_num_blocks", "full_kv_indices", "q_num_blocks", "q_indices",
                     "full_q_num_blocks", "full_q_indices"]

    def __init__(self, seq_lengths, kv_num_blocks, kv_indices, full_kv_num_blocks, full_kv_indices, q_num_blocks, q_indices,
                 full_q_num_blocks, full_q_indices, BLOCK_SIZE=(_DEFAULT_SPARSE_BLOCK_SIZE, _DEFAULT_SPARSE_BLOCK_SIZE),
                 mask_mod=noop_mask):
        if kv_indices.dim() < 2:
            raise RuntimeError("BlockMask must have at least 2 dimensions")
        for name, a, b in (("kv", full_kv_num_blocks, full_kv_indices), ("q", full_q_num_blocks, full_q_indices)):
            if (a is None) != (b is None):
                raise AssertionError(f"full_{name}_num_blocks and full_{name}_indices must be both provided or omitted")
        self.seq_lengths, self.BLOCK_SIZE, self.mask_mod = seq_lengths, BLOCK_SIZE, mask_mod
        self.kv_num_blocks, self.kv_indices = kv_num_blocks, kv_indices
        self.full_kv_num_blocks, self.full_kv_indices = full_kv_num_blocks, full_kv_indices
        self.q_num_blocks, self.q_indices = q_num_blocks, q_indices
        self.full_q_num_blocks, self.full_q_indices = full_q_num_blocks, full_q_indices

    @classmethod
    def from_kv_blocks(cls, kv_num_blocks, kv_indices, full_kv_num_blocks=None, full_kv_indices=None,
                       BLOCK_SIZE=_DEFAULT_SPARSE_BLOCK_SIZE, mask_mod=None, seq_lengths=None, compute_q_blocks=True):
        if kv_indices.dim() < 2:
            raise RuntimeError("BlockMask must have at least 2 dimensions")
        if (full_kv_num_blocks is None) != (full_kv_indices is None):
            raise AssertionError("full_kv_num_blocks and full_kv_indices must be both provided or omitted")
        size = (BLOCK_SIZE, BLOCK_SIZE) if isinstance(BLOCK_SIZE, int) else BLOCK_SIZE
        if seq_lengths is None:
            seq_lengths = kv_indices.shape[-2] * size[0], kv_indices.shape[-1] * size[1]
        queries = [None] * 4
        if compute_q_blocks:
            columns = _cdiv(seq_lengths[1], size[1])
            for i, (count, indices) in enumerate(((kv_num_blocks, kv_indices), (full_kv_num_blocks, full_kv_indices))):
                if count is not None:
                    queries[2 * i:2 * i + 2] = _dense_to_ordered(_ordered_to_dense(count, indices, columns).transpose(-2, -1))
        return cls(seq_lengths, kv_num_blocks, kv_indices, full_kv_num_blocks, full_kv_indices, *queries, size,
                   noop_mask if mask_mod is None else mask_mod)

    def as_tuple(self, flatten=True):
        size, lengths = (self.BLOCK_SIZE, self.seq_lengths) if flatten else ((self.BLOCK_SIZE,), (self.seq_lengths,))
        return (*lengths, *(getattr(self, name) for name in self._TENSOR_ATTRS), *size, self.mask_mod)

    @property
    def shape(self):
        return tuple(self.kv_indices.shape[:-2]) + tuple(self.seq_lengths)

    def __str__(self):
        return f"BlockMask(shape={self.shape}, sparsity={self.sparsity():.2f}%, \n{self.to_string().strip()}\n)"

    def __repr__(self):
        shapes = [f"    {name}={None if (t := getattr(self, name)) is None else t.shape},\n" for name in self._TENSOR_ATTRS]
        return (f"BlockMask(\n{''.join(shapes)}    BLOCK_SIZE={self.BLOCK_SIZE},\n    shape={self.shape},\n"
                f"    sparsity={self.sparsity():.2f}%,\n    mask_mod={getattr(self.mask_mod, '__name__', self.mask_mod)}\n)")

    def _query_length(self, index, count):
        size, length = self.BLOCK_SIZE[0], self.seq_lengths[0]
        if not isinstance(index, slice):
            return count * size
        return sum(min((block + 1) * size, length) - min(block * size, length)
                   for block in range(self.kv_num_blocks.shape[-1])[index])

    def _remade(self, parts, mask_mod, lengths):
        return self.from_kv_blocks(*parts, BLOCK_SIZE=self.BLOCK_SIZE, mask_mod=mask_mod, seq_lengths=lengths,
                                   compute_q_blocks=self.q_indices is not None)

    def __getitem__(self, index):
        index = index if isinstance(index, tuple) else (index,)
        if len(index) > 3:
            raise IndexError("BlockMask indexing supports batch, head, and Q-block dimensions")
        index = tuple((slice(i + n, i + n + 1) if -n <= i < 0 else slice(i, i + 1)) if isinstance(i, int) else i
                      for i, n in zip((*index, slice(None), slice(None), slice(None))[:3], self.kv_num_blocks.shape))
        parts = [None if (t := getattr(self, name)) is None else t[index] for name in self._TENSOR_ATTRS[:4]]
        return self._remade(parts, _sliced_mask_mod_error, (self._query_length(index[2], parts[1].shape[-2]), self.seq_lengths[1]))

    def _adjust(self, new_q_len, new_kv_len):
        rows, columns = _cdiv(new_q_len, self.BLOCK_SIZE[0]), _cdiv(new_kv_len, self.BLOCK_SIZE[1])
        parts = []
        for count, indices in ((self.kv_num_blocks, self.kv_indices), (self.full_kv_num_blocks, self.full_kv_indices)):
            if count is not None:
                indices, count = indices[:, :, :rows, :columns], count[:, :, :rows]
                taken = torch.arange(indices.shape[-1], dtype=count.dtype, device=indices.device) < count[..., None]
                count = (taken & (indices < columns)).sum(-1).to(torch.int32)
            parts += [count, indices]
        return self._remade(parts, self.mask_mod, (new_q_len, new_kv_len))

    def numel(self):
        return math.prod(self.shape)

    def sparsity(self):
        """The percentage of blocks that needn't be computed."""
        total = math.prod(self.kv_num_blocks.shape[:-1])
        for length, size in zip(self.seq_lengths, self.BLOCK_SIZE):
            total *= _cdiv(length, size)
        computed = self.kv_num_blocks.sum()
        if self.full_kv_num_blocks is not None:
            computed = computed + self.full_kv_num_blocks.sum()
        return 100 * (1 - computed.item() / total)

    def to_dense(self):
        """A matrix of blocks with 1 for each that counts."""
        dense = _ordered_to_dense(self.kv_num_blocks, self.kv_indices, self.kv_indices.shape[-1])
        if self.full_kv_num_blocks is not None:
            dense = dense | _ordered_to_dense(self.full_kv_num_blocks, self.full_kv_indices, self.full_kv_indices.shape[-1])
        return dense

    def to_string(self, grid_size=(20, 20), limit=4):
        dense = self.to_dense()
        *batch, rows, columns = dense.shape
        most = (grid_size, grid_size) if isinstance(grid_size, int) else grid_size
        down, across = (max(1, _cdiv(n, m)) for n, m in zip((rows, columns), most))
        shown = []
        for i, place in enumerate(itertools.product(*map(range, batch))):
            if i == limit:
                shown += ["...", "To print out more, set BlockMask.to_string(limit=N)",
                          "You can also index (BlockMask[batch, head]) to choose a specific batch or head"]
                break
            text = f"{place}\n"
            for r in range(0, rows, down):
                for c in range(0, columns, across):
                    share = dense[place][r:r + down, c:c + across].float().mean().item()
                    text += 2 * ("█" if share == 1 else " " if share == 0 else "░")
                text += "\n"
            shown.append(text)
        return "\n".join(shown)

    def to(self, device):
        parts = [None if (t := getattr(self, name)) is None else t.to(device) for name in self._TENSOR_ATTRS]
        return BlockMask(self.seq_lengths, *parts, BLOCK_SIZE=self.BLOCK_SIZE, mask_mod=self.mask_mod)


def create_block_mask(mask_mod, B, H, Q_LEN, KV_LEN, device=None, BLOCK_SIZE=_DEFAULT_SPARSE_BLOCK_SIZE, _compile=False,
                      separate_full_blocks=True, compute_dq_write_order=False, dq_kv_order=True):
    """The block mask of a function that says whether a score counts."""
    if compute_dq_write_order:
        raise NotImplementedError("torch.nn.attention.flex_attention.create_block_mask(compute_dq_write_order=True)")
    if _takes_scores(mask_mod):
        raise AssertionError(f"create-block_mask requires a mask_mod function! Got {mask_mod}")
    down, across = (BLOCK_SIZE, BLOCK_SIZE) if isinstance(BLOCK_SIZE, int) else BLOCK_SIZE
    if _compile:
        warnings.warn("_compile flag on create_block_mask was originally added to work around a torch.compile limitation. That "
                      "limitation has since been addressed. So, to compile create_block_mask, we suggest doing "
                      "torch.compile(create_block_mask). This still works for now, but will be removed in the future.",
                      DeprecationWarning, stacklevel=2)
    mask = create_mask(mask_mod, B, H, Q_LEN, KV_LEN, device)
    if mask.dtype != torch.bool:
        raise AssertionError(f"mask.dtype must be torch.bool, got {mask.dtype}")
    mask = torch.nn.functional.pad(mask, (0, -KV_LEN % across, 0, -Q_LEN % down))
    batch, heads, rows, columns = mask.shape
    blocks = mask.reshape(batch, heads, rows // down, down, columns // across, across).permute(0, 1, 2, 4, 3, 5).sum(dim=[-2, -1])
    some, full = blocks > 0, (None, None)
    if separate_full_blocks:
        full = _dense_to_ordered(blocks == down * across)
        some = some & (blocks < down * across)
    return BlockMask.from_kv_blocks(*_dense_to_ordered(some), *full, BLOCK_SIZE=(down, across), mask_mod=mask_mod,
                                    seq_lengths=(Q_LEN, KV_LEN))


def _check(query, key, value, block_mask, enable_gqa, return_lse, kernel_options, return_aux):
    if query.is_nested or key.is_nested or value.is_nested:
        raise NotImplementedError(
            "flex_attention does not support NestedTensor inputs, including torch.compile(flex_attention) with jagged NestedTensor "
            "inputs. Convert inputs to dense tensors before calling flex_attention.")
    if query.device != key.device or query.device != value.device:
        raise ValueError(f"Expected query, key, and value to have the same device type, but got query.device: {query.device}, "
                         f"key.device: {key.device}, and value.device: {value.device} instead.")
    if query.dim() < 2 or key.dim() < 2 or value.dim() < 2:
        raise ValueError(f"Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: {query.dim()}, "
                         f"key.dim: {key.dim()} and value.dim: {value.dim()} instead.")
    if query.size(-1) != key.size(-1):
        raise ValueError("Expect query and key/value to have the same embedding dimension "
                         f"but got E={query.size(-1)} and E={key.size(-1)}.")
    if query.device.type == "cpu" and (query.requires_grad or key.requires_grad or value.requires_grad):
        raise NotImplementedError("FlexAttention does not support backward on CPU. Please set the input requires_grad to False or "
                                  "use another device.")
    if query.dim() != 4 or key.dim() != 4 or value.dim() != 4:
        raise NotImplementedError("NYI: query, key, and value must be 4D tensors")
    heads, others = query.size(1), key.size(1)
    if not enable_gqa and heads != others:
        raise ValueError("Expect query and key/value to have the same number of heads "
                         f"but got Hq={heads} and Hkv={others}. Try setting enable_gqa=True for GQA.")
    if enable_gqa and heads % others:
        raise ValueError("Expect number of query heads to be a multiple of kv heads for GQA "
                         f"but got Hq={heads} and Hkv={others}.")
    if query.size(0) != key.size(0):
        sizes = f"Bq={query.size(0)}, "
        if block_mask is None:
            raise ValueError("Expect query and key/value to have the same batch size, or non-none block_mask, but got "
                             f"block_mask=None, {sizes}and Bkv={key.size(0)}.")
        if block_mask.kv_num_blocks.size(0) != query.size(0):
            raise ValueError("Expect query and key/value to have the same batch size, or block_mask and query to have the same batch "
                             f"size, but got {sizes}Bkv={key.size(0)}, B_block_mask={block_mask.kv_num_blocks.size(0)}.")
    if block_mask is not None:
        if block_mask.mask_mod is _sliced_mask_mod_error:
            raise RuntimeError(_SLICED)
        lengths, known = (query.size(-2), key.size(-2)), block_mask.shape[-2:]
        if lengths[0] > known[0] or lengths[1] > known[1]:
            raise RuntimeError("block_mask was created for a smaller length than you're using it for, you likely need to create a new "
                               "block mask.")
        if lengths != known:
            raise RuntimeError(
                "block_mask was created for a larger length than you're using it for, you can either 1. create a new block mask with "
                "the correct length, or 2. 'adjust' the existing block mask to the correct length by calling "
                "block_mask._adjust(q_len, kv_len). This essentially 'crops' the block mask to the upper left corner, which does "
                "not work for all mask_mods!")
        if query.device != block_mask.kv_num_blocks.device:
            raise RuntimeError("Expect q/k/v and block_mask to be on the same device but got "
                               f"{query.device} and {block_mask.kv_num_blocks.device}.")
    if return_lse and return_aux is not None:
        raise ValueError("Cannot specify both return_lse and return_aux. return_lse is deprecated, please use "
                         "return_aux=AuxRequest(lse=True) instead.")
    backend = (kernel_options or {}).get("BACKEND", "AUTO")
    if backend not in ("AUTO", "TRITON", "FLASH", "TRITON_DECODE"):
        raise ValueError(f"Invalid BACKEND value '{backend}'. Must be one of ('AUTO', 'TRITON', 'FLASH', 'TRITON_DECODE')")
    if return_aux is not None and return_aux.max_scores and query.device.type == "cpu":
        raise NotImplementedError("Returning max scores is not supported on CPU.")


def flex_attention(query, key, value, score_mod=None, block_mask=None, scale=None, enable_gqa=False, return_lse=False,
                   kernel_options=None, *, return_aux=None):
    """Attention whose scores `score_mod` changes, and of which only those count that `block_mask` lets through."""
    _check(query, key, value, block_mask, enable_gqa, return_lse, kernel_options, return_aux)
    if return_lse:
        _warn_once("return_lse is deprecated and will be removed in v2.10. Please use return_aux=AuxRequest(lse=True) instead.",
                   FutureWarning)
    if not (_FLEX_ATTENTION_DISABLE_COMPILE_DEBUG or torch._dynamo.eval_frame._inside):
        _warn_once(_UNFUSED)
    device, kind = query.device, query.dtype
    if torch.is_autocast_enabled(device.type):
        kind = torch.get_autocast_dtype(device.type)
    group = query.size(1) // key.size(1)
    key, value = (t.to(kind).repeat_interleave(group, 1) if group > 1 else t.to(kind) for t in (key, value))
    precise = torch.float64 if kind == torch.float64 else torch.float32
    query = query.to(kind).to(precise)
    scores = (query @ key.to(precise).transpose(-2, -1)) * (1 / math.sqrt(query.size(-1)) if scale is None else scale)
    shape = tuple(scores.shape)
    if score_mod is not None:
        scores = _everywhere(score_mod, scores, shape, device).to(precise)
    if block_mask is not None and block_mask.mask_mod is not noop_mask:
        hidden = torch.tensor(-math.inf, dtype=precise, device=device)
        scores = torch.where(_everywhere(block_mask.mask_mod, None, shape, device), scores, hidden)
    empty = (scores == -math.inf).all(-1, keepdim=True)
    out = torch.softmax(scores, -1).masked_fill(empty, 0).to(kind) @ value
    wanted = AuxRequest(lse=return_lse) if return_aux is None else return_aux
    lse = scores.logsumexp(-1) if wanted.lse else None
    if return_aux is not None:
        return out, AuxOutput(lse, scores.amax(-1) if wanted.max_scores else None)
    return (out, lse) if return_lse else out
