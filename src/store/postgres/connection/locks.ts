import { createHash } from 'node:crypto';
import type { Sql } from './database.ts';

/*
 * Advisory locks. A lock belongs to a session or a transaction, lives in memory, and ends with its
 * holder. Each lock except a ticket has two numbers: the kind and the object.
 */

const GATE = 0x686b01;
const ONE_AT_A_TIME = 0x686b02;
export const MIGRATION_LOCK = [0x686b03, 0] as const;
const ORDER = 0x686b04;
const REJECTED = 0x686b05;
/**
 * The number of locks that all order keys share. With one lock for each key, a large commit would
 * fill the server's table of locks. Two keys that share a lock wait for each other's commits.
 */
const ORDER_BUCKETS = 1024;
/**
 * The longest time that the closing of a gate waits for transactions that have passed the gate, ms.
 */
const GATE_TIMEOUT_MS = 3000;

/** Work that one node at a time does. */
const DUTIES = { purge: 1, retention: 2, indexing: 3, audit: 4, expiry: 5 } as const;

/** Takes a duty until the transaction ends. Returns false if another node has the duty. */
export async function takeDuty(sql: Sql, duty: keyof typeof DUTIES): Promise<boolean> {
  const [row] = await sql.rows<{ taken: boolean }>(
    'SELECT pg_try_advisory_xact_lock($1, $2) AS taken',
    [ONE_AT_A_TIME, DUTIES[duty]],
  );
  return row?.taken === true;
}

/** Takes a duty until the transaction ends. Waits while another node has the duty. */
export async function awaitDuty(sql: Sql, duty: keyof typeof DUTIES): Promise<void> {
  await sql.rows('SELECT pg_advisory_xact_lock($1, $2)', [ONE_AT_A_TIME, DUTIES[duty]]);
}

/**
 * SQL that passes the gate of an endpoint `p`. A transaction that adds events or deliveries passes
 * the gate before it reads the endpoint and its destinations. Any number of transactions may pass
 * at once. A transaction that removes the endpoint, or changes its destinations, closes the gate.
 * So a removed endpoint gets no more rows. To pass a gate writes nothing, unlike a lock on the
 * endpoint's row.
 */
export const GATE_SQL = `pg_advisory_xact_lock_shared(${GATE}, (p.key & 2147483647)::integer)`;

export async function passGate(sql: Sql, endpointKey: number): Promise<void> {
  await sql.rows('SELECT pg_advisory_xact_lock_shared($1, ($2::bigint & 2147483647)::integer)', [
    GATE,
    endpointKey,
  ]);
}

/** Passes several gates. All transactions pass them in the same order. */
export async function passGates(sql: Sql, endpointKeys: readonly number[]): Promise<void> {
  await sql.rows(
    `SELECT ${GATE_SQL} FROM unnest($1::bigint[]) AS p(key)`,
    [endpointKeys.toSorted((a, b) => a - b)],
    'pass gates',
  );
}

/**
 * Closes a gate: waits for the transactions that have passed it, and keeps others out until this
 * transaction ends.
 */
export async function closeGate(sql: Sql, endpointKey: number): Promise<void> {
  await sql.run(`SET LOCAL lock_timeout = ${GATE_TIMEOUT_MS}`);
  await sql.rows('SELECT pg_advisory_xact_lock($1, ($2::bigint & 2147483647)::integer)', [
    GATE,
    endpointKey,
  ]);
}

/**
 * Locks order keys until the transaction ends. All transactions lock them in the same order.
 *
 * @param names each names one order key of one destination
 */
export async function lockOrderBuckets(sql: Sql, names: readonly string[]): Promise<void> {
  const buckets = new Set(
    names.map((name) => createHash('sha1').update(name).digest().readUInt32LE() % ORDER_BUCKETS),
  );
  await sql.rows(
    'SELECT pg_advisory_xact_lock($1, bucket) FROM unnest($2::integer[]) AS bucket',
    [ORDER, [...buckets].sort((a, b) => a - b)],
    'lock orders',
  );
}

/** Lets one transaction at a time add rejected requests to these endpoints. */
export async function lockRejected(sql: Sql, endpointKeys: readonly number[]): Promise<void> {
  const numbers = new Set(endpointKeys.map((key) => key % 2 ** 31));
  await sql.rows(
    'SELECT pg_advisory_xact_lock($1, number) FROM unnest($2::integer[]) AS number',
    [REJECTED, [...numbers].sort((a, b) => a - b)],
    'lock rejected',
  );
}

/** Lets one transaction at a time add things that an account may have only a limited number of. */
export async function lockAccount(sql: Sql, userId: string): Promise<void> {
  await sql.rows('SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId]);
}
