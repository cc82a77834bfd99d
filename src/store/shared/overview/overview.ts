import { healthState } from '../../../core/flow/health.ts';
import { MOST_COUNTED } from '../../../core/flow/waiting.ts';
import type {
  HeldDestination,
  Overview,
  OverviewAttempts,
  Percentiles,
} from '../../contract/events.ts';

/** The largest number of held destinations in an overview. */
const MOST_HELD = 20;

/** Attempts of a bucket with the same duration and the same outcome. */
export interface CountedAttempts {
  bucket: number;
  succeeded: boolean;
  durationMs: number;
  count: number;
}

/** Sums of attempts, by bucket and in total. */
export class AttemptSums {
  readonly #buckets = new Map<number, Sum>();
  readonly #all = new Sum();

  add(part: CountedAttempts): void {
    const sum = this.#buckets.get(part.bucket) ?? new Sum();
    this.#buckets.set(part.bucket, sum);
    sum.add(part);
    this.#all.add(part);
  }

  get attempts(): ({ bucket: number } & OverviewAttempts)[] {
    return [...this.#buckets]
      .sort(([a], [b]) => a - b)
      .map(([bucket, sum]) => ({ bucket, ...sum.shown }));
  }

  get allAttempts(): OverviewAttempts {
    return this.#all.shown;
  }
}

class Sum {
  #succeeded = 0;
  #failed = 0;
  readonly #byDuration = new Map<number, number>();

  add({ succeeded, durationMs, count }: CountedAttempts): void {
    if (succeeded) this.#succeeded += count;
    else this.#failed += count;
    this.#byDuration.set(durationMs, (this.#byDuration.get(durationMs) ?? 0) + count);
  }

  get shown(): OverviewAttempts {
    const [succeeded, failed] = [this.#succeeded, this.#failed];
    return { succeeded, failed, latency: percentilesOf(this.#byDuration, succeeded + failed) };
  }
}

/** @param byDuration how many attempts took each number of ms */
function percentilesOf(byDuration: ReadonlyMap<number, number>, count: number): Percentiles | null {
  if (count === 0) return null;
  const sorted = [...byDuration].sort(([a], [b]) => a - b);
  const at = (share: number): number => {
    let left = Math.ceil(share * count);
    for (const [duration, some] of sorted) {
      left -= some;
      if (left <= 0) return duration;
    }
    return (sorted.at(-1) as [number, number])[0];
  };
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

/**
 * Returns how many deliveries wait for these destinations. Also returns the destinations that don't
 * deliver, those with the most waiting deliveries first.
 */
export function waitingAndHeld(
  destinations: readonly HeldDestination[],
): Pick<Overview, 'waiting' | 'held'> {
  const count = destinations.reduce((sum, { waiting }) => sum + waiting.count, 0);
  const oldest = destinations.flatMap(({ waiting }) => waiting.oldestAt ?? []);
  return {
    waiting: {
      count: Math.min(count, MOST_COUNTED),
      atLeast: count > MOST_COUNTED || destinations.some(({ waiting }) => waiting.atLeast),
      oldestAt: oldest.length === 0 ? null : oldest.reduce((a, b) => Math.min(a, b)),
    },
    held: destinations
      .filter(isHeld)
      .sort((a, b) => b.waiting.count - a.waiting.count)
      .slice(0, MOST_HELD),
  };
}

function isHeld({ destination, flow }: HeldDestination): boolean {
  return destination.settings.state !== 'active' || healthState(flow) !== 'healthy';
}
