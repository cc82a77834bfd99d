import type { Datasets } from './datasets.ts';
import type { LoadGenerator } from './load.ts';
import type { Sizes } from './sizes.ts';
import type { Spread } from './statistics.ts';

/** One measurement of the benchmark: a file beside `run.ts`. */
export interface Measurement {
  /** The name for `--only`. */
  name: string;
  /** Throws when the measured work failed (events missing, deliveries failed). */
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
  /** No target: the figure is only information. */
  target?: Target | undefined;
  /** The server's figure with its unit. Like `against`, it means little on another machine. */
  ours: string;
  /** The comparison and its figure; empty when the target is absolute. */
  against: string;
  cpu?: CpuPerUnit;
  /** Why the target is missed for any result: the measured condition didn't occur. */
  shortfall?: string | undefined;
  notes: string;
  /** The whole result, for programs. */
  figures: Record<string, number>;
}

/** CPU time of the process, user and system, for one unit of work. */
export interface CpuPerUnit {
  unit: string;
  oursUs: number;
  againstUs: number;
}

/** Medians of runs, with minimum and maximum. */
export type Result =
  | ({ kind: 'ratio' } & Spread)
  | ({ kind: 'absolute'; unit: 'ms' | 's' | 'MB' | '%' | '/s' } & Spread);

export type Target = { atLeast: number } | { atMost: number };

/** Null without a target. */
export function reaches({ result, target, shortfall }: Row): boolean | null {
  if (!target) return null;
  if (shortfall !== undefined) return false;
  return 'atLeast' in target ? result.median >= target.atLeast : result.median <= target.atMost;
}
