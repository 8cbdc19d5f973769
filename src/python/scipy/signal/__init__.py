"""Convolution, filters, peaks, windows and spectra."""

import importlib

from scipy import lacking

from ._convolution import convolve, convolve2d, correlate, correlate2d, fftconvolve

oaconvolve = fftconvolve
_PLACES = {
    "_filters": ("bessel butter buttord cheby1 cheby2 decimate deconvolve ellip filtfilt firwin freqz freqz_zpk iirfilter iirnotch iirpeak "
                 "lfilter lfilter_zi lfiltic medfilt savgol_coeffs savgol_filter sos2tf sos2zpk sosfilt sosfilt_zi sosfiltfilt "
                 "sosfreqz tf2sos tf2zpk wiener zpk2sos zpk2tf"),
    "_peaks": "argrelextrema argrelmax argrelmin find_peaks peak_prominences peak_widths",
    "_spectra": ("chirp coherence correlation_lags csd detrend gausspulse hilbert istft periodogram resample sawtooth spectrogram square "
                 "stft unit_impulse welch"),
}
_OF = {name: place for place, names in _PLACES.items() for name in names.split()}
_lacking = lacking("scipy.signal")


def __getattr__(name):
    if name in _OF:
        return getattr(importlib.import_module(f"scipy.signal.{_OF[name]}"), name)
    if name == "windows":
        return importlib.import_module("scipy.signal.windows")
    if name == "get_window":
        return importlib.import_module("scipy.signal.windows").get_window
    return _lacking(name)
