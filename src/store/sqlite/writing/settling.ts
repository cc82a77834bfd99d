import type { Database, Statement } from 'better-sqlite3';
import type { DestinationHealth } from '../../../core/destination-health.ts';
import { stateCode, triggerCode } from '../../shared/codes.ts';
import { CountChanges } from '../../shared/count-changes.ts';
import {
  type HealthColumn,
  healthColumn,
  healthOf,
} from '../../shared/destination-health-column.ts';
import { HealthChanges } from '../../shared/health-changes.ts';
import {
  ATTEMPT_COLUMNS,
  ATTEMPT_TABLES,
  type AttemptRow,
  attemptOf,
} from '../reading/attempt-rows.ts';
import type { Claims } from './claims.ts';
import type { EventProgresses } from './event-progress.ts';
import type { Rounds } from './rounds.ts';
import type { EndpointOwner, Recordable, SettleResult } from './settle-result.ts';

/** Limit of remembered numbers. Late attempts are rare: a claim ends early only when the process was suspended. */
const MAX_NUMBERS = 10_000;

/** Shared by the attempts of one commit. */
interface SettleBatch {
  events: EventProgresses;
  /** Owner by endpoint key. Null where the endpoint is gone. */
  owners: Map<number, EndpointOwner | null>;
  healths: HealthChanges;
}

/** Records attempts and moves their deliveries on, inside the writer's transaction. */
export class Settling {
  readonly #rounds: Rounds;
  readonly #claims: Claims;
  readonly #health: Statement<[number], HealthColumn>;
  readonly #owner: Statement<[number], EndpointOwner>;
  readonly #insertAttempt: Statement<unknown[]>;
  readonly #recorded: Statement<[number, string], AttemptRow>;
  /** The highest attempt number of deliveries that had a late attempt. */
  readonly #numbers = new Map<string, number>();
  readonly #highest: Statement<[number, string], number | null>;
  readonly #move: Statement<unknown[]>;
  readonly #saveHealth: Statement<[number, number]>;

  constructor(db: Database, rounds: Rounds, claims: Claims) {
    this.#rounds = rounds;
    this.#claims = claims;
    this.#health = db
      .prepare<[number], HealthColumn>('SELECT timed_out FROM destinations WHERE key = ?')
      .pluck();
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
    this.#saveHealth = db.prepare('UPDATE destinations SET timed_out = ? WHERE key = ?');
  }

  /** One result for each settlement, in order. */
  record(settlements: readonly Recordable[]): SettleResult[] {
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
  }

  /** Untried where the destination is gone: no row is left to store a health in. */
  #healthOf(destinationKey: number): DestinationHealth {
    return healthOf(this.#health.get(destinationKey) ?? null);
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
          eventSeq: claim.eventSeq,
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
   * The number after the highest on record. The delivery's row doesn't count attempts of
   * ended claims, so its count alone would repeat a number.
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
