import type { Flow } from '../../core/flow/flow.ts';
import type { Waiting } from '../../core/flow/waiting.ts';
import type { Destination, EventStatus } from '../../core/model.ts';

/** `buckets` spans of `bucketMs` that start at `from`, Unix ms. */
export interface OverviewWindow {
  from: number;
  bucketMs: number;
  buckets: number;
}

/** Durations of attempts, ms: each is the duration of an attempt (nearest rank). */
export interface Percentiles {
  p50: number;
  p95: number;
  p99: number;
}

export interface OverviewAttempts {
  /** Attempts that got a 2xx. */
  succeeded: number;
  failed: number;
  /** Null without an attempt. */
  latency: Percentiles | null;
}

/** A destination that doesn't deliver: somebody stopped it, or its attempts fail. */
export interface HeldDestination {
  endpointId: string;
  destination: Destination;
  flow: Flow;
  waiting: Waiting;
}

/** What happens at a scope's endpoints. */
export interface Overview {
  /** Events received in the window, by endpoint, bucket and status now. Without zeros. */
  events: { endpointId: string; bucket: number; status: EventStatus; count: number }[];
  /** When each endpoint received its newest event, Unix ms. Without endpoints that have none. */
  lastAt: { endpointId: string; at: number }[];
  /** Attempts that began in the window, by bucket. Without empty buckets. */
  attempts: ({ bucket: number } & OverviewAttempts)[];
  allAttempts: OverviewAttempts;
  /** Whether older attempts of the window were left out, because the store has too many. */
  sampled: boolean;
  /** Open deliveries of all destinations. */
  waiting: Waiting;
  /** Those that most waits for, at most `MOST_HELD`. */
  held: HeldDestination[];
}

export const MOST_HELD = 20;
