"""CUDA graphs: a stream's work is recorded once, and run again with one call.  While a graph is captured, its stream
records: nothing runs, tensors come from the graph's own pool, and anything that would make the host wait raises. A
replay runs everything again, on the same memory."""

import gc
import weakref

import _torch
from _torch import Tensor
from torch.cuda.streams import Stream, StreamContext, current_stream

# Other names of CUDAGraph.
_ABSENT = frozenset((
    "capture_end_post", "capture_end_pre", "get_graph_data", "pools", "raw_cuda_graph", "raw_cuda_graph_exec",
    "register_capture_end_hook", "register_capture_start_hook", "register_destroy_callback",
    "register_generator_state", "register_post_instantiate_hook", "register_replay_end_hook",
    "register_replay_start_hook", "retain_object",
))
_MODES = ("global", "thread_local", "relaxed")


def is_current_stream_capturing():
    """Whether kernels launched now are recorded."""
    return _torch._is_capturing()


def graph_pool_handle():
    """A new pool that graphs may share."""
    return (0, _torch._graph_pool())


class CUDAGraph:
    """Kernels captured on a stream, and their memory."""

    def __init__(self, keep_graph=False):
        cuda_count, _, cuda_build = _torch._machine()
        if not cuda_count and not cuda_build:
            raise RuntimeError("Tried to instantiate dummy base class _CUDAGraph")
        current_stream()
        self._keep_graph = keep_graph
        self._own = None
        self._device = None
        self._pool = None

    def __getattr__(self, name):
        if name in _ABSENT:
            raise NotImplementedError(f"torch.cuda.CUDAGraph.{name}")
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def capture_begin(self, pool=None, capture_error_mode="global", check_input_liveness=False):
        """Starts recording the current stream. `torch.cuda.graph` calls it on a stream of its own."""
        if capture_error_mode not in _MODES:
            raise RuntimeError("Unknown capture error mode. Expected `global`, `thread_local`, or `relaxed`, got "
                               f"{capture_error_mode}")
        if check_input_liveness:
            raise NotImplementedError("torch.cuda.CUDAGraph.capture_begin(check_input_liveness=True)")
        if self._own is not None and self._own.is_instantiated():
            raise RuntimeError("This CUDAGraph instance already owns a captured graph. To capture a new graph, create a new "
                               "instance.")
        number = None if pool is None else pool[0] or pool[1]
        device = _torch._cuda_current_device()
        if number is None:
            number = _torch._graph_pool()
            pool = (number, 0)
        _torch._graph_begin(device, number)
        self._device, self._pool = device, pool

    def capture_end(self):
        """Ends the capture. After this, `replay` works."""
        device = _torch._cuda_current_device() if self._device is None else self._device
        self._own = _torch._graph_end(device)
        if not self._keep_graph:
            self.instantiate()

    def instantiate(self):
        """Makes the graph ready for replays. With `keep_graph=True`, either this or the first replay does it."""
        if self._own is None:
            raise RuntimeError("capture_end() must have been called before calling instantiate")
        if self._own.is_instantiated() and not self._keep_graph:
            raise RuntimeError("instantiate() is intended to be called by the user only when keep_graph=true")
        self._own.instantiate()

    def replay(self):
        """Runs the captured work on the current stream."""
        if self._own is None:
            raise RuntimeError("Called CUDAGraph::replay without a preceding successful capture.")
        if not self._own.is_instantiated():
            self.instantiate()
        self._own.replay()

    def reset(self):
        """Forgets the graph. Its memory can be reused once its last tensor is gone as well."""
        self._own = None

    def pool(self):
        """The pool of its tensors. A graph captured with it shares the pool."""
        if self._own is None:
            raise RuntimeError("Called CUDAGraph::pool() without a preceding successful capture.")
        return self._pool

    def enable_debug_mode(self):
        """Keeps the graph in its captured form."""
        self._keep_graph = True

    def debug_dump(self, debug_path, *, verbose=True):
        """Writes the captured graph to a file in the DOT language, which Graphviz draws. The graph must have been
        kept: use `keep_graph=True`, or call `enable_debug_mode()` before it's captured. This needs a real CUDA
        graph."""
        if not self._keep_graph:
            raise RuntimeError("You cannot access the raw cudaGraph_t instance unless CUDAGraph was initialized with "
                               "keep_graph=true")
        if self._own is None:
            raise RuntimeError("You cannot access the raw cudaGraph_t instance until capture_end() has been called")
        self._own.dump(debug_path, verbose)


class graph:
    """Captures the kernels that a `with` block launches on the current device, on a stream of its own."""

    default_capture_stream = None

    def __init__(self, cuda_graph, pool=None, stream=None, capture_error_mode="global", enable_annotations=False,
                 annotation_config=None, check_input_liveness=False):
        for name, value in (("enable_annotations", enable_annotations), ("annotation_config", annotation_config),
                            ("check_input_liveness", check_input_liveness)):
            if value:
                raise NotImplementedError(f"torch.cuda.graph({name}=)")
        if stream is None and graph.default_capture_stream is None:
            graph.default_capture_stream = Stream()
        self.pool = () if pool is None else (pool,)
        self.capture_stream = graph.default_capture_stream if stream is None else stream
        self.stream_ctx = StreamContext(self.capture_stream)
        self.cuda_graph = cuda_graph
        self.capture_error_mode = capture_error_mode

    def __enter__(self):
        # Unused memory is freed first, so that the graph can use it.
        _torch._cuda_synchronize()
        gc.collect()
        _torch._cuda_empty_cache()
        self.stream_ctx.__enter__()
        try:
            self.cuda_graph.capture_begin(*self.pool, capture_error_mode=self.capture_error_mode)
        except BaseException:
            self.stream_ctx.__exit__(None, None, None)
            raise

    def __exit__(self, *args):
        try:
            self.cuda_graph.capture_end()
        finally:
            self.stream_ctx.__exit__(*args)


def _leaves(value, into):
    """The leaves of nested tuples, lists and dicts, in order."""
    if isinstance(value, (tuple, list)):
        for item in value:
            _leaves(item, into)
    elif isinstance(value, dict):
        for item in value.values():
            _leaves(item, into)
    else:
        into.append(value)
    return into


def _like(value, leaves):
    """The same nested structure with other leaves."""
    if isinstance(value, (tuple, list)):
        items = [_like(item, leaves) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    if isinstance(value, dict):
        return {key: _like(item, leaves) for key, item in value.items()}
    return next(leaves)


def _shape_of(value):
    """A nested structure without its tensors, so that keeping it keeps no memory."""
    return _like(value, iter([None] * len(_leaves(value, []))))


def make_graphed_callables(callables, sample_args, num_warmup_iters=3, allow_unused_input=False, pool=None,
                           capture_error_mode="global", enable_annotations=False):
    """Modules or functions whose forward and backward passes are graphs, captured as one pair for each."""
    import torch

    if enable_annotations:
        raise NotImplementedError("torch.cuda.make_graphed_callables(enable_annotations=True)")
    if torch.is_autocast_enabled() and torch.is_autocast_cache_enabled():
        raise RuntimeError("make_graphed_callables does not support the autocast caching. Please set `cache_enabled=False`.")
    single = not isinstance(callables, tuple)
    if single:
        callables, sample_args = (callables,), (sample_args,)
    surfaces, counts = [], []
    for function, args in zip(callables, sample_args):
        if isinstance(function, torch.nn.Module):
            if function._backward_hooks or function._forward_hooks or function._forward_pre_hooks:
                raise AssertionError("Modules must not have hooks registered at the time they are passed. However, "
                                     "registering hooks on modules after passing them through make_graphed_callables is "
                                     "allowed.")
            if any(b.requires_grad for b in function.buffers()):
                raise AssertionError("In any :class:`~torch.nn.Module` passed to :func:`~make_graphed_callables`, only "
                                     "parameters may be trainable. All buffers must have ``requires_grad=False``.")
        leaves = _leaves(tuple(args), [])
        if not all(isinstance(leaf, Tensor) for leaf in leaves):
            raise AssertionError("In the beta API, sample_args for each callable must contain only Tensors. Other types are "
                                 "not allowed.")
        counts.append(len(leaves))
        parameters = tuple(function.parameters()) if isinstance(function, torch.nn.Module) else ()
        surfaces.append(tuple(leaves) + parameters)
    pool = graph_pool_handle() if pool is None else pool

    # Kernels are compiled and state is made before the capture.
    torch.cuda.synchronize()
    stream = Stream()
    with torch.cuda.stream(stream):
        for function, args, surface in zip(callables, sample_args, surfaces):
            for _ in range(num_warmup_iters):
                _gradients(_leaves(function(*args), []), surface, allow_unused_input, _torch.empty_like)
    torch.cuda.synchronize()

    # In the order in which they'll run: every forward pass, then every backward pass from last to first.
    options = {"stream": stream, "pool": pool, "capture_error_mode": capture_error_mode}
    forwards = []
    for function, args in zip(callables, sample_args):
        captured = CUDAGraph()
        with graph(captured, **options):
            result = function(*args)
        forwards.append((captured, tuple(_leaves(result, [])), _shape_of(result)))
    backwards = []
    for surface, (_, outputs, _) in zip(reversed(surfaces), reversed(forwards)):
        captured = CUDAGraph()
        incoming = tuple(_torch.empty_like(o) if o.requires_grad else None for o in outputs)
        wanted = iter([g for g in incoming if g is not None])
        found = None
        if any(o.requires_grad for o in outputs):
            with graph(captured, **options):
                found = _gradients(outputs, surface, allow_unused_input, lambda _: next(wanted))
        left = iter(found or ())
        outgoing = tuple(next(left) if t.requires_grad and found is not None else None for t in surface)
        backwards.append((captured, incoming, outgoing))
    backwards.reverse()

    made = []
    for function, count, surface, forward, backward in zip(callables, counts, surfaces, forwards, backwards):
        run = _graphed(count, surface, forward, backward)
        if isinstance(function, torch.nn.Module):
            function.forward = _graphed_forward(function, run)
            made.append(function)
        else:
            made.append(run)
    return made[0] if single else tuple(made)


def _gradients(outputs, surface, allow_unused, make):
    """Gradients of the outputs that have one, for the inputs that need one; None if there's nothing to do."""
    from torch import autograd

    outputs = [o for o in outputs if o.requires_grad]
    if not outputs:
        return None
    inputs = tuple(i for i in surface if i.requires_grad)
    return autograd.grad(outputs, inputs, [make(o) for o in outputs], allow_unused=allow_unused)


def _graphed(count, surface, forward, backward):
    """A function that copies its arguments into the captured inputs and replays."""
    from torch.autograd.function import Function

    forward_graph, outputs, nest = forward
    backward_graph, incoming, outgoing = backward

    # A class and its methods form a cycle, which only the garbage collector frees. The graphs are arguments, so that they
    # are freed with the function that holds them.
    graphs = forward_graph, backward_graph
    del forward_graph, backward_graph

    class Graphed(Function):
        @staticmethod
        def forward(ctx, graphs, *inputs):
            replayed, ctx.backward_graph = graphs
            for static, given in zip(surface[:count], inputs):
                if static.data_ptr() != given.data_ptr():
                    static.copy_(given)
            replayed.replay()
            return tuple(o.detach() for o in outputs)

        @staticmethod
        def backward(ctx, *grads):
            for static, given in zip(incoming, grads):
                if static is not None and static.data_ptr() != given.data_ptr():
                    static.copy_(given)
            ctx.backward_graph.replay()
            return (None,) + tuple(g if g is None else g.detach() for g in outgoing)

    def run(*args):
        results = Graphed.apply(graphs, *_leaves(args, []), *surface[count:])
        return _like(nest, iter(results))

    return run


def _graphed_forward(module, run):
    """A module's forward pass: the graph, or the original if the module isn't in the captured mode."""
    plain, training, held = type(module).forward, module.training, weakref.ref(module)

    def forward(*args, **kwargs):
        module = held()
        if module is None:
            raise RuntimeError("the graphed module has been freed; its forward cannot be called on its own")
        return run(*args, **kwargs) if module.training == training else plain(module, *args, **kwargs)

    return forward


def __getattr__(name):
    if name in ("export_dot", "export_graph_data") or name.startswith("register_graph_"):
        raise NotImplementedError(f"torch.cuda.graphs.{name}")
    raise AttributeError(f"module 'torch.cuda.graphs' has no attribute '{name}'")
