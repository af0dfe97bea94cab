"""A hostile MCP server, for tests. Each of its tools does one thing that no server should do; its parts are servers
that are hostile before the first call.

usage: server.py stdio [PART] | server.py http
Over HTTP it prints its port first, and then a line for each request that came where none should.
"""

import sys

sys.dont_write_bytecode = True

if sys.argv[1] == "stdio":
    import over_stdio

    over_stdio.serve(sys.argv[2] if len(sys.argv) > 2 else "")
else:
    import over_http

    over_http.serve()
