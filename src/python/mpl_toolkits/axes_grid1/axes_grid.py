"""Images in rows and columns."""


class ImageGrid:
    """Axes in a grid, row after row."""

    def __init__(self, fig, rect, nrows_ncols, *, n_axes=None, direction="row", axes_pad=0.02, share_all=False, aspect=True, label_mode="L",
                 cbar_mode=None, **options):
        if rect not in (111, (1, 1, 1)) or cbar_mode not in (None, "None") or direction not in ("row", "column"):
            raise NotImplementedError("mpl_toolkits.axes_grid1.ImageGrid: a grid is the whole figure here, without color scales")
        rows, columns = nrows_ncols
        self.axes_row = [[fig.add_subplot(rows, columns, r * columns + c + 1) for c in range(columns)] for r in range(rows)]
        self.axes_column = [list(column) for column in zip(*self.axes_row)]
        order = self.axes_row if direction == "row" else self.axes_column
        self.axes_all = [ax for part in order for ax in part][:n_axes]
        self._shape = (rows, columns)

    def __len__(self):
        return len(self.axes_all)

    def __getitem__(self, at):
        return self.axes_all[at]

    def __iter__(self):
        return iter(self.axes_all)

    def get_geometry(self):
        return self._shape


AxesGrid = ImageGrid
