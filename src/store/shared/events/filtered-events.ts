import { newId } from '../../../core/ids.ts';
import type { Delivery } from '../../../core/model.ts';
import type { DroppedBy, Verdict } from '../../../core/rules/verdict.ts';
import type { ClaimedDestination } from '../../contract/claims.ts';

/** A capture's endpoint, as far as verdicts are concerned. */
export interface JudgedEndpoint {
  settingsVersion: number;
  /** How many of its destinations have a filter or an order. */
  judgedDestinations: number;
  /** Whether it has a source or tells repeated requests. */
  needsVerdict: boolean;
}

/** Whether a request must be judged by the settings of now before it can be stored. */
export function isStaleVerdict(verdict: Verdict | undefined, endpoint: JudgedEndpoint): boolean {
  if (verdict) return verdict.version !== endpoint.settingsVersion;
  return endpoint.judgedDestinations > 0 || endpoint.needsVerdict;
}

/** The destinations that get the event. */
export function passedBy(
  destinations: readonly ClaimedDestination[],
  dropped: readonly DroppedBy[],
): readonly ClaimedDestination[] {
  if (dropped.length === 0) return destinations;
  const keys = new Set(dropped.map(({ destinationKey }) => destinationKey));
  return destinations.filter(({ key }) => !keys.has(key));
}

type StoredDrop = [id: string, destinationKey: number, ruleVersion: number];

/** A filtered delivery: it has an id, and no row in `deliveries`. */
export interface Drop extends DroppedBy {
  id: string;
}

/** The text of an event that no filter dropped. */
export const NO_DROPS = '[]';

/** The text of `filtered_events.dropped`. */
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

/** The same text of drops that are on record. */
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

/** A drop as a delivery of the event's first round. */
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

/** The filtered deliveries of destinations that no later round has delivered to, then the others. */
export function withDrops(deliveries: Delivery[], filtered: Delivery[]): Delivery[] {
  const delivered = new Set(deliveries.map(({ destinationId }) => destinationId));
  return [...filtered.filter(({ destinationId }) => !delivered.has(destinationId)), ...deliveries];
}
