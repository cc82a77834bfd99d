import { createHash } from 'node:crypto';
import type { Sql } from './database.ts';

/*
 * Advisory locks are in the server's memory. A lock ends with its transaction or session. Each lock
 * except a ticket has two numbers: the kind and the object.
 */

const GATE = 0x686b01;
const ONE_AT_A_TIME = 0x686b02;
export const MIGRATION_LOCK = [0x686b03, 0] as const;
const ORDER = 0x686b04;
const REJECTED = 0x686b05;
/**
 * The number of locks that all order keys share. With one lock for each key, a large commit would
 * fill the server's table of locks. Two keys with the same lock wait for each other's commits.
 */
const ORDER_BUCKETS = 1024;
/** The longest wait to close a gate, ms. Transactions that have passed the gate must end first. */
const GATE_TIMEOUT_MS = 3000;

/** Jobs that one node at a time does. */
const DUTIES = { purge: 1, retention: 2, indexing: 3, audit: 4, expiry: 5 } as const;

/** Takes a duty until the transaction ends. Returns false if another node has the duty. */
export async function takeDuty(sql: Sql, duty: keyof typeof DUTIES): Promise<boolean> {
  const [row] = await sql.rows<{ taken: boolean }>(
    'SELECT pg_try_advisory_xact_lock($1, $2) AS taken',
    [ONE_AT_A_TIME, DUTIES[duty]],
  );
  return row?.taken === true;
}

/** Takes a duty until the transaction ends. Waits while another node has it. */
export async function awaitDuty(sql: Sql, duty: keyof typeof DUTIES): Promise<void> {
  await sql.rows('SELECT pg_advisory_xact_lock($1, $2)', [ONE_AT_A_TIME, DUTIES[duty]]);
}

/**
 * SQL that passes the gate of an endpoint `p`. A gate is an advisory lock. To pass it is to lock it
 * shared, to close it is to lock it exclusively. A transaction passes the gate before it adds
 * events or deliveries. It closes the gate before it removes the endpoint or changes its
 * destinations. So a removed endpoint gets no more rows. A lock on the endpoint's row would write
 * to the table.
 */
export const GATE_SQL = `pg_advisory_xact_lock_shared(${GATE}, (p.key & 2147483647)::integer)`;

export async function passGate(sql: Sql, endpointKey: number): Promise<void> {
  await sql.rows('SELECT pg_advisory_xact_lock_shared($1, ($2::bigint & 2147483647)::integer)', [
    GATE,
    endpointKey,
  ]);
}

/**
 * Passes several gates. All transactions pass gates in the same order, which prevents deadlocks.
 */
export async function passGates(sql: Sql, endpointKeys: readonly number[]): Promise<void> {
  await sql.rows(
    `SELECT ${GATE_SQL} FROM unnest($1::bigint[]) AS p(key)`,
    [endpointKeys.toSorted((a, b) => a - b)],
    'pass gates',
  );
}

/** Closes a gate until the transaction ends. Waits for the transactions that have passed it. */
export async function closeGate(sql: Sql, endpointKey: number): Promise<void> {
  await sql.run(`SET LOCAL lock_timeout = ${GATE_TIMEOUT_MS}`);
  await sql.rows('SELECT pg_advisory_xact_lock($1, ($2::bigint & 2147483647)::integer)', [
    GATE,
    endpointKey,
  ]);
}

/**
 * Locks order keys until the transaction ends. All transactions lock them in the same order, which
 * prevents deadlocks.
 *
 * @param names a name for each pair of destination and order key
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

/** Locks the endpoints' rejected requests, so that only one transaction at a time adds some. */
export async function lockRejected(sql: Sql, endpointKeys: readonly number[]): Promise<void> {
  const numbers = new Set(endpointKeys.map((key) => key % 2 ** 31));
  await sql.rows(
    'SELECT pg_advisory_xact_lock($1, number) FROM unnest($2::integer[]) AS number',
    [REJECTED, [...numbers].sort((a, b) => a - b)],
    'lock rejected',
  );
}

/** Locks the account, so that concurrent additions can't exceed its limits. */
export async function lockAccount(sql: Sql, userId: string): Promise<void> {
  await sql.rows('SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId]);
}
