# SPDX-License-Identifier: Apache-2.0
"""Statistics of a series over time: mean, its error, autocorrelation time, spectrum."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lbm.results.errors import need
from lbm.results.lazy import Array

_WINDOW = 5  # autocorrelation times after which the sum of the correlations ends (Sokal 1997)
_FEWEST_TIMES = 20  # autocorrelation times in a series below which its error is not told
_FEWEST_SAMPLES = 20
_SAME = 3  # errors by which the means of two halves may differ in a settled flow
_STILL = 1e-3  # fluctuation over mean of a steady flow


@dataclass(frozen=True)
class Summary:
    """A series of equal intervals. Errors are standard errors (68 %); None: not known.

    deviation: standard deviation. correlation: integrated autocorrelation time, twice the decay
    time of an exponential correlation. state: "steady", "fluctuating" about a mean, "changing", or
    "too short, or changing".
    """

    mean: float
    deviation: float
    correlation: float | None
    error: float | None
    last: float
    state: str


def settled(times: Array) -> Array:
    """Which samples count: those of the second half of the time, [samples] of bool."""
    if not len(times):
        return np.zeros(0, bool)
    late: Array = times >= (times[0] + times[-1]) / 2
    return late


def correlation_samples(values: Array) -> float | None:
    """The integrated autocorrelation time 1 + 2 sum r_k, in samples; None: it does not end.

    r_k is the correlation at a distance of k samples. The sum ends at the first k of at least five
    times its result (Sokal, "Monte Carlo methods in statistical mechanics", 1997).
    """
    count = len(values)
    fluctuation = values - values.mean()
    if count < _FEWEST_SAMPLES or not fluctuation.any():
        return None
    padded = 1 << (2 * count - 1).bit_length()  # so that the ends do not meet
    power = np.abs(np.fft.rfft(fluctuation, padded)) ** 2
    correlation = np.fft.irfft(power, padded)[: count // 2]
    sums = 2 * np.cumsum(correlation / correlation[0]) - 1
    ends = np.arange(len(sums)) >= _WINDOW * sums
    return max(float(sums[np.argmax(ends)]), 1.0) if ends.any() else None


def summary(times: Array, values: Array) -> Summary | None:
    """The statistics of a series; None where no value is finite. Others are left out."""
    finite = np.isfinite(values) & np.isfinite(times)
    times, values = times[finite], values[finite]
    if not len(values):
        return None
    mean, deviation = float(values.mean()), float(values.std())
    samples = correlation_samples(values)
    known = samples is not None and len(values) >= _FEWEST_TIMES * samples
    error = deviation * (samples / len(values)) ** 0.5 if known and samples else None
    time = None if samples is None else samples * float(np.median(np.diff(times)))
    return Summary(mean, deviation, time, error, float(values[-1]), _state(values, error))


def _state(values: Array, error: float | None) -> str:
    mean, deviation = float(values.mean()), float(values.std())
    if deviation <= _STILL * abs(mean) or deviation == 0:
        return "steady"
    if error is None:
        return "too short, or changing"
    halves = np.array_split(values, 2)
    apart = abs(float(halves[0].mean() - halves[1].mean()))
    return "fluctuating" if apart <= _SAME * 2 * error else "changing"


def envelope(times: Array, values: Array, most: int = 1000) -> tuple[Array, Array]:
    """The same curve in at most 2 x `most` points: smallest and largest value of equal parts.

    A series of so few samples is returned as it is. Values that are not finite are left out, and
    parts without a finite value are gaps (nan).
    """
    if len(values) <= 2 * most:
        return times, np.where(np.isfinite(values), values, np.nan)
    starts = np.linspace(0, len(values), most, endpoint=False).astype(int)
    values = np.where(np.isfinite(values), values, np.nan)
    low, high = np.fmin.reduceat(values, starts), np.fmax.reduceat(values, starts)
    at = times[starts]
    return np.repeat(at, 2), np.stack([low, high], axis=-1).ravel()


@dataclass(frozen=True)
class Spectrum:
    """Power over frequency. peak: frequency that stands out; None: none does. width: of a bin."""

    frequencies: Array
    power: Array
    peak: float | None
    width: float


_PEAK_SHARE = 0.3  # of the power, near a frequency that stands out
_SEGMENTS = 2  # non-overlapping segments of Welch's method: few, so that low frequencies show


def spectrum(times: Array, values: Array) -> Spectrum | None:
    """The power spectral density by Welch's method; None below 64 samples, or of a constant."""
    finite = np.isfinite(values)
    values = values[finite]
    step = float(np.median(np.diff(times))) if len(times) > 1 else 0.0
    if len(values) < 64 or step <= 0 or values.std() == 0:
        return None
    mlab = need("matplotlib.mlab", "matplotlib", "a report")
    length = len(values) // _SEGMENTS
    power, frequencies = mlab.psd(
        values - values.mean(),
        NFFT=length,
        Fs=1 / step,
        detrend="linear",
        noverlap=length // 2,
    )
    frequencies, power = frequencies[1:], power[1:]
    at = int(np.argmax(power))
    near = power[max(at - 2, 0) : at + 3].sum() / power.sum()
    stands_out = near >= _PEAK_SHARE and at >= 3  # below: less than three periods in a segment
    peak = _between(frequencies, power, at) if stands_out else None
    return Spectrum(frequencies, power, peak, float(frequencies[0]))


def _between(frequencies: Array, power: Array, at: int) -> float:
    """The top of the parabola through the logarithms of the power at the peak and beside it."""
    if at + 1 >= len(power) or power[at - 1] <= 0 or power[at + 1] <= 0:
        return float(frequencies[at])
    low, top, high = np.log(power[at - 1 : at + 2])
    curvature = low - 2 * top + high
    shift = 0.5 * (low - high) / curvature if curvature < 0 else 0.0
    return float(frequencies[at] + shift * frequencies[0])
