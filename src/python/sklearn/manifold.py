"""Maps of many dimensions aren't here. Their names can be imported, and making one says so."""

from sklearn.tree import missing

TSNE, MDS, Isomap, LocallyLinearEmbedding, SpectralEmbedding = (
    missing("manifold", name, "maps of many dimensions aren't part of this sklearn; decomposition.PCA is") for name in ("TSNE", "MDS", "Isomap", "LocallyLinearEmbedding", "SpectralEmbedding"))
