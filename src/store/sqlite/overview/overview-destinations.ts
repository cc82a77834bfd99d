import type { Database } from 'better-sqlite3';
import { readFlow } from '../../../core/flow/flow.ts';
import type { HeldDestination, Overview } from '../../contract/events.ts';
import {
  DESTINATION_COLUMNS,
  type DestinationRow,
  destinationOf,
} from '../../shared/destinations/destination-rows.ts';
import { waitingAndHeld } from '../../shared/overview/overview.ts';
import { waitingReads } from '../destinations/conditions.ts';

/** How many destinations are read between two yields. */
const SLICE = 200;

/** Counts open deliveries by destination, and finds destinations that don't deliver. */
export function* overviewDestinations(
  db: Database,
  endpoints: readonly { key: number; id: string }[],
): Generator<void, Pick<Overview, 'waiting' | 'held'>> {
  const rows = db.prepare<[number], DestinationRow>(`
    SELECT ${DESTINATION_COLUMNS} FROM destinations d
    WHERE d.endpoint_key = ? AND d.removed_at IS NULL AND d.one_off = 0`);
  const waitingFor = waitingReads(db);
  const destinations: HeldDestination[] = [];
  for (const { key, id: endpointId } of endpoints) {
    for (const row of rows.all(key)) {
      const waiting = waitingFor(row.key);
      const flow = readFlow(row.flow);
      destinations.push({ endpointId, destination: destinationOf(row), flow, waiting });
      if (destinations.length % SLICE === 0) yield;
    }
  }
  return waitingAndHeld(destinations);
}
