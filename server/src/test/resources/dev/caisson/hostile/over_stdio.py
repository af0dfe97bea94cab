"""The hostile server over standard input and output."""

import json
import os
import signal
import sys
import threading
import time

import acts
import beginnings
import words


def serve(part):
    out = sys.stdout.buffer
    lock = threading.Lock()

    def raw(data):
        with lock:
            out.write(data)
            out.flush()

    signal.signal(signal.SIGTERM, lambda *_: acts.STUBBORN.is_set() or os._exit(0))
    if part == "cries":
        threading.Thread(target=beginnings.crying, args=(wire(None, raw),), daemon=True).start()
    for line in sys.stdin:
        message = json.loads(line)
        if "id" in message and "method" in message:
            arguments = (message, wire(message["id"], raw), "stdio", part)
            threading.Thread(target=words.serve, args=arguments, daemon=True).start()
    while acts.STUBBORN.is_set():
        time.sleep(1)
    os._exit(0)


def wire(call, raw):
    return words.Wire(call, raw, b"", b"\n", dict(os.environ), lambda: os._exit(3))
