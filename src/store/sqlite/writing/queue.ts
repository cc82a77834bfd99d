import type { Database, Statement } from 'better-sqlite3';
import { type DestinationHealth, isHealthy } from '../../../core/destination-health.ts';
import type { ClaimedDelivery, ClaimedDestination, ClaimTerms } from '../../contract/claims.ts';
import type {
  Outgoing,
  OutgoingRequest,
  QueueStore,
  SettledAttempt,
  Settlement,
} from '../../contract/queue.ts';
import { stateCode, triggerCode, triggerOf } from '../../shared/codes.ts';
import { CountChanges } from '../../shared/count-changes.ts';
import {
  type ClaimedDestinationRow,
  claimedDestination,
  type HealthColumn,
  healthColumn,
  healthOf,
} from '../../shared/destination-health-column.ts';
import { ALWAYS } from '../../shared/due-span.ts';
import { HealthChanges } from '../../shared/health-changes.ts';
import {
  ATTEMPT_COLUMNS,
  ATTEMPT_TABLES,
  type AttemptRow,
  attemptOf,
} from '../reading/attempt-rows.ts';
import { CLAIMED_DESTINATION_COLUMNS } from '../reading/destination-rows.ts';
import type { ClaimRef, Claims } from './claims.ts';
import type { EventProgresses } from './event-progress.ts';
import { OutgoingRequests, type PrefetchBounds, type StoredRequest } from './outgoing-requests.ts';
import type { Rounds } from './rounds.ts';
import {
  type EndpointOwner,
  type Recordable,
  recordable,
  type SettleResult,
  settledAttempts,
} from './settle-result.ts';
import type { Writer } from './writer.ts';

const PENDING = stateCode('pending');
/** Deliveries with late attempts: a claim ends early only where the process stood still. */
const MAX_NUMBERS = 10_000;

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
  timed_out: HealthColumn;
}

/** An open delivery, by what the queue's own index and the row beside it tell. */
interface OpenRow {
  id: string;
  event_seq: number;
  round: number;
  next_attempt_at: number;
}

/** What the attempts of one commit share. */
interface SettleBatch {
  events: EventProgresses;
  /** By endpoint key; null where the endpoint is gone. */
  owners: Map<number, EndpointOwner | null>;
  healths: HealthChanges;
}

export class SqliteQueue implements QueueStore {
  readonly #writer: Writer;
  readonly #rounds: Rounds;
  readonly #claims: Claims;
  readonly #outgoing: OutgoingRequests;
  /** Without it, SQLite takes and drops its locks for each statement. */
  readonly #inOneRead: <T>(read: () => T) => T;
  readonly #heads: Statement<[], QueueHead>;
  readonly #destination: Statement<[number], ClaimedDestinationRow>;
  readonly #health: Statement<[number], HealthColumn>;
  readonly #openByTime: Statement<[number, number], OpenRow>;
  readonly #due: Statement<[number, number, number], DueRow>;
  readonly #owner: Statement<[number], EndpointOwner>;
  readonly #insertAttempt: Statement<unknown[]>;
  readonly #recorded: Statement<[number, string], AttemptRow>;
  /** The highest number on record of deliveries that had a late attempt. */
  readonly #numbers = new Map<string, number>();
  readonly #highest: Statement<[number, string], number | null>;
  readonly #move: Statement<unknown[]>;
  readonly #shift: Statement<[number, number, number]>;
  readonly #saveHealth: Statement<[number, number]>;

  constructor(db: Database, writer: Writer, rounds: Rounds, claims: Claims) {
    this.#writer = writer;
    this.#rounds = rounds;
    this.#claims = claims;
    this.#outgoing = new OutgoingRequests(db);
    const inOneRead = db.transaction((read: () => unknown) => read());
    this.#inOneRead = <T>(read: () => T) => inOneRead(read) as T;
    // Steps from destination to destination in the queue's index: one seek each,
    // however many deliveries wait behind its head.
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
      SELECT ${CLAIMED_DESTINATION_COLUMNS} FROM destinations d WHERE d.key = ?`);
    this.#health = db
      .prepare<[number], HealthColumn>('SELECT timed_out FROM destinations WHERE key = ?')
      .pluck();
    this.#openByTime = db.prepare(`
      SELECT v.id, v.event_seq, v.round, v.next_attempt_at FROM deliveries v
      WHERE v.state = ${PENDING} AND v.destination_key = ?
      ORDER BY v.next_attempt_at LIMIT ?`);
    this.#due = db.prepare(`
      SELECT v.id, v.event_seq, e.id AS event_id, v.endpoint_key, v.round, v.trigger, v.attempts,
        e.size
      FROM deliveries v JOIN events e ON e.endpoint_key = v.endpoint_key AND e.seq = v.event_seq
      WHERE v.event_seq = ? AND v.round = ? AND v.destination_key = ?`);
    this.#owner = db.prepare(`
      SELECT id AS endpointId, user_id AS userId FROM endpoints
      WHERE key = ? AND deleted_at IS NULL`);
    this.#insertAttempt = db.prepare(`
      INSERT INTO attempts (id, event_seq, endpoint_key, destination_key, delivery_id, trigger,
        number, response_code, response_truncated, duration_ms, error_code, error_message,
        attempted_at, next_attempt_at, response_body, response_headers, destination_url)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (event_seq, id) DO NOTHING`);
    this.#recorded = db.prepare(
      `SELECT ${ATTEMPT_COLUMNS} ${ATTEMPT_TABLES} WHERE a.event_seq = ? AND a.id = ?`,
    );
    this.#highest = db
      .prepare<[number, string], number | null>(
        'SELECT max(number) FROM attempts WHERE event_seq = ? AND delivery_id = ?',
      )
      .pluck();
    this.#move = db.prepare(`
      UPDATE deliveries SET state = ?, attempts = ?, next_attempt_at = ?
      WHERE event_seq = ? AND round = ? AND destination_key = ?`);
    this.#shift = db.prepare(
      `UPDATE deliveries SET next_attempt_at = next_attempt_at + ?
       WHERE state = ${PENDING} AND next_attempt_at > ? AND next_attempt_at < ?`,
    );
    this.#saveHealth = db.prepare('UPDATE destinations SET timed_out = ? WHERE key = ?');
  }

  async claimDue(
    now: number,
    terms: ClaimTerms & { perDestination: number },
  ): Promise<ClaimedDelivery[]> {
    return this.#inOneRead(() => this.#claimDue(now, terms));
  }

  /**
   * What to send for the first of these claims, as far as the bounds allow. None where
   * that fails: the claims are taken, and `begin` reads what isn't there.
   */
  requestsOf(
    claims: readonly ClaimedDelivery[],
    { bodyBytes, bytes }: PrefetchBounds,
  ): (OutgoingRequest & { deliveryId: string })[] {
    let left = bytes;
    const wanted = claims.filter(({ size }) => {
      if (size <= bodyBytes) left -= size;
      return size <= bodyBytes && left >= 0;
    });
    let requests: (StoredRequest | null)[];
    try {
      requests = this.#outgoing.read(wanted);
    } catch {
      return [];
    }
    return wanted.flatMap(({ id }, i) => {
      const request = requests[i];
      return request && request !== 'damaged' ? [{ ...request, deliveryId: id }] : [];
    });
  }

  #claimDue(now: number, terms: ClaimTerms & { perDestination: number }): ClaimedDelivery[] {
    const claimed: ClaimedDelivery[] = [];
    const { unhealthyLimit } = terms;
    let unhealthy = 0;
    for (const head of this.#heads.all()) {
      if (claimed.length >= terms.limit || head.next_attempt_at > now) break;
      if (terms.skip.has(head.destination_key)) continue;
      const isLimited = unhealthyLimit !== undefined && !isHealthy(healthOf(head.timed_out));
      if (isLimited && unhealthy >= unhealthyLimit) continue;
      const most = isLimited ? 1 : terms.perDestination;
      const room = Math.min(most, terms.limit - claimed.length);
      const taken = this.#claimOf(head.destination_key, room, now, terms.leaseUntil);
      claimed.push(...taken);
      if (isLimited) unhealthy += taken.length;
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
    return claimedDestination(this.#destination.get(key) as ClaimedDestinationRow);
  }

  /** Untried where the destination is gone: nothing is left to store its health in. */
  #healthOf(destinationKey: number): DestinationHealth {
    return healthOf(this.#health.get(destinationKey) ?? null);
  }

  async nextDueAt(now: number, skip: ReadonlySet<number>): Promise<number | null> {
    return this.#inOneRead(() => this.#nextDueAt(now, skip));
  }

  #nextDueAt(now: number, skip: ReadonlySet<number>): number | null {
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
  ): Promise<(Outgoing | null)[]> {
    const live = claims.filter((claim) => this.#claims.isLive(claim));
    const read = this.#outgoing.read(live);
    const requests = new Map(live.map((claim, i) => [claim, read[i] ?? null]));
    for (const claim of claims) {
      if (requests.get(claim)) this.#claims.renew(claim, leaseUntil);
      else this.#claims.release(claim);
    }
    return this.#outgoing.addressed(claims, requests);
  }

  async renew(claims: readonly ClaimRef[], leaseUntil: number): Promise<void> {
    for (const claim of claims) this.#claims.renew(claim, leaseUntil);
  }

  async shiftDue(byMs: number, only = ALWAYS): Promise<void> {
    await this.#writer.write(() => this.#shift.run(byMs, only.after, only.before));
  }

  async release(claims: readonly ClaimRef[]): Promise<void> {
    for (const claim of claims) this.#claims.release(claim);
  }

  async settle(settlements: readonly Settlement[]): Promise<(SettledAttempt | null)[]> {
    return settledAttempts(settlements, await this.record(settlements.map(recordable)));
  }

  /** `settle`, answering no more than the caller can't know. */
  record(settlements: readonly Recordable[]): Promise<SettleResult[]> {
    return this.#writer.write(() => {
      const batch: SettleBatch = {
        events: this.#rounds.progresses(),
        owners: new Map(),
        healths: new HealthChanges((key) => this.#healthOf(key)),
      };
      const settled = settlements.map((settlement) => this.#settle(settlement, batch));
      const changes = new CountChanges();
      batch.events.write(changes);
      this.#rounds.counts.apply(changes);
      for (const [key, health] of batch.healths.changed()) {
        this.#saveHealth.run(Number(healthColumn(health)), key);
      }
      return settled;
    });
  }

  #settle({ claim, attempt, timedOut, next }: Recordable, batch: SettleBatch): SettleResult {
    const { endpointKey, eventSeq: seq, round, attempts } = claim;
    const owner = this.#ownerOf(endpointKey, batch);
    const found = owner && batch.events.find(endpointKey, seq);
    const live = this.#claims.isLive(claim);
    this.#claims.release(claim);
    if (!found) return null;
    const number = this.#numberOf(claim, live);
    const nextAttemptAt = live && next.state === 'pending' ? next.nextAttemptAt : null;
    const inserted = this.#insertAttempt.run(
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
      nextAttemptAt,
      attempt.responseBody,
      attempt.responseHeaders,
      attempt.destinationUrl,
    );
    const isNew = inserted.changes === 1;
    if (isNew && (!live || number > attempts + 1)) this.#noteNumber(claim.id, number);
    if (isNew && live) {
      this.#move.run(
        stateCode(next.state),
        attempts + 1,
        nextAttemptAt,
        claim.eventSeq,
        claim.round,
        claim.destination.key,
      );
      batch.healths.add(claim.destination.key, { timedOut });
      batch.events.move(
        { endpointKey, seq, round },
        { state: 'pending', attempts },
        { state: next.state, attempts: attempts + 1 },
      );
    }
    const { status: eventStatus } = batch.events.find(endpointKey, seq) ?? found;
    if (!isNew) {
      const recorded = this.#recorded.get(claim.eventSeq, attempt.id) as AttemptRow;
      return {
        before: {
          eventStatus,
          userId: owner.userId,
          endpointKey: claim.endpointKey,
          attempt: attemptOf(recorded),
        },
      };
    }
    return { seq: Number(inserted.lastInsertRowid), number, eventStatus, owner, nextAttemptAt };
  }

  /**
   * Follows on what is on record. An attempt of a claim that had ended doesn't count in
   * the delivery's row; the next one would repeat its number.
   */
  #numberOf({ id, eventSeq, attempts }: Recordable['claim'], isLive: boolean): number {
    const highest = isLive ? this.#numbers.get(id) : this.#highest.get(eventSeq, id);
    return Math.max(attempts, highest ?? 0) + 1;
  }

  #noteNumber(deliveryId: string, number: number): void {
    this.#numbers.delete(deliveryId);
    this.#numbers.set(deliveryId, number);
    const [oldest] = this.#numbers.keys();
    if (oldest !== undefined && this.#numbers.size > MAX_NUMBERS) this.#numbers.delete(oldest);
  }

  #ownerOf(endpointKey: number, { owners }: SettleBatch): EndpointOwner | null {
    let owner = owners.get(endpointKey);
    if (owner === undefined) {
      owner = this.#owner.get(endpointKey) ?? null;
      owners.set(endpointKey, owner);
    }
    return owner;
  }
}
