/** Splits values at the gaps. Returns each run of values as points. */
function runsOf(values: readonly (number | null)[]): { i: number; value: number }[][] {
  const runs: { i: number; value: number }[][] = [[]];
  values.forEach((value, i) => {
    if (value !== null) runs.at(-1)?.push({ i, value });
    else if (runs.at(-1)?.length) runs.push([]);
  });
  return runs.filter((run) => run.length > 0);
}

const px = (value: number): string => value.toFixed(1);

/**
 * Returns the path of a line that has gaps where values are missing. A value between two gaps
 * becomes a dash.
 *
 * @param half half the width of such a dash, pixels
 */
export function linePath(
  values: readonly (number | null)[],
  x: (i: number) => number,
  y: (value: number) => number,
  half = 2,
): string {
  return runsOf(values)
    .map((run) => {
      const [first] = run;
      if (run.length === 1 && first) {
        return `M${px(x(first.i) - half)} ${px(y(first.value))}h${2 * half}`;
      }
      return run.map(({ i, value }, n) => `${n ? 'L' : 'M'}${px(x(i))} ${px(y(value))}`).join('');
    })
    .join('');
}

/**
 * Returns the path of the area between two rows of values. Both rows have gaps at the same places.
 * A value between two gaps becomes a column.
 *
 * @param half half the width of such a column, pixels
 */
export function bandPath(
  low: readonly (number | null)[],
  high: readonly (number | null)[],
  x: (i: number) => number,
  y: (value: number) => number,
  half = 2,
): string {
  const lows = runsOf(low);
  return runsOf(high)
    .map((run, r) => {
      const back = [...(lows[r] ?? [])].reverse();
      const [first] = run;
      const [last] = back;
      if (run.length === 1 && first && last) {
        const [left, right] = [px(x(first.i) - half), px(x(first.i) + half)];
        return `M${left} ${px(y(first.value))}H${right}V${px(y(last.value))}H${left}Z`;
      }
      const points = [...run, ...back].map(({ i, value }) => `${px(x(i))} ${px(y(value))}`);
      return `M${points.join('L')}Z`;
    })
    .join('');
}
