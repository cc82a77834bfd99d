import {
  type DeliveryProgress,
  type EventProgress,
  eventStatus,
  movedProgress,
  newProgress,
} from '../../../core/event-status.ts';
import type { UnjudgedReason } from '../../../core/judging/unjudged.ts';
import type { OrderKey } from '../../../core/rules/verdict.ts';
import type { ClaimedDestination } from '../../contract/claims.ts';
import { stateCode, stateOf, statusCode, statusOf, unjudgedCode } from '../../shared/codes.ts';
import { Columns, type RowOf } from '../../shared/columns.ts';
import { fateOf } from '../../shared/endpoints/stored-endpoint.ts';
import { CountChanges } from '../../shared/events/count-changes.ts';
import { REPLAYED } from '../../shared/events/event-columns.ts';
import { dropsOf, NO_DROPS } from '../../shared/events/filtered-events.ts';
import type { ClaimCollector } from '../../shared/queue/claim-collector.ts';
import { JobChanges } from '../../shared/queue/job-changes.ts';
import {
  type EventsToJudge,
  eventsToJudge,
  type ReplayVerdicts,
  verdictOn,
} from '../../shared/replays/judgement.ts';
import { targetsOf as chosenOf, orderKeysOf } from '../../shared/replays/replayed-event.ts';
import type { Sql } from '../connection/database.ts';
import { applyCounts } from '../events/event-counts.ts';
import { noteStatuses } from '../events/failed-events.ts';
import { firstCounted, type LockedEvent } from '../queue/event-progress.ts';
import { applyJobCounts } from '../queue/job-counts.ts';
import { endTurns, type Freed, lockOrders, nameOf, OpenOrders } from '../queue/order-turns.ts';
import {
  deliveryArrays,
  type EndedRow,
  endDeliveries,
  insertDeliveries,
  type NewDelivery,
  type Rounds,
} from '../queue/rounds.ts';
import { forgetDrops } from './forget-drops.ts';
import { type Choice, type Targets, targetsOf } from './replay-targets.ts';

const PENDING = stateCode('pending');
const CANCELLED = String(stateCode('cancelled'));
/** Stands for a delivery that doesn't count in its event's progress. */
const NO_SHARE: DeliveryProgress = { state: 'cancelled', attempts: 0, probes: 0 };

interface ReplayedEvent extends LockedEvent {
  id: string;
  size: number;
  receivedAt: number;
  /** `filtered_events.dropped`. */
  dropped: string;
  unjudged: number | null;
}

interface ReplacedRow extends Omit<DeliveryProgress, 'state'> {
  seq: number;
  state: number;
}

/** An event and the destinations that get it. */
interface Planned {
  event: ReplayedEvent;
  destinations: readonly ClaimedDestination[];
  orderKeys: readonly OrderKey[];
  unjudged: UnjudgedReason | null;
}

export interface MadeReplay {
  /** The number of new deliveries of each event. */
  made: Map<number, number>;
  /** The new rows, for `noteOpened`. */
  opened: NewDelivery[];
  /** The freed deliveries, for `noteFreed`. */
  freed: Freed[];
}

export interface ReplayOf {
  endpointKey: number;
  seqs: readonly number[];
  choice: Choice;
  /** The bulk replay that replays the events, or null if a person replays one event. */
  jobKey: number | null;
  judged: ReplayVerdicts | null;
  now: number;
}

/** An event and a destination. */
const PAIR = new Columns({ eventSeq: 'bigint', destinationKey: 'bigint' });
/** A pair and the first round that counts. */
const COUNTED_PAIR = PAIR.and({ first: 'integer' });
const REPLAYED_EVENT = REPLAYED.and({ seq: 'bigint' });

/** Cancels the open deliveries of pairs. */
const SUPERSEDE = endDeliveries(
  `USING ${PAIR.unnest('p')}
   WHERE v.destination_key = p.destination_key AND v.event_seq = p.event_seq`,
  CANCELLED,
  'NULL',
);
/** Selects the events of those pairs that have open deliveries. */
const WAITING_ELSEWHERE = `
  SELECT DISTINCT p.event_seq AS seq
  FROM ${PAIR.unnest('p')}
  JOIN open_deliveries v
    ON v.destination_key = p.destination_key AND v.event_seq = p.event_seq`;
/** Selects the newest delivery of each pair, without rounds before `first`. */
export const REPLACED = `
  SELECT p.event_seq AS seq, v.state, v.attempts, v.probes
  FROM ${COUNTED_PAIR.unnest('p', 2)}
  CROSS JOIN LATERAL (
    SELECT * FROM (
      SELECT round, ${PENDING}::smallint AS state, attempts, probes FROM open_deliveries
      WHERE destination_key = p.destination_key AND event_seq = p.event_seq
      UNION ALL
      SELECT round, state, attempts, probes FROM deliveries
      WHERE endpoint_key = $1 AND event_seq = p.event_seq AND destination_key = p.destination_key) u
    WHERE u.round >= p.first ORDER BY u.round DESC LIMIT 1) v`;

/**
 * Starts a new round for each event that still exists, oldest first. Runs in the caller's
 * transaction, which has passed the endpoint's gate. Throws like `ReplayStore.replay`. Instead of a
 * replay, it may return:
 *
 * - `unjudged`: these events must be judged first. Nothing has changed. The caller judges the
 *   events and calls again.
 * - `again`: a person has just revived a delivery whose order key this transaction hasn't locked.
 *   Order keys must be locked before events, so the caller calls again in another transaction.
 */
export async function replayEvents(
  sql: Sql,
  rounds: Rounds,
  replay: ReplayOf,
  handover: ClaimCollector,
): Promise<MadeReplay | { unjudged: EventsToJudge } | 'again'> {
  const { endpointKey, seqs, choice, jobKey, judged, now } = replay;
  const opened: NewDelivery[] = [];
  const made = new Map<number, number>();
  // If the event no longer exists, add no row for the URL.
  if (choice.mode === 'once' && !(await areThere(sql, endpointKey, seqs))) {
    return { made, opened, freed: [] };
  }
  const targets = await targetsOf(sql, endpointKey, choice, now);
  const before = await rounds.ordersOf(sql, endpointKey, seqs);
  await lockOrders(sql, [...before, ...possibleOrders(targets, judged)]);
  const events = await sql.rows<ReplayedEvent>(
    `SELECT e.endpoint_key AS "endpointKey", e.seq, e.status, e.round,
       e.counted_from AS "countedFrom", e.open, e.succeeded, e.dead, e.failed, e.id, e.size,
       e.received_at AS "receivedAt", e.unjudged, coalesce((SELECT f.dropped FROM filtered_events f
         WHERE f.endpoint_key = e.endpoint_key AND f.event_seq = e.seq), '${NO_DROPS}') AS dropped
     FROM events e
     WHERE e.endpoint_key = $1 AND e.seq = ANY($2)
       AND EXISTS (SELECT 1 FROM endpoints WHERE key = $1 AND deleted_at IS NULL)
     ORDER BY e.seq FOR NO KEY UPDATE OF e`,
    [endpointKey, seqs],
  );
  if (events.length === 0) return { made, opened, freed: [] };
  const needed =
    targets.mode === 'once' || judged?.version === targets.version
      ? null
      : eventsToJudge(targets, events, targets.version);
  if (needed) return { unjudged: needed };
  const locked = new Set(before.map(nameOf));
  const present = await rounds.ordersOf(sql, endpointKey, seqs);
  if (present.some((order) => !locked.has(nameOf(order)))) return 'again';
  const planned = events.flatMap((event) => plan(targets, event, judged) ?? []);
  if (planned.length === 0) return { made, opened, freed: [] };
  const counts = await startRounds(sql, endpointKey, targets, planned);
  const jobs = new JobChanges();
  const superseded = await sql.rows<EndedRow>(SUPERSEDE, PAIR.arrays(pairsOf(planned)));
  for (const { jobKey } of superseded) jobs.move(jobKey, 'pending', 'cancelled');
  const freed = await endTurns(sql, superseded);
  for (const { destinationKey } of freed) handover.unclaimed.add(destinationKey);
  const orders = await OpenOrders.read(
    sql,
    planned.flatMap(({ orderKeys }) => orderKeys),
  );
  // A person who replays one event has decided about it, so only bulk replays hold deliveries.
  const holds =
    jobKey !== null &&
    planned.some(({ unjudged }) => unjudged !== null) &&
    (await holdsUnjudged(sql, endpointKey));
  for (const { event, destinations, orderKeys, unjudged } of planned) {
    const { seq, id, round, size } = event;
    rounds.open(
      {
        ...{ endpointKey, seq, eventId: id, round: round + 1, trigger: 'replay', now, size },
        ...{ orderKeys, jobKey },
        isHeld: unjudged !== null && holds,
      },
      destinations,
      handover,
      opened,
      orders,
    );
    jobs.move(jobKey, null, 'pending', destinations.length);
    made.set(seq, destinations.length);
  }
  await sql.run(insertDeliveries(1), deliveryArrays(opened));
  await forgetDrops(sql, endpointKey, planned);
  await applyCounts(sql, counts);
  await applyJobCounts(sql, jobs);
  return { made, opened, freed };
}

async function areThere(sql: Sql, endpointKey: number, seqs: readonly number[]): Promise<boolean> {
  const found = await sql.rows(
    `SELECT 1 FROM events e JOIN endpoints p ON p.key = e.endpoint_key
     WHERE e.endpoint_key = $1 AND e.seq = ANY($2) AND p.deleted_at IS NULL`,
    [endpointKey, seqs],
  );
  return found.length === seqs.length;
}

/** Returns the order keys that the new deliveries may have. */
function possibleOrders(targets: Targets, judged: ReplayVerdicts | null): OrderKey[] {
  if (targets.mode === 'once') return [];
  const { destinations, version } = targets;
  const verdicts = judged?.version === version ? [...judged.verdicts.values()] : [];
  return [
    ...orderKeysOf(destinations, undefined),
    ...verdicts.flatMap(({ orderKeys }) => orderKeys),
  ];
}

/**
 * Returns the destinations that get the event, with their order keys. Returns null if a replay
 * reaches no destination, unless it is a replay to all destinations. The event then doesn't change.
 */
function plan(
  targets: Targets,
  event: ReplayedEvent,
  judged: ReplayVerdicts | null,
): Planned | null {
  if (targets.mode === 'once') {
    return { event, destinations: [targets.destination], orderKeys: [], unjudged: null };
  }
  const { mode } = targets;
  const verdict = verdictOn(event, targets, judged);
  const destinations = chosenOf(mode, targets.destinations, dropsOf(event.dropped), verdict);
  if (destinations.length === 0 && mode !== 'all') return null;
  const orderKeys = orderKeysOf(destinations, verdict);
  return { event, destinations, orderKeys, unjudged: verdict?.unjudged ?? null };
}

/** Returns the pairs of events and their destinations. */
function pairsOf(planned: readonly Planned[]): RowOf<typeof COUNTED_PAIR>[] {
  return planned.flatMap(({ event, destinations }) =>
    destinations.map(({ key: destinationKey }) => ({
      eventSeq: event.seq,
      destinationKey,
      first: firstCounted(event),
    })),
  );
}

/** Adds 1 to the round of each event. Returns how the counts of statuses change. */
async function startRounds(
  sql: Sql,
  endpointKey: number,
  targets: Targets,
  planned: readonly Planned[],
): Promise<CountChanges> {
  const fresh = await startingAnew(sql, targets, planned);
  const progresses = await progressesAfter(
    sql,
    endpointKey,
    { mode: targets.mode, fresh },
    planned,
  );
  const rows = planned.map(({ event, unjudged }) => {
    const progress = progresses.get(event.seq) as EventProgress;
    const countedFrom = fresh.has(event.seq) ? null : firstCounted(event);
    return { event, progress, status: eventStatus(progress), countedFrom, unjudged };
  });
  await sql.run(
    `UPDATE events e SET round = round + 1, status = q.status, counted_from = q.counted_from,
       open = q.open, succeeded = q.succeeded, dead = q.dead, failed = q.failed,
       unjudged = coalesce(e.unjudged, q.unjudged)
     FROM ${REPLAYED_EVENT.unnest('q', 2)}
     WHERE e.endpoint_key = $1 AND e.seq = q.seq`,
    [
      endpointKey,
      ...REPLAYED_EVENT.arrays(
        rows.map(({ event, progress, status, countedFrom, unjudged }) => ({
          ...progress,
          seq: event.seq,
          status: statusCode(status),
          countedFrom,
          unjudged: unjudgedCode(unjudged),
        })),
      ),
    ],
  );
  await noteStatuses(
    sql,
    rows.map(({ event, status }) => ({
      ...{ endpointKey, seq: event.seq },
      before: event.status,
      now: statusCode(status),
    })),
  );
  const counts = new CountChanges();
  for (const { event, status } of rows) {
    counts.add(endpointKey, statusOf(event.status), -1);
    counts.add(endpointKey, status, 1);
  }
  return counts;
}

/**
 * Returns the events whose status starts over with this replay. These events go to all
 * destinations, and have no open delivery to another current destination, such as a disabled one.
 */
async function startingAnew(
  sql: Sql,
  targets: Targets,
  planned: readonly Planned[],
): Promise<Set<number>> {
  if (targets.mode !== 'all') return new Set();
  const present = [...targets.destinations.map(({ key }) => key), ...targets.others];
  const left = planned.flatMap(({ event: { seq }, destinations }) => {
    const reached = new Set(destinations.map(({ key }) => key));
    return present.flatMap((destinationKey) =>
      reached.has(destinationKey) ? [] : [{ eventSeq: seq, destinationKey }],
    );
  });
  const all = new Set(planned.map(({ event }) => event.seq));
  if (left.length === 0) return all;
  const waiting = await sql.rows<{ seq: number }>(WAITING_ELSEWHERE, PAIR.arrays(left));
  for (const { seq } of waiting) all.delete(seq);
  return all;
}

/**
 * Returns the progress of events after the replay. The progress of events in `fresh` starts over.
 * For the others, each new delivery counts in place of the delivery that it replaces. Deliveries to
 * a one-off URL don't count.
 */
async function progressesAfter(
  sql: Sql,
  endpointKey: number,
  { mode, fresh }: { mode: Targets['mode']; fresh: ReadonlySet<number> },
  planned: readonly Planned[],
): Promise<Map<number, EventProgress>> {
  const progresses = new Map(
    planned.map(({ event, destinations }): [number, EventProgress] => {
      if (fresh.has(event.seq)) return [event.seq, newProgress(destinations.length)];
      const { open, succeeded, dead, failed } = event;
      const added = mode === 'once' ? 0 : destinations.length;
      return [event.seq, { open: open + added, succeeded, dead, failed }];
    }),
  );
  const others = planned.filter(({ event }) => !fresh.has(event.seq));
  if (others.length === 0 || mode === 'once') return progresses;
  const replaced = await sql.rows<ReplacedRow>(REPLACED, [
    endpointKey,
    ...COUNTED_PAIR.arrays(pairsOf(others)),
  ]);
  for (const { seq, state, attempts, probes } of replaced) {
    const progress = progresses.get(seq) as EventProgress;
    const before = { state: stateOf(state), attempts, probes };
    progresses.set(seq, movedProgress(progress, before, NO_SHARE));
  }
  return progresses;
}

async function holdsUnjudged(sql: Sql, endpointKey: number): Promise<boolean> {
  const [row] = await sql.rows<{ settings: string }>(
    'SELECT settings FROM endpoints WHERE key = $1',
    [endpointKey],
  );
  return row !== undefined && fateOf(row.settings) === 'held';
}
