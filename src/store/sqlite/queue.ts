import type { Database, Statement } from 'better-sqlite3';
import type { EventStatus } from '../../core/model.ts';
import { stateCode, triggerCode, triggerOf } from '../shared/codes.ts';
import { CountChanges } from '../shared/count-changes.ts';
import type {
  ClaimedDelivery,
  ClaimedDestination,
  ClaimTerms,
  OutgoingRequest,
  QueueStore,
  SettledAttempt,
  Settlement,
} from '../store.ts';
import type { Claims } from './claims.ts';
import {
  ATTEMPT_COLUMNS,
  ATTEMPT_TABLES,
  type AttemptRow,
  attemptOf,
  type ContentRow,
  contentOf,
} from './events.ts';
import type { Rounds } from './rounds.ts';
import type { Writer } from './writer.ts';

const PENDING = stateCode('pending');

interface DueRow {
  id: string;
  event_seq: number;
  event_id: string;
  endpoint_key: number;
  round: number;
  trigger: number;
  attempts: number;
  size: number;
}

interface QueueHead {
  destination_key: number;
  next_attempt_at: number;
  timed_out: number | null;
}

/** An open delivery, by what the queue's own index and the row beside it tell. */
interface OpenRow {
  id: string;
  event_seq: number;
  round: number;
  next_attempt_at: number;
}

export class SqliteQueue implements QueueStore {
  readonly #writer: Writer;
  readonly #rounds: Rounds;
  readonly #claims: Claims;
  readonly #readTogether: (
    claims: readonly ClaimedDelivery[],
    leaseUntil: number,
  ) => (OutgoingRequest | null)[];
  readonly #heads: Statement<[], QueueHead>;
  readonly #destination: Statement<[number], ClaimedDestination & { timed_out: number | null }>;
  readonly #openByTime: Statement<[number, number], OpenRow>;
  readonly #due: Statement<[number, number, number], DueRow>;
  readonly #outgoing: Statement<[number, number], ContentRow & { method: string; path: string }>;
  readonly #event: Statement<
    [number, number],
    { id: string; endpoint_id: string; user_id: string }
  >;
  readonly #insertAttempt: Statement<unknown[], { seq: number }>;
  readonly #recorded: Statement<[number, string], AttemptRow>;
  readonly #move: Statement<unknown[]>;
  readonly #shift: Statement<[number]>;
  readonly #markTimedOut: Statement<[number, number, number]>;

  constructor(db: Database, writer: Writer, rounds: Rounds, claims: Claims) {
    this.#writer = writer;
    this.#rounds = rounds;
    this.#claims = claims;
    // Steps from destination to destination in the queue's index: one seek each,
    // however many deliveries wait behind its head.
    // One read transaction for all of them: SQLite else takes and drops its locks for each.
    this.#readTogether = db.transaction((claims: readonly ClaimedDelivery[], leaseUntil: number) =>
      this.#outgoingOf(claims, leaseUntil),
    );
    this.#heads = db.prepare(`
      WITH RECURSIVE heads (destination_key) AS (
        SELECT min(destination_key) FROM deliveries WHERE state = ${PENDING}
        UNION ALL
        SELECT (SELECT min(destination_key) FROM deliveries
                WHERE state = ${PENDING} AND destination_key > heads.destination_key)
        FROM heads WHERE heads.destination_key IS NOT NULL
      )
      SELECT h.destination_key, d.timed_out,
        (SELECT min(next_attempt_at) FROM deliveries
         WHERE state = ${PENDING} AND destination_key = h.destination_key) AS next_attempt_at
      FROM heads h
      JOIN destinations d ON d.key = h.destination_key
      JOIN endpoints p ON p.key = d.endpoint_key
      WHERE p.deleted_at IS NULL
      ORDER BY 3`);
    this.#destination = db.prepare(`
      SELECT key, id, url, sealed_secret AS sealedSecret, timed_out
      FROM destinations WHERE key = ?`);
    this.#openByTime = db.prepare(`
      SELECT v.id, v.event_seq, v.round, v.next_attempt_at FROM deliveries v
      WHERE v.state = ${PENDING} AND v.destination_key = ?
      ORDER BY v.next_attempt_at LIMIT ?`);
    this.#due = db.prepare(`
      SELECT v.id, v.event_seq, e.id AS event_id, v.endpoint_key, v.round, v.trigger, v.attempts,
        e.size
      FROM deliveries v JOIN events e ON e.endpoint_key = v.endpoint_key AND e.seq = v.event_seq
      WHERE v.event_seq = ? AND v.round = ? AND v.destination_key = ?`);
    this.#outgoing = db.prepare(`
      SELECT c.query, c.headers, c.body, e.method, e.path
      FROM events e
      JOIN endpoints p ON p.key = e.endpoint_key
      JOIN event_contents c ON c.seq = e.seq
      WHERE e.endpoint_key = ? AND e.seq = ? AND p.deleted_at IS NULL`);
    this.#event = db.prepare(`
      SELECT e.id, p.id AS endpoint_id, p.user_id
      FROM events e JOIN endpoints p ON p.key = e.endpoint_key
      WHERE e.endpoint_key = ? AND e.seq = ? AND p.deleted_at IS NULL`);
    this.#insertAttempt = db.prepare(`
      INSERT INTO attempts (id, event_seq, endpoint_key, destination_key, delivery_id, trigger,
        number, response_code, response_truncated, duration_ms, error_code, error_message,
        attempted_at, next_attempt_at, response_body)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (event_seq, id) DO NOTHING RETURNING seq`);
    this.#recorded = db.prepare(
      `SELECT ${ATTEMPT_COLUMNS} ${ATTEMPT_TABLES} WHERE a.event_seq = ? AND a.id = ?`,
    );
    this.#move = db.prepare(`
      UPDATE deliveries SET state = ?, attempts = ?, next_attempt_at = ?
      WHERE event_seq = ? AND round = ? AND destination_key = ?`);
    this.#shift = db.prepare(
      `UPDATE deliveries SET next_attempt_at = next_attempt_at + ? WHERE state = ${PENDING}`,
    );
    this.#markTimedOut = db.prepare(
      'UPDATE destinations SET timed_out = ? WHERE key = ? AND timed_out IS NOT ?',
    );
  }

  async claimDue(
    now: number,
    terms: ClaimTerms & { perDestination: number },
  ): Promise<ClaimedDelivery[]> {
    const claimed: ClaimedDelivery[] = [];
    const { suspectLimit = terms.limit } = terms;
    let suspects = 0;
    for (const head of this.#heads.all()) {
      if (claimed.length >= terms.limit || head.next_attempt_at > now) break;
      if (terms.skip.has(head.destination_key)) continue;
      const isSuspect = head.timed_out !== 0;
      const room = Math.min(
        terms.perDestination,
        terms.limit - claimed.length,
        isSuspect ? suspectLimit - suspects : terms.limit,
      );
      if (room <= 0) continue;
      const taken = this.#claimOf(head.destination_key, room, now, terms.leaseUntil);
      claimed.push(...taken);
      if (isSuspect) suspects += taken.length;
    }
    return claimed;
  }

  #claimOf(
    destinationKey: number,
    room: number,
    now: number,
    leaseUntil: number,
  ): ClaimedDelivery[] {
    const claimed: ClaimedDelivery[] = [];
    let destination: ClaimedDestination | undefined;
    for (const open of this.#openRows(destinationKey, room)) {
      if (open.next_attempt_at > now || claimed.length === room) break;
      if (this.#claims.isHeld(open.id, now)) continue;
      const row = this.#due.get(open.event_seq, open.round, destinationKey);
      if (!row) continue;
      destination ??= this.#destinationOf(destinationKey);
      claimed.push({
        id: row.id,
        token: this.#claims.take(row.id, destinationKey, leaseUntil),
        eventSeq: row.event_seq,
        eventId: row.event_id,
        endpointKey: row.endpoint_key,
        round: row.round,
        trigger: triggerOf(row.trigger),
        attempts: row.attempts,
        size: row.size,
        destination,
      });
    }
    return claimed;
  }

  /** The head of a destination's queue, deep enough to hold `room` unclaimed rows. */
  #openRows(destinationKey: number, room: number): OpenRow[] {
    return this.#openByTime.all(destinationKey, room + this.#claims.countOf(destinationKey));
  }

  #destinationOf(key: number): ClaimedDestination {
    const { timed_out, ...destination } = this.#destination.get(key) as ClaimedDestination & {
      timed_out: number | null;
    };
    return {
      ...destination,
      timedOut: timed_out === null ? null : timed_out === 1,
    };
  }

  async nextDueAt(now: number, skip: ReadonlySet<number>): Promise<number | null> {
    let next: number | null = null;
    for (const head of this.#heads.all()) {
      if (next !== null && head.next_attempt_at >= next) break;
      if (skip.has(head.destination_key)) continue;
      const row = this.#openRows(head.destination_key, 1).find(
        ({ id }) => !this.#claims.isHeld(id, now),
      );
      if (row && (next === null || row.next_attempt_at < next)) next = row.next_attempt_at;
    }
    return next;
  }

  async begin(
    claims: readonly ClaimedDelivery[],
    leaseUntil: number,
  ): Promise<(OutgoingRequest | null)[]> {
    return this.#readTogether(claims, leaseUntil);
  }

  #outgoingOf(claims: readonly ClaimedDelivery[], leaseUntil: number): (OutgoingRequest | null)[] {
    return claims.map((claim) => {
      if (!this.#claims.isLive(claim)) return null;
      const row = this.#outgoing.get(claim.endpointKey, claim.eventSeq);
      if (!row) {
        this.#claims.release(claim);
        return null;
      }
      this.#claims.renew(claim, leaseUntil);
      return { ...contentOf(row), method: row.method, path: row.path };
    });
  }

  async renew(claims: readonly ClaimedDelivery[], leaseUntil: number): Promise<void> {
    for (const claim of claims) this.#claims.renew(claim, leaseUntil);
  }

  async shiftDue(byMs: number): Promise<void> {
    await this.#writer.write(() => this.#shift.run(byMs));
  }

  async release(claims: readonly ClaimedDelivery[]): Promise<void> {
    for (const claim of claims) this.#claims.release(claim);
  }

  settle(settlements: readonly Settlement[]): Promise<(SettledAttempt | null)[]> {
    return this.#writer.write(() => {
      const changes = new CountChanges();
      const settled = settlements.map((settlement) => this.#settle(settlement, changes));
      this.#rounds.counts.apply(changes);
      return settled;
    });
  }

  #settle(
    { claim, attempt, timedOut, next }: Settlement,
    changes: CountChanges,
  ): SettledAttempt | null {
    const event = this.#event.get(claim.endpointKey, claim.eventSeq);
    const live = this.#claims.isLive(claim);
    this.#claims.release(claim);
    if (!event) return null;
    const number = claim.attempts + 1;
    const nextAttemptAt = next.state === 'pending' ? next.nextAttemptAt : null;
    const inserted = this.#insertAttempt.get(
      attempt.id,
      claim.eventSeq,
      claim.endpointKey,
      claim.destination.key,
      claim.id,
      triggerCode(claim.trigger),
      number,
      attempt.responseCode,
      attempt.responseTruncated ? 1 : 0,
      attempt.durationMs,
      attempt.error?.code ?? null,
      attempt.error?.message ?? null,
      attempt.attemptedAt,
      live ? nextAttemptAt : null,
      attempt.responseBody,
    );
    if (inserted && live) {
      this.#move.run(
        stateCode(next.state),
        number,
        nextAttemptAt,
        claim.eventSeq,
        claim.round,
        claim.destination.key,
      );
      this.#markTimedOut.run(Number(timedOut), claim.destination.key, Number(timedOut));
    }
    const eventStatus = this.#rounds.refreshStatus(
      claim.endpointKey,
      claim.eventSeq,
      changes,
    ) as EventStatus;
    const { user_id: userId } = event;
    if (!inserted) {
      const recorded = this.#recorded.get(claim.eventSeq, attempt.id) as AttemptRow;
      return {
        eventStatus,
        userId,
        endpointKey: claim.endpointKey,
        attempt: attemptOf(recorded),
      };
    }
    return {
      eventStatus,
      userId,
      endpointKey: claim.endpointKey,
      attempt: {
        ...attempt,
        seq: inserted.seq,
        eventId: event.id,
        endpointId: event.endpoint_id,
        deliveryId: claim.id,
        destinationId: claim.destination.id,
        destinationUrl: claim.destination.url,
        trigger: claim.trigger,
        number,
        nextAttemptAt: live ? nextAttemptAt : null,
      },
    };
  }
}
