"""Draws a bar chart as a PNG with nothing but the standard library."""
import struct
import zlib

values = {"Mon": 12, "Tue": 19, "Wed": 8, "Thu": 26, "Fri": 22, "Sat": 31, "Sun": 17}
WIDTH, HEIGHT, MARGIN = 640, 320, 30
BACK, BAR, BEST, LINE = (250, 251, 252), (45, 130, 183), (15, 118, 110), (210, 216, 222)

pixels = [[BACK] * WIDTH for _ in range(HEIGHT)]


def fill(x0, y0, x1, y1, colour):
    for y in range(max(0, y0), min(HEIGHT, y1)):
        for x in range(max(0, x0), min(WIDTH, x1)):
            pixels[y][x] = colour


def chunk(kind, data):
    body = kind + data
    return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))


top = max(values.values())
for step in range(5):
    y = MARGIN + step * (HEIGHT - 2 * MARGIN) // 4
    fill(MARGIN, y, WIDTH - MARGIN, y + 1, LINE)
room = (WIDTH - 2 * MARGIN) // len(values)
for place, (day, value) in enumerate(values.items()):
    height = value * (HEIGHT - 2 * MARGIN) // top
    left = MARGIN + place * room + room // 6
    fill(left, HEIGHT - MARGIN - height, left + room * 2 // 3, HEIGHT - MARGIN, BEST if value == top else BAR)
    print(f"{day}  {value:>3}  {'█' * value}")

raw = b"".join(b"\0" + b"".join(bytes(pixel) for pixel in row) for row in pixels)
with open("week.png", "wb") as image:
    image.write(b"\x89PNG\r\n\x1a\n")
    image.write(chunk(b"IHDR", struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0)))
    image.write(chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b""))
