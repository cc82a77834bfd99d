import type { Database, Statement } from 'better-sqlite3';
import type { BreakerTerms } from '../../../core/flow/breaker-terms.ts';
import { NEW_ATTEMPT } from '../../shared/deliveries/attempt-columns.ts';
import { attemptOf } from '../../shared/deliveries/attempt-rows.ts';
import { type Control, controlOf } from '../../shared/destinations/claimed-destination.ts';
import {
  type SlotClassColumn,
  slotClassColumn,
  slotClassOf,
} from '../../shared/destinations/slot-class-column.ts';
import { FlowChanges, signOf } from '../../shared/queue/flow-changes.ts';
import { newAttemptRow, progressAfter } from '../../shared/queue/recorded-attempt.ts';
import { SlotClassChanges } from '../../shared/queue/slot-class-changes.ts';
import {
  ATTEMPT_COLUMNS,
  ATTEMPT_TABLES,
  type StoredAttemptRow,
  unpackedRow,
} from '../deliveries/attempt-rows.ts';
import { SUCCEEDED_DELIVERY, type SucceededDelivery } from '../deliveries/settled-deliveries.ts';
import type { AttemptNumbers } from './attempt-numbers.ts';
import type { Claims } from './claims.ts';
import type { EventProgresses } from './event-progress.ts';
import { OpenDeliveries, type OpenRow } from './open-deliveries.ts';
import type { Rounds } from './rounds.ts';
import type { EndpointOwner, Recordable, SettleResult } from './settle-result.ts';

const ATTEMPT = NEW_ATTEMPT.and({ responseBody: 'text?', ...SUCCEEDED_DELIVERY, seq: 'bigint' });

/**
 * The largest number of remembered numbers. Few are needed, because only a suspended process loses
 * claims.
 */
const MAX_NUMBERS = 10_000;

/** Data that the attempts of one commit share. */
interface SettleBatch {
  events: EventProgresses;
  /** The owners by endpoint key; null if the endpoint is gone. */
  owners: Map<number, EndpointOwner | null>;
  slotClasses: SlotClassChanges;
  flows: FlowChanges;
}

interface FlowRow {
  timed_out: SlotClassColumn;
  settings: string;
  flow: string | null;
}

const NOT_SUCCEEDED: SucceededDelivery = {
  round: null,
  attempts: null,
  probes: null,
};

/** Records attempts and updates their deliveries. Runs in the writer's transaction. */
export class Settling {
  readonly #rounds: Rounds;
  readonly #claims: Claims;
  readonly #open: OpenDeliveries;
  readonly #attempts: AttemptNumbers;
  readonly #flow: Statement<[number], FlowRow>;
  readonly #owner: Statement<[number], EndpointOwner>;
  readonly #isEdited: Statement<[number, number], number>;
  readonly #insertAttempt: Statement<unknown[]>;
  readonly #recorded: Statement<[number, number, string], StoredAttemptRow>;
  /** The highest attempt number of each delivery that had a late attempt. */
  readonly #numbers = new Map<string, number>();
  readonly #highest: Statement<[number, number, string], number | null>;
  readonly #saveSlotClass: Statement<[number, number]>;
  readonly #saveFlow: Statement<[string | null, number]>;

  constructor(db: Database, rounds: Rounds, claims: Claims, attempts: AttemptNumbers) {
    this.#attempts = attempts;
    this.#rounds = rounds;
    this.#claims = claims;
    this.#open = new OpenDeliveries(db);
    this.#flow = db.prepare('SELECT timed_out, settings, flow FROM destinations WHERE key = ?');
    this.#owner = db.prepare(`
      SELECT id AS endpointId, user_id AS userId FROM endpoints
      WHERE key = ? AND deleted_at IS NULL`);
    this.#isEdited = db
      .prepare<[number, number], number>(
        'SELECT edited_from IS NOT NULL FROM events WHERE endpoint_key = ? AND seq = ?',
      )
      .pluck();
    this.#insertAttempt = db.prepare(`
      INSERT INTO attempts (${ATTEMPT.names}) VALUES (${ATTEMPT.marks})`);
    this.#recorded = db.prepare(`
      SELECT ${ATTEMPT_COLUMNS} ${ATTEMPT_TABLES}
      WHERE a.endpoint_key = ? AND a.event_seq = ? AND a.id = ?`);
    this.#highest = db
      .prepare<[number, number, string], number | null>(`
        SELECT max(number) FROM attempts
        WHERE endpoint_key = ? AND event_seq = ? AND delivery_id = ?`)
      .pluck();
    this.#saveSlotClass = db.prepare('UPDATE destinations SET timed_out = ? WHERE key = ?');
    this.#saveFlow = db.prepare('UPDATE destinations SET flow = ? WHERE key = ?');
  }

  /** Returns one result for each settlement, in order. */
  record(settlements: readonly Recordable[], terms: BreakerTerms): SettleResult[] {
    const rows = new Map<number, FlowRow | null>();
    const rowOf = (key: number) => {
      let row = rows.get(key);
      if (row === undefined) {
        row = this.#flow.get(key) ?? null;
        rows.set(key, row);
      }
      return row;
    };
    const batch: SettleBatch = {
      events: this.#rounds.progresses(),
      owners: new Map(),
      // A destination that is gone counts as untried. Its class can't be stored.
      slotClasses: new SlotClassChanges((key) => slotClassOf(rowOf(key)?.timed_out ?? null)),
      flows: new FlowChanges((key) => this.#controlOf(key, rowOf(key)), terms),
    };
    const settled = settlements.map((settlement) => this.#settle(settlement, batch));
    this.#rounds.write(batch.events);
    for (const [key, slotClass] of batch.slotClasses.changed()) {
      this.#saveSlotClass.run(Number(slotClassColumn(slotClass)), key);
    }
    for (const [key, flow] of batch.flows.changed()) this.#saveFlow.run(flow, key);
    return settled;
  }

  /** Returns a destination's control, without retries by hand whose deliveries have ended. */
  #controlOf(
    destinationKey: number,
    row: FlowRow | null,
  ): (Control & { stored: string | null }) | null {
    if (!row) return null;
    const { settings, flow } = controlOf(row);
    return { settings, flow: this.#open.withoutEnded(flow, destinationKey), stored: row.flow };
  }

  #settle(settlement: Recordable, batch: SettleBatch): SettleResult {
    const { claim, attempt, timedOut, next } = settlement;
    const { endpointKey, eventSeq, round, destination } = claim;
    const owner = this.#ownerOf(endpointKey, batch);
    const found = owner && batch.events.find(endpointKey, eventSeq);
    const live = this.#claims.isLive(claim);
    this.#claims.release(claim);
    if (!found) return null;
    // The first record of an attempt ends its claim.
    const recorded = live ? undefined : this.#recorded.get(endpointKey, eventSeq, attempt.id);
    if (recorded) {
      const before = { eventSeq, eventStatus: found.status, userId: owner.userId, endpointKey };
      return { before: { ...before, attempt: attemptOf(unpackedRow(recorded)) } };
    }
    const number = this.#numberOf(claim, live);
    const nextAttemptAt = live && next.state === 'pending' ? next.nextAttemptAt : null;
    // Only a failure needs to know.
    const isEdited =
      live && next.state !== 'succeeded' && this.#isEdited.get(endpointKey, eventSeq) === 1;
    const health = live ? batch.flows.add(destination.key, signOf(settlement, isEdited)) : null;
    const row = live ? this.#open.find({ destinationKey: destination.key, eventSeq, round }) : null;
    const succeeded = { round, attempts: claim.attempts + 1, probes: claim.probes };
    const seq = this.#attempts.next();
    this.#insertAttempt.run(
      ...ATTEMPT.values({
        ...newAttemptRow(claim, attempt, { number, nextAttemptAt, health }),
        ...(row && next.state === 'succeeded' ? succeeded : NOT_SUCCEEDED),
        seq,
      }),
    );
    if (!live || number > claim.attempts + claim.probes + 1) this.#noteNumber(claim.id, number);
    if (row) this.#move(settlement, row, batch);
    if (live) batch.slotClasses.add(destination.key, { timedOut });
    const { status: eventStatus } = batch.events.find(endpointKey, eventSeq) ?? found;
    return { seq, number, eventStatus, owner, nextAttemptAt, health };
  }

  /** Updates the delivery, or settles it if it has ended. */
  #move({ claim, next }: Recordable, row: OpenRow, { events }: SettleBatch): void {
    const { endpointKey, eventSeq, round, attempts, probes } = claim;
    const after = progressAfter(next, claim);
    if (after.state === 'pending') {
      const nextAttemptAt = next.state === 'pending' ? next.nextAttemptAt : row.nextAttemptAt;
      this.#open.move(row, { ...after, nextAttemptAt });
    } else if (after.state === 'succeeded') {
      // The delivery stands in the attempt that ended it (see `SUCCEEDED_DELIVERY`).
      this.#open.remove(row);
    } else {
      this.#open.settle(row, after.state, null, after);
    }
    events.move(
      { endpointKey, seq: eventSeq, round, destinationKey: row.destinationKey, jobKey: row.jobKey },
      { state: 'pending', attempts, probes },
      after,
    );
  }

  /**
   * Returns one more than the highest recorded number. The row's counts omit attempts of ended
   * claims, so two attempts could otherwise get the same number.
   */
  #numberOf(claim: Recordable['claim'], isLive: boolean): number {
    const { id, endpointKey, eventSeq, attempts, probes } = claim;
    const highest = isLive ? this.#numbers.get(id) : this.#highest.get(endpointKey, eventSeq, id);
    return Math.max(attempts + probes, highest ?? 0) + 1;
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
