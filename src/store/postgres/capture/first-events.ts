import { isOtherBody, type OnceKey } from '../../../core/proof/dedupe.ts';
import type { FirstEvent } from '../../shared/capture/captured-event.ts';
import { Columns, type RowOf } from '../../shared/columns.ts';
import { FIRST_EVENT } from '../../shared/events/event-columns.ts';
import type { Sql } from '../connection/database.ts';
import { Repeat } from '../connection/explain.ts';

/** A request that claims an idempotency key. */
export interface KeyClaim {
  endpointKey: number;
  once: OnceKey;
  seq: number;
  eventId: string;
}

interface KeyRow {
  endpointKey: number;
  key: string;
}

interface FirstRow extends KeyRow {
  eventId: string;
  body: string;
}

const ONCE_KEY = new Columns({ endpointKey: 'bigint', onceKey: 'text' });

/** Inserts keys. Returns those that no earlier event has claimed. */
const CLAIM = `
  INSERT INTO first_events (${FIRST_EVENT.names})
  SELECT * FROM ${FIRST_EVENT.unnest('k')}
  ORDER BY k.endpoint_key, k.once_key COLLATE "C"
  ON CONFLICT (endpoint_key, once_key) DO NOTHING
  RETURNING endpoint_key AS "endpointKey", once_key AS key`;

export const FIRSTS = `
  SELECT f.endpoint_key AS "endpointKey", f.once_key AS key, f.event_id AS "eventId", f.body
  FROM ${ONCE_KEY.unnest('k')}
  JOIN first_events f ON f.endpoint_key = k.endpoint_key AND f.once_key = k.once_key`;

const nameOf = ({ endpointKey, key }: KeyRow): string => `${endpointKey} ${key}`;

/**
 * Finds the first event of each idempotency key that a transaction claims.
 *
 * A unique index decides which event is the first. An insert waits while another transaction
 * inserts or deletes the same key. All transactions insert keys in the same order, so they can't
 * deadlock. If a key already exists, a second statement reads its first event. If that event was
 * deleted in between, the whole transaction runs again. A second insert would break the order.
 */
export class FirstEvents {
  readonly #firsts: ReadonlyMap<string, { eventId: string; body: string }>;

  private constructor(firsts: ReadonlyMap<string, { eventId: string; body: string }>) {
    this.#firsts = firsts;
  }

  /** Claims the keys. If several claims have the same key, the first claim gets it. */
  static async claim(sql: Sql, claims: readonly KeyClaim[]): Promise<FirstEvents> {
    const firsts = new Map<string, { eventId: string; body: string }>();
    const wanted = new Map<string, KeyClaim>();
    for (const claim of claims) {
      const name = nameOf({ endpointKey: claim.endpointKey, key: claim.once.key });
      if (!wanted.has(name)) wanted.set(name, claim);
    }
    if (wanted.size === 0) return new FirstEvents(firsts);
    const distinct = [...wanted.values()];
    const taken = await sql.rows<KeyRow>(
      CLAIM,
      FIRST_EVENT.arrays(distinct.map(firstEvent)),
      'claim keys',
    );
    for (const row of taken) {
      const name = nameOf(row);
      const { eventId, once } = wanted.get(name) as KeyClaim;
      firsts.set(name, { eventId, body: once.body });
      wanted.delete(name);
    }
    for (const row of await firstsOf(sql, [...wanted.values()])) firsts.set(nameOf(row), row);
    return new FirstEvents(firsts);
  }

  /** Returns the event that this claim repeats, or null if the claim's own event is the first. */
  firstOf({ endpointKey, once, eventId }: KeyClaim): FirstEvent | null {
    const first = this.#firsts.get(nameOf({ endpointKey, key: once.key }));
    if (!first || first.eventId === eventId) return null;
    return { eventId: first.eventId, isConflicting: isOtherBody(first.body, once.body) };
  }
}

function firstEvent({ endpointKey, once, seq, eventId }: KeyClaim): RowOf<typeof FIRST_EVENT> {
  return { endpointKey, onceKey: once.key, eventSeq: seq, eventId, body: once.body };
}

/**
 * Returns the first events of keys that earlier events have claimed. Throws `Repeat` if one was
 * deleted.
 */
async function firstsOf(sql: Sql, claims: readonly KeyClaim[]): Promise<FirstRow[]> {
  if (claims.length === 0) return [];
  const rows = await sql.rows<FirstRow>(
    FIRSTS,
    ONCE_KEY.arrays(claims.map(firstEvent)),
    'first events',
  );
  if (rows.length < claims.length) throw new Repeat('the first event of a key was deleted');
  return rows;
}
