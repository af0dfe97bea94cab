"""Files in the working directory stay with the thread and are shown below."""
import csv
import json

planets = [
    {"planet": "Mercury", "moons": 0, "radius_km": 2440},
    {"planet": "Earth", "moons": 1, "radius_km": 6371},
    {"planet": "Mars", "moons": 2, "radius_km": 3390},
    {"planet": "Jupiter", "moons": 95, "radius_km": 69911},
]

with open("planets.csv", "w", newline="") as table:
    writer = csv.DictWriter(table, planets[0])
    writer.writeheader()
    writer.writerows(planets)

with open("planets.json", "w") as file:
    json.dump(planets, file, indent=2)

print(len(planets), "planets written")
