#!/usr/bin/env python3
"""Tries Caisson behind a real reverse proxy, with the examples beside this file.

    proxy-check.py nginx|caddy [--caisson PATH] [--program PATH]

Starts a server and the proxy on free ports of this machine, and checks what proxies get wrong: events and lines of a
stream arrive while the program runs, signed links carry the public address and work through the proxy, the console and
MCP answer. Ends both, and exits with 0 when everything held.
"""

import argparse
import http.client
import json
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM = "echo first; sleep 3; echo last"
START_SECONDS_MAX = 180


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def nginx_config(directory, port, upstream):
    text = (HERE / "nginx.conf").read_text()
    text = text.replace("127.0.0.1:8080", f"127.0.0.1:{upstream}").replace("listen 443 ssl", f"listen 127.0.0.1:{port}")
    text = re.sub(r"\n *ssl_certificate[^\n]*", "", text)
    temporary = "\n".join(
        f"    {kind}_temp_path {directory}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    whole = f"daemon off; pid {directory}/pid; error_log {directory}/error.log;\nevents {{}}\nhttp {{\n    access_log off;\n{temporary}\n{text}\n}}\n"
    (directory / "nginx.conf").write_text(whole)
    return ["-c", str(directory / "nginx.conf"), "-p", str(directory)]


def caddy_config(directory, port, upstream):
    text = (HERE / "Caddyfile").read_text()
    text = text.replace("127.0.0.1:8080", f"127.0.0.1:{upstream}")
    text = text.replace("caisson.example.com {", f"http://127.0.0.1:{port} {{", 1)
    (directory / "Caddyfile").write_text("{\n\tadmin off\n\tauto_https off\n}\n" + text)
    return ["run", "--adapter", "caddyfile", "--config", str(directory / "Caddyfile")]


PROXIES = {"nginx": nginx_config, "caddy": caddy_config}


def wait_for(port, what):
    for _ in range(START_SECONDS_MAX * 10):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.1)
    sys.exit(f"{what} did not start")


def start_server(caisson, directory, port, public):
    output = open(directory / "out", "w")
    settings = [f"http.public_base_url={public}", "http.trusted_proxies=127.0.0.1", "http.allowed_hosts=" + public.removeprefix("http://")]
    command = [caisson, "serve", "--config", "/dev/null", "--port", str(port), "--data", str(directory / "data")]
    for setting in settings:
        command += ["--set", setting]
    server = subprocess.Popen(command, stdout=output, stderr=open(directory / "log", "w"))
    for _ in range(START_SECONDS_MAX * 10):
        found = re.search(r"ck_[0-9a-f_]+", (directory / "out").read_text())
        if found:
            return server, found.group()
        if server.poll() is not None:
            break
        time.sleep(0.1)
    server.kill()
    sys.exit("the server did not start: " + (directory / "log").read_text()[-2000:])


def run(port, key, body, accept):
    """The time of each line of the answer, from the request on, and the line."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    headers = {"Authorization": "Bearer " + key, "Content-Type": "application/json", "Accept": accept}
    begin = time.monotonic()
    connection.request("POST", "/v1/sandbox/execute", json.dumps(body), headers)
    answer = connection.getresponse()
    lines = [(time.monotonic() - begin, line.decode()) for line in iter(answer.readline, b"")]
    connection.close()
    return answer.status, lines


def streams(port, key, accept):
    status, lines = run(port, key, {"language": "bash", "code": PROGRAM}, accept)
    first = [when for when, line in lines if "first" in line]
    last = [when for when, line in lines if "last" in line]
    return status == 200 and bool(first) and bool(last) and last[0] - first[0] > 2


def link_works(port, key, public):
    body = {"language": "bash", "code": "echo kept > kept.txt", "thread_id": "proxy"}
    _, lines = run(port, key, body, "application/json")
    link = re.search(r'"(https?://[^"]*kept\.txt[^"]*)"', "".join(line for _, line in lines))
    if not link or not link.group(1).startswith(public + "/"):
        return False
    with urllib.request.urlopen(link.group(1).replace("\\u0026", "&"), timeout=30) as file:
        return file.read() == b"kept\n"


def mcp_answers(port, key):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    headers = {
        "Authorization": "Bearer " + key,
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
    }
    body = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "check", "version": "1"}},
    }
    connection.request("POST", "/mcp", json.dumps(body), headers)
    return b"serverInfo" in connection.getresponse().read()


def main():
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("proxy", choices=PROXIES)
    reader.add_argument("--caisson", default=str(HERE.parent / "caisson"))
    reader.add_argument("--program", help="the proxy's program, when it is not found by its name")
    asked = reader.parse_args()
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        port, upstream = free_port(), free_port()
        public = f"http://127.0.0.1:{port}"
        server, key = start_server(asked.caisson, directory, upstream, public)
        proxy = subprocess.Popen(
            [asked.program or asked.proxy, *PROXIES[asked.proxy](directory, port, upstream)],
            stderr=open(directory / "proxy.log", "w"),
            env={"HOME": name, "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"},
        )
        try:
            wait_for(port, asked.proxy)
            checks = {
                "events arrive while the program runs": streams(port, key, "text/event-stream"),
                "lines arrive while the program runs": streams(port, key, "application/x-ndjson"),
                "a signed link has the public address and works": link_works(port, key, public),
                "MCP answers": mcp_answers(port, key),
            }
        finally:
            proxy.terminate()
            server.terminate()
            proxy.wait(30)
            server.wait(60)
    for check, held in checks.items():
        print("ok   " if held else "FAILS", check)
    return 0 if all(checks.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
