import type { HoldReason } from '../../../core/flow/waits-for.ts';
import type { DeliveryCounts, EventSummary, HeldBy } from '../../../core/model.ts';
import type { ClaimedDestination } from '../../contract/claims.ts';
import { stateOf } from '../codes.ts';
import type { NewRound } from '../queue/new-round.ts';
import { dropsOf } from './filtered-events.ts';

/** The members of a summary that come from the event's deliveries. */
export type SummaryDeliveries = Pick<EventSummary, 'deliveryCounts' | 'heldBy'>;

type SettledEntry = [destinationKey: number, round: number, state: number, attempts: number];
type OpenEntry = [
  ...[destinationKey: number, round: number, attempts: number, reason: HoldReason | null],
  ...[destinationId: string | null, name: string],
];

/** Columns of an event's deliveries since the latest replay to all. SQLite reads JSON as text. */
export interface DeliveryColumns {
  settled: SettledEntry[] | string | null;
  open: OpenEntry[] | string | null;
  /** `filtered_events.dropped`. */
  dropped: string | null;
}

const NO_COUNTS: DeliveryCounts = {
  ...{ pending: 0, held: 0, succeeded: 0, dead: 0, filtered: 0, cancelled: 0 },
};

/** Counts the newest delivery to each destination. `attempts` counts those of all deliveries. */
export function summaryDeliveries(row: DeliveryColumns): SummaryDeliveries & { attempts: number } {
  const settled = entriesOf(row.settled);
  const open = entriesOf(row.open);
  const newest = new Map<number, number>();
  for (const [key, round] of [...settled, ...open]) {
    newest.set(key, Math.max(round, newest.get(key) ?? 0));
  }
  const counts = { ...NO_COUNTS };
  let attempts = 0;
  let heldBy: HeldBy | null = null;
  for (const [key, round, state, made] of settled) {
    attempts += made;
    if (newest.get(key) === round) counts[stateOf(state)]++;
  }
  for (const [key, round, made, reason, destinationId, name] of open) {
    attempts += made;
    if (newest.get(key) !== round) continue;
    counts.pending++;
    if (reason === null) continue;
    counts.held++;
    heldBy ??= { destinationId, name, reason };
  }
  for (const { destinationKey } of row.dropped === null ? [] : dropsOf(row.dropped)) {
    if (!newest.has(destinationKey)) counts.filtered++;
  }
  return { deliveryCounts: counts, heldBy, attempts };
}

function entriesOf<T>(column: T[] | string | null): T[] {
  return typeof column === 'string' ? (JSON.parse(column) as T[]) : (column ?? []);
}

export interface CapturedShares {
  takers: readonly ClaimedDestination[];
  dropped: readonly unknown[];
  /** Keys of destinations where the delivery waits behind an earlier one. */
  ordered: ReadonlySet<number>;
  round: Pick<NewRound, 'isHeld'>;
}

/** Returns what the deliveries of a capture are at first. */
export function capturedDeliveries({
  takers,
  dropped,
  ordered,
  round,
}: CapturedShares): SummaryDeliveries {
  let held = 0;
  let heldBy: HeldBy | null = null;
  for (const { key, id: destinationId, holds, shownAs: name = '' } of takers) {
    const reason = reasonFor(holds, round.isHeld, ordered.has(key));
    if (reason === null) continue;
    held++;
    heldBy ??= { destinationId, name, reason };
  }
  const counts = { ...NO_COUNTS, pending: takers.length, held, filtered: dropped.length };
  return { deliveryCounts: counts, heldBy };
}

/** Returns the first reason in the order of `waitsFor`. */
function reasonFor(
  holds: ClaimedDestination['holds'],
  isUnjudged: boolean,
  isBehind: boolean,
): HoldReason | null {
  if (holds === 'paused') return holds;
  if (isUnjudged) return 'unjudged';
  return holds ?? (isBehind ? 'order' : null);
}
