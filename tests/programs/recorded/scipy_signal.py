"""Filters, peaks, spectra and windows."""

import numpy as np
from scipy import sparse
from scipy import signal
from scipy import ndimage
from scipy import spatial
from scipy import linalg
from scipy import fft
from scipy.spatial import distance
from scipy.spatial import KDTree
from scipy.cluster import hierarchy
from scipy.cluster import vq
from scipy.sparse import csr_matrix
from scipy.sparse import coo_matrix
from scipy.sparse import csc_matrix
from scipy.sparse import lil_matrix
from scipy.sparse import diags
from scipy.sparse import eye
from scipy.sparse import csr_array
from scipy.sparse import dok_matrix
from scipy.sparse import hstack
from scipy.sparse import vstack
from scipy.sparse import random as sprandom
from scipy.sparse import linalg as sla
from scipy.sparse import csgraph
print(repr(csr_matrix(np.eye(2), dtype=int)))
b, a = signal.butter(3, 0.2)
print(repr(b))
print(repr(a))
print(repr(signal.butter(2, [0.1, 0.4], btype='band', output='sos')))
print(repr(signal.butter(4, 10, fs=100, btype='high')))
x = np.sin(np.arange(30) * 0.3) + 0.3 * np.cos(np.arange(30) * 2.0)
print(repr(signal.lfilter(b, a, x)[:5]))
print(repr(signal.filtfilt(b, a, x)[:5]))
print(repr(signal.sosfilt(signal.butter(2, 0.2, output='sos'), x)[:4]))
print(repr(signal.sosfiltfilt(signal.butter(2, 0.2, output='sos'), x)[:4]))
print(repr(signal.lfilter_zi(b, a)))
print(repr(signal.find_peaks(x)))
print(repr(signal.find_peaks(x, height=0.5, distance=3)))
print(repr(signal.find_peaks(x, prominence=0.5)))
print(repr(signal.peak_widths(x, signal.find_peaks(x)[0], rel_height=0.5)[0]))
print(repr(signal.argrelextrema(x, np.greater)))
print(repr(signal.peak_prominences(x, [5])))
print(repr(signal.freqz(b, a, worN=4)))
print(repr(signal.savgol_filter(x, 5, 2)[:4]))
print(repr(signal.medfilt(x, 3)[:4]))
print(repr(signal.wiener(x, 3)[:4]))
print(repr(signal.detrend(x)[:4]))
print(repr(signal.resample(x, 10)[:4]))
print(repr(signal.decimate(x, 2)[:3]))
print(repr(signal.hilbert(x)[:2]))
print(repr(signal.welch(x, nperseg=16)))
print(repr(signal.spectrogram(x, nperseg=8)[2].shape))
print(repr(signal.stft(x, nperseg=8)[2].shape))
print(repr(signal.csd(x, x, nperseg=8)[1][:2]))
print(repr(signal.coherence(x, x[::-1], nperseg=8)[1]))
print(repr(signal.windows.hann(5)))
print(repr(signal.get_window('hamming', 5)))
print(repr(signal.windows.gaussian(5, 1)))
print(repr(signal.windows.blackman(4)))
print(repr(signal.windows.kaiser(4, 3.0)))
print(repr(signal.windows.tukey(5)))
print(repr(signal.windows.boxcar(3)))
print(repr(signal.windows.triang(4)))
print(repr(signal.windows.bartlett(4)))
print(repr(signal.windows.flattop(4)))
print(repr(signal.firwin(5, 0.3)))
print(repr(signal.iirnotch(0.3, 10)))
print(repr(signal.cheby1(2, 1, 0.3)))
print(repr(signal.cheby2(2, 20, 0.3)))
print(repr(signal.iirpeak(0.3, 10)))
print(repr(signal.square(np.arange(4.0))))
print(repr(signal.sawtooth(np.arange(4.0))))
print(repr(signal.chirp(np.arange(3.0), 0, 1, 2)))
print(repr(signal.gausspulse(0.1)))
print(repr(signal.unit_impulse(4, 1)))
print(repr(signal.convolve([1, 2], [1, 1])))
print(repr(signal.correlate([1, 2, 3], [0, 1, 0.5])))
print(repr(signal.oaconvolve([1, 2, 3], [1, 1])))
print(repr(signal.deconvolve([1, 3, 2], [1, 1])))
print(repr(signal.correlation_lags(3, 2)))
print(repr(signal.tf2zpk([1, 2], [1, 3, 2])))
m = np.arange(16.0).reshape(4, 4)
from scipy import constants
from scipy import io
