"""`caisson-call`, see `guests/bin/caisson-call`."""

import json
import sys

USAGE = "caisson-call SERVER TOOL ['{\"name\": \"value\"}'] [--name value]..."

# What is neither here nor unknown is 1.
CODES = {
    "Denied": 3,
    "UnderReview": 3,
    "ApprovalDenied": 3,
    "ApprovalExpired": 3,
    "AuthorizationRequired": 3,
    "DoorClosed": 4,
    "UpstreamUnavailable": 4,
    "NoCapacity": 4,
    "RateLimit": 4,
    "Timeout": 4,
    "TransientNetwork": 4,
    "OutcomeUnknown": 5,
}


def main(words):
    asked = read(words)
    if asked is None:
        print(json.dumps({"type": "Usage", "message": USAGE, "retryable": False, "details": {}}), file=sys.stderr)
        return 2
    sys.path.insert(0, "/run/guest/lib/python")
    from caisson.calls import Call
    from caisson.errors import ToolError

    server, tool, arguments = asked
    try:
        data = Call(server, tool, tool).sync(arguments)
    except ToolError as failure:
        print(json.dumps(failure.as_dict()), file=sys.stderr)
        return CODES.get(failure.type, 1)
    print(json.dumps(data, ensure_ascii=False))
    return 0


def read(words):
    """The server, the tool and its arguments; nothing where the words are none of these."""
    if len(words) < 2 or any(word.startswith("-") for word in words[:2]):
        return None
    arguments = {}
    rest = words[2:]
    if rest and not rest[0].startswith("--"):
        try:
            arguments = json.loads(rest.pop(0))
        except ValueError:
            return None
        if not isinstance(arguments, dict):
            return None
    while rest:
        name, equals, value = rest.pop(0).partition("=")
        if not name.startswith("--") or len(name) < 3 or not (equals or rest):
            return None
        arguments[name[2:]] = value if equals else rest.pop(0)
    return words[0], words[1], arguments


sys.exit(main(sys.argv[1:]))
