import type { OverviewAnswer } from '../../../src/api/overview/overview-answer.ts';

const BUCKETS = { hour: [60, 60_000], day: [48, 1_800_000], week: [84, 7_200_000] } as const;

/** An overview as the server answers it, of a busy day with an outage. */
export function overviewAnswer(
  range: OverviewAnswer['range'],
  endpoints: readonly { id: string; name: string }[],
  changes: Partial<OverviewAnswer> = {},
): OverviewAnswer {
  const [count, bucketMs] = BUCKETS[range];
  const from = Date.parse('2026-11-20T00:00:00Z');
  const buckets = Array.from({ length: count }, (_, i) => {
    const isDown = i > count * 0.6 && i < count * 0.7;
    return {
      at: new Date(from + i * bucketMs).toISOString(),
      events: {
        received: i === count - 1 ? 3 : 0,
        delivered: isDown ? 4 : 12 + Math.round(8 * Math.sin(i / 5)),
        failed: isDown ? 9 : 0,
        dead_letter: isDown && i % 2 === 0 ? 2 : 0,
      },
      attempts: { succeeded: 20, failed: isDown ? 30 : 1 },
      latency:
        i % 17 === 5
          ? null
          : { p50: 40 + (i % 5) * 4, p95: isDown ? 900 : 120, p99: isDown ? 1900 : 210 },
    };
  });
  const sum = (name: 'received' | 'delivered' | 'failed' | 'dead_letter') =>
    buckets.reduce((all, { events }) => all + events[name], 0);
  return {
    range,
    from: new Date(from).toISOString(),
    to: new Date(from + count * bucketMs).toISOString(),
    bucket_ms: bucketMs,
    buckets,
    totals: {
      events: {
        received: sum('received'),
        delivered: sum('delivered'),
        failed: sum('failed'),
        dead_letter: sum('dead_letter'),
      },
      attempts: { succeeded: 960, failed: 160 },
      latency: { p50: 48, p95: 310, p99: 1400 },
      sampled: false,
    },
    waiting: { count: 42, at_least: false, oldest_at: new Date(from).toISOString() },
    issues: { open: 0, newest: [] },
    destinations: [],
    silent: [],
    endpoints: endpoints.map(({ id }, i) => ({
      endpoint_id: id,
      events: 100 * (i + 1),
      failed: i === 0 ? 9 : 0,
      dead_letter: i === 1 ? 2 : 0,
      last_at: new Date(from).toISOString(),
      buckets: buckets.map(({ events }) => events.delivered),
    })),
    ...changes,
  };
}
