"""Draws a bar chart as an SVG with nothing but the standard library."""
visits = {"Mon": 12, "Tue": 19, "Wed": 8, "Thu": 26, "Fri": 22, "Sat": 31, "Sun": 17}
WIDTH, HEIGHT, LEFT, RIGHT, GROUND = 640, 320, 44, 624, 288

best = max(visits.values())
room = (RIGHT - LEFT) / len(visits)
scale = (GROUND - 60) / best


def text(x, y, words, anchor="middle", size=13):
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}" font-size="{size}">{words}</text>'


shapes = [text(LEFT, 28, "Visits of the week", "start", 17)]
for value in range(0, best + 1, 10):
    y = GROUND - value * scale
    shapes.append(f'<path d="M{LEFT} {y:.0f}H{RIGHT}" stroke="#dfe4e9"/>')
    shapes.append(text(LEFT - 10, y + 4, value, "end"))
for place, (day, count) in enumerate(visits.items()):
    x, height = LEFT + (place + 0.5) * room, count * scale
    colour = "#0f766e" if count == best else "#2d82b7"
    shapes.append(f'<rect x="{x - room / 3:.0f}" y="{GROUND - height:.0f}" rx="4"'
                  f' width="{room * 2 / 3:.0f}" height="{height:.0f}" fill="{colour}"/>')
    shapes += [text(x, GROUND + 20, day), text(x, GROUND - height - 8, count)]
    print(f"{day} {'█' * count} {count}")

with open("week.svg", "w") as image:
    image.write(f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}"'
                ' font-family="sans-serif" fill="#46545f"><rect width="100%" height="100%" fill="#fff"/>')
    image.write("".join(shapes) + "</svg>")
