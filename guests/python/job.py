"""The job: what the server tells the guest once there is a program."""


class Job:
    """What the guest is told beside the environment."""

    def __init__(self):
        self.cell = None
        self.input = None
        self.display = False


def receive(os, descriptor):
    """The job: `NAME=value` entries, each ended by a NUL, and an empty one to say that it is whole.

    An entry without a name is for the guest: a path is the file of a session's cell, a path after `<` the file
    that is the program's input, and `display` asks for the last expression.
    """
    received = b""
    while not (received.endswith(b"\0\0") or received == b"\0"):
        part = os.read(descriptor, 65536)
        if not part:
            os._exit(125)
        received += part
    job = Job()
    environment = dict(entry.split(b"=", 1) for entry in received.split(b"\0") if entry and entry[0] != 61)
    if received[0] == 61:
        for entry in received.split(b"\0"):
            if entry.startswith(b"=/"):
                job.cell = os.fsdecode(entry[1:])
            elif entry.startswith(b"=<"):
                job.input = os.fsdecode(entry[2:])
            elif entry == b"=display":
                job.display = True
    return environment, job


def take_environment(os, environment):
    """Replaces all variables by these, past the layers of `os.environ`. Returns whether the time zone is another."""
    held = os.environ._data
    moves = held.get(b"TZ") != environment.get(b"TZ")
    for name in held.keys() - environment.keys():
        os.unsetenv(name)
    held.clear()
    held.update(environment)
    for name, value in environment.items():
        os.putenv(name, value)
    return moves


def give_input(os, path):
    reading = os.open(path, os.O_RDONLY)
    os.dup2(reading, 0)
    os.close(reading)


def offer_tools(os, sys):
    """A program that has a way to tools finds `caisson` and `servers` behind everything else; others have neither."""
    if "CAISSON_DOOR" in os.environ:
        for place in ("/run/job", "/run/guest/lib/python"):
            if place not in sys.path:
                sys.path.append(place)
