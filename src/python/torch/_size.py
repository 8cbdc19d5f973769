"""`torch.Size`: the tuple of a tensor's sizes."""

import _torch


class Size(tuple):
    """A tuple of ints that prints as `torch.Size([2, 3])`."""

    __slots__ = ()
    __module__ = "torch"

    def __new__(cls, sizes=()):
        if not (isinstance(cls, type) and issubclass(cls, Size)):
            name = cls.__name__ if isinstance(cls, type) else repr(cls)
            raise TypeError(f"torch.Size.__new__({name}): {name} is not a subtype of torch.Size")
        self = tuple.__new__(cls, sizes)
        for i, size in enumerate(self):
            # The size of a nested tensor's ragged dimension is none.
            if not isinstance(size, int) and not hasattr(size, "_coefficient"):
                raise TypeError(f"torch.Size() takes an iterable of 'int' (item {i} is '{type(size).__name__}')")
        return self

    def numel(self):
        """The product of the sizes."""
        count = 1
        for size in self:
            count *= size
        return count

    def __repr__(self):
        return f"torch.Size([{', '.join(map(repr, self))}])"

    __str__ = __repr__

    def __getitem__(self, index):
        item = tuple.__getitem__(self, index)
        return Size(item) if type(index) is slice else item

    def __add__(self, other):
        if not isinstance(other, tuple):
            if isinstance(other, list):
                raise TypeError("can only concatenate tuple (not list) to torch.Size")
            return NotImplemented
        return Size(tuple.__add__(self, other))

    def __radd__(self, other):
        if not isinstance(other, tuple):
            return NotImplemented
        return Size(tuple.__add__(tuple(other), self))

    def __mul__(self, count):
        return Size(tuple.__mul__(self, count))

    __rmul__ = __mul__

    def __reduce__(self):
        return (Size, (tuple(self),))


_torch._register_size(Size)
