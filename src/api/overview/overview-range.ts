import { MINUTE_MS } from '../../core/text/duration.ts';
import type { OverviewWindow } from '../../store/contract/events.ts';

const SHAPES = {
  hour: { bucketMs: MINUTE_MS, buckets: 60 },
  day: { bucketMs: 30 * MINUTE_MS, buckets: 48 },
  week: { bucketMs: 120 * MINUTE_MS, buckets: 84 },
} as const;

export type OverviewRange = keyof typeof SHAPES;
export const OVERVIEW_RANGES = ['hour', 'day', 'week'] as const satisfies readonly OverviewRange[];

/**
 * Returns a window whose last bucket contains `now`. Buckets begin at multiples of their length.
 */
export function windowOfRange(range: OverviewRange, now: number): OverviewWindow {
  const { bucketMs, buckets } = SHAPES[range];
  return { bucketMs, buckets, from: (Math.floor(now / bucketMs) - buckets + 1) * bucketMs };
}
