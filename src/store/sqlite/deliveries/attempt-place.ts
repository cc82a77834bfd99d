import type { Database } from 'better-sqlite3';
import { MINUTE_MS } from '../../../core/text/duration.ts';
import { timeOfId } from '../../../core/text/id-time.ts';
import { attemptsBefore } from '../../shared/deliveries/attempts-before.ts';
import { LONGEST_ATTEMPT_MS } from '../../shared/overview/activity.ts';

/** How many attempts are read between two yields. */
const STEP_ATTEMPTS = 5000;
/** How long attempts are taken to have lasted, from one look to the next. */
const DURATIONS_MS = [1000, MINUTE_MS, LONGEST_ATTEMPT_MS];
/** The id of an attempt, which begins with the time at which it started. */
const ID = /^att_[0-9a-hjkmnp-tv-z]{26}$/;

export interface AttemptPlace {
  endpointKey: number;
  eventSeq: number;
}

/**
 * Finds an attempt by its id; null if there is none. An index of ids would cost more at each
 * attempt than all such reads together. Attempts are in the order in which they ended. So the read
 * looks at those around the time in the id: first as if no attempt took more than a second, then a
 * minute, and then at all that the longest attempt allows.
 */
export function* attemptPlace(db: Database, id: string): Generator<void, AttemptPlace | null> {
  if (!ID.test(id)) return null;
  const startedAt = timeOfId(id);
  const before = db.prepare<[{ time: number }], number>(attemptsBefore('@time')).pluck();
  const end = db.prepare<[number, number], { seq: number; attemptedAt: number }>(`
    SELECT seq, attempted_at AS attemptedAt
    FROM (SELECT seq, attempted_at FROM attempts WHERE seq > ? ORDER BY seq LIMIT ?)
    ORDER BY seq DESC LIMIT 1`);
  const find = db.prepare<[number, number, string], AttemptPlace>(`
    SELECT endpoint_key AS endpointKey, event_seq AS eventSeq FROM attempts
    WHERE seq > ? AND seq <= ? AND id = ?`);
  for (const longestMs of DURATIONS_MS) {
    let after = before.get({ time: startedAt - longestMs }) as number;
    for (;;) {
      const last = end.get(after, STEP_ATTEMPTS);
      if (!last) break;
      const found = find.get(after, last.seq, id);
      if (found) return found;
      if (last.attemptedAt > startedAt + longestMs) break;
      after = last.seq;
      yield;
    }
  }
  return null;
}
