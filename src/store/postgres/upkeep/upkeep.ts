import type { SessionLimits } from '../../contract/accounts.ts';
import type { RemovedSlice, RetentionTerms, UpkeepStore } from '../../contract/upkeep.ts';
import {
  CLAIMED_DESTINATION_COLUMNS,
  type ClaimedDestinationRow,
  controlOf,
  expiredBefore,
} from '../../shared/destinations/claimed-destination.ts';
import { EVENT_KEY } from '../../shared/events/event-columns.ts';
import { DOOMED_COLUMNS, type DoomedEvent, firstSlice } from '../../shared/upkeep/doomed-events.ts';
import type { Database, Sql } from '../connection/database.ts';
import { awaitDuty, closeGate, takeDuty } from '../connection/locks.ts';
import { OPEN_OF_EVENT } from '../deliveries/delivery-rows.ts';
import { LANE_KEYS } from '../queue/lane-sweeps.ts';
import { OPEN_REF_COLUMNS, type OpenRef, type Rounds } from '../queue/rounds.ts';
import { removeJobs } from '../replays/job-rows.ts';
import { deleteEvents } from './event-deletion.ts';
import { purgeRejected, retireRejected } from './rejected-deletion.ts';

/** At most this many types are deleted in one commit. The shape of a type has at most 64 KiB. */
const PURGED_TYPES = 100;
/** Captures have connections of their own, so a slice keeps none of them from writing. */
const HELD_MS = 0;
const NOTHING = { removed: 0, more: false, heldMs: HELD_MS };

/**
 * Selects destinations that have open deliveries and an open breaker. It makes one seek in the
 * queue's index for each destination. An index of flows would slow every claim at a destination
 * with a rate, because each claim changes the flow.
 */
const HELD = `
  ${LANE_KEYS}
  SELECT ${CLAIMED_DESTINATION_COLUMNS} FROM lanes l
  JOIN destinations d ON d.key = l.destination_key
  JOIN endpoints p ON p.key = d.endpoint_key AND p.deleted_at IS NULL
  WHERE d.flow LIKE '%"breaker"%'`;

/**
 * Selects up to $3 deliveries of a destination that were due by $2: heads, and deliveries behind
 * these heads. Leaves out deliveries that wait for a person.
 */
export const EXPIRED = `
  WITH heads AS MATERIALIZED (
    SELECT * FROM open_deliveries
    WHERE destination_key = $1 AND NOT behind AND next_attempt_at <= $2
    ORDER BY next_attempt_at LIMIT $3
  )
  SELECT ${OPEN_REF_COLUMNS} FROM heads
  UNION ALL
  SELECT n.* FROM heads h CROSS JOIN LATERAL (
    SELECT ${OPEN_REF_COLUMNS} FROM (
      SELECT * FROM open_deliveries
      WHERE destination_key = h.destination_key AND order_key = h.order_key AND turn > h.turn
      ORDER BY turn LIMIT $3) q
    WHERE next_attempt_at <= $2 AND NOT unjudged) n
  LIMIT $3`;

/** Deletes old data in slices. Only one node at a time runs a slice. */
export class PostgresUpkeep implements UpkeepStore {
  readonly #db: Database;
  readonly #rounds: Rounds;

  constructor(db: Database, rounds: Rounds) {
    this.#db = db;
    this.#rounds = rounds;
  }

  retireSlice(terms: RetentionTerms, maxEvents: number): Promise<RemovedSlice> {
    return this.#db.transaction(async (sql) =>
      (await takeDuty(sql, 'retention')) ? this.#retire(sql, terms, maxEvents) : NOTHING,
    );
  }

  /** Like `retireSlice`, but waits while another node retires events. */
  retireInTurn(before: number, maxEvents: number): Promise<RemovedSlice> {
    return this.#db.transaction(async (sql) => {
      await awaitDuty(sql, 'retention');
      return this.#retire(sql, { before }, maxEvents);
    });
  }

  async #retire(sql: Sql, terms: RetentionTerms, maxEvents: number): Promise<RemovedSlice> {
    const all = await sql.rows<DoomedEvent>(
      `SELECT ${DOOMED_COLUMNS} FROM endpoints p CROSS JOIN LATERAL (
           SELECT * FROM events e WHERE endpoint_key = p.key
             AND received_at < coalesce($3::bigint - p.retention_ms, $1::bigint)
             AND NOT EXISTS (SELECT 1 FROM ${OPEN_OF_EVENT})
           ORDER BY received_at LIMIT $2 FOR UPDATE SKIP LOCKED) e
         LIMIT $2`,
      [terms.before, maxEvents, terms.now ?? null],
    );
    // A replay may have opened deliveries before the event was locked. A new statement sees them.
    const reopened = await sql.rows<{ seq: number }>(
      `SELECT e.seq FROM ${EVENT_KEY.unnest('e')}
       WHERE EXISTS (SELECT 1 FROM ${OPEN_OF_EVENT})`,
      EVENT_KEY.arrays(all),
    );
    const kept = new Set(reopened.map(({ seq }) => seq));
    const events = firstSlice(all.filter(({ seq }) => !kept.has(seq)));
    await deleteEvents(sql, events);
    const more = await retireRejected(sql, terms, maxEvents);
    return {
      removed: events.length,
      more: more || events.length < all.length - kept.size || all.length === maxEvents,
      heldMs: HELD_MS,
    };
  }

  purgeSlice(maxEvents: number): Promise<RemovedSlice> {
    return this.#db.transaction(async (sql) => {
      if (!(await takeDuty(sql, 'purge'))) return NOTHING;
      const [endpoint] = await sql.rows<{ key: number }>(
        'SELECT key FROM endpoints WHERE deleted_at IS NOT NULL ORDER BY key LIMIT 1',
      );
      if (!endpoint) return NOTHING;
      const all = await sql.rows<DoomedEvent>(
        `SELECT ${DOOMED_COLUMNS} FROM events e WHERE e.endpoint_key = $1
         ORDER BY e.seq LIMIT $2 FOR UPDATE`,
        [endpoint.key, maxEvents],
      );
      const events = firstSlice(all);
      await deleteEvents(sql, events);
      if (all.length < maxEvents && events.length === all.length) {
        const more =
          (await purgeRejected(sql, endpoint.key, maxEvents)) ||
          (await purgeTypes(sql, endpoint.key));
        if (!more) await removeEndpoint(sql, endpoint.key);
      }
      return { removed: events.length, more: true, heldMs: HELD_MS };
    });
  }

  async expireHeldSlice(now: number, most: number): Promise<{ expired: number; more: boolean }> {
    const { freed, ...slice } = await this.#db.transaction(async (sql) => {
      const nothing = { expired: 0, more: false, freed: [] };
      if (!(await takeDuty(sql, 'expiry'))) return nothing;
      const held = await sql.rows<ClaimedDestinationRow>(HELD);
      for (const row of held) {
        const heldSince = expiredBefore(controlOf(row), now);
        if (heldSince === null) continue;
        const open = await sql.rows<OpenRef>(EXPIRED, [row.key, heldSince, most]);
        if (open.length === 0) continue;
        // End the deliveries of only one destination. Events must be locked in order, and the next
        // destination's events may come before these.
        const { ended, freed } = await this.#rounds.end(sql, open, 'dead', 'held_too_long');
        return { expired: ended, more: ended > 0, freed };
      }
      return nothing;
    });
    this.#rounds.noteFreed(freed);
    return slice;
  }

  async dropExpiredSessions(limits: SessionLimits, now: number): Promise<number> {
    await this.#db.run('DELETE FROM allowances WHERE expires_at <= $1', [now]);
    await this.#db.run('DELETE FROM ended_claims WHERE lease_until <= $1', [now]);
    return this.#db.run('DELETE FROM sessions WHERE last_used_at < $1 OR created_at < $2', [
      now - limits.idleMs,
      now - limits.absoluteMs,
    ]);
  }
}

/**
 * Deletes some types of a deleted endpoint. If it deleted any, the endpoint must be removed in a
 * later commit. That commit closes the gate, and a save that has passed the gate may wait for these
 * types.
 */
async function purgeTypes(sql: Sql, endpointKey: number): Promise<boolean> {
  const purged = await sql.run(
    `DELETE FROM event_types WHERE key IN (
       SELECT key FROM event_types WHERE endpoint_key = $1 ORDER BY key LIMIT ${PURGED_TYPES})`,
    [endpointKey],
  );
  return purged > 0;
}

/** Deletes the endpoint if it has no events. The closed gate prevents new events. */
async function removeEndpoint(sql: Sql, key: number): Promise<void> {
  await closeGate(sql, key);
  const left = await sql.rows('SELECT 1 FROM events WHERE endpoint_key = $1 LIMIT 1', [key]);
  if (left.length > 0) return;
  await removeJobs(sql, key);
  await sql.run(
    `DELETE FROM destination_rules WHERE destination_key IN
       (SELECT d.key FROM destinations d WHERE d.endpoint_key = $1)`,
    [key],
  );
  await sql.run('DELETE FROM destinations WHERE endpoint_key = $1', [key]);
  await sql.run('DELETE FROM api_token_endpoints WHERE endpoint_key = $1', [key]);
  await sql.run('DELETE FROM event_counts WHERE endpoint_key = $1', [key]);
  await sql.run('DELETE FROM event_text_counts WHERE endpoint_key = $1', [key]);
  await sql.run('DELETE FROM issues WHERE endpoint_key = $1', [key]);
  await sql.run('DELETE FROM endpoints WHERE key = $1', [key]);
}
