import type { BreakerTerms } from '../../../core/flow/breaker-terms.ts';
import type { HealthState } from '../../../core/flow/health.ts';
import type { Attempt } from '../../../core/model.ts';
import type { ClaimedDelivery } from '../../contract/claims.ts';
import type { SettledAttempt, Settlement } from '../../contract/queue.ts';
import { healthCode, stateCode, statusOf, triggerCode } from '../../shared/codes.ts';
import { takeNumbers } from '../cluster/tickets.ts';
import type { Sql } from '../connection/database.ts';
import { storable } from '../connection/storable.ts';
import {
  ATTEMPT_COLUMNS,
  ATTEMPT_TABLES,
  type AttemptRow,
  attemptOf,
} from '../reading/attempt-rows.ts';
import { DestinationChanges } from './destination-changes.ts';
import { EventProgresses, type LockedEvent } from './event-progress.ts';
import { forgetEndedClaims, HELD_AGAIN, isOrdered, ordersOfClaims } from './order/ended-claims.ts';
import { type EndedTurn, type Freed, freeNext, lockOrders } from './order/order-turns.ts';
import { lockEvents } from './rounds.ts';

const IS_MOVED = `v.destination_key = m.destination_key AND v.event_seq = m.event_seq
  AND v.round = m.round`;

/** An open delivery. */
interface DeliveryRow extends EndedTurn {
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
}

/**
 * Records attempts and moves their deliveries on, in the caller's transaction. It
 * reads everything under the events' locks, works the attempts off one by one in
 * memory, and writes all results together. Only ordered deliveries need statements about
 * their keys.
 *
 * @returns also the freed deliveries for `Rounds.noteFreed`
 */
export async function settleAll(
  sql: Sql,
  settlements: readonly Settlement[],
  breaker: BreakerTerms,
): Promise<{ results: (SettledAttempt | null)[]; freed: Freed[] }> {
  const claims = settlements.map(({ claim }) => claim);
  await lockOrders(sql, ordersOfClaims(claims));
  // After the locks that it waits for: nobody reads beyond the numbers of an open transaction.
  const seqs = await takeNumbers(sql, 'attempt_seqs', settlements.length);
  const events = await lockEvents<SettledEvent>(
    sql,
    claims.map(({ endpointKey, eventSeq }) => ({ endpointKey, seq: eventSeq })),
    ', e.id, p.id AS "endpointId", p.user_id AS "userId"',
  );
  const deliveries = await lockDeliveries(sql, settlements);
  const byId = new Map(events.map((event) => [event.seq, event]));
  const progresses = new EventProgresses(events);
  const recorded = await recordedBefore(sql, settlements);
  const numbers = await highestNumbers(sql, contested(settlements, deliveries));
  const isLive = ({ id, token }: ClaimedDelivery) => deliveries.get(id)?.token === token;
  const liveOnes = settlements.filter(({ claim }) => isLive(claim));
  // Their tokens change below.
  const wereLive = new Set(liveOnes.map(({ claim }) => claim));
  const destinations = await DestinationChanges.lock(sql, liveOnes, breaker);
  const attempts = new AttemptColumns();
  const moves = new Map<DeliveryRow, Settlement['next'] | null>();
  const results = settlements.map((settlement, i): SettledAttempt | null => {
    const { claim, attempt, next } = settlement;
    const event = byId.get(claim.eventSeq);
    // After a restore another event may have this sequence number.
    if (event?.id !== claim.eventId) return null;
    const { userId, endpointKey } = event;
    const row = deliveries.get(claim.id);
    const live = row !== undefined && row.token === claim.token;
    let made = recorded.get(attempt.id);
    if (!made) {
      const before = claim.attempts + claim.probes;
      const number = Math.max(before, numbers.get(claim.id) ?? 0) + 1;
      const health = live ? destinations.add(settlement) : null;
      made = attemptMade(settlement, event, { seq: seqs[i] as number, number, live, health });
      recorded.set(attempt.id, made);
      numbers.set(claim.id, number);
      attempts.add(made, claim);
      if (live) {
        const { attempts, probes } = row;
        if (next.state === 'held') row.probes++;
        else row.attempts++;
        progresses.move(
          {
            ...{ seq: claim.eventSeq, round: claim.round, jobKey: claim.jobKey },
            isOneOff: claim.destination.id === null,
          },
          { state: 'pending', attempts, probes },
          {
            state: next.state === 'held' ? 'pending' : next.state,
            attempts: row.attempts,
            probes: row.probes,
          },
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
  await attempts.insert(sql);
  const over = claims.filter((claim) => isOrdered(claim) && !wereLive.has(claim));
  const freed: Freed[] = await forgetEndedClaims(sql, over);
  freed.push(...(await freeNext(sql, await moveDeliveries(sql, moves))));
  await destinations.write(sql);
  await progresses.write(sql);
  return { results, freed };
}

/** The open deliveries of the settlements by id. Leaves out those that have ended. */
async function lockDeliveries(
  sql: Sql,
  settlements: readonly Settlement[],
): Promise<Map<string, DeliveryRow>> {
  const claims = settlements.map(({ claim }) => claim);
  const rows = await sql.rows<DeliveryRow>(
    `SELECT id, event_seq AS "eventSeq", round, destination_key AS "destinationKey", attempts,
       probes, token, order_key AS "orderKey", turn, behind, unjudged
     FROM open_deliveries
     WHERE (destination_key, event_seq, round)
       IN (SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::integer[]))
     ORDER BY event_seq, round, destination_key FOR UPDATE`,
    [
      claims.map(({ destination }) => destination.key),
      claims.map(({ eventSeq }) => eventSeq),
      claims.map(({ round }) => round),
    ],
    'lock deliveries',
  );
  return new Map(rows.map((row) => [row.id, row]));
}

function attemptMade(
  { claim, attempt, next }: Settlement,
  event: SettledEvent,
  {
    seq,
    number,
    live,
    health,
  }: { seq: number; number: number; live: boolean; health: HealthState | null },
): Attempt {
  const { error } = attempt;
  return {
    ...attempt,
    error: error && { ...error, message: storable(error.message) },
    seq,
    eventId: event.id,
    endpointId: event.endpointId,
    deliveryId: claim.id,
    destinationId: claim.destination.id,
    trigger: claim.trigger,
    number,
    probe: claim.probe !== null,
    health,
    nextAttemptAt: live && next.state === 'pending' ? next.nextAttemptAt : null,
  };
}

/** Attempts that are already on record: a settlement is repeated after a lost answer. */
async function recordedBefore(
  sql: Sql,
  settlements: readonly Settlement[],
): Promise<Map<string, Attempt>> {
  const rows = await sql.rows<AttemptRow>(
    `SELECT ${ATTEMPT_COLUMNS} ${ATTEMPT_TABLES}
     WHERE (a.event_seq, a.id) IN (SELECT * FROM unnest($1::bigint[], $2::text[]))`,
    [settlements.map(({ claim }) => claim.eventSeq), settlements.map(({ attempt }) => attempt.id)],
    'recorded attempts',
  );
  return new Map(rows.map((row) => [row.id, attemptOf(row)]));
}

/**
 * Claims of deliveries that another node has claimed too, earlier or later. That
 * node's attempt may be on record without being counted in the delivery's row. A claim
 * and its settlement each add 1 to the token, also those of a probe. So the token of a
 * delivery that no other node claimed is 2 × (attempts + probes) + 1.
 */
function contested(
  settlements: readonly Settlement[],
  deliveries: ReadonlyMap<string, DeliveryRow>,
): ClaimedDelivery[] {
  return settlements.flatMap(({ claim }) => {
    const row = deliveries.get(claim.id);
    const isPlain = row?.token === claim.token && row.token <= 2 * (row.attempts + row.probes) + 1;
    return isPlain ? [] : [claim];
  });
}

/** The highest attempt number by delivery. Reads all attempts of the events: few claims are contested. */
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

/** New attempts as columns for one insert. Their responses go as one value. */
class AttemptColumns {
  readonly #rows: { made: Attempt; claim: ClaimedDelivery }[] = [];

  add(made: Attempt, claim: ClaimedDelivery): void {
    this.#rows.push({ made, claim });
  }

  async insert(sql: Sql): Promise<void> {
    if (this.#rows.length === 0) return;
    const bodies = this.#rows.map(({ made }) =>
      made.responseBody === null ? null : Buffer.from(made.responseBody),
    );
    let bytes = 0;
    const firsts = bodies.map((body) => {
      const first = bytes + 1;
      bytes += body?.length ?? 0;
      return first;
    });
    const all = Buffer.concat(bodies.filter((body) => body !== null));
    const column = <T>(get: (made: Attempt, claim: ClaimedDelivery) => T): T[] =>
      this.#rows.map(({ made, claim }) => get(made, claim));
    await sql.run(
      `INSERT INTO attempts (seq, id, event_seq, endpoint_key, destination_key, delivery_id,
         trigger, number, response_code, response_truncated, duration_ms, error_code,
         error_message, attempted_at, next_attempt_at, response_headers, destination_url,
         request_headers, rule_version, probe, health, response_body)
       SELECT a.seq, a.id, a.event_seq, a.endpoint_key, a.destination_key, a.delivery_id,
         a.trigger, a.number, a.response_code, a.response_truncated, a.duration_ms, a.error_code,
         a.error_message, a.attempted_at, a.next_attempt_at, a.response_headers,
         a.destination_url, a.request_headers, a.rule_version, a.probe, a.health,
         CASE WHEN a.size IS NULL THEN NULL ELSE substring($1::bytea FROM a.first FOR a.size) END
       FROM unnest($2::integer[], $3::integer[], $4::bigint[], $5::text[], $6::bigint[],
         $7::bigint[], $8::bigint[], $9::text[], $10::smallint[], $11::integer[], $12::integer[],
         $13::boolean[], $14::integer[], $15::text[], $16::text[], $17::bigint[], $18::bigint[],
         $19::text[], $20::text[], $21::text[], $22::integer[], $23::boolean[], $24::smallint[])
         AS a(first, size, seq, id, event_seq, endpoint_key, destination_key, delivery_id, trigger,
           number, response_code, response_truncated, duration_ms, error_code, error_message,
           attempted_at, next_attempt_at, response_headers, destination_url,
           request_headers, rule_version, probe, health)`,
      [
        all,
        firsts,
        bodies.map((body) => body?.length ?? null),
        column(({ seq }) => seq),
        column(({ id }) => id),
        column((_, claim) => claim.eventSeq),
        column((_, claim) => claim.endpointKey),
        column((_, claim) => claim.destination.key),
        column((_, claim) => claim.id),
        column(({ trigger }) => triggerCode(trigger)),
        column(({ number }) => number),
        column(({ responseCode }) => responseCode),
        column(({ responseTruncated }) => responseTruncated),
        column(({ durationMs }) => Math.round(durationMs)),
        column(({ error }) => error?.code ?? null),
        column(({ error }) => error?.message ?? null),
        column(({ attemptedAt }) => attemptedAt),
        column(({ nextAttemptAt }) => nextAttemptAt),
        column(({ responseHeaders }) => responseHeaders && JSON.stringify(responseHeaders)),
        column(({ destinationUrl }) => storable(destinationUrl)),
        column(({ requestHeaders }) => requestHeaders && JSON.stringify(requestHeaders)),
        column(({ ruleVersion }) => ruleVersion),
        column(({ probe }) => probe),
        column(({ health }) => (health === null ? null : healthCode(health))),
      ],
      'attempts',
    );
  }
}

/**
 * Ends the claims of locked deliveries. Those that have ended move to the history, the
 * others get their next due time. Null: the delivery stays as it is. A failed
 * probe leaves the due time. Returns the ended ones.
 */
async function moveDeliveries(
  sql: Sql,
  moves: ReadonlyMap<DeliveryRow, Settlement['next'] | null>,
): Promise<DeliveryRow[]> {
  const ended: { row: DeliveryRow; state: number }[] = [];
  const open: { row: DeliveryRow; dueAt: number | null }[] = [];
  for (const [row, next] of moves) {
    if (next === null || next.state === 'held') open.push({ row, dueAt: null });
    else if (next.state === 'pending') open.push({ row, dueAt: next.nextAttemptAt });
    else ended.push({ row, state: stateCode(next.state) });
  }
  const keys = (of: readonly { row: DeliveryRow }[]) => [
    of.map(({ row }) => row.destinationKey),
    of.map(({ row }) => row.eventSeq),
    of.map(({ row }) => row.round),
    of.map(({ row }) => row.attempts),
    of.map(({ row }) => row.probes),
  ];
  if (ended.length > 0) {
    await sql.run(
      `WITH ended AS (
         DELETE FROM open_deliveries v
         USING unnest($1::bigint[], $2::bigint[], $3::integer[], $4::integer[], $5::integer[],
           $6::smallint[]) AS m(destination_key, event_seq, round, attempts, probes, state)
         WHERE ${IS_MOVED}
         RETURNING v.endpoint_key, v.event_seq, v.round, v.destination_key, v.id, v.trigger,
           m.state, m.attempts, m.probes, v.order_key, v.job_key
       )
       INSERT INTO deliveries (endpoint_key, event_seq, round, destination_key, id, trigger,
         state, attempts, probes, order_key, job_key)
       SELECT * FROM ended`,
      [...keys(ended), ended.map(({ state }) => state)],
      'end deliveries',
    );
  }
  if (open.length > 0) {
    await sql.run(
      `UPDATE open_deliveries v SET attempts = m.attempts, probes = m.probes,
         token = m.token,
         lease_until = ${HELD_AGAIN}, held = ${HELD_AGAIN} > 0,
         next_attempt_at = coalesce(m.due_at, v.next_attempt_at)
       FROM unnest($1::bigint[], $2::bigint[], $3::integer[], $4::integer[], $5::integer[],
         $6::integer[], $7::bigint[])
         AS m(destination_key, event_seq, round, attempts, probes, token, due_at)
       WHERE ${IS_MOVED}`,
      [...keys(open), open.map(({ row }) => row.token), open.map(({ dueAt }) => dueAt)],
      'retry deliveries',
    );
  }
  return ended.map(({ row }) => row);
}
