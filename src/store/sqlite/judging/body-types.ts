import type { Database } from 'better-sqlite3';
import type { EventSummary } from '../../../core/model.ts';
import { eventTypeOf, mayHaveTypeInBody } from '../../shared/judging/request-rules.ts';
import { eachContent } from './contents.ts';
import { ruledRequest } from './ruled-row.ts';

/**
 * Adds types that only the bodies of events contain. Captures don't parse bodies, so the store
 * doesn't have these types.
 */
export function* withTypes(db: Database, events: EventSummary[]): Generator<void, EventSummary[]> {
  const types = new Map<number, string | null>();
  const untyped = events.filter(mayHaveTypeInBody).map(({ seq }) => seq);
  yield* eachContent(db, untyped, (row) => types.set(row.seq, eventTypeOf(ruledRequest(row))));
  return events.map((event) => ({ ...event, eventType: types.get(event.seq) ?? event.eventType }));
}
