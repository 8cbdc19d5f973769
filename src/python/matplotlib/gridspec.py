"""Grids whose cells plots are made in."""

import numpy


class GridSpec:
    def __init__(self, nrows, ncols, figure=None, width_ratios=None, height_ratios=None, **others):
        from matplotlib.figure import _positive, _ratios

        if unknown := set(others) - {"left", "bottom", "right", "top", "wspace", "hspace"}:
            raise TypeError(f"GridSpec.__init__() got an unexpected keyword argument {sorted(unknown)[0]!r}")
        _positive(nrows, ncols)
        self.nrows, self.ncols, self.figure = nrows, ncols, figure
        self._given = width_ratios, height_ratios
        self.widths, self.heights = _ratios("width", width_ratios, ncols), _ratios("height", height_ratios, nrows)
        # Distances aren't kept, so plots take all the space that their labels leave.
        self.tight = bool(others)

    def get_geometry(self):
        return self.nrows, self.ncols

    def __repr__(self):
        ratios = [f", {name}_ratios={given!r}" for name, given in (("height", self._given[1]), ("width", self._given[0])) if given is not None]
        return f"GridSpec({self.nrows}, {self.ncols}{''.join(ratios)})"

    def __getitem__(self, key):
        rows = None
        if isinstance(key, tuple):
            rows, columns = key
            (r0, r1), (c0, c1) = _span(rows, self.nrows, 0), _span(columns, self.ncols, 1)
        else:
            first, last = _span(key, self.nrows * self.ncols, 0)
            (r0, c0), (r1, c1) = divmod(first, self.ncols), divmod(last, self.ncols)
        return SubplotSpec(self, r0, r1, c0, c1)


class SubplotSpec:
    """Some cells of a grid."""

    def __init__(self, grid, r0, r1, c0, c1):
        self.grid = grid
        self.cell = (r0, c0, list(grid.heights), list(grid.widths), (r1 - r0 + 1, c1 - c0 + 1))

    def __repr__(self):
        row, column, _, _, (rows, columns) = self.cell
        return f"{self.grid!r}[{row}:{row + rows}, {column}:{column + columns}]"

    rowspan = property(lambda self: range(self.cell[0], self.cell[0] + self.cell[4][0]))
    colspan = property(lambda self: range(self.cell[1], self.cell[1] + self.cell[4][1]))

    def get_gridspec(self):
        return self.grid

    def get_geometry(self):
        """The rows and columns of the grid, and the numbers of the first and the last cell."""
        rows, columns = self.grid.get_geometry()
        return rows, columns, *(numpy.int64(self.rowspan[i] * columns + self.colspan[i]) for i in (0, -1))

    def is_first_row(self):
        return self.rowspan.start == 0

    def is_last_row(self):
        return self.rowspan.stop == self.grid.nrows

    def is_first_col(self):
        return self.colspan.start == 0

    def is_last_col(self):
        return self.colspan.stop == self.grid.ncols

    def subgridspec(self, nrows, ncols, **others):
        raise NotImplementedError("matplotlib: SubplotSpec.subgridspec")


class GridSpecFromSubplotSpec:
    def __init__(self, *args, **others):
        raise NotImplementedError("matplotlib: GridSpecFromSubplotSpec")


def _span(key, count, axis):
    if isinstance(key, slice):
        first, end, _ = key.indices(count)
        if end <= first:
            raise IndexError("GridSpec slice would result in no space allocated for subplot")
        return first, end - 1
    at = key + count if key < 0 else key
    if not 0 <= at < count:
        raise IndexError(f"index {key} is out of bounds for axis {axis} with size {count}")
    return at, at
