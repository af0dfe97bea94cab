// Draws a line chart as an SVG with nothing but the standard library.
import { writeFileSync } from "node:fs";

const points = Array.from({ length: 60 }, (_, x) => Math.sin(x / 6) * 40 + Math.cos(x / 11) * 25);
const at = (value, x) => `${20 + x * 10},${90 - value}`;

writeFileSync(
  "wave.svg",
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 180" width="640" height="180">
  <rect width="640" height="180" fill="#fafbfc"/>
  <line x1="20" y1="90" x2="620" y2="90" stroke="#d2d8de"/>
  <polyline fill="none" stroke="#0f766e" stroke-width="3" points="${points.map(at).join(" ")}"/>
</svg>`,
);
console.log("wave.svg has", points.length, "points");
