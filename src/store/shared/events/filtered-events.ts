import { newId } from '../../../core/ids.ts';
import type { Delivery } from '../../../core/model.ts';
import type { DroppedBy } from '../../../core/rules/verdict.ts';

type StoredDrop = [id: string, destinationKey: number, ruleVersion: number];

/** A delivery that a filter dropped. It has an id, but no row in `deliveries`. */
export interface Drop extends DroppedBy {
  id: string;
}

/** The value of `filtered_events.dropped` if no filter dropped the event. */
export const NO_DROPS = '[]';

/** Returns the value of `filtered_events.dropped`. Gives each drop an id. */
export function storedDrops(dropped: readonly DroppedBy[], now: number): string {
  return JSON.stringify(
    dropped.map(
      ({ destinationKey, ruleVersion }): StoredDrop => [
        newId('dlv', now),
        destinationKey,
        ruleVersion,
      ],
    ),
  );
}

/**
 * Returns the value of `filtered_events.uncomparable`: the keys of the destinations whose filters
 * dropped the event because an operator can't take a value, as JSON. Null if there are none.
 */
export function storedUncomparable(dropped: readonly DroppedBy[]): string | null {
  const keys = dropped.flatMap((one) => (one.isUncomparable ? [one.destinationKey] : []));
  return keys.length > 0 ? JSON.stringify(keys) : null;
}

/** Returns the value of `filtered_events.dropped` for drops that already have ids. */
export function storedDropsOf(drops: readonly Drop[]): string {
  return JSON.stringify(
    drops.map(
      ({ id, destinationKey, ruleVersion }): StoredDrop => [id, destinationKey, ruleVersion],
    ),
  );
}

export function dropsOf(stored: string): Drop[] {
  return (JSON.parse(stored) as StoredDrop[]).map(([id, destinationKey, ruleVersion]) => ({
    id,
    destinationKey,
    ruleVersion,
  }));
}

/** Returns a drop as a delivery of the event's first round. */
export function filteredDelivery({ id }: Drop, destination: { id: string; url: string }): Delivery {
  return {
    id,
    destinationId: destination.id,
    destinationUrl: destination.url,
    trigger: 'capture',
    state: 'filtered',
    attempts: 0,
    nextAttemptAt: null,
    waitsFor: null,
    unjudged: null,
  };
}

/**
 * Returns all deliveries, the filtered ones first. Leaves out a filtered delivery if its
 * destination has another delivery.
 */
export function withDrops(deliveries: Delivery[], filtered: Delivery[]): Delivery[] {
  const delivered = new Set(deliveries.map(({ destinationId }) => destinationId));
  return [...filtered.filter(({ destinationId }) => !delivered.has(destinationId)), ...deliveries];
}
