"""The hostile server at an address: `/mcp` and `/modern` speak Streamable HTTP of one era each, `/sse` speaks HTTP+SSE,
and `/mcp/<part>` plays a part."""

import http.server
import json
import queue
import threading

import acts
import beginnings
import words

STREAMS = {}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def place(self):
        """The way and the part that an address names; none where nothing is served."""
        way, _, part = self.path.lstrip("/").partition("/")
        known = way in ("mcp", "modern", "sse") and (not part or part in beginnings.PARTS or way == "sse")
        if not known:
            print("came to " + self.path, flush=True)
        return (way, part) if known else ("", "")

    def plain(self, status, body, kind="application/json", headers=()):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def events(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        self.close_connection = True

    def wire(self, call, raw=None):
        return words.Wire(call, raw or self.raw, b"data: ", b"\n\n", dict(self.headers), self.leave)

    def raw(self, data):
        self.wfile.write(data)
        self.wfile.flush()

    def leave(self):
        self.close_connection = True
        raise OSError("gone")

    def do_GET(self):
        way, part = self.place()
        try:
            if way == "sse" and not part:
                self.events()
                self.answers()
            elif part == "cries":
                self.events()
                beginnings.crying(self.wire(None))
            else:
                self.plain(405, b"")
        except OSError:
            self.close_connection = True

    def do_DELETE(self):
        self.place()
        self.plain(405, b"")

    def answers(self):
        """The one stream of a client of HTTP+SSE."""
        name = str(len(STREAMS))
        STREAMS[name] = queue.Queue(64)
        self.raw(b"event: endpoint\ndata: /sse/%s\n\n" % name.encode())
        while True:
            self.raw(STREAMS[name].get())

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        way, part = self.place()
        try:
            self.post(message, way, part)
        except OSError:
            self.close_connection = True

    def post(self, message, way, part):
        asked = "id" in message and "method" in message
        if way == "sse" and part not in STREAMS:
            self.plain(405, b"")
        elif way == "sse":
            self.plain(202, b"")
            if asked:
                arguments = (message, self.wire(message["id"], STREAMS[part].put), way)
                threading.Thread(target=words.serve, args=arguments, daemon=True).start()
        elif not asked:
            self.plain(202, b"")
        elif message["method"] == "tools/call" and message["params"]["name"] in acts.OF_A_HEAD:
            self.head(message)
        elif message["method"] == "server/discover" and way != "modern":
            error = {"code": -32000, "message": "no session"}
            self.plain(400, json.dumps({"jsonrpc": "2.0", "id": message["id"], "error": error}).encode())
        elif beginnings.act_of(part, message["method"]) is beginnings.goes:
            self.leave()
        else:
            self.events()
            words.serve(message, self.wire(message["id"]), way, part)

    def head(self, message):
        name = message["params"]["name"]
        own = "http://127.0.0.1:%d" % self.server.server_port
        fine = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": acts.text("fine")}).encode()
        if name == "redirects":
            self.plain(307, b"", headers=[("Location", own + "/redirected")])
        elif name == "points":
            challenge = 'Bearer resource_metadata="%s/metadata"' % own
            self.plain(401, b"", headers=[("WWW-Authenticate", challenge)])
        elif name == "is_html":
            self.plain(200, b"<!DOCTYPE html><script>alert(1)</script>", kind="text/html")
        elif name == "has_a_huge_header":
            self.plain(200, fine, headers=[("X-Huge", "x" * acts.MEBIBYTE)])
        elif name == "breaks_chunks":
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            self.wfile.write(b"zz\r\n{\r\n")
        else:
            self.plain(200, fine, headers=[("Set-Cookie", "session=1")])
        self.close_connection = True


def serve():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    print(server.server_port, flush=True)
    server.serve_forever()
