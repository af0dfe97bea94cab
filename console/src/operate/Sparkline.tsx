const WIDTH = 160;
const HEIGHT = 28;
const POINTS = 60;
const GROUND = HEIGHT - 1;

/** The last values as a line over its ground; the newest is at the right. */
export function Sparkline({ name, values }: { name: string; values: number[] }) {
  const top = Math.max(1, ...values);
  const x = (index: number) => (WIDTH - (values.length - 1 - index) * (WIDTH / (POINTS - 1))).toFixed(1);
  const y = (value: number) => (GROUND - 1 - (value / top) * (GROUND - 3)).toFixed(1);
  const line = values.map((value, index) => `${x(index)},${y(value)}`).join(" ");
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={name}
    >
      <path class="sparkline-ground" d={`M0 ${GROUND}H${WIDTH}`} />
      <polygon points={`${x(0)},${GROUND} ${line} ${WIDTH},${GROUND}`} />
      <polyline points={line} />
    </svg>
  );
}
