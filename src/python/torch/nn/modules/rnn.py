"""Recurrent layers and cells."""

import math
import numbers
import warnings

import _torch

from .. import init
from ..parameter import Parameter
from ..utils.rnn import PackedSequence
from .module import Module

__all__ = ["GRU", "GRUCell", "LSTM", "LSTMCell", "RNN", "RNNBase", "RNNCell", "RNNCellBase"]

_GATES = {"LSTM": 4, "GRU": 3, "RNN_TANH": 1, "RNN_RELU": 1}


class RNNBase(Module):
    """The common part of RNN, LSTM and GRU. Inputs are [length, batch, features], [batch, length, features] with
    `batch_first`, [length, features] without a batch, or a PackedSequence."""

    def __init__(
        self, mode, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0, bidirectional=False,
        proj_size=0, device=None, dtype=None,
    ):
        super().__init__()
        self.mode = mode
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.bias = bias
        self.batch_first = batch_first
        self.dropout = float(dropout)
        self.bidirectional = bidirectional
        self.proj_size = proj_size
        directions = 2 if bidirectional else 1
        if not isinstance(dropout, numbers.Number) or not 0 <= dropout <= 1 or isinstance(dropout, bool):
            raise ValueError(
                "dropout should be a number in range [0, 1] representing the probability of an element being zeroed"
            )
        if dropout > 0 and num_layers == 1:
            warnings.warn(
                "dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects num_layers "
                f"greater than 1, but got dropout={dropout} and num_layers={num_layers}",
                stacklevel=2,
            )
        for name, flag in (("bias", bias), ("batch_first", batch_first)):
            if not isinstance(flag, bool):
                raise TypeError(f"{name} should be of type bool, got: {type(flag).__name__}")
        if not isinstance(input_size, int):
            raise TypeError(f"input_size should be of type int, got: {type(input_size).__name__}")
        if input_size <= 0:
            raise ValueError("input_size must be greater than zero")
        if not isinstance(hidden_size, int):
            raise TypeError(f"hidden_size should be of type int, got: {type(hidden_size).__name__}")
        if hidden_size <= 0:
            raise ValueError("hidden_size must be greater than zero")
        if num_layers <= 0:
            raise ValueError("num_layers must be greater than zero")
        if proj_size < 0:
            raise ValueError("proj_size should be a positive integer or zero to disable projections")
        if proj_size >= hidden_size:
            raise ValueError("proj_size has to be smaller than hidden_size")
        rows = _GATES[mode] * hidden_size
        shown = proj_size or hidden_size
        self._flat_weights_names = []
        self._all_weights = []
        for layer in range(num_layers):
            width = input_size if layer == 0 else shown * directions
            for suffix in ["", "_reverse"][:directions]:
                shapes = {f"weight_ih_l{layer}{suffix}": (rows, width), f"weight_hh_l{layer}{suffix}": (rows, shown)}
                if bias:
                    shapes[f"bias_ih_l{layer}{suffix}"] = (rows,)
                    shapes[f"bias_hh_l{layer}{suffix}"] = (rows,)
                if proj_size > 0:
                    shapes[f"weight_hr_l{layer}{suffix}"] = (proj_size, hidden_size)
                for name, shape in shapes.items():
                    setattr(self, name, Parameter(_torch.empty(shape, device=device, dtype=dtype)))
                self._flat_weights_names.extend(shapes)
                self._all_weights.append(list(shapes))
        self.reset_parameters()

    def reset_parameters(self):
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def flatten_parameters(self):
        """Does nothing: the weights are used in place."""

    @property
    def _flat_weights(self):
        return [getattr(self, name) for name in self._flat_weights_names]

    @property
    def all_weights(self):
        return [[getattr(self, name) for name in names] for names in self._all_weights]

    def extra_repr(self):
        text = f"{self.input_size}, {self.hidden_size}"
        if self.proj_size != 0:
            text += f", proj_size={self.proj_size}"
        if self.num_layers != 1:
            text += f", num_layers={self.num_layers}"
        if self.bias is not True:
            text += f", bias={self.bias}"
        if self.batch_first is not False:
            text += f", batch_first={self.batch_first}"
        if self.dropout != 0:
            text += f", dropout={self.dropout}"
        if self.bidirectional is not False:
            text += f", bidirectional={self.bidirectional}"
        return text

    def check_input(self, input, batch_sizes):
        weight = self._flat_weights[0]
        if input.dtype != weight.dtype and not any(_torch._autocast_get(kind)[0] for kind in ("cpu", "cuda")):
            raise ValueError(
                f"RNN input dtype ({input.dtype}) does not match weight dtype ({weight.dtype}). "
                f"Convert input: input.to({weight.dtype}), or convert model: model.to({input.dtype})"
            )
        wanted = 2 if batch_sizes is not None else 3
        if input.dim() != wanted:
            raise RuntimeError(f"input must have {wanted} dimensions, got {input.dim()}")
        if self.input_size != input.size(-1):
            raise RuntimeError(
                "input.size(-1) must be equal to input_size. "
                f"Expected {self.input_size}, got {input.size(-1)}"
            )

    def _expected(self, input, batch_sizes, size):
        batch = int(batch_sizes[0]) if batch_sizes is not None else input.size(0 if self.batch_first else 1)
        return self.num_layers * (2 if self.bidirectional else 1), batch, size

    def get_expected_hidden_size(self, input, batch_sizes):
        """The shape of the hidden state for an input. An LSTM with a projection has a smaller one."""
        return self._expected(input, batch_sizes, self.proj_size if self.proj_size > 0 else self.hidden_size)

    def check_hidden_size(self, hx, expected_hidden_size, msg="Expected hidden size {}, got {}"):
        if hx.size() != expected_hidden_size:
            raise RuntimeError(msg.format(expected_hidden_size, list(hx.size())))

    def check_forward_args(self, input, hidden, batch_sizes):
        self.check_input(input, batch_sizes)
        self.check_hidden_size(hidden, self.get_expected_hidden_size(input, batch_sizes))

    def permute_hidden(self, hx, permutation):
        """The states in another order of the sequences of a batch."""
        return hx if permutation is None else hx.index_select(1, permutation)

    _is_lstm = False

    def _one_dimension_less(self, hx, input, batched):
        """Checks the dimensions of the given hidden state."""
        wanted = 3 if batched else 2
        kind = "batched 3-D" if batched else "unbatched 2-D"
        if self._is_lstm:
            if hx[0].dim() != wanted or hx[1].dim() != wanted:
                raise RuntimeError(
                    f"For {kind} input, hx and cx should also be {wanted}-D but got ({hx[0].dim()}-D, {hx[1].dim()}-D) tensors"
                )
        elif hx.dim() != wanted:
            raise RuntimeError(f"For {kind} input, hx should also be {wanted}-D but got {hx.dim()}-D tensor")

    def forward(self, input, hx=None):
        packed = isinstance(input, PackedSequence)
        batch_sizes = sorted_indices = unsorted_indices = None
        original = input
        batched = True
        if packed:
            input, batch_sizes, sorted_indices, unsorted_indices = original
        else:
            if input.dim() not in (2, 3):
                unit = " tensor" if self.mode.startswith("RNN") else ""
                raise ValueError(
                    f"{type(self).__name__}: Expected input to be 2D or 3D, got {input.dim()}D{unit} instead"
                )
            batched = input.dim() == 3
            if not batched:
                input = input.unsqueeze(0 if self.batch_first else 1)
        if hx is None:
            shapes = [self.get_expected_hidden_size(input, batch_sizes)]
            if self._is_lstm:
                shapes.append(self.get_expected_cell_size(input, batch_sizes))
            states = [_torch.zeros(shape, dtype=input.dtype, device=input.device) for shape in shapes]
            hx = tuple(states) if self._is_lstm else states[0]
        else:
            if not packed:
                self._one_dimension_less(hx, input, batched)
                if not batched:
                    hx = tuple(s.unsqueeze(1) for s in hx) if self._is_lstm else hx.unsqueeze(1)
            if sorted_indices is not None:
                hx = self.permute_hidden(hx, sorted_indices)
        self.check_forward_args(input, hx, batch_sizes)
        states = list(hx) if self._is_lstm else [hx]
        run = _torch._lstm if self._is_lstm else _torch._rnn
        output, *states = run(
            self.mode, input, None if batch_sizes is None else batch_sizes.tolist(), states, self._flat_weights, self.bias,
            self.num_layers, self.dropout, self.training, self.bidirectional, self.batch_first,
        )
        if packed:
            output = PackedSequence(output, batch_sizes, sorted_indices, unsorted_indices)
        elif not batched:
            output = output.squeeze(0 if self.batch_first else 1)
            states = [s.squeeze(1) for s in states]
        hidden = tuple(states) if self._is_lstm else states[0]
        return output, self.permute_hidden(hidden, unsorted_indices)


class RNN(RNNBase):
    """h = tanh(W_ih x + b_ih + W_hh h + b_hh), or relu of it."""

    def __init__(self, *args, **kwargs):
        if "proj_size" in kwargs:
            raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")
        args = list(args)
        nonlinearity = args.pop(3) if len(args) > 3 else kwargs.pop("nonlinearity", "tanh")
        self_mode = {"tanh": "RNN_TANH", "relu": "RNN_RELU"}.get(nonlinearity)
        if self_mode is None:
            raise ValueError(f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'.")
        super().__init__(self_mode, *args, **kwargs)
        self.nonlinearity = nonlinearity


class LSTM(RNNBase):
    """Long short-term memory (Hochreiter and Schmidhuber, 1997); the hidden state is a pair (h, c)."""

    _is_lstm = True

    def __init__(self, *args, **kwargs):
        super().__init__("LSTM", *args, **kwargs)

    def get_expected_cell_size(self, input, batch_sizes):
        """The shape of the cell's state for an input."""
        return self._expected(input, batch_sizes, self.hidden_size)

    def check_forward_args(self, input, hidden, batch_sizes):
        # The input of a packed sequence is checked by the products that it enters.
        if batch_sizes is None:
            self.check_input(input, batch_sizes)
        self.check_hidden_size(hidden[0], self.get_expected_hidden_size(input, batch_sizes), "Expected hidden[0] size {}, got {}")
        self.check_hidden_size(hidden[1], self.get_expected_cell_size(input, batch_sizes), "Expected hidden[1] size {}, got {}")

    def permute_hidden(self, hx, permutation):
        return hx if permutation is None else tuple(state.index_select(1, permutation) for state in hx)


class GRU(RNNBase):
    """Gated recurrent unit (Cho et al., 2014)."""

    def __init__(self, *args, **kwargs):
        if "proj_size" in kwargs:
            raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")
        super().__init__("GRU", *args, **kwargs)


class RNNCellBase(Module):
    _gates = 1

    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias
        rows = self._gates * hidden_size
        made = dict(device=device, dtype=dtype)
        self.weight_ih = Parameter(_torch.empty((rows, input_size), **made))
        self.weight_hh = Parameter(_torch.empty((rows, hidden_size), **made))
        if bias:
            self.bias_ih = Parameter(_torch.empty(rows, **made))
            self.bias_hh = Parameter(_torch.empty(rows, **made))
        else:
            self.register_parameter("bias_ih", None)
            self.register_parameter("bias_hh", None)
        self.reset_parameters()

    def reset_parameters(self):
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def extra_repr(self):
        text = f"{self.input_size}, {self.hidden_size}"
        return text if self.bias is True else text + f", bias={self.bias}"

    def _step(self, mode, input, states):
        name = type(self).__name__
        if input.dim() not in (1, 2):
            raise ValueError(f"{name}: Expected input to be 1D or 2D, got {input.dim()}D instead")
        batched = input.dim() == 2
        if states is not None:
            for i, s in enumerate(states):
                if s.dim() not in (1, 2):
                    which = f"hx[{i}]" if self._gates == 4 else "hidden"
                    raise ValueError(f"{name}: Expected {which} to be 1D or 2D, got {s.dim()}D instead")
            if not batched:
                states = [s.unsqueeze(0) for s in states]
        if not batched:
            input = input.unsqueeze(0)
        if states is None:
            zeros = _torch.zeros(input.size(0), self.hidden_size, dtype=input.dtype, device=input.device)
            states = [zeros] * (2 if self._gates == 4 else 1)
        out = _torch._rnn_cell(mode, input, states, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        return list(out) if batched else [t.squeeze(0) for t in out]


class RNNCell(RNNCellBase):
    def __init__(self, input_size, hidden_size, bias=True, nonlinearity="tanh", device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input, hx=None):
        if self.nonlinearity not in ("tanh", "relu"):
            raise RuntimeError(f"Unknown nonlinearity: {self.nonlinearity}")
        mode = "RNN_TANH" if self.nonlinearity == "tanh" else "RNN_RELU"
        return self._step(mode, input, None if hx is None else [hx])[0]

    def extra_repr(self):
        text = super().extra_repr()
        return text if self.nonlinearity == "tanh" else text + f", nonlinearity={self.nonlinearity}"


class LSTMCell(RNNCellBase):
    _gates = 4

    def forward(self, input, hx=None):
        if isinstance(hx, _torch.Tensor) and input.dim() == 2:
            raise TypeError("lstm_cell(): argument 'hx' (position 2) must be tuple of Tensors, not Tensor")
        return tuple(self._step("LSTM", input, None if hx is None else list(hx)))


class GRUCell(RNNCellBase):
    _gates = 3

    def forward(self, input, hx=None):
        return self._step("GRU", input, None if hx is None else [hx])[0]
