"""Images filtered, labeled and moved; hierarchical clusters."""

import numpy as np
from scipy import sparse
from scipy import ndimage
from scipy import spatial
from scipy import linalg
from scipy import fft
from scipy.spatial import distance
from scipy.spatial import KDTree
from scipy.cluster import hierarchy
from scipy.cluster import vq
from scipy.sparse import csr_matrix
from scipy.sparse import coo_matrix
from scipy.sparse import csc_matrix
from scipy.sparse import lil_matrix
from scipy.sparse import diags
from scipy.sparse import eye
from scipy.sparse import csr_array
from scipy.sparse import dok_matrix
from scipy.sparse import hstack
from scipy.sparse import vstack
from scipy.sparse import random as sprandom
from scipy.sparse import linalg as sla
from scipy.sparse import csgraph
m = np.arange(16.0).reshape(4, 4)
print(repr(ndimage.gaussian_filter(m, 1)[0]))
print(repr(ndimage.uniform_filter(m, 3)[0]))
print(repr(ndimage.median_filter(m, 3)[0]))
print(repr(ndimage.sobel(m)[1]))
print(repr(ndimage.laplace(m)[0]))
print(repr(ndimage.gaussian_laplace(m, 1)[0]))
print(repr(ndimage.gaussian_gradient_magnitude(m, 1)[0]))
print(repr(ndimage.prewitt(m)[0]))
print(repr(ndimage.gaussian_filter1d(m[0], 1)))
print(repr(ndimage.uniform_filter1d(m[0], 3)))
print(repr(ndimage.convolve1d(m[0], [1, 1])))
print(repr(ndimage.correlate1d(m[0], [1, 2, 1])))
print(repr(ndimage.gaussian_filter(m, 1, order=1)[0]))
print(repr(ndimage.rotate(m, 45, reshape=False)))
print(repr(ndimage.zoom(m, 2, order=1)[0]))
print(repr(ndimage.shift(m, 0.5, order=1)[1]))
print(repr(ndimage.affine_transform(m, np.eye(2), order=1)[1]))
print(repr(ndimage.map_coordinates(m, [[0.5], [1.5]], order=1)))
print(repr(ndimage.map_coordinates(m, [[0.5], [1.5]])))
print(repr(ndimage.geometric_transform(m, lambda c: (c[0], c[1] - 1), order=0)[0]))
b = m > 5
print(repr(ndimage.label(np.array([[1, 0, 1], [0, 0, 1], [1, 0, 0]]))))
print(repr(ndimage.label(b)[1]))
print(repr(ndimage.binary_dilation(b).astype(int)))
print(repr(ndimage.binary_erosion(b).astype(int)))
print(repr(ndimage.binary_opening(b).astype(int)))
print(repr(ndimage.binary_closing(b).astype(int)))
print(repr(ndimage.binary_fill_holes(b).astype(int)))
print(repr(ndimage.distance_transform_edt(b)))
print(repr(ndimage.center_of_mass(m)))
print(repr(ndimage.sum(m)))
print(repr(ndimage.mean(m)))
print(repr(ndimage.find_objects(ndimage.label(b)[0])))
print(repr(ndimage.sum_labels(m, ndimage.label(b)[0], [1])))
print(repr(ndimage.maximum_position(m)))
print(repr(ndimage.generate_binary_structure(2, 2)))
print(repr(ndimage.grey_dilation(m, 3)[0]))
print(repr(ndimage.grey_erosion(m, 3)[0]))
print(repr(ndimage.percentile_filter(m, 50, 3)[0]))
print(repr(ndimage.rank_filter(m, 1, 3)[0]))
print(repr(ndimage.generic_filter(m, np.max, 3)[0]))
print(repr(ndimage.histogram(m, 0, 15, 4)))
print(repr(ndimage.maximum_filter(m, 3)[0]))
print(repr(ndimage.minimum_filter(m, 3)[0]))
print(repr(ndimage.spline_filter(m)[0]))
print(repr(ndimage.black_tophat(m, 3)[0]))
print(repr(ndimage.morphological_gradient(m, 3)[0]))
print(repr(ndimage.extrema(m)))
print(repr(ndimage.labeled_comprehension(m, ndimage.label(b)[0], [1], np.mean, float, 0)))
print(repr(ndimage.variance(m)))
print(repr(ndimage.standard_deviation(m)))
print(repr(ndimage.iterate_structure(ndimage.generate_binary_structure(2, 1), 2).shape))
P = np.array([[0.0, 0], [1, 1], [5, 5], [6, 5], [0, 1]])
Z = hierarchy.linkage(P, 'ward')
print(repr(Z))
print(repr(hierarchy.linkage(P, 'single')))
print(repr(hierarchy.linkage(P, 'complete')))
print(repr(hierarchy.linkage(P, 'average')))
print(repr(hierarchy.linkage(P, 'centroid')))
print(repr(hierarchy.linkage(P, 'median')))
print(repr(hierarchy.linkage(P, 'weighted')))
print(repr(hierarchy.linkage(distance.pdist(P, 'cityblock'), 'average')))
print(repr(hierarchy.fcluster(Z, 2, 'maxclust')))
print(repr(hierarchy.fcluster(Z, 1.5, 'distance')))
print(repr(hierarchy.fcluster(Z, 0.8)))
print(repr(hierarchy.dendrogram(Z, no_plot=True)))
print(repr(hierarchy.cophenet(Z)))
print(repr(hierarchy.cophenet(Z, distance.pdist(P))[0]))
print(repr(hierarchy.leaves_list(Z)))
print(repr(hierarchy.cut_tree(Z, 2)))
print(repr(hierarchy.inconsistent(Z)))
print(repr(hierarchy.is_valid_linkage(Z)))
print(repr(hierarchy.num_obs_linkage(Z)))
print(repr(hierarchy.fclusterdata(P, 2, 'maxclust')))
print(repr(hierarchy.maxdists(Z)))
print(repr(vq.whiten(P)))
print(repr(vq.kmeans(P, P[:2])))
print(repr(vq.kmeans2(P, P[:2], minit='matrix')))
print(repr(vq.vq(P, P[:2])))
print(repr(vq.kmeans(P, 2, seed=0)[1]))
print(repr(distance.pdist(P)))
from scipy import constants
from scipy import io
