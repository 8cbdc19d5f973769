"""`TCPStore`: names and values at an address that all processes know."""

from datetime import timedelta

import _torch


class Store:
    """Names and values that processes share."""


class TCPStore(Store):
    """One process, the master, keeps the values and listens; all of them set and get."""

    def __init__(self, host_name, port, world_size=None, is_master=False, timeout=timedelta(seconds=300),
                 wait_for_workers=True, multi_tenant=False, master_listen_fd=None, use_libuv=True):
        if master_listen_fd is not None:
            raise NotImplementedError("torch.distributed.TCPStore(master_listen_fd=...)")
        self._host, self._timeout = host_name, timeout
        self._store = _torch._store(host_name, port, is_master, timeout.total_seconds())
        if is_master and wait_for_workers and world_size is not None:
            self._store.wait_for_clients(world_size)

    @property
    def host(self):
        return self._host

    @property
    def port(self):
        return self._store.port()

    @property
    def timeout(self):
        return self._timeout

    def set(self, key, value):
        self._store.set(key, value.encode() if isinstance(value, str) else bytes(value))

    def get(self, key):
        """Waits for the key, and returns its value as bytes."""
        return self._store.get(key)

    def add(self, key, amount):
        return self._store.add(key, amount)

    def check(self, keys):
        return all(self._store.has(key) for key in keys)

    def wait(self, keys, timeout=None):
        self._store.wait(list(keys), -1.0 if timeout is None else timeout.total_seconds())
