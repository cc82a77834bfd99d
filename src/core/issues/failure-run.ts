/**
 * The failures in a row at a destination, whatever their reasons. A success ends the run. Attempts
 * at the same event count as one event.
 */
export interface FailureRun {
  /** The time of the first failure, Unix ms. */
  since: number;
  /** The first few different events that failed. */
  events: readonly string[];
}

/** The number of events in a row that makes a run long. */
const RUN_EVENTS = 5;
/** The shortest time from the first failure of a long run to its last, ms. */
const RUN_MS = 60_000;

interface FailedAttempt {
  eventId: string;
  at: number;
}

export function withFailure(run: FailureRun | null, { eventId, at }: FailedAttempt): FailureRun {
  if (!run) return { since: at, events: [eventId] };
  const { since, events } = run;
  const isNew = events.length < RUN_EVENTS && !events.includes(eventId);
  return { since: Math.min(since, at), events: isNew ? [...events, eventId] : events };
}

/** Returns whether a run is long enough for an issue. */
export function isLong({ since, events }: FailureRun, now: number): boolean {
  return events.length >= RUN_EVENTS && now - since >= RUN_MS;
}
