"""Output is shown as it is written, with the colours of a terminal."""
import sys
import time

for step in range(1, 11):
    bar = "━" * step + "╌" * (10 - step)
    print(f"\033[36m{bar}\033[0m {step * 10:3d} %", flush=True)
    time.sleep(0.3)
print("\033[1;32mdone\033[0m, \033[33mwarnings\033[0m and \033[31merrors\033[0m have colours")
print("standard error is told apart", file=sys.stderr)
