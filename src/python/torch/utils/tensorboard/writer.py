"""The writers. Nothing here shows the files: TensorBoard does, where it is installed."""

import io
import itertools
import os
import time

import numpy as np
import torch

from . import _records as to

_numbers = itertools.count()


def _array(x):
    if isinstance(x, np.ndarray):
        return x
    if np.isscalar(x):
        return np.array([x])
    if isinstance(x, torch.Tensor):
        return (x.to(torch.float16) if x.dtype == torch.bfloat16 else x).detach().cpu().numpy()
    raise NotImplementedError(f"Got {type(x)}, but numpy array or torch tensor are expected.")


def _scalar(tag, value, new_style=False, double_precision=False):
    value = _array(value).squeeze()
    if value.ndim != 0:
        raise AssertionError(f"Tensor should contain one element (0 dimensions).             Was given size: {value.size} and "
                             f"{value.ndim} dimensions.")
    value = float(value)
    if not new_style:
        return to.part(1, to.part(1, tag) + to.single(2, value))
    # A tensor: its type, then its number as a list.
    if double_precision:
        tensor = to.whole(1, 2) + to.doubles(6, [value])
    else:
        tensor = to.whole(1, 1) + to.part(5, to.single(1, value)[1:])
    return to.part(1, to.part(1, tag) + to.part(8, tensor) + to.part(9, to.part(1, to.part(1, "scalars"))))


def _histogram(tag, values, bins, max_bins):
    values = _array(values).astype(float)
    if values.size == 0:
        raise ValueError("The input has no element.")
    if max_bins is not None:
        raise NotImplementedError("SummaryWriter.add_histogram(max_bins=)")
    values = values.reshape(-1)
    counts, limits = np.histogram(values, bins=bins)
    filled = np.cumsum(np.greater(counts, 0))
    if filled[-1] == 0:
        raise ValueError("The histogram is empty, please file a bug report.")
    # From the last empty bin before the first number to the bin of the last number.
    start, end = (int(i) for i in np.searchsorted(filled, [0, filled[-1] - 1], side="right"))
    end += 1
    counts = counts[start - 1:end] if start > 0 else np.concatenate([[0], counts[:end]])
    limits = limits[start:end + 1]
    numbers = (values.min(), values.max(), len(values), values.sum(), values.dot(values))
    body = b"".join(to.double(i, float(v)) for i, v in enumerate(numbers, 1))
    body += to.doubles(6, [float(v) for v in limits]) + to.doubles(7, [float(v) for v in counts])
    return to.part(1, to.part(1, tag) + to.part(5, body))


def _as_picture(tensor, form):
    """Rows, columns and channels, from dimensions in another order."""
    if len(set(form)) != len(form):
        raise AssertionError(f"You can not use the same dimension shorthand twice.             input_format: {form}")
    if len(tensor.shape) != len(form):
        raise AssertionError("size of input tensor and input format are different.         tensor shape: "
                             f"{tensor.shape}, input_format: {form}")
    form = form.upper()
    if len(form) == 4:
        images = tensor.transpose([form.find(c) for c in "NCHW"])
        count, channels, height, width = images.shape
        across = min(count, 8)
        down = -(-count // across)
        whole = np.zeros((3, down * height, across * width), dtype=images.dtype)
        for k in range(count):
            top, left = k // across * height, k % across * width
            whole[:, top:top + height, left:left + width] = images[k]
        return whole.transpose(1, 2, 0)
    if len(form) == 3:
        picture = tensor.transpose([form.find(c) for c in "HWC"])
        return np.concatenate([picture] * 3, 2) if picture.shape[2] == 1 else picture
    return np.stack([tensor.transpose([form.find(c) for c in "HW"])] * 3, 2)


def _image(tag, tensor, form):
    from PIL import Image

    picture = _as_picture(_array(tensor), form)
    scale = 1 if picture.dtype == np.uint8 else 255
    picture = (picture.astype(np.float32) * scale).clip(0, 255).astype(np.uint8)
    file = io.BytesIO()
    Image.fromarray(picture).save(file, format="PNG")
    height, width, channels = picture.shape
    image = to.whole(1, height) + to.whole(2, width) + to.whole(3, channels) + to.part(4, file.getvalue())
    return to.part(1, to.part(1, tag) + to.part(4, image))


def _text(tag, text):
    tensor = to.whole(1, 7) + to.part(2, to.part(2, to.whole(1, 1))) + to.part(8, text)
    about = to.part(1, to.part(1, "text"))
    return to.part(1, to.part(1, tag + "/text_summary") + to.part(8, tensor) + to.part(9, about))


class FileWriter:
    """One event file. It's written when a queue is full, at `flush` and at `close`."""

    def __init__(self, log_dir, max_queue=10, flush_secs=120, filename_suffix=""):
        import platform

        self._dir = str(log_dir)
        self._most = max_queue
        os.makedirs(self._dir, exist_ok=True)
        name = f"events.out.tfevents.{int(time.time()):010d}.{platform.node() or 'localhost'}.{os.getpid()}.{next(_numbers)}{filename_suffix}"
        self._path = os.path.join(self._dir, name)
        self._waiting = [to.record(to.event(time.time(), version="brain.Event:2"))]
        self.flush()

    def get_logdir(self):
        return self._dir

    def add_summary(self, summary, global_step=None, walltime=None):
        self._waiting.append(to.record(to.event(time.time() if walltime is None else walltime, global_step, summary)))
        if len(self._waiting) > self._most:
            self.flush()

    def flush(self):
        with open(self._path, "ab") as file:
            file.write(b"".join(self._waiting))
        self._waiting = []

    def close(self):
        self.flush()


class SummaryWriter:
    def __init__(self, log_dir=None, comment="", purge_step=None, max_queue=10, flush_secs=120, filename_suffix=""):
        if purge_step is not None:
            raise NotImplementedError("SummaryWriter(purge_step=)")
        if not log_dir:
            import platform
            from datetime import datetime

            log_dir = os.path.join("runs", datetime.now().strftime("%b%d_%H-%M-%S") + "_" + (platform.node() or "localhost") + comment)
        self.log_dir, self.purge_step = log_dir, purge_step
        self.max_queue, self.flush_secs, self.filename_suffix = max_queue, flush_secs, filename_suffix
        self.file_writer = self.all_writers = None
        self._get_file_writer()
        edges, edge = [], 1e-12
        while edge < 1e20:
            edges.append(edge)
            edge *= 1.1
        self.default_bins = [-edge for edge in edges[::-1]] + [0] + edges

    def _new_writer(self, log_dir):
        return FileWriter(log_dir, self.max_queue, self.flush_secs, self.filename_suffix)

    def _get_file_writer(self):
        if self.all_writers is None or self.file_writer is None:
            self.file_writer = self._new_writer(self.log_dir)
            self.all_writers = {self.file_writer.get_logdir(): self.file_writer}
        return self.file_writer

    def get_logdir(self):
        return self.log_dir

    def add_scalar(self, tag, scalar_value, global_step=None, walltime=None, new_style=False, double_precision=False):
        self._get_file_writer().add_summary(_scalar(tag, scalar_value, new_style, double_precision), global_step, walltime)

    def add_scalars(self, main_tag, tag_scalar_dict, global_step=None, walltime=None):
        walltime = time.time() if walltime is None else walltime
        folder = self._get_file_writer().get_logdir()
        for tag, value in tag_scalar_dict.items():
            place = folder + "/" + main_tag.replace("/", "_") + "_" + tag
            if place not in self.all_writers:
                self.all_writers[place] = self._new_writer(place)
            self.all_writers[place].add_summary(_scalar(main_tag, value), global_step, walltime)

    def add_histogram(self, tag, values, global_step=None, bins="tensorflow", walltime=None, max_bins=None):
        bins = self.default_bins if isinstance(bins, str) and bins == "tensorflow" else bins
        self._get_file_writer().add_summary(_histogram(tag, values, bins, max_bins), global_step, walltime)

    def add_image(self, tag, img_tensor, global_step=None, walltime=None, dataformats="CHW"):
        self._get_file_writer().add_summary(_image(tag, img_tensor, dataformats), global_step, walltime)

    def add_images(self, tag, img_tensor, global_step=None, walltime=None, dataformats="NCHW"):
        if isinstance(img_tensor, list):
            img_tensor = torch.stack(img_tensor)
        self._get_file_writer().add_summary(_image(tag, img_tensor, dataformats), global_step, walltime)

    def add_text(self, tag, text_string, global_step=None, walltime=None):
        self._get_file_writer().add_summary(_text(tag, text_string), global_step, walltime)

    def flush(self):
        for writer in (self.all_writers or {}).values():
            writer.flush()

    def close(self):
        for writer in (self.all_writers or {}).values():
            writer.close()
        self.file_writer = self.all_writers = None

    def __enter__(self):
        return self

    def __exit__(self, kind, error, tb):
        self.close()


def _refused(name):
    def refuse(self, *args, **options):
        raise NotImplementedError(f"SummaryWriter.{name}: the event files here hold scalars, histograms, images and text")

    refuse.__name__ = name
    return refuse


for _name in ("add_graph", "add_onnx_graph", "add_embedding", "add_figure", "add_hparams", "add_pr_curve", "add_pr_curve_raw",
              "add_video", "add_audio", "add_mesh", "add_tensor", "add_histogram_raw", "add_image_with_boxes",
              "add_custom_scalars", "add_custom_scalars_multilinechart", "add_custom_scalars_marginchart"):
    setattr(SummaryWriter, _name, _refused(_name))
