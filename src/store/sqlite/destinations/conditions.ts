import type { Database } from 'better-sqlite3';
import { readFlow } from '../../../core/flow/flow.ts';
import { MOST_COUNTED, type WaitingCount } from '../../../core/flow/waiting.ts';
import type { DestinationCondition } from '../../contract/destinations.ts';

/** Returns a function that counts a destination's open deliveries and finds the oldest. */
export function waitingReads(db: Database): (destinationKey: number) => WaitingCount {
  const count = db
    .prepare<[number, number], number>(
      'SELECT count(*) FROM (SELECT 1 FROM open_deliveries WHERE destination_key = ? LIMIT ?)',
    )
    .pluck();
  const oldest = db
    .prepare<[number], number>(`
      SELECT e.received_at FROM open_deliveries o
      JOIN events e ON e.endpoint_key = o.endpoint_key AND e.seq = o.event_seq
      WHERE o.destination_key = ? ORDER BY o.event_seq, o.round LIMIT 1`)
    .pluck();
  return (key) => {
    const waiting = count.get(key, MOST_COUNTED + 1) as number;
    return {
      count: Math.min(waiting, MOST_COUNTED),
      atLeast: waiting > MOST_COUNTED,
      oldestAt: waiting === 0 ? null : (oldest.get(key) ?? null),
    };
  };
}

/** See `DestinationStore.conditions`. */
export function* conditionsOf(
  db: Database,
  endpointKey: number,
  destinationId: string | null,
): Generator<void, DestinationCondition[]> {
  const destinations = db
    .prepare<[number, string | null], { key: number; id: string; flow: string | null }>(`
      SELECT key, id, flow FROM destinations
      WHERE endpoint_key = ? AND removed_at IS NULL AND id = coalesce(?, id) ORDER BY key DESC`)
    .all(endpointKey, destinationId);
  const waitingFor = waitingReads(db);
  const conditions: DestinationCondition[] = [];
  for (const { key, id, flow } of destinations) {
    conditions.push({ destinationId: id, flow: readFlow(flow), waiting: waitingFor(key) });
    yield;
  }
  return conditions;
}
