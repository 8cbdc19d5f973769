# Optimizers of complex parameters, whose rules see both parts as numbers of their own.
import torch
from torch import nn


class Spectral(nn.Module):
    """Multiplies the lowest frequencies of a signal by weights, as a Fourier neural operator does."""

    def __init__(self, channels, out_channels, modes):
        super().__init__()
        self.modes = modes
        parts = torch.linspace(-1, 1, 2 * channels * out_channels * modes).reshape(channels, out_channels, modes, 2)
        self.weight = nn.Parameter(torch.view_as_complex(parts))

    def forward(self, x):
        spectrum = torch.fft.rfft(x)
        out = torch.zeros(x.shape[0], self.weight.shape[1], spectrum.shape[-1], dtype=torch.cfloat)
        out[:, :, : self.modes] = torch.einsum("bim,iom->bom", spectrum[:, :, : self.modes], self.weight)
        return torch.fft.irfft(out, n=x.shape[-1])


x = torch.sin(torch.arange(64.0)).reshape(2, 1, 32)
y = torch.roll(x, 1, -1)
net = nn.Sequential(Spectral(1, 2, 5), nn.GELU(), Spectral(2, 1, 5))
opt = torch.optim.Adam(net.parameters(), lr=1e-2, weight_decay=1e-4)
for i in range(4):
    loss = nn.functional.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    print(i, round(loss.item(), 4), round(nn.utils.clip_grad_norm_(net.parameters(), 0.5).item(), 4))
    opt.step()
state = opt.state[net[0].weight]
print(state["exp_avg"].dtype, state["exp_avg_sq"].dtype, state["step"])

options = {"SGD": {"momentum": 0.9, "weight_decay": 0.1}, "RMSprop": {"momentum": 0.5, "centered": True}, "Adam": {"amsgrad": True}}
for name in ("SGD", "Adam", "AdamW", "RMSprop", "Adagrad", "Adadelta", "Adamax", "NAdam", "RAdam", "ASGD", "Rprop", "Adafactor", "LBFGS"):
    w = nn.Parameter(torch.tensor([0.5 + 0.25j, -1 + 2j]))
    conjugate = name in ("SGD", "Adam")
    opt = getattr(torch.optim, name)([w], lr=0.1, **options.get(name, {}))

    def closure():
        opt.zero_grad()
        loss = (((w.conj() if conjugate else w) * torch.tensor([1 + 1j, 2 - 1j])).sum() - 1).abs().pow(2)
        loss.backward()
        return loss

    for _ in range(3):
        try:
            opt.step(closure)
        except RuntimeError as error:
            # The gradient of a conjugate is a view of one, which most rules don't take.
            print(name, w.grad.is_conj(), error)
            conjugate = False
    print(name, w.detach())
    if name != "LBFGS":
        print({key: value.dtype if torch.is_tensor(value) else value for key, value in opt.state[w].items()})
