import type { ReplayJobState } from '../../core/model.ts';

/** The answer to a replay of one event. */
export interface Replayed {
  queued: boolean;
  event_id: string;
  /** Deliveries that it made. */
  deliveries: number;
}

/** The answer to a bulk replay. */
export interface BulkReplay {
  /** Events that match now. */
  queued: number;
  job_id: string;
}

/** A bulk replay in the background. */
export interface ReplayJob {
  id: string;
  /** `running`: it queues events, or some of its deliveries are open. */
  state: ReplayJobState;
  /** Events that matched when it started. */
  matching: number;
  /** Deliveries that it has made so far, in any state. */
  queued: number;
  /** Those of them that succeeded. */
  delivered: number;
  dead: number;
  created_at: string;
}
