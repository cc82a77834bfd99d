import type { Datasets } from './datasets.ts';
import type { LoadGenerator } from './load.ts';
import type { Sizes } from './sizes.ts';
import type { Spread } from './statistics.ts';

/** One measurement of the benchmark: a file beside `run.ts`. */
export interface Measurement {
  /** What `--only` takes. */
  name: string;
  /** Throws when what it measured wasn't what happened (events missing, deliveries failed). */
  run(context: Context): Promise<Row[]>;
}

export interface Context {
  sizes: Sizes;
  load: LoadGenerator;
  datasets: Datasets;
  /** Where servers write CPU profiles, or null. */
  profileDir: string | null;
  /** Progress, on stderr. */
  log(text: string): void;
}

/** A line of the result. */
export interface Row {
  label: string;
  result: Result;
  /** None where the figure is told for information. */
  target?: Target;
  /** The absolute figures behind the result, for people. They mean little on another machine. */
  measured: string;
  /** The same for programs. */
  figures: Record<string, number>;
}

/** Medians of runs, with the least and the most of them. */
export type Result =
  | ({ kind: 'ratio' } & Spread)
  | ({ kind: 'absolute'; unit: 'ms' | 'MB' } & Spread);

export type Target = { atLeast: number } | { atMost: number };

export function reaches(result: Result, target: Target): boolean {
  return 'atLeast' in target ? result.median >= target.atLeast : result.median <= target.atMost;
}
