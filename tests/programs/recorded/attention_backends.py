"""Which ways of attention are allowed, masks that are triangles, and the errors. PyTorch 2.15 recorded `attention_backends.txt`
from this file."""

def t(name, f):
    try:
        r = f()
        if r is not None: print(name, '->', r)
        else: print(name, 'ok')
    except BaseException as e:
        print(name, 'ERR', type(e).__name__, str(e)[:300])
import torch, itertools
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel
import torch.nn.attention as A
q = torch.ones(1, 2, 3, 4)
B = SDPBackend
t('b2', lambda: [B.ERROR, B.FLASH_ATTENTION, B.EFFICIENT_ATTENTION, B.CUDNN_ATTENTION, B.OVERRIDEABLE])
t('b3', lambda: B(1))
t('b4', lambda: [B.MATH == 0, B.MATH < 3, B.MATH in [B.MATH]])
for b in [B.MATH, B.FLASH_ATTENTION, B.EFFICIENT_ATTENTION, B.CUDNN_ATTENTION, [B.MATH, B.EFFICIENT_ATTENTION], [], 'x', B.ERROR, B.OVERRIDEABLE, (B.MATH,)]:
    def f():
        with sdpa_kernel(b) as c:
            print(c, A._cur_sdpa_kernel_backends()); return F.scaled_dot_product_attention(q, q, q).sum()
    t('k %s' % (b,), f)
t('after', lambda: A._cur_sdpa_kernel_backends())
def f():
    with sdpa_kernel([B.CUDNN_ATTENTION, B.FLASH_ATTENTION], set_priority=True): return A._cur_sdpa_kernel_backends(with_priority=True)
t('prio', f)
t('prio2', lambda: A._cur_sdpa_kernel_backends(with_priority=True))
c = torch.backends.cuda
def f():
    with c.sdp_kernel(enable_flash=False, enable_math=True, enable_mem_efficient=False) as x: return [x, A._cur_sdpa_kernel_backends()]
t('old', f)
c.enable_flash_sdp(False); c.enable_mem_efficient_sdp(False); c.enable_math_sdp(False)
t('none', lambda: F.scaled_dot_product_attention(q, q, q))
c.enable_flash_sdp(True)
def att(q, k=None, v=None, **kw): return tuple(F.scaled_dot_product_attention(q, q if k is None else k, q if v is None else v, **kw).shape)
t('f1', lambda: att(q))
t('f2', lambda: att(q, is_causal=True))
t('f3', lambda: att(q[0]))
t('f4', lambda: att(q[0, 0]))
t('f5', lambda: att(q, dropout_p=0.1))
t('f6', lambda: att(q, attn_mask=torch.ones(3, 3)))
t('f7', lambda: att(q, attn_mask=torch.ones(3, 3).bool()))
t('f8', lambda: att(q, attn_mask=torch.ones(1, 2, 3, 3)))
t('f9', lambda: att(q, attn_mask=torch.ones(1, 1, 3, 3)))
t('f10', lambda: att(q, attn_mask=torch.ones(2, 3, 3)))
t('f11', lambda: att(q, v=torch.ones(1, 2, 3, 5)))
t('f12', lambda: att(torch.ones(2, 2, 3, 4), q, q))
t('f13', lambda: att(torch.ones(1, 2, 0, 4)))
t('f14', lambda: att(torch.ones(1, 2, 4, 3).transpose(-1, -2)))
t('f15', lambda: att(q.double()))
t('f16', lambda: att(q.bfloat16()))
t('f17', lambda: att(q.half()))
t('f18', lambda: att(q.clone().requires_grad_(), attn_mask=torch.ones(3, 3, requires_grad=True)))
t('f18b', lambda: att(q.clone().requires_grad_()))
t('f19', lambda: att(torch.ones(1, 4, 3, 4), q, q, enable_gqa=True))
t('f20', lambda: att(torch.ones(1, 4, 3, 4), q, q))
t('f21', lambda: att(q, attn_mask=torch.ones(1, 1, 1, 3)))
t('f22', lambda: att(q, attn_mask=torch.ones(3, 1)))
t('f23', lambda: att(q, attn_mask=torch.ones(3)))
t('f24', lambda: att(q, scale=0.3))
t('f25', lambda: att(q.long()))
t('f26', lambda: att(q, torch.ones(1,2,5,4), torch.ones(1,2,5,4), is_causal=True))
t('f27', lambda: att(q, attn_mask=torch.ones(2, 1, 3, 3)))
t('f28', lambda: att(q, attn_mask=torch.ones(3, 3).double()))
t('f29', lambda: att(q[0], attn_mask=torch.ones(2, 3, 3)))
t('f30', lambda: torch.nn.MultiheadAttention(4, 2, dropout=0.1)(torch.ones(3, 1, 4), torch.ones(3, 1, 4), torch.ones(3, 1, 4), need_weights=False)[0].shape)
c.enable_math_sdp(True)
from torch.nn.attention.bias import causal_lower_right, causal_upper_left, CausalBias, CausalVariant
t('cb', lambda: causal_lower_right(2, 3))
t('cb2', lambda: causal_upper_left(2, 3))
torch.manual_seed(0); k = torch.randn(1,2,5,4)
t('cb4', lambda: F.scaled_dot_product_attention(k[:, :, :3], k, k, attn_mask=causal_lower_right(3, 5)))
t('cb5', lambda: F.scaled_dot_product_attention(k[:, :, :3], k, k, attn_mask=causal_upper_left(3, 5)))
t('cb6', lambda: F.scaled_dot_product_attention(k[:, :, :3], k, k, attn_mask=causal_upper_left(3, 5), is_causal=True))
t('cb7', lambda: F.scaled_dot_product_attention(k[:, :, :3], k, k, attn_mask=causal_upper_left(3, 4)))
t('f23', lambda: att(q, attn_mask=torch.ones(3)))
t('f23b', lambda: att(q, attn_mask=torch.ones(())))
t('f23c', lambda: att(q[0], attn_mask=torch.ones(3)))
t('f23d', lambda: att(q[0,0], attn_mask=torch.ones(3)))
t('f28', lambda: att(q, attn_mask=torch.ones(3, 3).double()))
t('f28a', lambda: att(q, attn_mask=torch.ones(3, 3).long()))
t('f28b', lambda: att(q, attn_mask=torch.ones(3, 3).half()))
t('f28c', lambda: att(q.double(), attn_mask=torch.ones(3, 3)))
t('f28d', lambda: att(q.half(), attn_mask=torch.ones(3, 3)))
t('f28e', lambda: att(q.half(), attn_mask=torch.ones(3, 3).bfloat16()))
t('f29', lambda: att(q.long(), attn_mask=torch.ones(3, 3).long()))
