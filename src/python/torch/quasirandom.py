"""Sobol' sequences, as torch.quasirandom.

The direction numbers are those of S. Joe and F. Y. Kuo (new-joe-kuo-6.21201), which PyTorch has for 21,201 dimensions. Here are those
of the primitive polynomials up to degree 12, so there are 481 dimensions.
"""

import base64

import torch

__all__ = ["SobolEngine"]

_DIMENSIONS = 481
_BITS = 30

# Of every dimension but the first: half of the 2nd, 3rd and further initial numbers, which are odd, in 1, 2, 3 and more bits.
_INITIAL = (
    "z)s0RMC_mdu3ur`dQ{ti%u}-xpL=J|<~&CnU(guT$sJ<f9<0&qMA1A61Ex!+W0cy!-!0N1Eku>TX2agN-eRHJ6Zx3+zxDPKsb={u)-aFJXf4h@1n@~g%%rI4-h"
    "?c<OOkYcy!#qLzYYN1T(R6CByn&3)Kb-`S#lSx-)Mtigh52h1y>dv_J1O(A859!I}UcM&6Ed!-=>(2z}ffSQn#J4iU(!WR{$+*?~+ca+)qN38h|J-Sm68Hf>aq"
    "mr+J3|=RtnOr{scte(asSFER?oy0_{O7;P1YhdBlzDb|eY@H=1rF^>C6vj~7(_>@s_aLMACbd2Fv_r_5AE*Uy<#oOe1C0Mj<O8J%-oLr%g8^JuyHGtp*B$0bN)"
    "ZpGM%W8wKNkqIg)uU58C}N;*3E$@sywt*OMJ<<0OK|y()F0jHD3)~DUr7h4Gmw(v-sNbf|MWMUXgdBjO3q7%!qoTlm_#6#45y)#pQ$7N9IHMl#+W7k3X#$<6Q9"
    "K3UmJBH`l0Gwvgz(m62M#{+qw1n4yiDaoN8cg_sHOysGsN6t)hH4A)Uiv4vnJCZxWG}ou?7IYg!Qk<;C(C$#K(S_cgmGRH{_UrzIEONO<QO0?sd4DeSOx+8H%v"
    "PtQSFyM^?H1MqUptmmnNI5(Gb5=ai{R^kR~pW1fqEXVm+F@pJFlTq;^O~>Kw77O3pUqRwUxC`R|v-4syZI{MrXYL|qoY@I#03%``E#A&=ag7G6UKS-vKI<!ACa"
    "(WNdko-zoZboR&fa|%6%t9zy5a|Vc>aYlLGnwb>=SRxDKLP|u|>0IzB>(kO1~*T*Xrt~&r4(VY@XIKFalj=O(wlI$obz~6>_KOsGfVzMf}UQgD{TAGS7bFho=G"
    ")tI=I`4&Eag=8d^5nwKS&21Ch<S&#>z*1g!9UWf_1SlOeSp&fB{!VK>z;Txsy3u47=&j3JnG01iXyy0P54mrx++UxPbe?{K@@G&;QqAvm*5u8yEM%cNS_hH8vY"
    "i7=@CdC_sOKJDL);iSlbgtIB!`QmbrNWGDugFbE1+`t=C1d2BFXe8)1UIc*AAxccbT<P^C)~)HxTmqvY=V8X`|*H^<93+2i!8Na(UD9pQI?F>HlPJFyU7$z|8e"
    "dNAx`4~)ylkU{Z9S;1X3~Y1hKR61>Cz4ym+to$V(8w_A;@Oq_SV0WlA8q6aLw<Srr3V|CZI4aADcQ%qnOpd}3=$LoP~=mlg^P0+F^FB|izXYjIhNuIi1Y58xJj"
    "MN(F!KB6)VP@>qNs`3!yilH)$>k@mc?U7XGe<_xH-tCR$f~(~jqQ-a9wJgC7qs|v$hRComyk1?<RBu3H3!2m!Urgnw*xV8}@kLF7G(C?^Zy+!pe;Q9%$n90DXb"
    "91yLP#9G*spR?>-8}hyHjgvJSzWXBqG$2yqY^<qTT!J3{Paen!`*lD)YV77Q6S+`&tPE{uybD&i(`izkXN5=giX+pKePFtNG3Nl&1N;2v)8niPen#`r0N~3ng1"
    "%x<f9d(k6gNd}QCLyD-6!=F7jPKdU?9GxX};Kb!2YaH&du!AG6-Zl+UAl!$tRArV0UAXOq3jF^JAuOk0uB~pDcF|-AgpfII3v*(W5<F0=kX&{kAUKuC#k_*a2h"
    "P<bNO6HxP%=aL9cmHvrsbKib1go1go4@xn!J(Nh2zl)bC#4gq2?*?b38r;DPr)NPro~<Bg&}GYhP~^VDQiVxf^doBm_%ndO{l8nz9K8u_3v-K1Jl1CV%$F}dFv"
    "@eFdRN&$NCLUA*>E#qenpk61bbv)O0W-{P&BQi2dZ<TuH;_I_B+EU(|Pl71MF}31P!533+AC#k&55MV-!M5q2uI-=xeIb!Zi@D!!1|D68l>QoDO3nhG$9Y^!Dm"
    "cfvwHC{cA<7eWIX%EShomG|Ot6wo<S1OQNhQN4ig4I?tNwE$$C0h~(tS(^KmR~_N&Y-hdONH)ipV@T|Q)o3yY>kvsAh)G%ia!m&TA-39vYf8D-BE9;ShQ7T5@3"
    "rR5&e0sRXALK<N=&G6av@S4-^Nk3<JE*8NJy&Fc6qhbm}2cM=)f~tTf<-_YVE`9Yvv0?MIC!*->BLHe}~iI1NtaGOd5+wSo@s#ZlAj!$a3meku{M!bqIJ7Wy9l"
    "9_|CMH)3suEo4;gVa-Ob?j1Y2c2j6o6W(!Xbnv^Fl^9U>F*0r;P&)bWuGbLR-S_Wnx%r-aHDq!QC*kW^F%)`r;Xfu<RvjEW8vnNYRBt0hO40<TZWs$CK&P>7Kc"
    "9G2Le<zg7vVJ7bB&`eL^Q6afUp7{*a~|Pu996q;z5aI5`<sMV-*i|&GrRc&J|I0-5U1v2!Q5Co$C3GxMU)t(r7?u~o7e<t`);p}OQ}%^<o-#xN`*%w)v&oU%*<"
    "6Wt`*i79!xnB@n0VGD3v##?F@5=*-3DUQp}ZfBr=<Z*!Rj2*?rTVKsU~<^uSyfSKKv&xZYMEEvKxh?Br)Y#H;l|D0&&(emht%Y5#&07#p4X*ez|$%X7QSRg?s0"
    "qwZ_Tt*jkR*QH{`G)o&1;)yVj60M#8MFwPU?^nOBxIY24agiV9841ac$qgi&4JF(wG<m*z3t5@<R;B*l^CIynXKT!eW&{@Bht~KZj>Oa@k}=`5Y?7le9fc9}Ob"
    "XZf>u&Rht27ZPf}W^{c>N%!&cb81o+kiDTY&}nMDfc5(y|Q+YL}1?K7krA?GyJEl3I&-$OrNsRoySK2@^`5R0$~RME<sPGW8-~><I{fSla$3ni5w`e!Z=u=6!D"
    "_U@whhv3r72OhDiYkJZ$AnIx7!!w3;v!dm@TO)UwrrW>^$SFz*SzV$|A%5T2v^4{$<{XzeJ>x8&B&^`q|Rz5EcexecG*~HD|cUzRIB`7Sf6D|13ltjiy+%i6MQ"
    "wj<Jb9&z-+jbdDbCV>IXMy1Fv7U`3!L{T|6QX45Rl@QA5q`fTEa-kscO`7i@xdaFgk2I7^FbGdYy<KTzH=t%%O4eq7qYGF&<n)PY+-U4Ei2t2(qaPGf!hymXN*"
    "_YNY&QH(Q!th_5^R=5SbxQ6|>tjjEBeB1JNuC5?X6Sl({}4qS*uyd@qsBa;|8Kc117bFb=kRtj9kF1Q^EkJNBx$hv36HahIEGJx%amO2^ee(ocNq*C@8~0{kdd"
    "b+wW#Uv(#cF{ZMt2=VDk?CQjzQh#tQZDj9-{f4HB3GM02)M(qs)O4rK(9`)jvS3xF);6D0^~x3_J{P;8n~gj0idyEQnsy?0c_kIryIJXb=5;hgo_Jr)vJ4oyq$"
    "^hkWt5n=6A!u<G_+JpPWeA4U24uv4;k4Lu-FeeT>u56eg|ESxrHxTQ5W%z@xP!HuOT{YczRU#D^?UH{i};xPw${k@{Mh^U8-A6x%y*_>tB^uWa!&9(GR@)D07r"
    "|T!$JS9F+IHcbKtCOIi%Cwf|c94SCz3POtxp1J*NfB`@puUN#;1$@0)N!dwma7CeRDV^Z8ljmA{1b-`J6#$UR-vX?w<RlI{2iyvV0evo~}*D6Ai^#F2H=1aA{&"
    "vMTvPhDBm2fOn68kM&Aw<FBy_j&$Z$w0r2l*dZ>(-^G$Whv5<Yu0~{>zj6$*h7V>dLJXxC*td4(t>cLGn|V4VnZSv>NdahffuY_eHcsDY7k&kdU7e=K|4J{$;3"
    "J2luP|YTIGqR->^OdvB~bDmQa0Vl#y2CQy-5O?d8<^zNjQKwP3*aFuAA;bOXw{dIW79aBVWARRVAWoikxk&t)W)57eU?0eL)F0ae4n9!qQix_}H*A#75mFGUE0"
    "8lppW;-4d%bg~N7X^xE>mI{VWgi_7|8uM%qUHUurPp2qO*4Qb$I#X&#v@KQT7tk5HJ2^5v`_>^N5SdW)ZiRJgp&+T6B*m0TfN>P_ShB;85)2234oJ!$Sp+31sC"
    "%<c0ScaKQfywR<9NR~E8Sv2hG_9vTeNnBtF8_vpkT*Zh-?YKdApk|obCgVOhi6r"
)


def _is_primitive(polynomial, degree):
    """Whether x generates all polynomials modulo this one, over the field of two elements. Bit i is the coefficient of x^i."""
    def times(a, b):
        product = 0
        while b:
            if b & 1:
                product ^= a
            b >>= 1
            a <<= 1
            if a >> degree & 1:
                a ^= polynomial
        return product

    def power(exponent):
        result, square = 1, 2 if degree > 1 else 1
        while exponent:
            if exponent & 1:
                result = times(result, square)
            square = times(square, square)
            exponent >>= 1
        return result

    order = (1 << degree) - 1
    if power(order) != 1:
        return False
    rest, factor = order, 2
    while factor * factor <= rest:
        if rest % factor == 0:
            if power(order // factor) == 1:
                return False
            while rest % factor == 0:
                rest //= factor
        factor += 1
    return rest == 1 or rest == order or power(order // rest) != 1


def _polynomials(count):
    """The first primitive polynomials, with their degrees."""
    found, degree = [], 1
    while len(found) < count:
        for polynomial in range((1 << degree) + 1, 2 << degree, 2):
            if _is_primitive(polynomial, degree):
                found.append((polynomial, degree))
                if len(found) == count:
                    break
        degree += 1
    return found


def _directions(dimension):
    """The direction numbers as integers of 30 bits, a row for each dimension."""
    rows = [[1] * _BITS]
    packed = base64.b85decode(_INITIAL)
    bits, at = int.from_bytes(packed, "big"), 8 * len(packed)
    for polynomial, degree in _polynomials(dimension - 1):
        row = [1]
        for width in range(1, degree):
            at -= width
            row.append((bits >> at & (1 << width) - 1) << 1 | 1)
        for j in range(degree, _BITS):
            number = row[j - degree]
            for k in range(1, degree + 1):
                if polynomial >> (degree - k) & 1:
                    number ^= row[j - k] << k
            row.append(number)
        rows.append(row)
    return torch.tensor([[number << (_BITS - 1 - j) for j, number in enumerate(row)] for row in rows])


class SobolEngine:
    """Points that fill the unit cube evenly."""

    MAXBIT = _BITS
    MAXDIM = 21201

    def __init__(self, dimension, scramble=False, seed=None):
        if dimension > self.MAXDIM or dimension < 1:
            raise ValueError(f"Supported range of dimensionality for SobolEngine is [1, {self.MAXDIM}]")
        if dimension > _DIMENSIONS:
            raise NotImplementedError(f"torch.quasirandom.SobolEngine(dimension={dimension}): there are {_DIMENSIONS} dimensions here")
        self.seed, self.scramble, self.dimension = seed, scramble, dimension
        self.sobolstate = _directions(dimension)
        if scramble:
            self._scramble()
        else:
            self.shift = torch.zeros(dimension, dtype=torch.long)
        self.quasi = self.shift.clone()
        self._first_point = (self.quasi / 2**self.MAXBIT).reshape(1, -1)
        self.num_generated = 0

    def _points(self, first, n):
        """The points of these numbers, as integers. Bit j of a number's Gray code says whether direction j is part of its point."""
        numbers = torch.arange(first, first + n)
        codes = numbers ^ (numbers >> 1)
        points = self.shift.expand(n, self.dimension)
        for j in range(max(first + n - 1, 0).bit_length()):
            points = points ^ (codes >> j & 1)[:, None] * self.sobolstate[:, j]
        return points

    def draw(self, n=1, out=None, dtype=None):
        """The next `n` points."""
        dtype = torch.get_default_dtype() if dtype is None else dtype
        points = self._points(self.num_generated, n)
        result = points.to(dtype) * 2.0**-self.MAXBIT
        if n:
            self.quasi = points[-1].clone()
        self.num_generated += n
        if out is not None:
            out.resize_as_(result).copy_(result)
            return out
        return result

    def draw_base2(self, m, out=None, dtype=None):
        """The next `2**m` points."""
        n = 2**m
        total_n = self.num_generated + n
        if total_n & (total_n - 1) != 0:
            raise ValueError(f"The balance properties of Sobol' points require n to be a power of 2. {self.num_generated} points have been "
                             f"previously generated, then: n={self.num_generated}+2**{m}={total_n}. If you still want to do this, please "
                             "use 'SobolEngine.draw()' instead.")
        return self.draw(n=n, out=out, dtype=dtype)

    def reset(self):
        """Starts again."""
        self.quasi.copy_(self.shift)
        self.num_generated = 0
        return self

    def fast_forward(self, n):
        """Leaves out `n` points."""
        if n:
            self.num_generated += n
            self.quasi = self._points(self.num_generated - 1, 1)[0].clone()
        return self

    def _scramble(self):
        g = None
        if self.seed is not None:
            g = torch.Generator()
            g.manual_seed(self.seed)
        shifts = torch.randint(2, (self.dimension, self.MAXBIT), generator=g)
        self.shift = (shifts * torch.pow(2, torch.arange(self.MAXBIT))).sum(1)
        matrix = torch.randint(2, (self.dimension, self.MAXBIT, self.MAXBIT), generator=g).tril()
        matrix.diagonal(0, -2, -1).fill_(1)
        places = torch.arange(self.MAXBIT - 1, -1, -1)
        state = torch.zeros_like(self.sobolstate)
        # Row by row of each matrix, whose first column belongs to the highest bit.
        for row in range(self.MAXBIT):
            bits = (self.sobolstate[:, :, None] >> places & 1) * matrix[:, None, row]
            state |= bits.sum(-1) % 2 << places[row]
        self.sobolstate = state

    def __repr__(self):
        parts = [f"dimension={self.dimension}"]
        if self.scramble:
            parts.append("scramble=True")
        if self.seed is not None:
            parts.append(f"seed={self.seed}")
        return f"{type(self).__name__}({', '.join(parts)})"
