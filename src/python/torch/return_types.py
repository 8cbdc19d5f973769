"""Results with named fields, such as `torch.max(x, dim)`'s values and indices."""


def _make(name, fields):
    def __new__(cls, items):
        items = tuple(items)
        if len(items) != len(fields):
            raise TypeError(f"torch.return_types.{name}() takes a {len(fields)}-sequence ({len(items)}-sequence given)")
        return tuple.__new__(cls, items)

    def __repr__(self):
        lines = ",\n".join(f"{field}={item!r}" for field, item in zip(fields, self))
        return f"torch.return_types.{name}(\n{lines})"

    def __reduce__(self):
        return (type(self), (tuple(self),))

    body = {"__new__": __new__, "__repr__": __repr__, "__reduce__": __reduce__, "__module__": "torch.return_types",
            "__slots__": (), "n_fields": len(fields), "n_sequence_fields": len(fields), "n_unnamed_fields": 0}
    for i, field in enumerate(fields):
        body[field] = property(lambda self, i=i: tuple.__getitem__(self, i))
    return type(name, (tuple,), body)


max = _make("max", ("values", "indices"))
min = _make("min", ("values", "indices"))
sort = _make("sort", ("values", "indices"))
topk = _make("topk", ("values", "indices"))
kthvalue = _make("kthvalue", ("values", "indices"))
median = _make("median", ("values", "indices"))
mode = _make("mode", ("values", "indices"))
cummax = _make("cummax", ("values", "indices"))
cummin = _make("cummin", ("values", "indices"))
nanmedian = _make("nanmedian", ("values", "indices"))
frexp = _make("frexp", ("mantissa", "exponent"))
geqrf = _make("geqrf", ("a", "tau"))
linalg_polar = _make("linalg_polar", ("U", "H"))
aminmax = _make("aminmax", ("min", "max"))
histogram = _make("histogram", ("hist", "bin_edges"))
slogdet = _make("slogdet", ("sign", "logabsdet"))
svd = _make("svd", ("U", "S", "V"))
histogramdd = _make("histogramdd", ("hist", "bin_edges"))


_OUTS = {}


def _as_out(kind, outs):
    """What a function that returns a `kind` returns if its results were written into `outs`."""
    if kind is tuple or kind is list:
        return tuple(outs)
    if kind not in _OUTS:
        fields = [name for name, value in vars(kind).items() if isinstance(value, property)]
        _OUTS[kind] = _make(kind.__name__ + "_out", fields)
    return _OUTS[kind](outs)
