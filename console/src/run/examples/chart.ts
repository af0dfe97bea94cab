// Draws a pie chart as an SVG with nothing but the standard library.
import { writeFileSync } from "node:fs";

const shares: Record<string, number> = { python: 46, node: 24, typescript: 18, bash: 12 };
const colours: string[] = ["#0f766e", "#2d82b7", "#d97706", "#9333ea"];
const whole = Object.values(shares).reduce((sum, share) => sum + share, 0);

let turned = 0;
const slices = Object.values(shares).map((share, place) => {
  const point = (turn: number) => [
    100 + 90 * Math.sin(2 * Math.PI * turn),
    100 - 90 * Math.cos(2 * Math.PI * turn),
  ];
  const [x0, y0] = point(turned);
  turned += share / whole;
  const [x1, y1] = point(turned);
  const large = share / whole > 0.5 ? 1 : 0;
  return `<path fill="${colours[place]}" d="M100 100 L${x0} ${y0} A90 90 0 ${large} 1 ${x1} ${y1} Z"/>`;
});

writeFileSync(
  "shares.svg",
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 200" width="240" height="240">${slices.join("")}</svg>`,
);
console.log("shares.svg shows", Object.keys(shares).join(", "));
