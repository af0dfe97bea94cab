"""What the files of a server call: they hold names and nothing else."""

from caisson.calls import Call, Module


def fill(namespace, server, tools, aliases=()):
    """`tools`: name in Python, name at the server, start of its definition's hash, first line of its description."""
    for name, tool, definition, doc in tools:
        namespace[name] = Call(server, tool, name, definition, doc)
    for alias, name in dict(aliases).items():
        namespace.setdefault(alias, namespace[name])
    # What its files do not name may be there by now: it is called by name, and the answer says whether it is.
    namespace["__getattr__"] = Module(server).__getattr__
    namespace["__all__"] = [name for name, *_ in tools]
