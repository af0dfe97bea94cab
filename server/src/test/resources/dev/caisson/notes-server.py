"""An MCP server on standard input and output, for tests: notes in a file of its own directory."""

import json
import os
import sys

NOTES = "/data/notes.txt"
TOOLS = [
    {
        "name": "list-notes",
        "description": "List the notes that were kept.",
        "inputSchema": {"type": "object", "properties": {"prefix": {"type": "string"}}},
        "annotations": {"readOnlyHint": True},
    },
    {
        "name": "add_note",
        "description": "Keep a note.",
        "inputSchema": {
            "type": "object",
            "properties": {"text": {"type": "string"}},
            "required": ["text"],
        },
        "annotations": {"readOnlyHint": False, "destructiveHint": False},
    },
    {
        "name": "show_token",
        "description": "Say what was given.",
        "inputSchema": {"type": "object"},
        "annotations": {"readOnlyHint": True},
    },
]


def call(name, arguments):
    if name == "show_token":
        return [{"type": "text", "text": "the token is " + os.environ["TOKEN"]}]
    with open(NOTES, "a+", encoding="utf-8") as notes:
        if name == "add_note":
            notes.write(arguments["text"] + "\n")
        notes.seek(0)
        found = [line.strip() for line in notes]
    starts = 0
    try:
        with open("/data/starts", encoding="utf-8") as file:
            starts = len(file.read())
    except FileNotFoundError:
        pass
    return [{"type": "text", "text": json.dumps({"notes": found, "starts": starts})}]


def answer(method, params):
    if method == "initialize":
        return {
            "protocolVersion": "2025-11-25",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "notes", "version": "1"},
        }
    if method == "tools/list":
        return {"tools": TOOLS}
    if method == "tools/call":
        return {"content": call(params["name"], params.get("arguments", {}))}
    if method == "ping":
        return {}
    return None


with open("/data/starts", "a", encoding="utf-8") as starts:
    starts.write("x")
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    result = answer(message.get("method"), message.get("params", {}))
    reply = {"jsonrpc": "2.0", "id": message["id"]}
    if result is None:
        reply["error"] = {"code": -32601, "message": "unknown"}
    else:
        reply["result"] = result
    print(json.dumps(reply), flush=True)
