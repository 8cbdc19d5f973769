"""Warnings that PyTorch gives, once or each time, and what an encoder makes of padding. PyTorch 2.15 recorded the output."""

import warnings

import torch
from torch import nn
from torch.nn import functional as F


def said(name, call):
    for _ in range(2):
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            call()
        print(name, [(w.category.__name__, str(w.message).split(" (Triggered")[0][:150]) for w in found])


def schedule():
    return torch.optim.lr_scheduler.StepLR(torch.optim.SGD([nn.Parameter(torch.zeros(1))], 1.0), 1)


said("meshgrid", lambda: torch.meshgrid(torch.arange(2), torch.arange(3)))
said("meshgrid ij", lambda: torch.meshgrid(torch.arange(2), torch.arange(3), indexing="ij"))
said("get_lr", lambda: schedule().get_lr())
said("step", lambda: schedule().step())
said("softmin", lambda: F.softmin(torch.zeros(2, 2)))
said("gumbel", lambda: F.gumbel_softmax(torch.zeros(2, 2), eps=1e-5))
said("NLLLoss2d", lambda: nn.NLLLoss2d())
said("lu", lambda: torch.lu(torch.eye(2)))
said("chain_matmul", lambda: torch.chain_matmul(torch.eye(2), torch.eye(2)))
said("storage", lambda: torch.zeros(2).storage())
said("checkpoint", lambda: torch.utils.checkpoint.checkpoint(lambda a: a * 2, torch.ones(1, requires_grad=True)))
for options in ({}, {"activation": torch.tanh}, {"bias": False}, {"norm_first": True}, {"activation": nn.GELU()}):
    said(f"encoder {sorted(options)}", lambda: nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 8, batch_first=True, **options), 1))

torch.manual_seed(0)
encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8, batch_first=True), 2, norm=nn.LayerNorm(4)).eval()
x, padding = torch.randn(2, 3, 4), torch.tensor([[False, True, True], [False, False, False]])
said("nested", lambda: torch.no_grad()(encoder)(x, src_key_padding_mask=padding))
with torch.no_grad():
    print(encoder(x, src_key_padding_mask=padding))
    encoder.norm = None
    print(encoder(x, src_key_padding_mask=padding)[0])
    print((encoder(x, src_key_padding_mask=padding.flip(1)) == 0).sum(), (encoder(x, torch.zeros(3, 3), padding) == 0).sum())
    torch.backends.mha.set_fastpath_enabled(False)
    print((encoder(x, src_key_padding_mask=padding) == 0).sum())
    torch.backends.mha.set_fastpath_enabled(True)
print((encoder(x, src_key_padding_mask=padding) == 0).sum(), encoder.use_nested_tensor, encoder.layers[0].activation_relu_or_gelu)
print(torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled())
