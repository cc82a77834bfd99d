export interface Spread {
  median: number;
  min: number;
  max: number;
}

export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/** By linear interpolation between the two nearest. Throws when there are no values. */
export function percentile(values: readonly number[], percent: number): number {
  if (values.length === 0) throw new Error('no values were measured');
  const sorted = [...values].sort((a, b) => a - b);
  const at = ((sorted.length - 1) * percent) / 100;
  const below = sorted[Math.floor(at)] as number;
  const above = sorted[Math.ceil(at)] as number;
  return below + (above - below) * (at - Math.floor(at));
}

export function spread(values: readonly number[]): Spread {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}

export interface Pairs {
  a: Spread;
  b: Spread;
  /** The ratios a / b, pair by pair. */
  ratio: Spread;
}

/**
 * Runs A B A B …, and compares each A with the B right after it. Other load on a
 * shared machine slows both, so the ratio is stable even when the figures are not.
 */
export async function inPairs(
  count: number,
  a: () => Promise<number>,
  b: () => Promise<number>,
): Promise<Pairs> {
  const as: number[] = [];
  const bs: number[] = [];
  for (let i = 0; i < count; i++) {
    as.push(await a());
    bs.push(await b());
  }
  return { a: spread(as), b: spread(bs), ratio: spread(as.map((x, i) => x / (bs[i] as number))) };
}
