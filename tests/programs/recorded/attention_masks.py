"""Masks of two types for attention. PyTorch 2.15 recorded `attention_masks.txt` from this file."""

def t(name, f):
    try:
        r = f()
        if r is not None: print(name, '->', r)
        else: print(name, 'ok')
    except BaseException as e:
        print(name, 'ERR', type(e).__name__, str(e)[:300])
import torch, warnings
from torch import nn
warnings.simplefilter('always')
def w(name, f):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter('always'); t(name, f)
    for x in seen: print('  warns', x.category.__name__, str(x.message)[:160])
x = torch.ones(2, 3, 8); pad = torch.tensor([[False, False, True]] * 2); fl = nn.Transformer.generate_square_subsequent_mask(3)
torch.manual_seed(0)
enc = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), 1, enable_nested_tensor=False)
w('enc', lambda: enc(x, mask=fl, src_key_padding_mask=pad).shape)
w('enc2', lambda: enc(x, mask=fl.bool(), src_key_padding_mask=pad).shape)
w('layer', lambda: enc.layers[0](x, fl, pad).shape)
mha = nn.MultiheadAttention(8, 2, batch_first=True)
w('mha', lambda: mha(x, x, x, key_padding_mask=pad, attn_mask=fl)[0].shape)
w('mhae', lambda: mha.eval()(x, x, x, key_padding_mask=pad, attn_mask=fl)[0].shape)
dec = nn.TransformerDecoder(nn.TransformerDecoderLayer(8, 2, 16, batch_first=True), 1)
w('dec', lambda: dec(x, x, tgt_mask=fl, tgt_key_padding_mask=pad, memory_key_padding_mask=pad).shape)
w('tr', lambda: nn.Transformer(8, 2, 1, 1, 16, batch_first=True)(x, x, src_mask=fl, tgt_mask=fl, src_key_padding_mask=pad, tgt_key_padding_mask=pad).shape)
w('int', lambda: mha(x, x, x, key_padding_mask=pad.long(), attn_mask=fl)[0].shape)
