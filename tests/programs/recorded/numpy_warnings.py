"""Divisions by zero, overflows and invalid values: NumPy's warnings, and what `seterr` and `errstate` make of them. Recorded with
NumPy 2.4.6."""

import warnings

import numpy as np

one, zero = np.array([1.0, 0.0, -1.0]), np.zeros(3)


def told(call):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        try:
            answer = repr(call()).replace("\n", " ")
        except (ArithmeticError, NameError, TypeError, ValueError) as error:
            answer = f"{type(error).__name__}: {error}"
    print(answer, *[f"[{w.category.__name__}: {w.message}]" for w in seen])


told(lambda: one/zero)
told(lambda: 1/zero)
told(lambda: np.float64(1)/0)
told(lambda: np.float64(1)/np.float64(0))
told(lambda: 1/np.float64(0))
told(lambda: np.float64(0)/0)
told(lambda: np.float64(1)//0)
told(lambda: np.float64(1)%0)
told(lambda: divmod(np.float64(1),0))
told(lambda: np.float32(1)/np.float32(0))
told(lambda: np.float32(3e38)*np.float32(10))
told(lambda: np.float64(1e308)*10)
told(lambda: 10*np.float64(1e308))
told(lambda: np.float64(1e308)+np.float64(1e308))
told(lambda: -np.float64(1e308)-np.float64(1e308))
told(lambda: np.float64(10)**400)
told(lambda: np.float64(0)**-1)
told(lambda: np.float64(-1)**0.5)
told(lambda: np.float64(np.inf)-np.inf)
told(lambda: np.float64(np.inf)*0)
told(lambda: np.int64(1)/0)
told(lambda: np.int64(1)/np.int64(0))
told(lambda: np.int64(1)//np.int64(0))
told(lambda: np.int64(1)//0)
told(lambda: np.int64(1)%0)
told(lambda: divmod(np.int64(1),0))
told(lambda: np.int8(127)+np.int8(1))
told(lambda: np.int8(127)+1)
told(lambda: np.uint8(200)+np.uint8(100))
told(lambda: np.uint8(200)*np.uint8(2))
told(lambda: np.uint8(1)-np.uint8(2))
told(lambda: np.uint8(10)**np.uint8(3))
told(lambda: np.int64(2**62)*4)
told(lambda: np.int64(2**62)+np.int64(2**62))
told(lambda: -np.int8(-128))
told(lambda: abs(np.int8(-128)))
told(lambda: -np.uint8(1))
told(lambda: np.int32(2**31-1)+np.int32(1))
told(lambda: np.array([200],np.uint8)+np.array([100],np.uint8))
told(lambda: np.array([1,2])//np.array([0,1]))
told(lambda: np.array([1,2])%0)
told(lambda: np.array([1,2])/0)
told(lambda: np.divmod(np.array([1,2]),0))
told(lambda: np.array([1.,-1.])//0)
told(lambda: np.array([1.,np.inf])%0)
told(lambda: np.array([np.inf])//1)
told(lambda: np.array(1.)/0)
told(lambda: np.log(zero))
told(lambda: np.log(-1))
told(lambda: np.log(0))
told(lambda: np.log(np.array([0,1])))
told(lambda: np.log2(0.))
told(lambda: np.log10([0.,-1]))
told(lambda: np.log1p(-1.))
told(lambda: np.sqrt(-1))
told(lambda: np.sqrt(np.array([-1.,4])))
told(lambda: np.exp(1000))
told(lambda: np.exp(np.array([1000.,1])))
told(lambda: np.exp(np.float32(100)))
told(lambda: np.exp2(5000.))
told(lambda: np.expm1(1000.))
told(lambda: np.sinh(1000.))
told(lambda: np.cosh(np.array([1000.])))
told(lambda: np.sin(np.inf))
told(lambda: np.arccos(2))
told(lambda: np.arcsin([2.]))
told(lambda: np.arctanh([1.,2.]))
told(lambda: np.arccosh(0.5))
told(lambda: np.power(0.,-1))
told(lambda: np.power(np.array([10.]),400))
told(lambda: np.square(1e200))
told(lambda: np.array([1e200])**2)
told(lambda: np.reciprocal(0.))
told(lambda: np.hypot(1e308,1e308))
told(lambda: np.sum([1e308,1e308]))
told(lambda: np.prod([1e308,1e308]))
told(lambda: np.cumsum([1e308,1e308]))
told(lambda: np.mean([1e308,1e308]))
told(lambda: np.mean([]))
told(lambda: np.array([]).mean())
told(lambda: np.std([]))
told(lambda: np.var([1.],ddof=1))
told(lambda: np.std([1.,np.inf]))
told(lambda: np.nanmean([np.nan]))
told(lambda: np.nanmax([np.nan,np.nan]))
told(lambda: np.nanstd([np.nan]))
told(lambda: np.median([]))
told(lambda: np.nanmedian([np.nan]))
told(lambda: np.array([1e200,1e200])@np.array([1e200,1e200]))
told(lambda: np.dot([1e200],[1e200]))
told(lambda: np.ones((2,2))*1e200@np.ones((2,2)))
told(lambda: (np.ones((2,2))*1e200)@(np.ones((2,2))*1e200))
told(lambda: np.corrcoef([1,1],[1,2]))
told(lambda: np.cov([1.]))
told(lambda: np.array([np.nan,1.]).astype(int))
told(lambda: np.array([np.inf]).astype(np.int32))
told(lambda: np.array([300.]).astype(np.uint8))
told(lambda: np.array([-1.]).astype(np.uint8))
told(lambda: np.array([1e10]).astype(np.int32))
told(lambda: np.array([1e20]).astype(int))
told(lambda: np.array([1e300]).astype(np.float32))
told(lambda: np.float64(1e300).astype(np.float32))
told(lambda: np.float32(1e300))
told(lambda: np.float32(np.float64(1e300)))
told(lambda: np.array([1e300],dtype=np.float32))
told(lambda: np.linspace(0,1,0))
told(lambda: np.tan(np.array([np.inf])))
told(lambda: np.fmod(1.,0.))
told(lambda: np.float_power(0,-1))
told(lambda: np.true_divide(1,0))
told(lambda: np.maximum(np.nan,1))
told(lambda: np.array([np.nan])<1)
told(lambda: np.float64(np.nan)+1)
told(lambda: np.var([]))
told(lambda: np.exp(-1000.))
told(lambda: np.array([1e-200])*1e-200)
told(lambda: np.interp(1,[0,1],[0,np.inf]))
told(lambda: np.clip(np.nan,0,1))
told(lambda: np.diff([np.inf,np.inf]))
told(lambda: np.round(np.inf))
told(lambda: np.ceil(np.inf))
told(lambda: np.add.reduce([1e308,1e308]))
told(lambda: np.float16(60000)*np.float16(10))
told(lambda: np.array([60000],np.float16)*10)
told(lambda: np.array([1.,2.])/np.array([0.,0.],np.float32))
told(lambda: np.float64(5)/np.array([0.,1.]))
told(lambda: np.divide([1,2],[0,1]))
told(lambda: np.divide(1,0,where=False,out=np.array(3.)))
told(lambda: np.where(np.array([0,1])>0, 1/np.array([0,1]), 0))
told(lambda: 1/(1+np.exp(-np.array([-1000.]))))
told(lambda: np.arctan2(np.inf,np.inf))
told(lambda: np.logaddexp(np.inf,np.inf))
told(lambda: np.ldexp(1.,5000))
told(lambda: np.nextafter(1.7e308*1.05,np.inf))
told(lambda: np.spacing(np.inf))
told(lambda: np.cbrt(-1.))
told(lambda: np.int64(3)**np.int64(64))
told(lambda: np.array([3])**64)
told(lambda: np.abs(np.array([-128],np.int8)))
told(lambda: np.float64(1e308).__mul__(10))
told(lambda: np.bool_(True)+np.bool_(True))
told(lambda: np.uint8(255)+1)
told(lambda: np.array(5,dtype=np.uint8)-6)
told(lambda: np.int64(2)**63)

# What is done about them can be chosen.
told(lambda: np.seterr(all="foo"))
told(lambda: np.seterrcall(3))
print(np.geterr(), np.geterrcall())
with np.errstate(all="ignore"):
    told(lambda: one / zero)
    told(lambda: np.float64(1) / 0)
with np.errstate(divide="ignore"):
    told(lambda: one / zero)
with np.errstate(all="raise"):
    for call in (lambda: one / zero, lambda: np.float64(1) / 0, lambda: np.exp(-1000.0), lambda: np.array([1e-200]) * 1e-200,
                 lambda: np.float64(1e-200) * 1e-200, lambda: np.log(0), lambda: np.array([1e-300]) / 1e300, lambda: np.exp(1000.0),
                 lambda: np.array([5e-324]) * 1.0, lambda: np.array([5e-324]) / 2, lambda: np.array([2.0]) ** -2000,
                 lambda: np.sqrt(5e-324), lambda: 0.0 * np.array([1.0]), lambda: np.int8(127) + np.int8(1)):
        told(call)
with np.errstate(all="call", call=lambda text, flag: print("called", text, flag)):
    told(lambda: one / zero)


class Log:
    def write(self, text):
        print("log", repr(text))


with np.errstate(all="log", call=Log()):
    told(lambda: one / zero)
with np.errstate(all="call"):
    told(lambda: 1 / zero)


@np.errstate(divide="raise")
def inverse(x):
    return 1 / np.array([x])


told(lambda: inverse(0.0))
told(lambda: inverse(2.0))
before = np.seterr(over="ignore")
told(lambda: np.exp(1000.0))
np.seterr(**before)
told(lambda: np.exp(1000.0))
again = np.errstate(all="ignore")
with again:
    pass
told(again.__enter__)

# Memory that is read as numbers.
for call in (
    lambda: np.frombuffer(b"abcd", np.uint8), lambda: np.frombuffer(b"abcd", dtype="<i2", count=1, offset=2),
    lambda: np.frombuffer(bytearray(b"abcdefgh"), np.float32), lambda: np.frombuffer(memoryview(b"abcd"), "S2"),
    lambda: np.frombuffer(np.arange(2), dtype=np.int32), lambda: np.frombuffer(b""), lambda: np.frombuffer(b"abc", "<i2"),
    lambda: np.frombuffer(b"abcd", np.uint8, offset=9), lambda: np.frombuffer(b"abcd", np.uint8, 9), lambda: np.frombuffer([1, 2]),
    lambda: np.frombuffer("ab"), lambda: np.frombuffer(b"abcd", np.uint8).flags.writeable,
    lambda: np.frombuffer(np.array([1 + 2j]).tobytes(), complex), lambda: np.frombuffer(b"\x00\x01", bool),
    lambda: np.arange(6).reshape(2, 3)[:, ::2].tobytes().hex(), lambda: np.arange(4.0).reshape(2, 2).tobytes("F").hex(),
):
    told(call)
print(np.ndenumerate, np.ndindex, np.vectorize, np.errstate, np.broadcast)
