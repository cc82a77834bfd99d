const WIDTH = 240;
const HEIGHT = 36;
const GAP = 2;

/** A chart with one bar per hour. Its label describes it, because it is too small for axes. */
export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  const most = Math.max(1, ...values);
  const step = WIDTH / Math.max(1, values.length);
  return (
    <svg
      class="spark"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={label}
      preserveAspectRatio="none"
    >
      <title>{label}</title>
      {values.map((value, i) => {
        const height = value === 0 ? 1 : Math.max(3, (value / most) * HEIGHT);
        return (
          <rect
            key={i}
            class={value === 0 ? 'is-none' : ''}
            x={i * step}
            y={HEIGHT - height}
            width={step - GAP}
            height={height}
            rx="1"
          />
        );
      })}
    </svg>
  );
}
