"""Headers, and names for status codes."""

from collections.abc import Mapping, MutableMapping


class CaseInsensitiveDict(MutableMapping):
    """A dictionary that finds `Accept` as `accept`, and keeps each key as it was last written."""

    def __init__(self, data=None, **kwargs):
        self._store = {}
        self.update({} if data is None else data, **kwargs)

    def __setitem__(self, key, value):
        self._store[key.lower()] = key, value

    def __getitem__(self, key):
        return self._store[key.lower()][1]

    def __delitem__(self, key):
        del self._store[key.lower()]

    def __iter__(self):
        return (key for key, _ in self._store.values())

    def __len__(self):
        return len(self._store)

    def lower_items(self):
        return ((key, value) for key, (_, value) in self._store.items())

    def __eq__(self, other):
        if not isinstance(other, Mapping):
            return NotImplemented
        return dict(self.lower_items()) == dict(CaseInsensitiveDict(other).lower_items())

    def copy(self):
        return CaseInsensitiveDict(self._store.values())

    def __repr__(self):
        return str(dict(self.items()))


class LookupDict(dict):
    """Values as attributes that are found by `[name]` too; `[name]` of an unknown name is None."""

    def __init__(self, name=None):
        self.name = name
        super().__init__()

    def __repr__(self):
        return f"<lookup '{self.name}'>"

    def __getitem__(self, key):
        return self.__dict__.get(key)

    def get(self, key, default=None):
        return self.__dict__.get(key, default)
