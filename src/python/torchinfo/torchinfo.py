"""`summary`: runs a model once and lists its layers in the order in which they ran."""

import torch

from .enums import ColumnSettings, Mode, RowSettings
from .layer_info import LayerInfo, size_of
from .model_statistics import FormattingOptions, ModelStatistics

_cached = {}
# What sizeof says of a storage beside its bytes.
_STORAGE = 64
_NEED_INPUT = ("input_size", "mult_adds", "output_size")


def clear_cached_forward_pass():
    _cached.clear()


def _names(kind, given):
    return tuple(kind(name).value for name in given)


def summary(
    model,
    input_size=None,
    input_data=None,
    batch_dim=None,
    cache_forward_pass=None,
    col_names=None,
    col_width=25,
    depth=3,
    device=None,
    dtypes=None,
    mode=None,
    row_settings=None,
    verbose=None,
    **kwargs,
):
    if col_names is None:
        col_names = ("num_params",) if input_size is None and input_data is None else ("output_size", "num_params")
    columns = _names(ColumnSettings, col_names)
    rows = set(_names(RowSettings, ("depth",) if row_settings is None else row_settings))
    mode = Mode.EVAL if mode is None else Mode(mode)
    verbose = 1 if verbose is None else verbose
    if device is None and input_data is None:
        first = next(model.parameters(), None)
        device = (
            first.device if first is not None and first.is_cuda else torch.device("cuda" if torch.cuda.is_available() else "cpu")
        )
    elif isinstance(device, str):
        device = torch.device(device)
    if col_width <= 0:
        raise ValueError(f"Column width must be greater than 0: col_width={col_width}")
    if verbose not in (0, 1, 2):
        raise ValueError("Verbose must be either 0 (quiet), 1 (default), or 2 (verbose).")
    if input_data is not None and input_size is not None:
        raise RuntimeError("Only one of (input_data, input_size) should be specified.")
    refused = {ColumnSettings(c) for c in columns if c in _NEED_INPUT}
    if input_data is None and input_size is None and refused:
        raise ValueError(f"You must pass input_data or input_size in order to use columns: {refused}")

    inputs, sizes = _inputs(input_data, input_size, batch_dim, device, dtypes)
    layers = _run(model, inputs, batch_dim, bool(cache_forward_pass), device, mode, kwargs)
    found = ModelStatistics(layers, sizes, _bytes(inputs), FormattingOptions(depth, verbose, columns, col_width, rows))
    if verbose > 0:
        print(found)
    return found


def _each(data, change):
    """Nested data with each tensor changed."""
    if isinstance(data, torch.Tensor):
        return change(data)
    if isinstance(data, dict):
        return type(data)({k: _each(v, change) for k, v in data.items()})
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return type(data)(*(_each(v, change) for v in data))
    if isinstance(data, (list, tuple)):
        return type(data)([_each(v, change) for v in data])
    return data


def _bytes(data):
    if isinstance(data, torch.Tensor):
        return data.untyped_storage().nbytes() + _STORAGE
    if isinstance(data, dict):
        return sum(map(_bytes, data.values()))
    return sum(map(_bytes, data)) if isinstance(data, (list, tuple)) else 0


def _flat(sizes):
    for item in sizes:
        if isinstance(item, (list, tuple)):
            yield from _flat(item)
        else:
            yield item


def _inputs(input_data, input_size, batch_dim, device, dtypes):
    if input_data is not None:
        sizes = _each(input_data, lambda t: t.size())
        moved = input_data if device is None else _each(input_data, lambda t: t.to(device))
        return [moved] if isinstance(moved, torch.Tensor) or hasattr(moved, "__array__") else moved, sizes
    if input_size is None:
        return None, []
    dtypes = [torch.float] * len(input_size) if dtypes is None else dtypes
    if not isinstance(input_size, (list, tuple)):
        raise TypeError(
            "Input_size is not a recognized type. Please ensure input_size is valid.\nFor multiple inputs to the network, "
            "ensure input_size is a list of tuple sizes. If you are having trouble here, please submit a GitHub issue."
        )
    if not input_size or any(size <= 0 for size in _flat(input_size)):
        raise ValueError("Input_data is invalid, or negative size found in input_data.")
    sizes = [tuple(input_size)] if isinstance(input_size[0], int) else list(input_size)
    made = []
    for size, dtype in zip(sizes, dtypes):
        drawn = torch.rand(*size)
        made.append((drawn if batch_dim is None else drawn.unsqueeze(batch_dim)).to(device).type(dtype))
    return made, sizes


def _run(model, inputs, batch_dim, cache, device, mode, options):
    name = type(model).__name__
    if cache and name in _cached:
        return _cached[name]
    layers, handles = [], {}
    seen, current = set(), {}

    def begin(var_name, depth, parent):
        def hook(module, _):
            info = LayerInfo(var_name, module, depth, parent)
            info.calculate_num_params()
            info.is_recursive = info.layer_id in seen
            layers.append(info)
            seen.add(info.layer_id)
            current[info.layer_id] = info

        return hook

    def end(module, given, result):
        info = current[id(module)]
        if any(True for _ in info._parameters()):
            info.calculate_num_params()
        info.input_size, _ = size_of(given, batch_dim)
        info.output_size, width = size_of(result, batch_dim)
        count = 1
        for n in info.output_size:
            count *= n
        info.output_bytes, info.executed = width * count, True
        info.calculate_macs()

    waiting = [(name, model, 0, None)]
    while waiting:
        var_name, module, depth, parent = waiting.pop()
        # A container whose call is never seen, such as a ModuleList, is listed with the first of its layers that runs.
        current[id(module)] = info = LayerInfo(var_name, module, depth, parent)
        if inputs is None:
            begin(var_name, depth, parent)(module, None)
            info = current[id(module)]
        else:
            # A module that is in two places is listed as in the last one.
            for handle in handles.pop(id(module), ()):
                handle.remove()
            handles[id(module)] = (
                module.register_forward_pre_hook(begin(var_name, depth, parent)),
                module.register_forward_hook(end),
            )
        waiting += [(n, m, depth + 1, info) for n, m in reversed(list(module._modules.items())) if m is not None]
    if inputs is not None:
        _forward(model, inputs, device, mode, options, layers, handles)
        _add_containers(layers)
    counts = {}
    for at, info in enumerate(layers):
        counts[info.depth] = counts.get(info.depth, 0) + 1
        info.depth_index = counts[info.depth]
        info.children = []
        for later in layers[at + 1 :]:
            if later.depth <= info.depth:
                break
            info.children.append(later)
    if inputs is not None:
        _cached[name] = layers
    return layers


def _forward(model, inputs, device, mode, options, layers, handles):
    training = model.training
    options = _each(options, lambda t: t if device is None else t.to(device))
    try:
        model.train(mode is Mode.TRAIN)
        with torch.no_grad():
            if device is not None:
                model.to(device)
            if isinstance(inputs, dict):
                model(**inputs, **options)
            else:
                model(*inputs, **options)
    except Exception as error:
        ran = [info for info in layers if info.executed]
        raise RuntimeError(
            "Failed to run torchinfo. See above stack traces for more details. " f"Executed layers up to: {ran}"
        ) from error
    finally:
        for pair in handles.values():
            for handle in pair:
                handle.remove()
        model.train(training)


def _add_containers(layers):
    """Puts each container that wasn't called before the first of its layers."""
    known, path, at = {info.layer_id for info in layers}, {}, 0
    while at < len(layers):
        info, above, parent = layers[at], {}, layers[at].parent_info
        while parent is not None and parent.depth > 0:
            above[parent.depth] = parent
            parent = parent.parent_info
        for depth in range(1, info.depth):
            outer = above[depth]
            if (depth not in path or path[depth].module is not outer.module) and outer is not layers[at - 1]:
                outer.calculate_num_params()
                outer.is_recursive = outer.is_recursive or outer.layer_id in known
                layers.insert(at, outer)
                known.add(outer.layer_id)
                path[depth] = outer
                at += 1
        path[info.depth] = info
        for depth in [d for d in path if d > info.depth]:
            del path[depth]
        at += 1
