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
  target?: Target | undefined;
  /** The server's side, with its unit. Like `against`, it means little on another machine. */
  ours: string;
  /** What that is compared with, and what it is; empty where the target is absolute. */
  against: string;
  cpu?: CpuPerUnit;
  /** Why the target is missed whatever the result says: what it is about didn't happen. */
  shortfall?: string | undefined;
  notes: string;
  /** All of it for programs. */
  figures: Record<string, number>;
}

/** CPU time, user and system, that the process takes for one unit of work. */
export interface CpuPerUnit {
  unit: string;
  oursUs: number;
  againstUs: number;
}

/** Medians of runs, with the least and the most of them. */
export type Result =
  | ({ kind: 'ratio' } & Spread)
  | ({ kind: 'absolute'; unit: 'ms' | 's' | 'MB' | '%' } & Spread);

export type Target = { atLeast: number } | { atMost: number };

/** Null where there is nothing to reach. */
export function reaches({ result, target, shortfall }: Row): boolean | null {
  if (!target) return null;
  if (shortfall !== undefined) return false;
  return 'atLeast' in target ? result.median >= target.atLeast : result.median <= target.atMost;
}
