"""`caisson.servers`: the modules of all servers, whatever else is called `servers`."""

import importlib
import os

from caisson.calls import Module

__path__ = ["/run/job/servers"]


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    try:
        module = importlib.import_module(f"{__name__}.{name}")
    except ModuleNotFoundError:
        # By name alone, where a server has no files.
        module = Module(name)
    globals()[name] = module
    return module


def __dir__():
    try:
        return sorted(entry for entry in os.listdir(__path__[0]) if entry.isidentifier())
    except OSError:
        return []
