"""Dates and lengths of time in arrays: making them, units, arithmetic, comparing, sorting, printing, Python's own dates; the order of
contractions, and large numbers of few digits in print."""

import datetime

import numpy as np


def show(*values):
    for value in values:
        print(repr(value))


def refused(function):
    try:
        print(function())
    except Exception as error:
        print(type(error).__name__, error)


days = np.arange("2024-01-28", "2024-02-04", dtype="datetime64[D]")
show(days, days.dtype, days.dtype.kind, str(days.dtype), np.diff(days), days - days[0], (days - days[0]).astype(int))
print(days)
show(days[0], days[-1] - days[0], (days[-1] - days[0]) / np.timedelta64(1, "h"), days + 1, days[:2] + np.timedelta64(90, "m"))
show(days.astype("datetime64[M]"), days[:2].astype("datetime64[s]"), days[:1].astype(str), days > np.datetime64("2024-02-01"))
show(days.min(), days[::-1].argmax(), np.sort(days[::-1])[:2], np.unique(np.array(["2024-01-02", "2024-01-01", "2024-01-02"], "M8[D]")))
show(np.where(days > np.datetime64("2024-02-01"), days, np.datetime64("NaT")), np.concatenate([days[:1], days[-1:]]))
show(np.array(["2024-01-01T10:30", "NaT"], dtype="datetime64"), np.isnat(np.array(["2024-01-01", "NaT"], "M8[D]")))
show(np.array([np.datetime64("2024-01-01"), np.datetime64("2024-01-01T05")]), np.zeros((1, 2), "M8[D]"), np.arange(3, dtype="m8[D]"))
show(np.arange(np.datetime64("2024-01"), np.datetime64("2024-06"), np.timedelta64(2, "M")), np.full(2, np.datetime64("2024-01-01")))
show(days.tolist()[:1], days[0].item(), np.datetime64("2024-01-01T03:00:00").astype(datetime.datetime), np.timedelta64(3, "D").item())
show(np.datetime64(datetime.datetime(2024, 1, 1, 5)), np.datetime64(datetime.date(2024, 1, 1)), np.datetime64(10, "D"))
show(np.datetime64("2024-01-31", "M"), np.datetime64("2024-01-01") + np.timedelta64(12, "h"), np.datetime64("NaT"))
show(np.timedelta64(90, "m").astype("m8[h]"), np.timedelta64(3, "h") * 2, np.timedelta64(-7, "s") / 2, str(np.timedelta64(2, "D")))
show(np.array([1, 2, 3], "m8[h]") / np.timedelta64(1, "m"), np.array([1, 2, 3], "m8[D]").mean(), np.array([1, "NaT", 1000], "m8[s]"))
show(days.view("int64")[:2], days.astype(float)[:1], days.searchsorted(np.datetime64("2024-01-30")), days == "2024-01-28")
show(np.datetime_as_string(days[:1], unit="s"), np.is_busday(days), np.busday_count("2024-01-01", "2024-02-01"))
show(np.busday_offset("2024-01-06", 1, roll="forward"), np.issubdtype(days.dtype, np.datetime64), np.dtype("datetime64[ns]"))
show({np.datetime64("2024-01-01"): 1}[np.datetime64("2024-01-01")], hash(np.timedelta64(1, "D")) == hash(np.timedelta64(24, "h")))
copy = days[:3].copy()
copy[1] = "2025-12-31"
copy[2] = np.datetime64("NaT")
show(copy, days.reshape(7, 1).shape, np.maximum(copy, days[:3]), [f"{d:>12}" for d in copy])
for wrong in (lambda: np.datetime64("hello"), lambda: days + days, lambda: days * 2, lambda: days.mean(), lambda: np.datetime64(5),
              lambda: np.datetime64("2024-13-01"), lambda: days >= "2024-01-30", lambda: np.timedelta64(1, "Y") + np.timedelta64(1, "D")):
    refused(wrong)

ones = np.ones
print(np.einsum_path("ij,jk,kl->il", ones((2, 3)), ones((3, 4)), ones((4, 5)), optimize="optimal")[1])
print(np.einsum_path("ea,fb,abcd,gc,hd->efgh", ones((4, 4)), ones((4, 4)), ones((4,) * 4), ones((4, 4)), ones((4, 4)))[0])
show(np.array([1000000.0, 1.5], "float32"), np.array([1000.0], "float16"), np.arange(10000, 10017, dtype="int32"), np.finfo("float32"))
