"""Special functions that few programs use: Bessel and Airy functions, orthogonal polynomials, incomplete gamma functions,
Hurwitz's zeta, and normal distributions far from their middle.

They are composed of other operators, so that they run on every device. On the CPU they compute in float64. The rational and
Chebyshev approximations are those of Cephes (Moshier), as in aten/src/ATen/native/Math.h of PyTorch 2.15.
"""

import math

import _torch
from _torch import Tensor

_AIRY = {
    "AN": (
        0.346538101525629, 12.007595273964581, 76.27960536152345, 168.08922493463058, 159.75639135016442, 70.53609068404442,
        14.026469116338967, 1.0,
    ),
    "AD": (
        0.5675945326387702, 14.75625625848472, 84.51389701414746, 177.31808814540045, 164.2346928715297, 71.47784008255756,
        14.095913560783403, 1.0,
    ),
    "AFN": (
        -0.1316963234183318, -0.6264565444319123, -0.6931580360369335, -0.2797799815451191, -0.04919001326095003,
        -0.004062659235948854, -0.0001592764962392621, -2.776491081552329e-06, -1.6778769848911465e-08,
    ),
    "AFD": (
        13.356042070655324, 32.682503279522464, 26.736704094149957, 9.187074029072596, 1.4752914677166642, 0.11568717379518804,
        0.004402916416152112, 7.547203482874142e-05, 4.5185009297058035e-07,
    ),
    "AGN": (
        0.01973399320916857, 0.39110302961568827, 1.0657989759959559, 0.9391692298166502, 0.35146565610554764,
        0.06338889196289255, 0.005858041130483885, 0.000282851600836737, 6.98793669997261e-06, 8.117892395543892e-08,
        3.415517847659236e-10,
    ),
    "AGD": (
        9.30892908077442, 19.835292871831214, 15.564662893286462, 5.476860694229755, 0.9542936116189619, 0.08645808263523921,
        0.004126565238242226, 0.00010125908511650914, 1.1716673321441352e-06, 4.9183457006293e-09,
    ),
}
_J0 = {
    "PP": (
        0.0007969367292973471, 0.08283523921074408, 1.239533716464143, 5.447250030587687, 8.74716500199817, 5.303240382353949,
        1.0,
    ),
    "PQ": (
        0.0009244088105588637, 0.08562884743544745, 1.2535274390105895, 5.470977403304171, 8.761908832370695,
        5.306052882353947, 1.0,
    ),
    "QP": (
        -0.011366383889846916, -1.2825271867050931, -19.553954425773597, -93.20601521237683, -177.68116798048806,
        -147.07750515495118, -51.41053267665993, -6.050143506007285,
    ),
    "QQ": (
        64.3178256118178, 856.4300259769806, 3882.4018360540163, 7240.467741956525, 5930.727011873169, 2062.0933166032783,
        242.0057402402914,
    ),
    "RP": (
        -4794432209.782018, 1956174919465.5657, -249248344360967.72, 9708622510473064.0,
    ),
    "RQ": (
        499.563147152651, 173785.4016763747, 48440965.83399621, 11185553704.535683, 2112775201154.892, 310518229857422.56,
        3.1812195594320496e+16, 1.7108629408104315e+18,
    ),
}
_J1 = {
    "PP": (
        0.0007621256162081731, 0.07313970569409176, 1.1271960812968493, 5.112079511468076, 8.424045901417724,
        5.214515986823615, 1.0,
    ),
    "PQ": (
        0.0005713231280725487, 0.06884559087544954, 1.105142326340617, 5.073863861286015, 8.399855543276042, 5.209828486823619,
        1.0,
    ),
    "QP": (
        0.05108625947501766, 4.982138729512334, 75.82382841325453, 366.7796093601508, 710.8563049989261, 597.4896124006136,
        211.68875710057213, 25.207020585802372,
    ),
    "QQ": (
        74.23732770356752, 1056.4488603826283, 4986.410583376536, 9562.318924047562, 7997.041604473507, 2826.1927851763908,
        336.0936078106983,
    ),
    "RP": (
        -899971225.7055594, 452228297998.19403, -72749424522181.83, 3682957328638529.0,
    ),
    "RQ": (
        620.8364781180543, 256987.25675774884, 83514679.14319493, 22151159547.97925, 4749141220799.914, 784369607876235.9,
        8.952223361846274e+16, 5.322786203326801e+18,
    ),
}
_Y0 = {
    "YP": (
        15592.436785523574, -14663929.59039716, 5435264770.518765, -982136065717.9115, 87590639439536.7, -3466283033847297.0,
        4.4273326857256984e+16, -1.8495080043698668e+16,
    ),
    "YQ": (
        1041.2835366425984, 626107.330137135, 268919633.39381415, 86400248710.3935, 20297961275010.555, 3171577528429750.5,
        2.5059625617265306e+17,
    ),
}
_Y1 = {
    "YP": (
        1263204747.9017804, -647355876379.1603, 114509511541823.73, -8127702555013251.0, 2.024394757135949e+17,
        -7.788771962659501e+17,
    ),
    "YQ": (
        594.3015923461282, 235564.09294306856, 73481194.44597217, 18760131610.870617, 3882312774962.3857, 620557727146953.8,
        6.871410873553005e+16, 3.9727060811656064e+18,
    ),
}
_I0 = {
    "A": (
        -4.4153416464793395e-18, 3.3307945188222384e-17, -2.431279846547955e-16, 1.715391285555133e-15,
        -1.1685332877993451e-14, 7.676185498604936e-14, -4.856446783111929e-13, 2.95505266312964e-12, -1.726826291441556e-11,
        9.675809035373237e-11, -5.189795601635263e-10, 2.6598237246823866e-09, -1.300025009986248e-08, 6.046995022541919e-08,
        -2.670793853940612e-07, 1.1173875391201037e-06, -4.4167383584587505e-06, 1.6448448070728896e-05,
        -5.754195010082104e-05, 0.00018850288509584165, -0.0005763755745385824, 0.0016394756169413357, -0.004324309995050576,
        0.010546460394594998, -0.02373741480589947, 0.04930528423967071, -0.09490109704804764, 0.17162090152220877,
        -0.3046826723431984, 0.6767952744094761,
    ),
    "B": (
        -7.233180487874754e-18, -4.830504485944182e-18, 4.46562142029676e-17, 3.461222867697461e-17, -2.8276239805165836e-16,
        -3.425485619677219e-16, 1.7725601330565263e-15, 3.8116806693526224e-15, -9.554846698828307e-15, -4.150569347287222e-14,
        1.54008621752141e-14, 3.8527783827421426e-13, 7.180124451383666e-13, -1.7941785315068062e-12, -1.3215811840447713e-11,
        -3.1499165279632416e-11, 1.1889147107846439e-11, 4.94060238822497e-10, 3.3962320257083865e-09, 2.266668990498178e-08,
        2.0489185894690638e-07, 2.8913705208347567e-06, 6.889758346916825e-05, 0.0033691164782556943, 0.8044904110141088,
    ),
}
_I1 = {
    "A": (
        2.7779141127610464e-18, -2.111421214358166e-17, 1.5536319577362005e-16, -1.1055969477353862e-15, 7.600684294735408e-15,
        -5.042185504727912e-14, 3.223793365945575e-13, -1.9839743977649436e-12, 1.1736186298890901e-11, -6.663489723502027e-11,
        3.625590281552117e-10, -1.8872497517228294e-09, 9.381537386495773e-09, -4.445059128796328e-08, 2.0032947535521353e-07,
        -8.568720264695455e-07, 3.4702513081376785e-06, -1.3273163656039436e-05, 4.781565107550054e-05,
        -0.00016176081582589674, 0.0005122859561685758, -0.0015135724506312532, 0.004156422944312888, -0.010564084894626197,
        0.024726449030626516, -0.05294598120809499, 0.1026436586898471, -0.17641651835783406, 0.25258718644363365,
    ),
    "B": (
        7.517296310842105e-18, 4.414348323071708e-18, -4.6503053684893586e-17, -3.209525921993424e-17, 2.96262899764595e-16,
        3.3082023109209285e-16, -1.8803547755107825e-15, -3.8144030724370075e-15, 1.0420276984128802e-14,
        4.272440016711951e-14, -2.1015418427726643e-14, -4.0835511110921974e-13, -7.198551776245908e-13,
        2.0356285441470896e-12, 1.4125807436613782e-11, 3.2526035830154884e-11, -1.8974958123505413e-11,
        -5.589743462196584e-10, -3.835380385964237e-09, -2.6314688468895196e-08, -2.512236237870209e-07,
        -3.882564808877691e-06, -0.00011058893876262371, -0.009761097491361469, 0.7785762350182801,
    ),
}
_K0 = {
    "A": (
        1.374465435613523e-16, 4.25981614279661e-14, 1.0349695257633842e-11, 1.904516377220209e-09, 2.5347910790261494e-07,
        2.286212103119452e-05, 0.001264615411446926, 0.0359799365153615, 0.3442898999246285, -0.5353273932339028,
    ),
    "B": (
        5.300433772686263e-18, -1.6475804301524212e-17, 5.2103915050390274e-17, -1.678231096805412e-16, 5.512055978524319e-16,
        -1.848593377343779e-15, 6.3400764774050706e-15, -2.2275133269916698e-14, 8.032890775363575e-14,
        -2.9800969231727303e-13, 1.140340588208475e-12, -4.514597883373944e-12, 1.8559491149547177e-11, -7.957489244477107e-11,
        3.577397281400301e-10, -1.69753450938906e-09, 8.574034017414225e-09, -4.660489897687948e-08, 2.766813639445015e-07,
        -1.8317555227191195e-06, 1.39498137188765e-05, -0.00012849549581627802, 0.0015698838857300533, -0.0314481013119645,
        2.4403030820659555,
    ),
}
_K1 = {
    "A": (
        -7.023863479386288e-18, -2.427449850519366e-15, -6.666901694199329e-13, -1.4114883926335278e-10,
        -2.213387630734726e-08, -2.4334061415659684e-06, -0.0001730288957513052, -0.006975723859639864, -0.12261118082265715,
        -0.3531559607765449, 1.5253002273389478,
    ),
    "B": (
        -5.756744483665017e-18, 1.7940508731475592e-17, -5.689462558442859e-17, 1.838093544366639e-16, -6.057047248373319e-16,
        2.038703165624334e-15, -7.019837090418314e-15, 2.4771544244813043e-14, -8.976705182324994e-14, 3.3484196660784293e-13,
        -1.2891739609510289e-12, 5.13963967348173e-12, -2.1299678384275683e-11, 9.218315187605006e-11, -4.1903547593418965e-10,
        2.015049755197033e-09, -1.0345762465678097e-08, 5.7410841254500495e-08, -3.5019606030878126e-07, 2.406484947837217e-06,
        -1.936197974166083e-05, 0.00019521551847135162, -0.002857816859622779, 0.10392373657681724, 2.7206261904844427,
    ),
}
_NDTRI = {
    "P0": (
        -59.96335010141079, 98.00107541859997, -56.67628574690703, 13.931260938727968, -1.2391658386738125,
    ),
    "Q0": (
        1.0, 1.9544885833814176, 4.676279128988815, 86.36024213908905, -225.46268785411937, 200.26021238006066,
        -82.03722561683334, 15.90562251262117, -1.1833162112133,
    ),
    "P1": (
        4.0554489230596245, 31.525109459989388, 57.16281922464213, 44.08050738932008, 14.684956192885803, 2.1866330685079025,
        -0.1402560791713545, -0.03504246268278482, -0.0008574567851546854,
    ),
    "Q1": (
        1.0, 15.779988325646675, 45.39076351288792, 41.3172038254672, 15.04253856929075, 2.504649462083094,
        -0.14218292285478779, -0.03808064076915783, -0.0009332594808954574,
    ),
    "P2": (
        3.2377489177694603, 6.915228890689842, 3.9388102529247444, 1.3330346081580755, 0.20148538954917908,
        0.012371663481782003, 0.00030158155350823543, 2.6580697468673755e-06, 6.239745391849833e-09,
    ),
    "Q2": (
        1.0, 6.02427039364742, 3.6798356385616087, 1.3770209948908132, 0.21623699359449663, 0.013420400608854318,
        0.00032801446468212774, 2.8924786474538068e-06, 6.790194080099813e-09,
    ),
}


def _name(dtype):
    names = {"float16": "Half", "bfloat16": "BFloat16", "bool": "Bool", "uint8": "Byte", "int8": "Char",
             "int16": "Short", "int32": "Int", "int64": "Long", "complex64": "ComplexFloat",
             "complex128": "ComplexDouble"}
    return names[str(dtype).removeprefix("torch.")]


def _floating(kernel, t, narrow=False):
    """A tensor of a dtype that the kernel has: integers become the default dtype."""
    if not (t.is_floating_point() or t.is_complex()):
        t = t.to(_torch.get_default_dtype())
    if t.is_complex() or not narrow and t.dtype in (_torch.float16, _torch.bfloat16):
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{_name(t.dtype)}'")
    return t


def _wide(t):
    t = t.detach()
    return t.double() if t.device.type == "cpu" else t.float() if t.dtype in (_torch.float16, _torch.bfloat16) else t


def _answer(node, values, like, inputs, slopes):
    """`values` in the dtype of `like`, as the result of a node. `slopes` are functions of the gradient, one for each input."""
    out = values.to(like.dtype)
    if any(t.requires_grad for t in inputs) and _torch.is_grad_enabled():
        def backward(grads):
            return tuple(slope(grads[0]) if t.requires_grad else None for t, slope in zip(inputs, slopes))

        _torch._record(node, list(inputs), [out], backward)
    return out


def _no_slope(name):
    def refuse(gradient):
        raise NotImplementedError(f"the derivative for '{name}' is not implemented.")

    return refuse


def _unary(name, kernel, f, slope=None, node=None, narrow=False):
    """A function of one tensor. `slope(x, y)` is its derivative; without one, gradients end here, as in PyTorch."""
    node = node or "Special" + "".join(word.capitalize() for word in name.split("_")) + "Backward0"

    def function(input):
        x = _floating(kernel, input, narrow)
        inputs = [] if slope is None else [x]
        out = _answer(node, f(_wide(x)), x, inputs, [lambda g: g * slope(x, out)])
        return out

    function.__name__ = "special_" + name
    return function


def _polynomial(x, coefficients):
    """The highest power's coefficient comes first."""
    out = _torch.zeros_like(x)
    for c in coefficients:
        out = out * x + c
    return out


def _chebyshev_series(x, coefficients):
    """The last coefficient is that of the constant, which counts half."""
    before = last = _torch.zeros_like(x)
    value = last + coefficients[0]
    for c in coefficients[1:]:
        before, last = last, value
        value = x * last - before + c
    return (value - before) * 0.5


def _cut(x, low=None, high=None):
    """Inside a range. What a formula gives outside of its range isn't used, and shouldn't be infinite."""
    return x.clamp(low, high)


# ---- Bessel functions ------------------------------------------------------------------------------------------------

_PHASE = (0.785398163397448309615660845819875721, 2.356194490192344928846982537459627163)
_ROOT = 0.797884560802865355879892119868763737


def _bessel_waves(x, order, table):
    """What is common to J and Y from 5 on: the parts that go with cosine and sine, and the phase."""
    far = _cut(x, 5.0)
    square = 25.0 / (far * far)
    p = _polynomial(square, table["PP"]) / _polynomial(square, table["PQ"])
    q = 5.0 / far * (_polynomial(square, table["QP"]) / _polynomial(square, table["QQ"]))
    phase = far - _PHASE[order]
    return p, q, phase.cos(), phase.sin(), _ROOT / far.sqrt()


def _j0(x):
    x = x.abs()
    near = _cut(x, high=5.0)
    square = near * near
    inside = (square - 5.78318596294678452118) * (square - 30.4712623436620863991)
    inside = inside * _polynomial(square, _J0["RP"]) / _polynomial(square, _J0["RQ"])
    p, q, cos, sin, root = _bessel_waves(x, 0, _J0)
    return _torch.where(x <= 5.0, inside, (p * cos - q * sin) * root)


def _j1(x):
    size = x.abs()
    near = _cut(size, high=5.0)
    square = near * near
    inside = _polynomial(square, _J1["RP"]) / _polynomial(square, _J1["RQ"]) * near
    inside = inside * (square - 14.6819706421238932572) * (square - 49.2184562321694603670)
    p, q, cos, sin, root = _bessel_waves(size, 1, _J1)
    out = _torch.where(size <= 5.0, inside, (p * cos - q * sin) * root)
    return _torch.where(x < 0, -out, out)


def _without_negative(x, out):
    """The functions of the second kind have a pole at 0 and no real values below."""
    return _torch.where(x == 0, -math.inf, _torch.where(x < 0, math.nan, out))


def _y0(x):
    near = _cut(x, 1e-300 if x.dtype == _torch.float64 else 1e-38, 5.0)
    square = near * near
    inside = _polynomial(square, _Y0["YP"]) / _polynomial(square, _Y0["YQ"]) + 2 / math.pi * near.log() * _j0(near)
    p, q, cos, sin, root = _bessel_waves(x, 0, _J0)
    return _without_negative(x, _torch.where(x <= 5.0, inside, (p * sin + q * cos) * root))


def _y1(x):
    near = _cut(x, 1e-300 if x.dtype == _torch.float64 else 1e-38, 5.0)
    square = near * near
    inside = near * (_polynomial(square, _Y1["YP"]) / _polynomial(square, _Y1["YQ"]))
    inside = inside + 2 / math.pi * (_j1(near) * near.log() - 1 / near)
    p, q, cos, sin, root = _bessel_waves(x, 1, _J1)
    return _without_negative(x, _torch.where(x <= 5.0, inside, (p * sin + q * cos) * root))


def _i0e(x):
    x = x.abs()
    near, far = _cut(x, high=8.0), _cut(x, 8.0)
    inside = _chebyshev_series(near / 2 - 2, _I0["A"])
    return _torch.where(x <= 8.0, inside, _chebyshev_series(32.0 / far - 2, _I0["B"]) / far.sqrt())


def _i1e(x):
    size = x.abs()
    near, far = _cut(size, high=8.0), _cut(size, 8.0)
    inside = _chebyshev_series(near / 2 - 2, _I1["A"]) * near
    out = _torch.where(size <= 8.0, inside, _chebyshev_series(32.0 / far - 2, _I1["B"]) / far.sqrt())
    return _torch.where(x < 0, -out, out)


def _i0(x):
    return x.abs().exp() * _i0e(x)


def _i1(x):
    return x.abs().exp() * _i1e(x)


def _second_kind(x, out):
    return _torch.where(x == 0, math.inf, _torch.where(x < 0, math.nan, out))


def _k0e(x):
    near, far = _cut(x, 1e-300 if x.dtype == _torch.float64 else 1e-38, 2.0), _cut(x, 2.0)
    inside = _chebyshev_series(near * near - 2, _K0["A"]) - (near * 0.5).log() * _i0(near)
    outside = _chebyshev_series(8.0 / far - 2, _K0["B"]) / far.sqrt()
    return _second_kind(x, _torch.where(x <= 2.0, inside * near.exp(), outside))


def _k1e(x):
    near, far = _cut(x, 1e-300 if x.dtype == _torch.float64 else 1e-38, 2.0), _cut(x, 2.0)
    inside = (near * 0.5).log() * _i1(near) + _chebyshev_series(near * near - 2, _K1["A"]) / near
    outside = _chebyshev_series(8.0 / far - 2, _K1["B"]) / far.sqrt()
    return _second_kind(x, _torch.where(x <= 2.0, inside * near.exp(), outside))


def _airy(x):
    """The power series between -2.09 and 2.09 and also up to 8.32 for nothing but its derivative; asymptotic series beyond."""
    low = _cut(x, high=-2.09)
    zeta = -2.0 * low * (-low).sqrt() / 3.0
    z = 1.0 / zeta
    square = z * z
    phase = zeta + math.pi / 4
    cosine = z * _polynomial(square, _AIRY["AGN"]) / _polynomial(square, _AIRY["AGD"])
    sine = 1.0 + square * _polynomial(square, _AIRY["AFN"]) / _polynomial(square, _AIRY["AFD"])
    factor = 1 / math.sqrt(math.pi)
    below = factor / (-low).sqrt().sqrt() * (phase.sin() * sine - phase.cos() * cosine)
    high = _cut(x, 2.09, 110.0)
    zeta = 2.0 * high * high.sqrt() / 3.0
    above = _polynomial(1 / zeta, _AIRY["AN"]) / _polynomial(1 / zeta, _AIRY["AD"])
    above = factor * above / (2.0 * high.sqrt().sqrt() * zeta.exp())
    middle = _cut(x, -2.09, 2.09)
    cube = middle ** 3
    f = m = _torch.ones_like(x)
    g = n = middle
    for k in range(1, 40, 3):
        m = m * cube / ((k + 1) * (k + 2))
        n = n * cube / ((k + 2) * (k + 3))
        f, g = f + m, g + n
    inside = 0.355028053887817239260 * f - 0.258819403792806798405 * g
    out = _torch.where(x < -2.09, below, _torch.where(x >= 2.09, above, inside))
    return _torch.where(x.isinf(), math.nan, _torch.where(x > 103.892, 0.0, out))


# ---- normal distributions --------------------------------------------------------------------------------------------


def _erfcx(x):
    """`exp(x * x) * erfc(x)`; from 5 on by its continued fraction."""
    near, far = _cut(x, high=5.0), _cut(x, 5.0)
    fraction = far
    for k in range(60, 0, -1):
        fraction = far + k / 2 / fraction
    return _torch.where(x <= 5.0, (near * near).exp() * near.erfc(), 1 / math.sqrt(math.pi) / fraction)


def _log_ndtr(x):
    t = x * math.sqrt(0.5)
    below = (_erfcx(-t) / 2).log() - t * t
    return _torch.where(x < -1.0, below, (-_cut(t, -0.8).erfc() / 2).log1p())


def _ndtri(p):
    tail = math.exp(-2)
    upper = p > 1 - tail
    y = _torch.where(upper, 1 - p, p)
    middle = y - 0.5
    square = middle * middle
    inside = middle + middle * (square * _polynomial(square, _NDTRI["P0"]) / _polynomial(square, _NDTRI["Q0"]))
    x = (-2 * _cut(y, 1e-320 if p.dtype == _torch.float64 else 1e-45, tail).log()).sqrt()
    z = 1 / x
    near = z * _polynomial(z, _NDTRI["P1"]) / _polynomial(z, _NDTRI["Q1"])
    far = z * _polynomial(z, _NDTRI["P2"]) / _polynomial(z, _NDTRI["Q2"])
    outside = x - x.log() / x - _torch.where(x < 8.0, near, far)
    out = _torch.where(y > tail, inside * math.sqrt(2 * math.pi), _torch.where(upper, outside, -outside))
    out = _torch.where(p == 0, -math.inf, _torch.where(p == 1, math.inf, out))
    return _torch.where((p < 0) | (p > 1), math.nan, out)


# ---- gamma functions -------------------------------------------------------------------------------------------------

_BERNOULLI = (
    12.0, -720.0, 30240.0, -1209600.0, 47900160.0, -1.8924375803183791606e9, 7.47242496e10, -2.950130727918164224e12,
    1.1646782814350067249e14, -4.5979787224074726105e15, 1.8152105401943546773e17, -7.1661652561756670113e18,
)


def _zeta(x, q):
    """Hurwitz's zeta function by Euler and Maclaurin's formula."""
    x, q = _torch.broadcast_tensors(x, q)
    whole = q == q.floor()
    undefined = (x < 1) | ((q <= 0) & ~whole & (x != x.floor()))
    total = q ** -x
    a = q
    for _ in range(9):
        a = a + 1
        total = total + a ** -x
    # Below 0 the terms up to the first one above 9 count as well.
    more = a <= 9
    while more.any():
        a = _torch.where(more, a + 1, a)
        total = _torch.where(more, total + a ** -x, total)
        more = a <= 9
    last = a ** -x
    total = total + last * a / (x - 1) - last / 2
    factor, power, k = _torch.ones_like(x), last, 0.0
    for divisor in _BERNOULLI:
        factor = factor * (x + k)
        power = power / a
        total = total + factor * power / divisor
        factor = factor * (x + k + 1)
        power = power / a
        k += 2
    total = _torch.where((q <= 0) & whole, math.inf, total)
    return _torch.where(x == 1, math.inf, _torch.where(undefined, math.nan, total))


def _trigamma(x):
    reflected = x < 0.5
    y = _torch.where(reflected, 1 - x, x)
    total = _torch.zeros_like(x)
    for _ in range(6):
        total = total + 1 / (y * y)
        y = y + 1
    r = 1 / (y * y)
    total = total + (1 + 1 / (2 * y) + r * (1 / 6 - r * (1 / 30 - r * (1 / 42)))) / y
    sine = (math.pi * x).sin()
    return _torch.where(reflected, (math.pi / sine) ** 2 - total, total)


def _polygamma(n, x):
    if n == 0:
        return x.digamma()
    if n == 1:
        return _trigamma(x)
    return (1.0 if n % 2 else -1.0) * math.exp(math.lgamma(n + 1)) * _zeta(_torch.full_like(x, n + 1.0), x)


def polygamma(n, input):
    if n < 0:
        raise RuntimeError("polygamma(n, x) does not support negative n.")
    x = _floating(("digamma", "trigamma")[n] if n < 2 else "polygamma", input, narrow=True)
    return _answer("PolygammaBackward0", _polygamma(n, _wide(x)), x, [x], [lambda g: g * polygamma(n + 1, x)])


def _lower_series(a, x):
    """The lower incomplete gamma function, regularized: its power series, for x up to about a."""
    term = total = _torch.ones_like(a)
    r = a
    for _ in range(2000):
        r = r + 1
        term = term * x / r
        total = total + term
        if not (term > total * 1e-17).any():
            break
    return total * (a * x.log() - x - (a + 1).lgamma()).exp()


def _upper_fraction(a, x):
    """The upper one by its continued fraction, for x above a; the denominators are those of Lentz."""
    tiny = 1e-300 if a.dtype == _torch.float64 else 1e-30
    b = x + 1 - a
    c = _torch.full_like(b, 1 / tiny)
    d = 1 / b
    h = d
    for i in range(1, 2000):
        an = -i * (i - a)
        b = b + 2
        d = an * d + b
        d = 1 / _torch.where(d.abs() < tiny, tiny, d)
        c = b + an / c
        c = _torch.where(c.abs() < tiny, tiny, c)
        step = d * c
        h = h * step
        if not ((step - 1).abs() > 1e-16).any():
            break
    return h * (a * x.log() - x - a.lgamma()).exp()


def _incomplete(a, x):
    """Both incomplete gamma functions, regularized: (lower, upper)."""
    a, x = _torch.broadcast_tensors(a, x)
    inner = (a > 0) & (x > 0) & ~a.isinf() & ~x.isinf()
    small = x < a + 1
    lower = _lower_series(_torch.where(inner & small, a, 1.0), _torch.where(inner & small, x, 0.5))
    upper = _upper_fraction(_torch.where(inner & ~small, a, 1.0), _torch.where(inner & ~small, x, 3.0))
    lower, upper = _torch.where(small, lower, 1 - upper), _torch.where(small, 1 - lower, upper)

    def at_ends(values, at_zero_x, at_zero_a):
        values = _torch.where(x == 0, at_zero_x, values)
        values = _torch.where((a == 0) & (x > 0), at_zero_a, values)
        values = _torch.where(a.isinf(), _torch.where(x.isinf(), math.nan, at_zero_x), values)
        values = _torch.where(x.isinf() & ~a.isinf(), at_zero_a, values)
        undefined = (x < 0) | (a < 0) | a.isnan() | x.isnan()
        return _torch.where(undefined, math.nan, values)

    return at_ends(lower, 0.0, 1.0), at_ends(upper, 1.0, 0.0)


def _gamma_part(name, which, called=None):
    called = called or name

    def function(input, other):
        for at, (key, value) in enumerate((("input", input), ("other", other)), 1):
            if not isinstance(value, Tensor):
                raise TypeError(f"{called}(): argument '{key}' (position {at}) must be Tensor, not {type(value).__name__}")
        kind = _torch.result_type(input, other)
        if not kind.is_floating_point:
            raise NotImplementedError(f"\"{name}_cpu\" not implemented for '{_name(kind)}'")
        a, x = input.to(kind), other.to(kind)
        values = _incomplete(_wide(a), _wide(x))[which]

        def slope(g):
            density = ((a - 1) * x.log() - x - a.lgamma()).exp()
            return (g * density if which == 0 else -g * density).sum_to_size(x.shape)

        node = f"{name.capitalize()}Backward0"
        return _answer(node, values, a, [a, x], [_no_slope(f"{name}: input"), slope])

    function.__name__ = called
    return function


# ---- orthogonal polynomials ------------------------------------------------------------------------------------------


def _by_recurrence(name, first, step, ends, angle=None, most=math.inf):
    """A polynomial of degree n in x, for tensors or numbers of both. `first(x)` is that of degree 1, `step(x, k, q, p)` the next
    one, `ends(x, n)` what it is at the ends of the interval, and `angle(x, n)` a form for large degrees inside."""

    def function(x, n):
        if not (isinstance(x, Tensor) or isinstance(n, Tensor)):
            raise TypeError(f"special_{name}() received an invalid combination of arguments - got "
                            f"({type(x).__name__}, {type(n).__name__}), but expected one of:\n"
                            " * (Tensor x, Tensor n, *, Tensor out = None)\n * (Number x, Tensor n, *, Tensor out = None)\n"
                            " * (Tensor x, Number n, *, Tensor out = None)\n")
        device = (x if isinstance(x, Tensor) else n).device
        kind = _torch.result_type(x, n)
        if not (kind.is_floating_point or kind.is_complex):
            kind = _torch.get_default_dtype()
        given = [t if isinstance(t, Tensor) else _torch.tensor(t, device=device) for t in (x, n)]
        x, n = (_floating(name + "_cpu", t.to(kind)) for t in given)
        at, degree = _torch.broadcast_tensors(_wide(x), _wide(n).trunc())
        # As an integer, NaN is negative.
        degree = _torch.where(degree == degree, degree, -1.0)
        p, q = _torch.ones_like(at), first(at)
        out = _torch.where(degree == 0, 1.0, q)
        usual = degree if angle is None else _torch.where((degree > angle.above) & angle.inside(at), 0.0, degree)
        usual = usual.clamp(max=most)
        known = [(where & (degree >= 0), value) for where, value in ends(at, degree)]
        for where, _ in known:
            usual = _torch.where(where, 0.0, usual)
        for k in range(1, int(usual.max().clamp(max=2**62).item()) if usual.numel() else 0):
            p, q = q, step(at, k, q, p)
            out = _torch.where(degree == k + 1, q, out)
            # What has become NaN stays so.
            if k % 64 == 0 and not ((usual > k + 1) & (q == q)).any():
                out = _torch.where(usual > k + 1, q, out)
                break
        if angle is not None:
            out = _torch.where((degree > angle.above) & angle.inside(at), angle(at, degree), out)
        out = _torch.where(degree > most, math.nan, out)
        for where, value in known:
            out = _torch.where(where, value, out)
        out = _torch.where(degree < 0, 0.0, out)
        return out.to(x.dtype)

    function.__name__ = "special_" + name
    return function


class _Angle:
    """A Chebyshev polynomial inside its interval by the angle whose cosine is x."""

    def __init__(self, form, shifted, above):
        self.form, self.shifted, self.above = form, shifted, above

    def inside(self, x):
        return (x + x - 1 if self.shifted else x).abs() < 1

    def __call__(self, x, n):
        return self.form((x + x - 1 if self.shifted else x).clamp(-1, 1).acos(), n)


def _sign(n):
    return _torch.where(n % 2 == 0, 1.0, -1.0)


_CHEBYSHEV = {
    "t": (0.0, 1.0, lambda a, n: (n * a).cos(), lambda n: 1.0, _sign),
    "u": (0.0, 2.0, lambda a, n: ((n + 1) * a).sin() / a.sin(), lambda n: n + 1, lambda n: _sign(n) * (n + 1)),
    "v": (-1.0, 2.0, lambda a, n: ((n + 0.5) * a).cos() / (a / 2).cos(), lambda n: 1.0, lambda n: _sign(n) * (n + n + 1)),
    "w": (1.0, 2.0, lambda a, n: ((n + 0.5) * a).sin() / (a / 2).sin(), lambda n: n + n + 1, _sign),
}


def _chebyshev(kind, shifted):
    constant, slope, form, at_right, at_left = _CHEBYSHEV[kind]

    def place(x):
        return x + x - 1 if shifted else x

    name = ("shifted_" if shifted else "") + "chebyshev_polynomial_" + kind
    return _by_recurrence(
        name, lambda x: slope * place(x) + constant, lambda x, k, q, p: 2 * place(x) * q - p,
        lambda x, n: ((place(x) == 1, at_right(n)), (place(x) == -1, at_left(n))), _Angle(form, shifted, 6 if kind == "t" else 8))


def _nothing(x, n):
    return ()


# ---- the functions ---------------------------------------------------------------------------------------------------

special = {
    "airy_ai": _unary("airy_ai", "airy_ai_cpu", _airy),
    "bessel_j0": _unary("bessel_j0", "bessel_j0_cpu", _j0, lambda x, y: -special["bessel_j1"](x)),
    "bessel_j1": _unary("bessel_j1", "bessel_j1_cpu", _j1, lambda x, y: _less_quotient(x, y, special["bessel_j0"](x))),
    "bessel_y0": _unary("bessel_y0", "bessel_y0_cpu", _y0, lambda x, y: -special["bessel_y1"](x)),
    "bessel_y1": _unary("bessel_y1", "bessel_y1_cpu", _y1, lambda x, y: special["bessel_y0"](x) - y / x),
    "erfcx": _unary("erfcx", "erfcx_cpu", _erfcx, lambda x, y: 2 * x * y - 2 / math.sqrt(math.pi)),
    "i0e": _unary("i0e", "i0e_cpu", _i0e, lambda x, y: special["i1e"](x) - x.sgn() * y, "SpecialI0EBackward0", True),
    "i1": _unary("i1", "i1_cpu", _i1, lambda x, y: _less_quotient(x, y, i0(x)), narrow=True),
    "i1e": _unary("i1e", "i1e_cpu", _i1e, lambda x, y: _less_quotient(x, y, special["i0e"](x)) - x.sgn() * y,
                  "SpecialI1EBackward0", True),
    "log_ndtr": _unary("log_ndtr", "log_ndtr_cpu", _log_ndtr,
                       lambda x, y: math.sqrt(2 / math.pi) / special["erfcx"](x * -math.sqrt(0.5))),
    "modified_bessel_i0": _unary("modified_bessel_i0", "modified_bessel_i0_cpu", _i0,
                                 lambda x, y: special["modified_bessel_i1"](x)),
    "modified_bessel_i1": _unary("modified_bessel_i1", "modified_bessel_i1_cpu", _i1,
                                 lambda x, y: _less_quotient(x, y, special["modified_bessel_i0"](x))),
    "modified_bessel_k0": _unary("modified_bessel_k0", "modified_bessel_k0_cpu", lambda x: (-x).exp() * _k0e(x),
                                 lambda x, y: -special["modified_bessel_k1"](x)),
    "modified_bessel_k1": _unary("modified_bessel_k1", "modified_bessel_k1_cpu", lambda x: (-x).exp() * _k1e(x),
                                 lambda x, y: -special["modified_bessel_k0"](x) - y / x),
    "ndtri": _unary("ndtri", "ndtri_cpu", _ndtri, lambda x, y: math.sqrt(2 * math.pi) * (y.square() / 2).exp()),
    "scaled_modified_bessel_k0": _unary("scaled_modified_bessel_k0", "scaled_modified_bessel_k0_cpu", _k0e),
    "scaled_modified_bessel_k1": _unary("scaled_modified_bessel_k1", "scaled_modified_bessel_k1_cpu", _k1e),
    "hermite_polynomial_h": _by_recurrence("hermite_polynomial_h", lambda x: x + x,
                                           lambda x, k, q, p: (x + x) * q - 2 * k * p, _nothing, most=512),
    "hermite_polynomial_he": _by_recurrence("hermite_polynomial_he", lambda x: x, lambda x, k, q, p: x * q - k * p, _nothing,
                                            most=512),
    "laguerre_polynomial_l": _by_recurrence("laguerre_polynomial_l", lambda x: 1 - x,
                                            lambda x, k, q, p: ((k + k + 1 - x) * q - k * p) / (k + 1),
                                            lambda x, n: ((x == 0, 1.0),)),
    "legendre_polynomial_p": _by_recurrence("legendre_polynomial_p", lambda x: x,
                                            lambda x, k, q, p: ((k + k + 1) * x * q - k * p) / (k + 1),
                                            lambda x, n: ((x == 1, 1.0), (x == -1, _sign(n)))),
}
for _kind in _CHEBYSHEV:
    for _shifted in (False, True):
        special[("shifted_" if _shifted else "") + "chebyshev_polynomial_" + _kind] = _chebyshev(_kind, _shifted)


def _less_quotient(x, y, before):
    """The slope of a function of order 1 from that of order 0. At 0 the quotient has a limit that division misses."""
    zero = x == 0
    return _torch.where(zero, 0.5, before - y / _torch.where(zero, 1.0, x))


def zeta(input, other):
    if not (isinstance(input, Tensor) or isinstance(other, Tensor)):
        raise TypeError(f"special_zeta() received an invalid combination of arguments - got ({type(input).__name__}, "
                        f"{type(other).__name__}), but expected one of:\n * (Tensor input, Tensor other, *, Tensor out = None)\n"
                        " * (Number self, Tensor other, *, Tensor out = None)\n"
                        " * (Tensor input, Number other, *, Tensor out = None)\n")
    device = (input if isinstance(input, Tensor) else other).device
    kind = _torch.result_type(input, other)
    if not (kind.is_floating_point or kind.is_complex):
        kind = _torch.get_default_dtype()
    x, q = (_floating("zeta_cpu", (t if isinstance(t, Tensor) else _torch.tensor(t, device=device)).to(kind)) for t in (input, other))
    form = 1 if not isinstance(input, Tensor) else 0 if isinstance(other, Tensor) else 2
    return _answer(f"SpecialZetaBackward{form}", _zeta(_wide(x), _wide(q)), x, [x, q],
                   [_no_slope("special_zeta: self"), lambda g: (g * -x * zeta(x + 1, q)).sum_to_size(q.shape)])


i0 = _unary("i0", "i0_vml_cpu", _i0, lambda x, y: special["i1"](x), "I0Backward0", True)
i0.__name__ = "i0"
igamma, igammac = _gamma_part("igamma", 0), _gamma_part("igammac", 1)
special["zeta"] = zeta
for _function in (i0, igamma, igammac, polygamma):
    globals()[_function.__name__] = _torch._composed(_function.__name__, _function)
# As methods the tensor comes first.
methods = {"i0": i0, "igamma": igamma, "igammac": igammac, "polygamma": lambda self, n: polygamma(n, self)}
methods.update({_key + "_": (lambda f: lambda self, *args, **kwargs: _torch._replace(self, f, *args, **kwargs))(_function)
                for _key, _function in methods.items()})
for _key, _function in special.items():
    special[_key] = _torch._with_out("special_" + _key, _function)
special.update(polygamma=polygamma, i0=i0)
for _which, (_key, _function) in enumerate((("gammainc", "igamma"), ("gammaincc", "igammac"))):
    special[_key] = _torch._with_out("special_" + _key, _gamma_part(_function, _which, "special_" + _key))
