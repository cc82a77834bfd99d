import type { BreakerTerms } from '../../../core/flow/breaker-terms.ts';
import type { Attempt } from '../../../core/model.ts';
import type { ClaimedDelivery } from '../../contract/claims.ts';
import type { SettledAttempt, Settlement } from '../../contract/queue.ts';
import { stateCode, statusOf } from '../../shared/codes.ts';
import { Columns, type RowOf } from '../../shared/columns.ts';
import { NEW_ATTEMPT } from '../../shared/deliveries/attempt-columns.ts';
import {
  ATTEMPT_COLUMNS,
  type AttemptRow,
  attemptOf,
} from '../../shared/deliveries/attempt-rows.ts';
import { DELIVERY_KEY, SETTLED_DELIVERY } from '../../shared/deliveries/delivery-columns.ts';
import {
  newAttemptRow,
  progressAfter,
  recordedAttempt,
} from '../../shared/queue/recorded-attempt.ts';
import { takeNumbers } from '../cluster/tickets.ts';
import { BODY_OF_ROW, BODY_PART, BodyColumn } from '../connection/body-column.ts';
import type { Sql } from '../connection/database.ts';
import { storable } from '../connection/storable.ts';
import { ATTEMPT_TABLES } from '../deliveries/attempt-tables.ts';
import { DestinationChanges } from './destination-changes.ts';
import { forgetEndedClaims, HELD_AGAIN, isOrdered, ordersOfClaims } from './ended-claims.ts';
import { EventProgresses, type LockedEvent } from './event-progress.ts';
import { type EndedTurn, type Freed, freeNext, lockOrders } from './order-turns.ts';
import { lockEvents } from './rounds.ts';

const IS_MOVED = `v.destination_key = m.destination_key AND v.event_seq = m.event_seq
  AND v.round = m.round`;

const ATTEMPT_KEY = new Columns({ eventSeq: 'bigint', id: 'text' });
const ATTEMPT = NEW_ATTEMPT.and({ seq: 'bigint' });
const ATTEMPT_ROW = ATTEMPT.and(BODY_PART);
/** A delivery after an attempt. */
const MOVED = DELIVERY_KEY.and({ attempts: 'integer', probes: 'integer' });
const ENDED = MOVED.and({ state: 'smallint' });
const RETRIED = MOVED.and({ token: 'integer', dueAt: 'bigint?' });

interface OpenDeliveryRow extends EndedTurn {
  id: string;
  eventSeq: number;
  round: number;
  attempts: number;
  probes: number;
  token: number;
}

interface SettledEvent extends LockedEvent {
  id: string;
  endpointId: string;
  userId: string;
  isEdited: boolean;
}

/**
 * Records attempts and updates their deliveries, in the caller's transaction. It reads everything
 * after it has locked the events, applies the attempts one by one in memory, and writes all results
 * together. After the commit, the caller passes `freed` to `Rounds.noteFreed`.
 */
export async function settleAll(
  sql: Sql,
  settlements: readonly Settlement[],
  breaker: BreakerTerms,
): Promise<{ results: (SettledAttempt | null)[]; freed: Freed[] }> {
  const claims = settlements.map(({ claim }) => claim);
  await lockOrders(sql, ordersOfClaims(claims));
  // Take sequence numbers after the waits for locks, because readers wait for these numbers to
  // commit.
  const seqs = await takeNumbers(sql, 'attempt_seqs', settlements.length);
  const events = await lockEvents<SettledEvent>(
    sql,
    claims.map(({ endpointKey, eventSeq }) => ({ endpointKey, seq: eventSeq })),
    ', e.id, p.id AS "endpointId", p.user_id AS "userId", e.edited_from IS NOT NULL AS "isEdited"',
    'lock settled events',
  );
  const deliveries = await lockDeliveries(sql, settlements);
  const byId = new Map(events.map((event) => [event.seq, event]));
  const progresses = new EventProgresses(events);
  const recorded = await recordedBefore(sql, settlements);
  const numbers = await highestNumbers(sql, contested(settlements, deliveries));
  const isEdited = ({ eventSeq }: ClaimedDelivery) => byId.get(eventSeq)?.isEdited === true;
  const isLive = ({ id, token }: ClaimedDelivery) => deliveries.get(id)?.token === token;
  const liveOnes = settlements.filter(({ claim }) => isLive(claim));
  // Remember the live claims, because the tokens of their deliveries change below.
  const wereLive = new Set(liveOnes.map(({ claim }) => claim));
  const destinations = await DestinationChanges.lock(sql, liveOnes, breaker, isEdited);
  const attempts: { attempt: Attempt; claim: ClaimedDelivery }[] = [];
  const moves = new Map<OpenDeliveryRow, Settlement['next'] | null>();
  const results = settlements.map((settlement, i): SettledAttempt | null => {
    const { claim, attempt, next } = settlement;
    const event = byId.get(claim.eventSeq);
    // After a restore, another event may have this sequence number.
    if (event?.id !== claim.eventId) return null;
    const { userId, endpointKey } = event;
    const row = deliveries.get(claim.id);
    const live = row !== undefined && row.token === claim.token;
    let made = recorded.get(attempt.id);
    if (!made) {
      const before = claim.attempts + claim.probes;
      const number = Math.max(before, numbers.get(claim.id) ?? 0) + 1;
      const health = live ? destinations.add(settlement) : null;
      made = recordedAttempt(settlement, event.endpointId, {
        ...{ seq: seqs[i] as number, number, health },
        nextAttemptAt: live && next.state === 'pending' ? next.nextAttemptAt : null,
      });
      made.error &&= { ...made.error, message: storable(made.error.message) };
      recorded.set(attempt.id, made);
      numbers.set(claim.id, number);
      attempts.push({ attempt: made, claim });
      if (live) {
        const { attempts, probes } = row;
        const after = progressAfter(next, row);
        Object.assign(row, { attempts: after.attempts, probes: after.probes });
        progresses.move(
          {
            ...{ seq: claim.eventSeq, round: claim.round, jobKey: claim.jobKey },
            isOneOff: claim.destination.id === null,
          },
          { state: 'pending', attempts, probes },
          after,
        );
        moves.set(row, next);
      }
    }
    if (live) {
      row.token++;
      if (!moves.has(row)) moves.set(row, null);
    }
    const eventStatus = progresses.statusOf(event.seq) ?? statusOf(event.status);
    return { attempt: made, eventSeq: event.seq, eventStatus, userId, endpointKey };
  });
  await insertAttempts(sql, attempts);
  const over = claims.filter((claim) => isOrdered(claim) && !wereLive.has(claim));
  const freed: Freed[] = await forgetEndedClaims(sql, over);
  freed.push(...(await freeNext(sql, await moveDeliveries(sql, moves))));
  await destinations.write(sql);
  await progresses.write(sql);
  return { results, freed };
}

/** Locks and returns the open deliveries of the settlements, by id. Leaves out ended deliveries. */
async function lockDeliveries(
  sql: Sql,
  settlements: readonly Settlement[],
): Promise<Map<string, OpenDeliveryRow>> {
  const claims = settlements.map(({ claim }) => claim);
  const rows = await sql.rows<OpenDeliveryRow>(
    `SELECT id, event_seq AS "eventSeq", round, destination_key AS "destinationKey", attempts,
       probes, token, order_key AS "orderKey", turn, behind, unjudged
     FROM open_deliveries
     WHERE (${DELIVERY_KEY.names})
       IN (SELECT * FROM ${DELIVERY_KEY.unnest('k')})
     ORDER BY event_seq, round, destination_key FOR UPDATE`,
    DELIVERY_KEY.arrays(
      claims.map(({ destination, eventSeq, round }) => ({
        destinationKey: destination.key,
        eventSeq,
        round,
      })),
    ),
    'lock deliveries',
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Returns the attempts that are already recorded. A caller that got no answer repeats its
 * settlement.
 */
async function recordedBefore(
  sql: Sql,
  settlements: readonly Settlement[],
): Promise<Map<string, Attempt>> {
  const rows = await sql.rows<AttemptRow>(
    `SELECT ${ATTEMPT_COLUMNS} ${ATTEMPT_TABLES}
     WHERE (a.event_seq, a.id) IN (SELECT * FROM ${ATTEMPT_KEY.unnest('k')})`,
    ATTEMPT_KEY.arrays(
      settlements.map(({ claim, attempt }) => ({ eventSeq: claim.eventSeq, id: attempt.id })),
    ),
    'recorded attempts',
  );
  return new Map(rows.map((row) => [row.id, attemptOf(row)]));
}

/**
 * Returns the claims of deliveries that another node has claimed too. That node's attempt may be
 * recorded although the delivery's row doesn't count it.
 *
 * Each claim and each settlement, even of a probe, adds 1 to the token. So without claims of
 * another node, the token is 2 × (attempts + probes) + 1.
 */
function contested(
  settlements: readonly Settlement[],
  deliveries: ReadonlyMap<string, OpenDeliveryRow>,
): ClaimedDelivery[] {
  return settlements.flatMap(({ claim }) => {
    const row = deliveries.get(claim.id);
    const isPlain = row?.token === claim.token && row.token <= 2 * (row.attempts + row.probes) + 1;
    return isPlain ? [] : [claim];
  });
}

/**
 * Returns the highest attempt number of each delivery. It is slow, because it reads all attempts.
 */
async function highestNumbers(
  sql: Sql,
  claims: readonly ClaimedDelivery[],
): Promise<Map<string, number>> {
  if (claims.length === 0) return new Map();
  const rows = await sql.rows<{ id: string; number: number }>(
    `SELECT delivery_id AS id, max(number) AS number FROM attempts
     WHERE event_seq = ANY($1) AND delivery_id = ANY($2) GROUP BY delivery_id`,
    [claims.map(({ eventSeq }) => eventSeq), claims.map(({ id }) => id)],
    'highest numbers',
  );
  return new Map(rows.map(({ id, number }) => [id, number]));
}

async function insertAttempts(
  sql: Sql,
  made: readonly { attempt: Attempt; claim: ClaimedDelivery }[],
): Promise<void> {
  if (made.length === 0) return;
  const bodies = new BodyColumn();
  const rows = made.map(({ attempt, claim }): RowOf<typeof ATTEMPT_ROW> => {
    const row = newAttemptRow(claim, attempt, attempt);
    const { responseBody } = attempt;
    return {
      ...row,
      ...bodies.add(responseBody === null ? null : Buffer.from(responseBody)),
      seq: attempt.seq,
      durationMs: Math.round(row.durationMs),
      destinationUrl: storable(row.destinationUrl),
    };
  });
  await sql.run(
    `INSERT INTO attempts (${ATTEMPT.names}, response_body)
     SELECT ${ATTEMPT.names}, ${BODY_OF_ROW} FROM ${ATTEMPT_ROW.unnest('v', 2)}`,
    [bodies.value(), ...ATTEMPT_ROW.arrays(rows)],
    'attempts',
  );
}

/**
 * Ends the claims of locked deliveries. Returns the deliveries that have ended. The others get
 * their next due time. It stays the same if the value in `moves` is null, or after a failed probe
 * (`held`).
 */
async function moveDeliveries(
  sql: Sql,
  moves: ReadonlyMap<OpenDeliveryRow, Settlement['next'] | null>,
): Promise<OpenDeliveryRow[]> {
  const ended: (OpenDeliveryRow & { state: number })[] = [];
  const open: (OpenDeliveryRow & { dueAt: number | null })[] = [];
  for (const [row, next] of moves) {
    if (next === null || next.state === 'held') open.push({ ...row, dueAt: null });
    else if (next.state === 'pending') open.push({ ...row, dueAt: next.nextAttemptAt });
    else ended.push({ ...row, state: stateCode(next.state) });
  }
  if (ended.length > 0) {
    await sql.run(
      `WITH ended AS (
         DELETE FROM open_deliveries v USING ${ENDED.unnest('m')}
         WHERE ${IS_MOVED}
         RETURNING v.endpoint_key, v.event_seq, v.round, v.destination_key, v.id, v.trigger,
           m.state, m.attempts, m.probes, NULL::text AS error_code, v.order_key, v.job_key
       )
       INSERT INTO deliveries (${SETTLED_DELIVERY.names})
       SELECT ${SETTLED_DELIVERY.names} FROM ended`,
      ENDED.arrays(ended),
      'end deliveries',
    );
  }
  if (open.length > 0) {
    await sql.run(
      `UPDATE open_deliveries v SET attempts = m.attempts, probes = m.probes,
         token = m.token,
         lease_until = ${HELD_AGAIN}, held = ${HELD_AGAIN} > 0,
         next_attempt_at = coalesce(m.due_at, v.next_attempt_at)
       FROM ${RETRIED.unnest('m')}
       WHERE ${IS_MOVED}`,
      RETRIED.arrays(open),
      'retry deliveries',
    );
  }
  return ended;
}
