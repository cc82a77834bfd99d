import type { EventStatus } from '../../core/model.ts';
import type { Destination } from './destination.ts';
import type { Issue } from './issue.ts';

/** Durations of attempts, ms. */
export interface Latency {
  p50: number;
  p95: number;
  p99: number;
}

/** Events by their status now. */
export type EventCounts = Record<EventStatus, number>;

export interface AttemptCounts {
  succeeded: number;
  failed: number;
}

export interface HeldDestination
  extends Pick<Destination, 'id' | 'name' | 'url' | 'state' | 'health' | 'waiting'> {
  endpoint_id: string;
}

/** What happened at all endpoints, and what is wrong. Times are ISO 8601 in UTC. */
export interface Overview {
  range: 'hour' | 'day' | 'week';
  from: string;
  to: string;
  bucket_ms: number;
  /** The oldest first, also empty ones. */
  buckets: { at: string; events: EventCounts; attempts: AttemptCounts; latency: Latency | null }[];
  totals: {
    events: EventCounts;
    attempts: AttemptCounts;
    latency: Latency | null;
    /** Whether attempts leave out older ones of the range. */
    sampled: boolean;
  };
  /** Open deliveries. */
  waiting: Destination['waiting'];
  issues: { open: number; newest: Issue[] };
  /** Those that don't deliver, the most waiting first. */
  destinations: HeldDestination[];
  /** Endpoints with an open issue of silence. */
  silent: {
    endpoint_id: string;
    name: string;
    last_at: string | null;
    expect_every: string | null;
  }[];
  /** Every endpoint: its events in the range, by bucket, and those that failed. */
  endpoints: {
    endpoint_id: string;
    events: number;
    failed: number;
    dead_letter: number;
    last_at: string | null;
    buckets: number[];
  }[];
}
