import type { Database, Statement } from 'better-sqlite3';
import { type DeliveryRef, type ProbeEnd, storedFlow } from '../../../core/flow/flow.ts';
import { AUTO_START, type Permits, permits } from '../../../core/flow/permits.ts';
import { withGrants } from '../../../core/flow/rate.ts';
import { hasManySlots } from '../../../core/flow/slot-class.ts';
import type { ClaimedDelivery, DueTerms } from '../../contract/claims.ts';
import { triggerOf } from '../../shared/codes.ts';
import {
  CLAIMED_DESTINATION_COLUMNS,
  type ClaimedDestinationRow,
  type Control,
  claimedDestination,
  controlOf,
} from '../../shared/destinations/claimed-destination.ts';
import type { Claims } from './claims.ts';
import { OPEN_COLUMNS, type OpenRow } from './open-deliveries.ts';
import type { StoppedJobs } from './stopped-jobs.ts';

/** The first delivery of a destination's queue. */
interface Head extends ClaimedDestinationRow {
  nextAttemptAt: number;
}

/** A head and what its destination allows at present. */
interface AllowedHead {
  head: Head;
  control: Control;
  permits: Permits;
}

/** A lane with a rate. `room` is the largest number of deliveries to claim. */
interface RatedLane {
  key: number;
  room: number;
}

/** The claims of a poll. The writer claims from lanes with a rate, because it stores grants. */
interface PolledClaims {
  claimed: ClaimedDelivery[];
  rated: RatedLane[];
}

/** Finds due deliveries by the queue's index, and claims them. */
export class DueDeliveries {
  readonly #claims: Claims;
  readonly #stopped: StoppedJobs;
  /** Runs all reads in one transaction. Otherwise SQLite locks the file for each statement. */
  readonly #inOneRead: <T>(read: () => T) => T;
  readonly #heads: Statement<[], Head>;
  readonly #head: Statement<[number], Head>;
  readonly #openByTime: Statement<[number, number], OpenRow>;
  readonly #open: Statement<[number, number, number], OpenRow>;
  readonly #ends: Record<ProbeEnd, Statement<[number], OpenRow>>;
  readonly #dueEnds: Record<ProbeEnd, Statement<[number], OpenRow>>;
  readonly #event: Statement<[number, number], { id: string; size: number }>;
  readonly #saveFlow: Statement<[string | null, number]>;

  constructor(db: Database, claims: Claims, stopped: StoppedJobs) {
    this.#claims = claims;
    this.#stopped = stopped;
    const inOneRead = db.transaction((read: () => unknown) => read());
    this.#inOneRead = <T>(read: () => T) => inOneRead(read) as T;
    // Steps from destination to destination in the queue's index. Each step is one seek, however
    // many deliveries wait.
    this.#heads = db.prepare(`
      WITH RECURSIVE heads (destination_key) AS (
        SELECT min(destination_key) FROM open_deliveries INDEXED BY open_deliveries_due
        UNION ALL
        SELECT (SELECT min(destination_key) FROM open_deliveries INDEXED BY open_deliveries_due
                WHERE destination_key > heads.destination_key)
        FROM heads WHERE heads.destination_key IS NOT NULL
      )
      SELECT ${CLAIMED_DESTINATION_COLUMNS},
        (SELECT min(next_attempt_at) FROM open_deliveries
         WHERE destination_key = h.destination_key AND behind = 0) AS nextAttemptAt
      FROM heads h
      JOIN destinations d ON d.key = h.destination_key
      JOIN endpoints p ON p.key = d.endpoint_key
      WHERE p.deleted_at IS NULL
      ORDER BY nextAttemptAt`);
    this.#head = db.prepare(`
      SELECT * FROM (
        SELECT ${CLAIMED_DESTINATION_COLUMNS},
          (SELECT min(next_attempt_at) FROM open_deliveries
           WHERE destination_key = d.key AND behind = 0) AS nextAttemptAt
        FROM destinations d
        JOIN endpoints p ON p.key = d.endpoint_key AND p.deleted_at IS NULL
        WHERE d.key = ?)
      WHERE nextAttemptAt IS NOT NULL`);
    this.#openByTime = db.prepare(`
      SELECT ${OPEN_COLUMNS} FROM open_deliveries v WHERE destination_key = ? AND behind = 0
      ORDER BY next_attempt_at LIMIT ?`);
    this.#open = db.prepare(`
      SELECT ${OPEN_COLUMNS} FROM open_deliveries v WHERE destination_key = ? AND event_seq = ? AND round = ?`);
    const end = (columns: string, condition: string) =>
      db.prepare<[number], OpenRow>(`
        SELECT ${OPEN_COLUMNS} FROM open_deliveries v WHERE destination_key = ? ${condition}
        ORDER BY ${columns} LIMIT 2`);
    this.#ends = {
      oldest: end('event_seq, round', ''),
      newest: end('event_seq DESC, round DESC', ''),
    };
    this.#dueEnds = {
      oldest: end('next_attempt_at', 'AND behind = 0'),
      newest: end('next_attempt_at DESC', 'AND behind = 0'),
    };
    this.#event = db.prepare('SELECT id, size FROM events WHERE endpoint_key = ? AND seq = ?');
    this.#saveFlow = db.prepare('UPDATE destinations SET flow = ? WHERE key = ?');
  }

  /** See `QueueStore.claimDue`. Claims nothing from destinations with a rate. */
  claim(now: number, terms: DueTerms): PolledClaims {
    return this.#inOneRead(() => this.#claimDue(now, terms));
  }

  /** Claims from lanes with a rate, and grants the starts. Runs in the writer's transaction. */
  claimRated(lanes: readonly RatedLane[], now: number, terms: DueTerms): ClaimedDelivery[] {
    const claimed: ClaimedDelivery[] = [];
    for (const { key, room } of lanes) {
      const lane = this.#laneOf(this.#head.get(key), now);
      const { rate } = lane?.control.settings ?? {};
      if (!lane || !rate) continue;
      const most = Math.min(room, terms.limit - claimed.length);
      const taken = this.#claimOf(lane, most, now, terms);
      claimed.push(...taken);
      if (taken.length === 0) continue;
      const { flow } = lane.control;
      const grants = taken.flatMap(({ start }) => start ?? []);
      const starts = withGrants(rate, flow.starts, grants, now);
      this.#saveFlow.run(storedFlow({ ...flow, starts }), key);
    }
    return claimed;
  }

  /** See `QueueStore.nextDueAt`. */
  nextAt(now: number, skip: ReadonlySet<number>, only?: ReadonlySet<number>): number | null {
    return this.#inOneRead(() => this.#nextDueAt(now, skip, only));
  }

  #claimDue(now: number, terms: DueTerms): PolledClaims {
    const claimed: ClaimedDelivery[] = [];
    const rated: RatedLane[] = [];
    const { oneSlotLimit } = terms;
    let withOneSlot = 0;
    for (const head of this.#headsOf(terms.only)) {
      if (claimed.length >= terms.limit) break;
      // A probe, or a retry by hand, may start before the delivery is due.
      if (head.nextAttemptAt > now && head.flow === null) continue;
      if (terms.skip.has(head.key)) continue;
      const lane = this.#laneOf(head, now) as AllowedHead;
      if (lane.permits.most === 0 && lane.permits.urgent.length === 0) continue;
      const isLimited =
        oneSlotLimit !== undefined && !hasManySlots(claimedDestination(head).slotClass);
      if (isLimited && withOneSlot >= oneSlotLimit) continue;
      const room = isLimited ? 1 : (terms.depths?.get(head.key) ?? terms.perDestination);
      if (lane.control.settings.rate !== null) {
        // A start that is granted while no slot is free is lost.
        const free = terms.startable?.get(head.key) ?? AUTO_START;
        if (Math.min(room, free) > 0) rated.push({ key: head.key, room: Math.min(room, free) });
        continue;
      }
      const taken = this.#claimOf(lane, Math.min(room, terms.limit - claimed.length), now, terms);
      claimed.push(...taken);
      if (isLimited) withOneSlot += taken.length;
    }
    return { claimed, rated };
  }

  /** Returns the heads in the order of their due times. */
  #headsOf(only: ReadonlySet<number> | undefined): Head[] {
    if (!only) return this.#heads.all();
    const heads = [...only].flatMap((key) => this.#head.get(key) ?? []);
    return heads.sort((a, b) => a.nextAttemptAt - b.nextAttemptAt);
  }

  #laneOf(head: Head | undefined, now: number): AllowedHead | null {
    if (!head) return null;
    const control = controlOf(head);
    const live = this.#claims.countOf(head.key);
    const urgent = control.flow.urgent.filter((ref) => this.#isWaiting(head.key, ref, now));
    const waiting = { ...control.flow, urgent };
    return { head, control, permits: permits(control.settings, waiting, live, now) };
  }

  /** Returns false if the delivery is claimed or has ended. */
  #isWaiting(destinationKey: number, { eventSeq, round }: DeliveryRef, now: number): boolean {
    const row = this.#open.get(destinationKey, eventSeq, round);
    return row !== undefined && !this.#isTaken(row, now);
  }

  #claimOf(
    lane: AllowedHead,
    most: number,
    now: number,
    { leaseUntil }: DueTerms,
  ): ClaimedDelivery[] {
    const { head, permits } = lane;
    const room = Math.min(most, Math.max(permits.most, permits.urgent.length));
    const claimed: ClaimedDelivery[] = [];
    for (const { row, probe, byHand } of this.#candidates(lane, room, now)) {
      if (claimed.length >= room) break;
      if (this.#isTaken(row, now)) continue;
      const event = this.#event.get(row.endpointKey, row.eventSeq);
      if (!event) continue;
      claimed.push({
        id: row.id,
        token: this.#claims.take(row.id, head.key, leaseUntil),
        eventSeq: row.eventSeq,
        eventId: event.id,
        endpointKey: row.endpointKey,
        round: row.round,
        trigger: triggerOf(row.trigger),
        attempts: row.attempts,
        probes: row.probes,
        probe,
        byHand,
        start: permits.grants?.[claimed.length] ?? null,
        size: event.size,
        orderKey: row.orderKey,
        jobKey: row.jobKey,
        destination: claimedDestination(head),
      });
    }
    return claimed;
  }

  /** Returns the rows to claim: urgent ones, then either the probe or those due for longest. */
  *#candidates(
    { head, control, permits }: AllowedHead,
    room: number,
    now: number,
  ): Generator<{ row: OpenRow; probe: ProbeEnd | null; byHand: boolean }> {
    for (const { eventSeq, round } of permits.urgent) {
      const row = this.#open.get(head.key, eventSeq, round);
      if (row) yield { row, probe: null, byHand: true };
    }
    if (permits.most === 0) return;
    if (permits.probe) {
      const ends = this.#endsOf(head.key, permits.probe);
      const last = control.flow.breaker?.last?.deliveryId;
      const row = ends.find(({ id }) => id !== last) ?? ends[0];
      if (row && !this.#isKeyHeld(row, now)) yield { row, probe: permits.probe, byHand: false };
      return;
    }
    for (const row of this.#openRows(head.key, room)) {
      if (row.nextAttemptAt > now) return;
      if (!this.#isKeyHeld(row, now)) yield { row, probe: null, byHand: false };
    }
  }

  #isKeyHeld({ destinationKey, orderKey }: OpenRow, now: number): boolean {
    return this.#claims.isKeyHeld(destinationKey, orderKey, now);
  }

  /**
   * Returns deliveries from one end of the queue, in the order of their events. Omits those that
   * are behind another delivery of their order key. If none is left, returns that end in the order
   * of due times.
   */
  #endsOf(destinationKey: number, end: ProbeEnd): OpenRow[] {
    const rows = this.#ends[end].all(destinationKey);
    const first = rows.filter(({ behind }) => behind === 0);
    return first.length > 0 ? first : this.#dueEnds[end].all(destinationKey);
  }

  /** Whether the delivery is claimed, or its job is cancelled. */
  #isTaken(row: OpenRow, now: number): boolean {
    return this.#claims.isHeld(row.id, now) || this.#stopped.has(row);
  }

  /** Reads enough rows at the head of the queue that `room` of them are unclaimed. */
  #openRows(destinationKey: number, room: number): OpenRow[] {
    return this.#openByTime.all(destinationKey, room + this.#claims.countOf(destinationKey));
  }

  #nextDueAt(
    now: number,
    skip: ReadonlySet<number>,
    only: ReadonlySet<number> | undefined,
  ): number | null {
    let next: number | null = null;
    for (const head of this.#headsOf(only)) {
      if (skip.has(head.key)) continue;
      const at = this.#nextOf(head, now);
      if (at !== null && (next === null || at < next)) next = at;
    }
    return next;
  }

  #nextOf(head: Head, now: number): number | null {
    const { permits } = this.#laneOf(head, now) as AllowedHead;
    if (permits.probe || permits.urgent.length > 0) return now;
    if (permits.most === 0) return permits.again;
    const row = this.#openRows(head.key, 1).find(
      (one) => !this.#isTaken(one, now) && !this.#isKeyHeld(one, now),
    );
    return row?.nextAttemptAt ?? null;
  }
}
