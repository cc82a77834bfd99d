import type { Destination } from './destination.ts';
import type { Issue } from './issue.ts';

/** Events of a span by their present status. `received` are those without a delivery under way. */
export interface EventCounts {
  received: number;
  delivered: number;
  failed: number;
  dead_letter: number;
}

/** Durations of attempts, ms. */
export interface Latency {
  p50: number;
  p95: number;
  p99: number;
}

/** What arrived, what failed and what waits, over all endpoints of the account. */
export interface Overview {
  range: 'hour' | 'day' | 'week';
  from: string;
  to: string;
  bucket_ms: number;
  /** Oldest first. */
  buckets: {
    at: string;
    events: EventCounts;
    attempts: { succeeded: number; failed: number };
    latency: Latency | null;
  }[];
  totals: {
    events: EventCounts;
    attempts: { succeeded: number; failed: number };
    latency: Latency | null;
    /** Whether the latencies are those of a sample. */
    sampled: boolean;
  };
  waiting: { count: number; at_least: boolean; oldest_at: string | null };
  issues: { open: number; newest: Issue[] };
  /** Destinations that don't deliver. */
  destinations: (Pick<Destination, 'id' | 'name' | 'url' | 'state' | 'health' | 'waiting'> & {
    endpoint_id: string;
  })[];
  /** Endpoints that are silent for longer than expected. */
  silent: {
    endpoint_id: string;
    name: string;
    last_at: string | null;
    expect_every: string;
  }[];
  endpoints: {
    endpoint_id: string;
    events: number;
    failed: number;
    dead_letter: number;
    last_at: string | null;
    buckets: number[];
  }[];
}
