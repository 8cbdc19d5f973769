"""What a table says of one layer."""

from math import prod

import torch


def size_of(value, batch_dim):
    """The shape of what goes in or out of a layer, and how many bytes an element has."""

    def found(x):
        while True:
            if isinstance(x, torch.Tensor):
                return list(x.shape), x.element_size()
            if hasattr(x, "data") and isinstance(x.data, torch.Tensor):
                return list(x.data.shape), x.data.element_size()
            if not hasattr(x, "__getitem__") or not x:
                return [], 0
            x = list(x.values())[-1] if isinstance(x, dict) else x[0]

    if value is None:
        return [], 0
    if not isinstance(value, (torch.Tensor, list, tuple, dict)) and not hasattr(value, "__array__"):
        raise TypeError(f"Model contains a layer with an unsupported input or output type: {value}, type: {type(value)}")
    shape, width = found(value)
    if batch_dim is not None and not isinstance(value, torch.Tensor) and batch_dim < len(shape):
        shape[batch_dim] = 1
    return shape, width


class LayerInfo:
    def __init__(self, var_name, module, depth, parent_info=None):
        self.layer_id, self.module, self.class_name = id(module), module, type(module).__name__
        self.var_name, self.depth, self.parent_info = var_name, depth, parent_info
        self.depth_index, self.children = None, []
        self.executed = self.is_recursive = False
        self.is_leaf_layer = not any(True for _ in module.children())
        kernel = getattr(module, "kernel_size", None)
        self.kernel_size = list(kernel) if isinstance(kernel, (list, tuple)) else kernel
        self.input_size, self.output_size, self.output_bytes, self.macs = [], [], 0, 0
        self.num_params = self.trainable_params = self.param_bytes = 0
        self.inner_layers = {}

    def __repr__(self):
        return f"{self.class_name}: {self.depth}"

    def _parameters(self):
        """Each parameter's name and how many numbers of it count: those that pruning left."""
        for name, parameter in self.module.named_parameters():
            if torch.nn.parameter.is_lazy(parameter):
                continue
            count = parameter.nelement()
            if name.endswith("_orig"):
                owner, _, last = name[:-5].rpartition(".")
                mask = getattr(self.module.get_submodule(owner), f"{last}_mask", None)
                name, count = (name[:-5], int(mask.sum())) if mask is not None else (name, count)
            yield name, parameter, count

    def calculate_num_params(self):
        self.num_params = self.trainable_params = self.param_bytes = 0
        self.inner_layers = {}
        for name, parameter, count in self._parameters():
            self.param_bytes += parameter.element_size() * count
            self.num_params += count
            self.trainable_params += count if parameter.requires_grad else 0
            shape = list(parameter.shape)
            if name == "weight" and len(shape) > 1:
                shape[0], shape[1] = shape[1], shape[0]
            if self.parent_info is not None or "." not in name:
                self.inner_layers[name] = {"kernel_size": str(shape), "num_params": f"├─{count:,}"}
        if self.inner_layers:
            last = self.inner_layers[list(self.inner_layers)[-1]]
            last["num_params"] = "└─" + last["num_params"][2:]

    def calculate_macs(self):
        """Multiplications, as torchinfo counts them: a layer's parameters for each place of its output."""
        for name, _, count in self._parameters():
            if name in ("weight", "bias"):
                across = prod(self.output_size[:1] + self.output_size[2:]) if "Conv" in self.class_name else self.output_size[0]
                self.macs += int(across * count)
            elif "weight" in name or "bias" in name:
                self.macs += prod(self.output_size[:2]) * count

    @property
    def trainable(self):
        if self.num_params == 0:
            return "--"
        if self.trainable_params == 0:
            return "False"
        return "True" if self.trainable_params == self.num_params else "Partial"

    def _left(self, name):
        """What a layer has beside all the layers inside it."""
        inside = sum(getattr(c, name) if c.is_leaf_layer else c._left(name) for c in self.children if not c.is_recursive)
        return getattr(self, name) - inside

    def leftover_params(self):
        return self._left("num_params")

    def leftover_trainable_params(self):
        return self._left("trainable_params")

    def get_layer_name(self, show_var_name, show_depth):
        name = self.class_name + (f" ({self.var_name})" if show_var_name and self.var_name else "")
        if show_depth and self.depth > 0:
            name += f": {self.depth}" + (f"-{self.depth_index}" if self.depth_index is not None else "")
        return name

    def shown(self, column, total, whole):
        """A cell of the table; `whole` is true where the layers below aren't shown."""
        if column in ("kernel_size", "input_size", "output_size"):
            value = getattr(self, column)
            return str(value) if value else "--"
        if column == "trainable":
            return self.trainable
        if column == "mult_adds":
            if self.macs <= 0:
                return "--"
            if self.is_leaf_layer:
                return f"{self.macs:,}"
            return f"{sum(c.macs for c in self.children if c.is_leaf_layer):,}" if whole else "--"
        count = self.num_params if whole or self.is_leaf_layer else self.leftover_params()
        if column == "params_percent":
            if total == 0:
                return "     --"
            if self.is_recursive:
                return "(recursive)"
            return f"{count / total:>7.2%}" if count else "     --"
        if self.num_params == 0:
            return "--"
        if self.is_recursive:
            return "(recursive)"
        if whole or self.is_leaf_layer:
            return f"{count:,}" if self.trainable_params else f"({count:,})"
        return f"{count:,}" if count > 0 else "--"
