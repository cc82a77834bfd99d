import type { ReplayJob } from '../../contract/replays.ts';

/*
 * Codes of `replay_jobs.state`. They are on disk.
 *
 *     queues ──▶ queued
 *        └──────────┴──▶ cancelling ──▶ cancelled
 */
export const JOB_QUEUES = 0;
export const JOB_QUEUED = 1;
export const JOB_CANCELLING = 2;
export const JOB_CANCELLED = 3;

/** A job as both backends read it, with the number of its open deliveries. */
export interface JobProgressRow extends Omit<ReplayJob, 'state'> {
  state: number;
  open: number;
}

export function jobOf({ state, open, ...job }: JobProgressRow): ReplayJob {
  if (state === JOB_CANCELLING || state === JOB_CANCELLED) return { ...job, state: 'cancelled' };
  return { ...job, state: state === JOB_QUEUES || open > 0 ? 'running' : 'done' };
}
