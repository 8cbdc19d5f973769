"""Rotations in three dimensions."""

import math

import numpy as np
from scipy import lacking

_LOCKED = "Gimbal lock detected. Setting third angle to zero since it is not possible to uniquely determine all angles."


def _product(p, q):
    """Quaternions with the scalar last, one after the other: q first."""
    (a, b, c, d), (e, f, g, h) = np.moveaxis(p, -1, 0), np.moveaxis(q, -1, 0)
    return np.stack([d * e + a * h + b * g - c * f, d * f - a * g + b * h + c * e, d * g + a * f - b * e + c * h,
                     d * h - a * e - b * f - c * g], axis=-1)


def _about(axis, angle):
    made = np.zeros((len(angle), 4))
    made[:, "xyz".index(axis)], made[:, 3] = np.sin(angle / 2), np.cos(angle / 2)
    return made


def _of_axes(seq):
    if not isinstance(seq, str):
        raise TypeError("Argument 'seq' has incorrect type (expected str, got " + type(seq).__name__ + ")")
    within = seq.isupper() and set(seq) <= set("XYZ")
    if not 1 <= len(seq) <= 3:
        raise ValueError(f"Expected axis specification to be a non-empty string of upto 3 characters, got {seq}")
    if not within and not set(seq) <= set("xyz"):
        raise ValueError("Expected axes from `seq` to be from ['x', 'y', 'z'] or ['X', 'Y', 'Z'], got " + seq)
    if any(a == b for a, b in zip(seq, seq[1:])):
        raise ValueError(f"Expected consecutive axes to be different, got {seq}")
    return within, seq.lower()


class Rotation:
    """One rotation or several, kept as quaternions."""

    def __init__(self, quat, normalize=True, copy=True, scalar_first=False):
        quat = np.array(quat, dtype=float)
        if quat.ndim not in (1, 2) or quat.shape[-1] != 4:
            raise ValueError(f"Expected `quat` to have shape (..., 4), got {quat.shape}.")
        if scalar_first:
            quat = np.roll(quat, -1, axis=-1)
        self._single, self._quat = quat.ndim == 1, np.atleast_2d(quat)
        if normalize:
            size = np.sqrt((self._quat**2).sum(axis=1, keepdims=True))
            if (size == 0).any():
                raise ValueError("Found zero norm quaternions in `quat`.")
            self._quat = self._quat / size

    @classmethod
    def _made(cls, quat, single):
        return cls(quat[0] if single else quat, normalize=False)

    def _shaped(self, made):
        return made[0] if self._single else made

    @classmethod
    def from_quat(cls, quat, *, scalar_first=False):
        return cls(quat, scalar_first=scalar_first)

    @classmethod
    def from_matrix(cls, matrix, *, assume_valid=False):
        M = np.array(matrix, dtype=float)
        if M.ndim not in (2, 3) or M.shape[-2:] != (3, 3):
            raise ValueError(f"Expected `matrix` to have shape (..., 3, 3), got {M.shape}")
        single, made = M.ndim == 2, []
        for m in M.reshape(-1, 3, 3):
            if np.linalg.det(m) <= 0:
                raise ValueError(f"Non-positive determinant (left-handed or null coordinate frame) in rotation matrix {m}.")
            if not assume_valid and not np.allclose(m @ m.T, np.eye(3), atol=1e-12):
                u, _, v = np.linalg.svd(m)
                m = u @ v
            choices = [m[0, 0], m[1, 1], m[2, 2], m[0, 0] + m[1, 1] + m[2, 2]]
            i, q = int(np.argmax(choices)), np.empty(4)
            if i == 3:
                q[:] = [m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1], 1 + choices[3]]
            else:
                j, k = (i + 1) % 3, (i + 2) % 3
                q[i], q[j], q[k], q[3] = 1 - choices[3] + 2 * m[i, i], m[j, i] + m[i, j], m[k, i] + m[i, k], m[k, j] - m[j, k]
            made.append(q)
        made = np.array(made).reshape(-1, 4)
        return cls(made[0] if single else made)

    @classmethod
    def from_rotvec(cls, rotvec, degrees=False):
        v = np.array(rotvec, dtype=float)
        if v.ndim not in (1, 2) or v.shape[-1] != 3:
            raise ValueError(f"Expected `rot_vec` to have shape (..., 3), got {v.shape}")
        single, v = v.ndim == 1, np.atleast_2d(np.deg2rad(v) if degrees else v)
        angle = np.sqrt((v**2).sum(axis=1, keepdims=True))
        small = angle <= 1e-3
        scale = np.where(small, 0.5 - angle**2 / 48 + angle**4 / 3840, np.sin(angle / 2) / np.where(small, 1.0, angle))
        return cls._made(np.concatenate([scale * v, np.cos(angle / 2)], axis=1), single)

    @classmethod
    def from_euler(cls, seq, angles, degrees=False):
        within, axes = _of_axes(seq)
        angles = np.asarray(np.deg2rad(angles) if degrees else angles, dtype=float)
        single = angles.ndim < 2
        flat = angles.reshape(1, -1) if single else angles
        if flat.shape[-1] != len(axes):
            raise ValueError(f"Expected last dimension of `angles` to match number of sequence axes specified, got {flat.shape[-1]}.")
        made = _about(axes[0], flat[:, 0])
        for i, axis in enumerate(axes[1:], 1):
            turn = _about(axis, flat[:, i])
            made = _product(made, turn) if within else _product(turn, made)
        return cls._made(made, single)

    @classmethod
    def identity(cls, num=None):
        made = np.zeros((1 if num is None else num, 4))
        made[:, 3] = 1
        return cls._made(made, num is None)

    @classmethod
    def random(cls, num=None, rng=None, *, random_state=None):
        chosen = random_state if rng is None else rng
        if not hasattr(chosen, "normal"):
            if rng is not None:
                chosen = np.random.default_rng(chosen)
            else:
                chosen = np.random if chosen is None else np.random.RandomState(chosen)
        return cls(chosen.normal(size=4 if num is None else (num, 4)))

    @classmethod
    def concatenate(cls, rotations):
        rotations = [rotations] if isinstance(rotations, Rotation) else rotations
        return cls(np.concatenate([r._quat for r in rotations]), normalize=False)

    def as_quat(self, canonical=False, *, scalar_first=False):
        q = self._quat.copy()
        if canonical:
            # The first of w, x, y and z that isn't zero is positive.
            for row in q:
                row *= next((math.copysign(1.0, v) for v in (row[3], *row[:3]) if v), 1.0)
        return self._shaped(np.roll(q, 1, axis=1) if scalar_first else q)

    def as_matrix(self):
        x, y, z, w = self._quat.T
        rows = [[x * x - y * y - z * z + w * w, 2 * (x * y - z * w), 2 * (x * z + y * w)],
                [2 * (x * y + z * w), -x * x + y * y - z * z + w * w, 2 * (y * z - x * w)],
                [2 * (x * z - y * w), 2 * (y * z + x * w), -x * x - y * y + z * z + w * w]]
        return self._shaped(np.stack([np.stack(row, axis=-1) for row in rows], axis=-2))

    def as_rotvec(self, degrees=False):
        q = np.where(self._quat[:, 3:] < 0, -self._quat, self._quat)
        size = np.sqrt((q[:, :3] ** 2).sum(axis=1, keepdims=True))
        angle = 2 * np.arctan2(size, q[:, 3:])
        small = angle <= 1e-3
        scale = np.where(small, 2 + angle**2 / 12 + 7 * angle**4 / 2880, angle / np.where(small, 1.0, np.sin(angle / 2)))
        made = scale * q[:, :3]
        return self._shaped(np.rad2deg(made) if degrees else made)

    def as_euler(self, seq, degrees=False, *, suppress_warnings=False):
        if len(seq) != 3:
            raise ValueError(f"Expected 3 axes, got {seq}.")
        within, axes = _of_axes(seq)
        i, j, k = ("xyz".index(a) for a in (axes[::-1] if within else axes))
        same = i == k
        k = 3 - i - j if same else k
        sign = (i - j) * (j - k) * (k - i) // 2
        made, locked = [], False
        for q in self._quat:
            if same:
                a, b, c, d = q[3], q[i], q[j], q[k] * sign
            else:
                a, b, c, d = q[3] - q[j], q[i] + q[k] * sign, q[j] + q[3], q[k] * sign - q[i]
            middle = 2 * math.atan2(math.hypot(c, d), math.hypot(a, b))
            half, other = math.atan2(b, a), math.atan2(d, c)
            low, high = abs(middle) <= 1e-7, abs(middle - math.pi) <= 1e-7
            locked = locked or low or high
            if low or high:
                first, last = (2 * half if low else 2 * other * (1 if within else -1)), 0.0
            else:
                first, last = (half + other, half - other) if within else (half - other, half + other)
            if not same:
                middle -= math.pi / 2
                if within:
                    first *= sign
                else:
                    last *= sign
            made.append([first, middle, last])
        made = np.array(made).reshape(-1, 3)
        made = np.where(made < -math.pi, made + 2 * math.pi, np.where(made > math.pi, made - 2 * math.pi, made))
        if locked and not suppress_warnings:
            import warnings

            warnings.warn(_LOCKED, stacklevel=2)
        return self._shaped(np.rad2deg(made) if degrees else made)

    def apply(self, vectors, inverse=False):
        v = np.asarray(vectors, dtype=float)
        if v.ndim not in (1, 2) or v.shape[-1] != 3:
            raise ValueError(f"Expected input of shape (..., 3), got {v.shape}.")
        M, flat = self.as_matrix().reshape(-1, 3, 3), np.atleast_2d(v)
        if len(M) != len(flat) and 1 not in (len(M), len(flat)):
            raise ValueError(f"Expected equal numbers of rotations and vectors , or a single rotation, or a single vector, got {len(M)} "
                             f"rotations and {len(flat)} vectors.")
        if inverse:
            M = np.swapaxes(M, -1, -2)
        made = (M * flat[:, None, :]).sum(axis=-1)
        return made[0] if self._single and v.ndim == 1 else made

    def inv(self):
        return self._made(self._quat * np.array([-1.0, -1, -1, 1]), self._single)

    def magnitude(self):
        return self._shaped(2 * np.arctan2(np.sqrt((self._quat[:, :3] ** 2).sum(axis=1)), np.abs(self._quat[:, 3])))

    def approx_equal(self, other, atol=None, degrees=False):
        atol = 1e-8 if atol is None else np.deg2rad(atol) if degrees else atol
        return np.atleast_1d((other * self.inv()).magnitude() < atol)

    def mean(self, weights=None):
        weights = np.ones(len(self._quat)) if weights is None else np.asarray(weights, dtype=float)
        if (weights < 0).any():
            raise ValueError("`weights` must be non-negative.")
        _, turned = np.linalg.eigh(np.dot(weights * self._quat.T, self._quat))
        return Rotation(turned[:, -1])

    def __mul__(self, other):
        if not isinstance(other, Rotation):
            return NotImplemented
        a, b = len(self._quat), len(other._quat)
        if a != b and 1 not in (a, b):
            raise ValueError(f"Cannot broadcast {self.shape} rotations in first to {other.shape} rotations in second object.")
        made = _product(*np.broadcast_arrays(self._quat, other._quat))
        return Rotation(made[0] if self._single and other._single else made)

    def __pow__(self, n, modulus=None):
        if modulus is not None:
            raise NotImplementedError("modulus not supported")
        if n == 0:
            return Rotation.identity(None if self._single else len(self._quat))
        if n == -1:
            return self.inv()
        return self if n == 1 else Rotation.from_rotvec(n * self.as_rotvec())

    @property
    def single(self):
        return self._single

    @property
    def shape(self):
        return () if self._single else (len(self._quat),)

    def __len__(self):
        if self._single:
            raise TypeError("Single rotation has no len().")
        return len(self._quat)

    def __getitem__(self, at):
        if self._single:
            raise TypeError("Single rotation is not subscriptable.")
        return Rotation(self._quat[at], normalize=False)

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def __repr__(self):
        return "Rotation.from_matrix(" + repr(self.as_matrix()).replace("\n", "\n" + " " * 21) + ")"


class Slerp:
    """Rotations between those of certain times, at an even pace."""

    def __init__(self, times, rotations):
        if rotations.single or len(rotations) == 1:
            raise ValueError("`rotations` must be a sequence of at least 2 rotations.")
        self.times = np.asarray(times, dtype=float)
        if self.times.shape != (len(rotations),):
            raise ValueError("Expected number of rotations to be equal to number of timestamps given, got "
                             f"{len(rotations)} rotations and {self.times.size} timestamps.")
        self.timedelta = np.diff(self.times)
        if (self.timedelta <= 0).any():
            raise ValueError("Times must be in strictly increasing order.")
        self.rotations = rotations[:-1]
        self.rotvecs = (self.rotations.inv() * rotations[1:]).as_rotvec()

    def __call__(self, times):
        asked = np.asarray(times)
        flat = np.atleast_1d(asked)
        at = np.searchsorted(self.times, flat) - 1
        at[flat == self.times[0]] = 0
        if (at < 0).any() or (at > len(self.rotations) - 1).any():
            raise ValueError(f"Interpolation times must be within the range [{self.times[0]}, {self.times[-1]}], both inclusive.")
        share = (flat - self.times[at]) / self.timedelta[at]
        made = self.rotations[at] * Rotation.from_rotvec(self.rotvecs[at] * share[:, None])
        return made[0] if asked.ndim == 0 else made


__getattr__ = lacking("scipy.spatial.transform")
