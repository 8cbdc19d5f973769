"""Spectra of short stretches of a signal: `torch.stft` and `torch.istft`.

Source of rules and texts: aten/src/ATen/native/SpectralOps.cpp and torch/functional.py in PyTorch 2.15.
"""

import warnings

import _torch

_PLAIN, _BY_ROOT, _BY_COUNT = 0, 1, 2
_warned = set()


def _warn_once(text):
    if text not in _warned:
        _warned.add(text)
        warnings.warn(text, stacklevel=4)


def _warn_without_window():
    _warn_once("A window was not provided. A rectangular window will be applied,which is known to cause spectral leakage. Other "
               "windows such as torch.hann_window or torch.hamming_window are recommended to reduce spectral leakage.To suppress "
               "this warning and use a rectangular window, explicitly set `window=torch.ones(n_fft, device=<device>)`.")


def _kind(t):
    """A tensor's type as these texts name it."""
    return t.type().replace("torch.", "CPU").replace("Tensor", "Type") if t.is_complex() else t.type()


def _option(value):
    return "None" if value is None else str(int(value))


def _call(name, t, n_fft, hop_length, win_length, window, **rest):
    """The call as error texts quote it."""
    window = "None" if window is None else f"{_kind(window)}{{{list(window.shape)}}}"
    shown = f"{name}({_kind(t)}{list(t.shape)}, n_fft={n_fft}, hop_length={hop_length}, win_length={win_length}, window={window}"
    return shown + "".join(f", {key}={_option(value)}" for key, value in rest.items()) + ") "


def stft(input, n_fft, hop_length=None, win_length=None, window=None, center=True, pad_mode="reflect", normalized=False,
         onesided=None, return_complex=None, align_to_window=None):
    """(length) or (batch, length) to (batch, frequencies, frames)."""
    if center and align_to_window is not None:
        raise RuntimeError("stft align_to_window should only be set when center = false")
    if center:
        ndim = input.dim()
        extended = input.view([1] * (3 - ndim) + list(input.size()))
        padded = _torch.pad(extended, [n_fft // 2, n_fft // 2], pad_mode)
        input = padded.view(padded.shape[-ndim:])
    if window is None:
        _warn_without_window()
    elif window.device != input.device:
        raise RuntimeError("stft input and window must be on the same device but got self on "
                           f"{input.device} and window on {window.device}")
    given = return_complex
    if return_complex is None:
        return_complex = input.is_complex() or window is not None and window.is_complex()
    if not return_complex:
        if given is None:
            raise RuntimeError("stft requires the return_complex parameter be given for real inputs, and will further require that "
                               "return_complex=True in a future PyTorch release.")
        _warn_once("stft with return_complex=False is deprecated. In a future pytorch release, stft will return complex tensors for "
                   "all inputs, and return_complex=False will raise an error.\nNote: you can still call torch.view_as_real on the "
                   "complex output to recover the old return format.")
    hop = n_fft >> 2 if hop_length is None else hop_length
    width = n_fft if win_length is None else win_length

    def refuse(why, kind=RuntimeError):
        call = _call("stft", input, n_fft, hop, width, window, normalized=normalized, onesided=onesided,
                     return_complex=given, align_to_window=align_to_window)
        raise kind(f"{call}: {why}")

    if not (input.is_floating_point() or input.is_complex()):
        refuse("expected a tensor of floating point or complex values", NotImplementedError)
    if input.dim() not in (1, 2):
        refuse("expected a 1D or 2D tensor")
    rows = input if input.dim() == 2 else input.unsqueeze(0)
    if not center and align_to_window:
        margin = (n_fft - width) // 2
        rows = _torch.pad(rows, [margin, margin])
    length = rows.size(1)
    if n_fft <= 0 or n_fft > length:
        refuse(f"expected 0 < n_fft < {length}, but got n_fft={width}")
    if hop <= 0:
        refuse(f"expected hop_length > 0, but got hop_length={hop}")
    if width <= 0 or width > n_fft:
        refuse(f"expected 0 < win_length <= n_fft, but got win_length={width}")
    if window is not None and (window.dim() != 1 or window.size(0) != width):
        refuse(f"expected a 1D window tensor of size equal to win_length={width}, but got window with size {list(window.shape)}")
    if width < n_fft:
        left = (n_fft - width) // 2
        window = _torch.ones(width, dtype=input.dtype, device=input.device) if window is None else window
        window = _torch.pad(window, [left, n_fft - width - left])
    frames = 1 + (length - n_fft) // hop
    windows = rows.as_strided((rows.size(0), frames, n_fft), (rows.stride(0), hop * rows.stride(1), rows.stride(1)))
    if window is not None:
        windows = windows * window
    mode = _BY_ROOT if normalized else _PLAIN
    if windows.is_complex():
        if onesided:
            raise RuntimeError("Cannot have onesided output if window or input is complex")
        out = _torch._fft_c2c(windows, (2,), mode, True)
    else:
        out = _torch._fft_r2c(windows, (2,), mode, onesided is None or bool(onesided))
    out.transpose_(1, 2)
    if input.dim() == 1:
        out.squeeze_(0)
    return out if return_complex else _torch.view_as_real(out)


def istft(input, n_fft, hop_length=None, win_length=None, window=None, center=True, normalized=False, onesided=None, length=None,
          return_complex=False):
    """(batch, frequencies, frames) to (batch, length)."""
    if window is None:
        _warn_without_window()
    elif window.device != input.device:
        raise RuntimeError("istft input and window must be on the same device but got self on "
                           f"{input.device} and window on {window.device}")
    hop = n_fft >> 2 if hop_length is None else hop_length
    width = n_fft if win_length is None else win_length
    if not input.is_complex():
        raise TypeError("istft requires a complex-valued input tensor matching the output from stft with return_complex=True.")

    def refuse(why):
        call = _call("istft", input, n_fft, hop, width, window, center=center, normalized=normalized, onesided=onesided,
                     length=length, return_complex=return_complex)
        raise RuntimeError(call + why)

    if not input.numel():
        refuse(": input tensor cannot be empty.")
    if input.dim() not in (2, 3):
        refuse(f": expected a tensor with 3 or 4 dimensions, but got {input.dim() + 1}")
    frequencies, frames = input.size(-2), input.size(-1)
    half = frequencies != n_fft if onesided is None else onesided
    if half and n_fft // 2 + 1 != frequencies:
        refuse(": expected the frequency dimension (3rd to the last) of the input tensor to match n_fft / 2 + 1 when onesided=True, "
               f"but got {frequencies}")
    if not half and n_fft != frequencies:
        refuse(": expected the frequency dimension (3rd to the last) of the input tensor to match n_fft when onesided=False, "
               f"but got {frequencies}")
    if not 0 < hop <= width:
        refuse(": expected 0 < hop_length <= win_length")
    if not 0 < width <= n_fft:
        refuse(": expected 0 < win_length <= n_fft")
    if window is not None and (window.dim() != 1 or window.size(0) != width):
        refuse(": Invalid window shape. window has to be 1D and length of `win_length`")
    part = _torch.float32 if input.dtype == _torch.complex64 else _torch.float64
    shape = window if window is not None else _torch.ones(width, dtype=part, device=input.device)
    if width != n_fft:
        left = (n_fft - width) // 2
        shape = _torch.pad(shape, [left, n_fft - width - left])
    spectra = (input if input.dim() == 3 else input.unsqueeze(0)).transpose(1, 2)
    mode = _BY_ROOT if normalized else _BY_COUNT
    if return_complex:
        if half:
            raise RuntimeError("Cannot have onesided output if window or input is complex")
        stretches = _torch._fft_c2c(spectra, (2,), mode, False)
    else:
        if window is not None and window.is_complex():
            raise RuntimeError("Complex windows are incompatible with return_complex=False")
        if not half:
            spectra = spectra[:, :, :n_fft // 2 + 1]
        stretches = _torch._fft_c2r(spectra, (2,), mode, n_fft)
    whole = n_fft + hop * (frames - 1)
    at = (_torch.arange(frames, device=input.device)[:, None] * hop + _torch.arange(n_fft, device=input.device)).reshape(-1)

    def overlapped(t):
        """(batch, frames, n_fft) to (batch, whole), where stretches that overlap are added."""
        flat = t.reshape(t.size(0), -1)
        return _torch.zeros((t.size(0), whole), dtype=t.dtype, device=t.device).index_add(1, at, flat)

    weighted = stretches * shape.view(1, 1, n_fft)
    start = n_fft // 2 if center else 0
    end = start + length if length is not None else whole - n_fft // 2 if center else whole
    signal = overlapped(weighted)[:, start:end]
    envelope = overlapped((shape * shape).expand(1, frames, n_fft))[:, start:end]
    lowest = envelope.abs().min().lt(1e-11)
    if lowest.item():
        refuse(f"window overlap add min: {int(lowest)}\n[ CPUBoolType{{}} ]")
    signal = signal / envelope
    signal = signal if input.dim() == 3 else signal.squeeze(0)
    if end > whole:
        warnings.warn("The length of signal is shorter than the length parameter. Result is being padded with zeros in the tail. "
                      "Please check your center and hop_length settings.", stacklevel=2)
        signal = _torch.pad(signal, [0, end - whole])
    return signal


istft = _torch._composed("istft", istft)
