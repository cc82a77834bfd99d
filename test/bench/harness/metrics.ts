import { until } from './api.ts';

export interface ServerMetrics {
  /** Events that the search index doesn't hold yet. */
  indexLag: number;
  /** Commits of captures until now, and the events in them. */
  commits: number;
  committedEvents: number;
}

/** The server's Prometheus metrics. */
export async function readMetrics(origin: string): Promise<ServerMetrics> {
  const response = await fetch(`${origin}/metrics`);
  const text = await response.text();
  if (!response.ok) throw new Error(`/metrics answered ${response.status}: ${text}`);
  const read = (name: string) => {
    const value = new RegExp(`^hookrelay_${name} (\\S+)$`, 'm').exec(text)?.[1];
    if (value === undefined) throw new Error(`/metrics tells no ${name}`);
    return Number(value);
  };
  return {
    indexLag: read('search_index_lag_events'),
    commits: read('commit_batch_events_count'),
    committedEvents: read('commit_batch_events_sum'),
  };
}

/** Waits until the server has indexed everything. Returns the time that took, seconds. */
export async function untilIndexed(origin: string, deadlineMs: number): Promise<number> {
  const startedAt = performance.now();
  await until(
    'events are not indexed',
    async () => (await readMetrics(origin)).indexLag,
    (lag) => lag === 0,
    deadlineMs,
  );
  return (performance.now() - startedAt) / 1000;
}
