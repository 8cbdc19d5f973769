"""Rotations in three dimensions."""

import warnings

import numpy as np
from scipy.spatial.transform import Rotation as R
from scipy.spatial.transform import Slerp

warnings.simplefilter("ignore")
r = R.from_euler("z", 90, degrees=True)
print(r.as_matrix().round(6), r.as_quat().round(6), r.apply([1, 0, 0]).round(6), r.as_rotvec().round(6), (r * r).as_euler("xyz", degrees=True).round(4))
print(r.inv().magnitude().round(6), r.single, r.shape, repr(r), r.as_quat(scalar_first=True).round(4))
q = R.from_quat([[0, 0, np.sin(np.pi / 8), np.cos(np.pi / 8)], [1, 0, 0, 1], [0.1, -0.3, 0.2, -0.5]])
print(len(q), q[1].as_euler("zyx", degrees=True).round(3), q.as_matrix().round(4), q.as_quat().round(4), q.as_quat(canonical=True).round(4), q.as_rotvec(degrees=True).round(4))
print(R.from_rotvec([0, 0, np.pi / 3]).as_matrix().round(4), R.identity().as_quat(), R.identity(2).as_quat(), R.random(rng=0).as_quat().round(4), R.random(2, random_state=3).as_quat().round(4))
for seq in ("xyz", "XYZ", "zyx", "ZXZ", "yxy", "ZYX", "XZX"):
    turned = R.from_euler(seq, [[10, 50, -120], [-170, 20, 30], [30, 90, 10], [20, 0, 45]], degrees=True)
    print(seq, turned.as_quat().round(4).tolist(), turned.as_euler(seq, degrees=True).round(3).tolist(), turned[0].as_euler("xyz").round(4))
print(R.from_euler("xy", [30, 40], degrees=True).as_quat().round(4), R.from_euler("x", [[10], [20]], degrees=True).as_rotvec().round(4), R.from_euler("Z", [[10], [20]]).as_rotvec().round(4))
M = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])
print(R.from_matrix(M).as_quat().round(5), R.from_matrix([M, M.T, np.diag([1.0, -1, -1])]).as_rotvec().round(5), R.from_matrix(M * 1.1).as_matrix().round(5))
print(q.apply([1, 2, 3]).round(4), q.apply(np.eye(3), inverse=True).round(4), r.apply([[1, 0, 0], [0, 1, 0]]).round(4), (q * r).as_quat().round(4), (r**0.5).as_euler("zyx", degrees=True).round(3), (q**2).magnitude().round(4))
print(q.mean().as_quat(canonical=True).round(4), q.mean([1, 2, 0.5]).magnitude().round(4), r.approx_equal(R.from_rotvec([0, 0, np.pi / 2])), [a.magnitude().round(3) for a in q], R.concatenate([r, q]).as_quat().shape)
path = Slerp([0, 1, 3], R.from_euler("zyx", [[0, 0, 0], [90, 0, 0], [90, 45, 20]], degrees=True))
print(path([0, 0.5, 1, 2, 3]).as_euler("zyx", degrees=True).round(3), path(0.25).as_rotvec().round(4))
for wrong in (lambda: R.from_euler("xx", [1, 2]), lambda: R.from_euler("x", [1, 2]), lambda: R.from_euler("xq", [1, 2]), lambda: R.from_quat([0, 0, 0, 0]), lambda: len(r), lambda: path(4), lambda: q * R.identity(2)):
    try:
        wrong()
    except (ValueError, TypeError) as e:
        print(type(e).__name__, e)
