import { withoutGrants } from '../../../core/flow/rate.ts';
import { withoutSlots } from '../../../core/flow/slots.ts';
import type { ClaimedDelivery } from '../../contract/claims.ts';
import type { Database } from '../connection/database.ts';
import { changeFlows } from './change-flows.ts';
import { releaseAll } from './live-claims.ts';

/** The time by which leases of slots outlast their attempts, ms. */
const PROLONGED_MS = 30_000;

/**
 * Releases the `unordered` claims, which have no order key. Withdraws the starts that rates granted
 * to all the claims. Returns the lanes and due times of the released claims.
 */
export function releaseWithGrants(
  db: Database,
  unordered: readonly ClaimedDelivery[],
  ordered: readonly ClaimedDelivery[],
): Promise<{ key: number; dueAt: number }[]> {
  const granted = Map.groupBy(
    [...unordered, ...ordered].filter(({ start }) => start !== null),
    ({ destination }) => destination.key,
  );
  return db.lease(async (sql, sendLast) => {
    // Lock deliveries before destinations (see `Rounds`).
    const releasing = releaseAll(sql, unordered);
    releasing.catch(() => {});
    if (granted.size > 0) {
      await changeFlows({ sql, sendLast }, [...granted.keys()], (flow, key) => {
        const unused = (granted.get(key) ?? []).flatMap(({ start }) => start ?? []);
        return { ...flow, starts: withoutGrants(flow.starts, unused) };
      });
    }
    return releasing;
  });
}

/** Extends the leases of a node's slots until `PROLONGED_MS` after `leaseUntil`. */
export function prolongSlots(
  db: Database,
  node: string,
  destinationKeys: readonly number[],
  leaseUntil: number,
): Promise<void> {
  const until = leaseUntil + PROLONGED_MS;
  return db.lease((sql, sendLast) =>
    changeFlows({ sql, sendLast }, destinationKeys, (flow) => ({
      ...flow,
      slots: flow.slots.map((one) => (one.node === node ? { ...one, until } : one)),
    })),
  );
}

/** Gives back a node's slots, except those in use. `kept` has the number in use by destination. */
export function giveSlotsBack(
  db: Database,
  node: string,
  kept: ReadonlyMap<number, number>,
): Promise<void> {
  return db.lease((sql, sendLast) =>
    changeFlows({ sql, sendLast }, [...kept.keys()], (flow, key) => ({
      ...flow,
      slots: withoutSlots(flow.slots, node, kept.get(key) ?? 0),
    })),
  );
}
