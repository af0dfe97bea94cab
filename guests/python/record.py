"""The record that goes to the server at the end: the value a program handed over, and its last expression."""

VALUE_BYTES_MAX = 65536


def at_exit(os, sys, register, json, figures, shown):
    """Registered before the program's own handlers, and therefore called after them.

    Figures that were left open are saved before the value is written, which says that all is done.
    """
    process = os.getpid()

    def hand_over():
        if os.getpid() != process:
            return
        if figures:
            figures[0].flush()
        main = sys.modules.get("__main__")
        record = b""
        if main is not None and hasattr(main, "result"):
            record = of(os, json(), main.result)
        if shown:
            rest = record[1:] if record else b"}\n"
            record = b'{"display":' + shown[0].encode() + (b"," if record else b"") + rest
        while record:
            record = record[os.write(7, record):]

    register(hand_over)


def leave_at_exit(sys, register, settled, zygote):
    """Registered before anything else, and therefore called last.

    To take the modules apart that were there before the program would be most of the time a short program needs to
    end, and in a fork of a zygote it would copy most of its memory. Nobody could see it done: the interpreter takes
    apart what it finds among the modules, so it does not find these. A fork also leaves out the interpreter's last
    step, unless something that is left to be written cannot be: then the interpreter says so, and its status does.
    """
    plain = type(sys.stdout)

    def leave():
        if zygote is not None and not (_is_written(sys.stdout, plain) and _is_written(sys.stderr, plain)):
            zygote.end_whole()
        for name, module in settled.items():
            if sys.modules.get(name) is module:
                del sys.modules[name]

    register(leave)


def _is_written(stream, plain):
    """Whether the interpreter will have nothing to say of this stream. One of the program's own it flushes itself."""
    if stream is None:
        return True
    if type(stream) is not plain:
        return False
    try:
        stream.closed or stream.flush()
    except BaseException:
        return False
    return True


def of(os, json, value):
    def line(members):
        return json.dumps(members).encode() + b"\n"

    try:
        text = json.dumps(value, allow_nan=False)
    except BaseException as problem:
        return line({"unfit": _said(problem)})
    if len(text) <= VALUE_BYTES_MAX:
        return b'{"value":' + text.encode() + b"}\n"
    try:
        return line({"bytes": len(text), "file": _spill(os, text)})
    except OSError as problem:
        return line({"unfit": f"{len(text)} bytes are too many to carry, and no file could be written: {problem}"})


def _said(problem):
    try:
        return f"{type(problem).__name__}: {problem}"[:500]
    except BaseException:
        return f"{type(problem).__name__}, which cannot be shown"


def _spill(os, text):
    """Writes to the first free name; a program's own file is never touched."""
    for number in range(1000):
        path = f"/workspace/result{'-' + str(number) if number else ''}.json"
        try:
            with open(path, "x", encoding="utf-8") as file:
                file.write(text)
            return path
        except FileExistsError:
            continue
    raise OSError("every name is taken")
