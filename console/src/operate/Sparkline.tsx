const WIDTH = 160;
const HEIGHT = 28;
const POINTS = 60;

/** The last values as a line; the newest is at the right. */
export function Sparkline({ name, values }: { name: string; values: number[] }) {
  const top = Math.max(1, ...values);
  const at = (value: number, index: number) => {
    const x = WIDTH - (values.length - 1 - index) * (WIDTH / (POINTS - 1));
    return `${x.toFixed(1)},${(HEIGHT - 2 - (value / top) * (HEIGHT - 4)).toFixed(1)}`;
  };
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={name}
    >
      <polyline points={values.map(at).join(" ")} />
    </svg>
  );
}
