"""The calls of the conformance run: expressions over samples of shapes and dtypes, in the order in which they're recorded."""

import numpy as np

DTYPES = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "float16", "float32", "float64",
          "complex64", "complex128"]
FEW = ["bool", "uint8", "int32", "int64", "float32", "float64", "complex128"]

UNARY = """abs absolute acos acosh angle arccos arccosh arcsin arcsinh arctan arctanh asin asinh atan atanh bitwise_count
bitwise_invert cbrt ceil conj conjugate cos cosh deg2rad degrees exp exp2 expm1 fabs fix floor frexp i0 imag invert iscomplex
isfinite isinf isnan isnat isneginf isposinf isreal log log10 log1p log2 logical_not modf nan_to_num negative positive rad2deg
radians real real_if_close reciprocal rint round sign signbit sin sinc sinh spacing sqrt square tan tanh trunc""".split()
BINARY = """add arctan2 atan2 bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor copysign divide divmod
equal float_power floor_divide fmax fmin fmod gcd greater greater_equal heaviside hypot lcm ldexp left_shift less less_equal
logaddexp logaddexp2 logical_and logical_or logical_xor maximum minimum mod multiply nextafter not_equal pow power remainder
right_shift subtract true_divide""".split()
REDUCE = """all amax amin any argmax argmin average count_nonzero max mean median min nanargmax nanargmin nanmax nanmean nanmedian
nanmin nanprod nanstd nansum nanvar prod ptp std sum var""".split()
SCAN = "cumprod cumsum cumulative_prod cumulative_sum nancumprod nancumsum".split()
SHAPED = """argsort argwhere array_repr array_str asarray ascontiguousarray asfortranarray atleast_1d atleast_2d atleast_3d copy
diff ediff1d flatnonzero flip fliplr flipud gradient isfortran iscomplexobj isrealobj matrix_transpose ndim nonzero ones_like
permute_dims ravel repr rot90 shape size sort sort_complex squeeze str transpose tril trim_zeros triu unique unique_all
unique_counts unique_inverse unwrap zeros_like diag diagflat diagonal trace tril_indices_from diag_indices_from
triu_indices_from unstack packbits asanyarray isscalar iterable common_type min_scalar_type result_type lexsort corrcoef cov
roots poly vander linalg.norm linalg.det linalg.inv linalg.matrix_rank linalg.cond linalg.pinv linalg.slogdet linalg.cholesky
linalg.eigvalsh linalg.svdvals linalg.matrix_transpose linalg.diagonal linalg.trace linalg.matrix_norm linalg.vector_norm
fft.fft fft.ifft fft.rfft fft.irfft fft.hfft fft.ihfft fft.fft2 fft.ifft2 fft.fftn fft.ifftn fft.rfft2 fft.rfftn fft.irfftn
fft.irfft2 fft.fftshift fft.ifftshift""".split()
METHODS = """all any argmax argmin argsort conj conjugate copy cumprod cumsum diagonal flatten item max mean min nonzero prod
ravel round squeeze std sum tobytes tolist trace transpose var __len__ __bool__ __int__ __float__ __complex__ __index__ __abs__
__neg__ __invert__ __pos__ __repr__ __str__ __iter__ byteswap""".split()
FIELDS = "T base dtype flags.c_contiguous flags.f_contiguous flags.owndata flags.writeable flat imag itemsize mT nbytes ndim " \
    "real shape size strides dtype.str dtype.name dtype.kind dtype.char dtype.num dtype.itemsize dtype.type".split()


def sample(dtype, shape):
    """Numbers with signs, zeros and repetitions, as far as the dtype has them."""
    n = int(np.prod(shape))
    values = [(7 * i + 3) % 11 - 4 for i in range(n)]
    kind = np.dtype(dtype).kind
    if kind == "b":
        values = [v > 0 for v in values]
    elif kind == "u":
        values = [abs(v) for v in values]
    elif kind == "f":
        values = [v / 4 for v in values]
    elif kind == "c":
        values = [complex(v / 4, (v % 3 - 1) / 2) for v in values]
    return np.array(values, dtype=dtype).reshape(shape)


SHAPES = {"s": (), "e": (0,), "v": (4,), "w": (3,), "m": (2, 3), "q": (3, 3), "z": (2, 0), "c": (2, 3, 2)}


def names():
    """The samples: `float32_m` is a float32 matrix, `t` transposed, `k` every second, `r` reversed."""
    space = {"np": np, "inf": np.inf, "nan": np.nan}
    for dtype in DTYPES:
        try:
            for letter, shape in SHAPES.items():
                space[f"{dtype}_{letter}"] = sample(dtype, shape)
            space[f"{dtype}_t"] = sample(dtype, (2, 3)).T
            space[f"{dtype}_k"] = sample(dtype, (7,))[::2]
            space[f"{dtype}_r"] = sample(dtype, (4,))[::-1]
        except Exception as error:
            space.setdefault("missing", []).append((dtype, error))
    space["special"] = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.5])
    space["spd"] = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]])
    space["words"] = np.array(["pear", "fig", "Apple pie", ""])
    return space


def generated():
    for f in UNARY:
        yield from (f"np.{f}({d}_v)" for d in DTYPES)
        yield from (f"np.{f}({d}_{s})" for d in ("int64", "float64") for s in "semtkrz")
        yield from (f"np.{f}({x})" for x in ("special", "2", "0.5", "True", "1j", "[1, 2.5]", "None", "'a'", "words", ""))
    for f in BINARY:
        yield from (f"np.{f}({a}_v, {b}_v)" for a in FEW for b in FEW)
        yield from (f"np.{f}({d}_v, {d}_v)" for d in DTYPES if d not in FEW)
        yield from (f"np.{f}({d}_v, {x})" for d in FEW for x in ("2", "2.5", "True", "1j"))
        yield from (f"np.{f}({a}, {b})" for a, b in (
            ("float64_m", "float64_w"), ("float64_m", "float64_v"), ("float64_s", "float64_s"), ("float64_t", "float64_w[:2]"),
            ("int64_c", "int64_t"), ("float64_e", "float64_e"), ("float64_z", "float64_s"), ("3", "2"), ("3.5", "-2"),
            ("special", "special[::-1]"), ("float64_r", "float64_k"), ("words", "words"), ("float64_v", "None"),
            ("int8_v", "300"), ("uint8_v", "-1"), ("float64_v", "")))
    for f in REDUCE:
        yield from (f"np.{f}({d}_m)" for d in DTYPES)
        yield from (f"np.{f}({d}_m, axis={a})" for d in FEW for a in ("0", "-1", "2", "(0, 1)"))
        yield from (f"np.{f}({d}_{s})" for d in ("int64", "float64") for s in "sevctkrz")
        yield from (f"np.{f}({d}_{s}, axis={a})" for d in ("int64", "float64") for s in "cz" for a in (0, 1))
        yield f"np.{f}(float64_m, axis=1, keepdims=True)"
        yield from (f"np.{f}({x})" for x in ("special", "[]", "[1, 2]", "3", "words", "[[1.0, nan], [2.0, 3.0]], axis=0"))
    for f in SCAN:
        yield from (f"np.{f}({d}_v)" for d in DTYPES)
        yield from (f"np.{f}({d}_{s})" for d in ("int64", "float64") for s in "semz")
        yield from (f"np.{f}(float64_m, axis={a})" for a in (0, 1, 2))
    for f in SHAPED:
        yield from (f"{f if f in ('repr', 'str') else 'np.' + f}({d}_{s})" for d in ("int64", "float64") for s in "sevmqczktr")
        yield from (f"{f if f in ('repr', 'str') else 'np.' + f}({d}_{s})" for d in FEW for s in "vq")
        if f not in ("repr", "str"):
            yield from (f"np.{f}({x})" for x in ("[[1, 2], [3, 4]]", "3", "spd", "words"))
    for f in METHODS:
        yield from (f"{d}_{s}.{f}()" for d in FEW for s in "svmez")
        # What a method of C says of arguments that it doesn't take is CPython's.
        if f[0] != "_" and f not in ("conj", "conjugate", "nonzero", "tolist", "byteswap"):
            yield from (f"{d}_m.{f}(1)" for d in FEW)
        yield f"float64_m[0, 1].{f}()"
    for f in FIELDS:
        yield from (f"{d}_m.{f}" for d in DTYPES)
        yield from (f"float64_{s}.{f}" for s in "setkrcz")
        yield from (f"{d}_v[0].{f}" for d in FEW)
    for a in DTYPES:
        yield from (f"np.promote_types('{a}', '{b}')" for b in DTYPES)
        yield from (f"np.can_cast('{a}', '{b}')" for b in DTYPES)
        yield from (f"{d}_v.astype('{a}')" for d in DTYPES)
        yield f"np.finfo('{a}').eps"
        yield f"np.iinfo('{a}').max"
        yield f"np.{a}(3)"
        yield f"np.{a}(2.5)"
        yield f"repr(np.{a}(1)), str(np.{a}(1))"
        yield f"np.zeros((2, 2), '{a}'), np.ones(3, '{a}'), np.full(2, 1, '{a}'), np.arange(3, dtype='{a}')"
        yield f"np.eye(2, dtype='{a}'), np.linspace(0, 4, 3, dtype='{a}')"
        yield f"np.frombuffer(bytes(range(16)), '{a}')" if a not in ("bool",) else "np.frombuffer(b'\\x00\\x01', 'bool')"
    for op in "+ - * / // % ** @ & | ^ << >> < <= == != > >=".split():
        for a, b in (("float64_v", "2"), ("int64_v", "2"), ("2", "int64_v"), ("2.0", "float32_v"), ("bool_v", "True"),
                     ("uint8_v", "uint8_v"), ("float64_m", "float64_m"), ("int64_q", "int64_q"), ("float64_v[0]", "3"),
                     ("int64_v[0]", "int64_v[1]"), ("int64_v", "[1, 2, 3, 4]"), ("(1, 2, 3, 4)", "int64_v"),
                     ("float32_v[0]", "1.1"), ("float64_m", "'a'"), ("float64_m", "None"), ("complex128_v", "1j"),
                     ("float64_v", "1j"), ("special", "0.0"), ("int64_v", "0"), ("words", "'fig'"), ("{}", "int64_v"),
                     ("int64_v", "float64_w"), ("float16_v", "float16_v"), ("int8_v", "int8_v[1]")):
            yield f"{a} {op} {b}"
    for key in ("0", "-1", "5", "1:", "::-1", "[0, 1]", "[True, False]", "...", "None", "(0, 1)", "(0, 1, 2, 3)", "(slice(None), 0)",
                "(..., -1)", "(None, 0)", "([0, 1], [1, 2])", "([0, 1], slice(None))", "(slice(None), [0, -1])", "float64_m > 0",
                "'a'", "1.5", "(slice(None, None, -1), slice(None, None, -1))", "[]", "([1, 0], 1)", "([[0], [1]], [0, 2])",
                "np.array([1, 0])", "(0, [1, 5])", "int64_m > 100", "(slice(1, None), None, slice(None, 2))", "True", "()"):
        yield from (f"{x}[{key}]" for x in ("float64_m", "int64_t", "float64_c", "float64_v", "float64_s", "words"))
        yield from (f"put(float64_m, {key}, {v})" for v in ("7", "[1, 2]", "[[1.5]]", "1j"))


def put(array, key, value):
    array = array.copy()
    array[key] = value
    return array


def calls():
    """Every call once; the parts of a tuple are calls of their own."""
    import ast

    from written import WRITTEN
    seen = {}
    for line in [*generated(), *WRITTEN.strip().splitlines()]:
        try:
            tree = ast.parse(line, mode="eval").body
        except SyntaxError:
            continue
        parts = [ast.get_source_segment(line, part) for part in tree.elts] if isinstance(tree, ast.Tuple) else [line]
        seen.update(dict.fromkeys(parts))
    return list(seen)
