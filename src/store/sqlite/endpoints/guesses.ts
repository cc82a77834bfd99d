import type { Database } from 'better-sqlite3';
import { commonest, GUESSED_FROM } from '../../shared/endpoints/commonest.ts';
import { endpointExists } from '../events/event-query.ts';

/** How many endpoints are read between two yields. */
const SLICE_ENDPOINTS = 50;

/** See `EndpointStore.guesses`. */
export function* guessesOf(
  db: Database,
  keys: readonly number[],
): Generator<void, Map<number, string>> {
  const newest = db
    .prepare<[number], string | null>(`
      SELECT provider FROM events WHERE endpoint_key = ? ORDER BY seq DESC LIMIT ${GUESSED_FROM}`)
    .pluck();
  const found = new Map<number, string>();
  for (const [i, key] of keys.entries()) {
    if (i > 0 && i % SLICE_ENDPOINTS === 0) yield;
    if (!endpointExists(db, key)) continue;
    const provider = commonest(newest.all(key));
    if (provider !== null) found.set(key, provider);
  }
  return found;
}
