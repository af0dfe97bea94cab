import platform
import sys

print("Hello from a sandbox of its own.")
print("Python", platform.python_version(), "on", platform.system())
print("This goes to standard error.", file=sys.stderr)

# A global named `result` is handed back as data.
result = {"answer": sum(range(101))}
