"""Fourier transforms and spectra of short stretches. PyTorch 2.15 recorded `fft.txt` from this file."""

import warnings

import torch

warnings.simplefilter("ignore")
F = torch.fft


def t(*shape, dtype=torch.float64):
    at = torch.arange(torch.Size(shape).numel(), dtype=torch.float64)
    return ((at * at % 97) * 0.713 + at + 0.3).sin().reshape(shape).to(dtype)


def numbers(x):
    x = torch.view_as_real(x.detach().resolve_conj()) if x.is_complex() else x.detach()
    digits = 5 if x.dtype == torch.float64 else 3
    x = x.reshape(-1).double()
    if not x.numel():
        return "-"
    weights = (torch.arange(x.numel(), dtype=torch.float64) * 0.37).cos()
    # Which instructions compute decides about the last digits.
    return " ".join(f"{float(v) + 0.0:.{digits}f}" for v in (x[0] + 1e-6, x[-1] + 1e-6, (x * weights).sum() + 1e-6))


def say(name, f, *inputs):
    """The result's shape, strides, dtype, node and numbers, and the gradients; or the error."""
    leaves = [x.clone().requires_grad_() if x.is_floating_point() or x.is_complex() else x for x in inputs]
    try:
        out = f(*leaves)
    except Exception as error:
        print(name, type(error).__name__, error)
        return
    node = type(out.grad_fn).__name__ if out.grad_fn else None
    print(name, tuple(out.shape), out.stride() if out.numel() else "", out.dtype, node, numbers(out))
    if node and out.numel():
        size = out.abs() if out.is_complex() else out
        (size ** 2 * torch.linspace(0.5, 2, out.numel(), dtype=size.dtype).reshape(out.shape)).sum().backward()
        for leaf in leaves:
            if leaf.requires_grad:
                print("   ", leaf.grad.dtype, numbers(leaf.grad))


real, signal = t(3, 4, 5), t(2, 30)
number = torch.complex(t(2, 3, 4), t(2, 4, 3).reshape(2, 3, 4))
inputs = {"real": real, "complex": number, "single": t(7, dtype=torch.float32), "whole": torch.arange(4), "scalar": torch.tensor(1.0),
          "half": torch.ones(3, dtype=torch.float16), "empty": torch.ones(0, 3)}
for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"):
    f = getattr(F, name)
    for options in ({}, {"n": 3}, {"n": 8, "dim": 0}, {"norm": "ortho"}, {"norm": "forward", "dim": 1}, {"n": 0}, {"norm": "x"}):
        for kind, x in inputs.items():
            say(f"{name} {options} {kind}", lambda x: f(x, **options), x)
several = ({}, {"s": (3, 2)}, {"s": (-1, 8), "dim": (0, 1)}, {"norm": "ortho", "dim": (0, 2)}, {"dim": (1, 1)}, {"dim": ()},
           {"s": (0, 1)}, {"s": (1, 2, 3, 4)}, {"s": (1,), "dim": (0, 1)}, {"dim": (0, 5)}, {"s": 2}, {"dim": 0})
for name in ("fftn", "ifftn", "rfftn", "irfftn", "hfftn", "ihfftn", "fft2", "ifft2", "rfft2", "irfft2", "hfft2", "ihfft2"):
    f = getattr(F, name)
    for options in several:
        if name.endswith("2") and options.get("s") == 2:
            continue
        for kind in ("real", "complex", "whole"):
            say(f"{name} {options} {kind}", lambda x: f(x, **options), inputs[kind])
say("transposed", lambda x: F.fftn(x.transpose(0, 2), dim=(0, 1)), real)
say("expanded", lambda x: F.fft(x[0, 0].expand(3, 5)), real)
say("twice", lambda x: F.ifft(F.fft(x)).real, real)
say("large prime", lambda x: F.fft(x), t(1009))
say("several factors", lambda x: F.rfft(x), t(2, 720))
for n in range(1, 6):
    say(f"fftfreq {n}", lambda: F.fftfreq(n, d=0.25, dtype=torch.float64))
    say(f"rfftfreq {n}", lambda: F.rfftfreq(n))
    say(f"fftshift {n}", lambda: F.fftshift(torch.arange(n)))
    say(f"ifftshift {n}", lambda: F.ifftshift(torch.arange(n)))
say("fftshift of rows", lambda x: F.fftshift(x, dim=1), real)
say("ifftshift of all", lambda x: F.ifftshift(x), real)
out = torch.empty(0, dtype=torch.complex128)
print(F.fft(real, out=out) is out, tuple(out.shape))
x = t(6).requires_grad_()
(first,) = torch.autograd.grad((F.rfft(x).abs() ** 3).sum(), x, create_graph=True)
first.square().sum().backward()
print("second", numbers(x.grad))
z = torch.complex(t(5), t(5) + 1)
print("gradcheck", torch.autograd.gradcheck(lambda a: F.irfft(F.rfft(a, n=6) * 2), (t(5).requires_grad_(),)))

window = torch.hann_window(16, dtype=torch.float64)
forms = ({"return_complex": True}, {}, {"return_complex": True, "window": window}, {"return_complex": False, "window": window},
         {"return_complex": True, "hop_length": 3, "win_length": 10, "center": False},
         {"return_complex": True, "center": False, "align_to_window": True, "win_length": 8},
         {"return_complex": True, "center": False, "align_to_window": False, "win_length": 8},
         {"return_complex": True, "normalized": True, "onesided": False}, {"return_complex": True, "hop_length": 0},
         {"return_complex": True, "win_length": 20}, {"return_complex": True, "window": torch.ones(5)},
         {"return_complex": True, "pad_mode": "constant", "onesided": True}, {"align_to_window": True})
for kind, x in {"row": t(40), "rows": signal, "whole": torch.arange(40), "deep": t(1, 1, 40), "complex": torch.complex(t(40), t(40))}.items():
    for i, options in enumerate(forms):
        say(f"stft {i} {kind}", lambda x: torch.stft(x, 16, **options), x)
say("stft longer than the signal", lambda x: torch.stft(x, 100, return_complex=True, center=False), t(40))
say("stft of nothing", lambda x: torch.stft(x, 0, return_complex=True, center=False), t(40))
say("stft as a method", lambda x: x.stft(16, return_complex=True), t(40))
spectra = torch.stft(t(40), 16, window=window, return_complex=True)
for options in ({"window": window}, {"window": window, "length": 38}, {"window": window, "length": 60}, {"center": False},
                {"window": window, "center": False}, {"window": window, "onesided": False}, {"hop_length": 20}, {"win_length": 12},
                {"window": torch.ones(3)}, {"return_complex": True}):
    say(f"istft {sorted(options)}", lambda s: torch.istft(s, 16, **options), spectra)
say("istft of other frequencies", lambda s: s.istft(15), spectra)
say("istft of real numbers", lambda s: torch.istft(s, 16), t(9, 11))
say("istft of too many dimensions", lambda s: torch.istft(s, 16), spectra[None, None])
say("istft of nothing", lambda s: torch.istft(s, 16), spectra[:0])
whole = torch.stft(signal, 16, return_complex=True, onesided=False)
say("istft to complex numbers", lambda s: torch.istft(s, 16, return_complex=True), whole)
say("istft of both sides", lambda s: torch.istft(s, 16, normalized=True), whole)
