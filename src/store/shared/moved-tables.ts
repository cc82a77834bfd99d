import { createHash } from 'node:crypto';
import { SESSION, USER } from './accounts/account-rows.ts';
import { AUDIT_ENTRY } from './accounts/audit-rows.ts';
import { API_TOKEN } from './accounts/token-rows.ts';
import { DESTINATION_RULE } from './destinations/destination-rows.ts';
import { CHANNEL, CHANNEL_MESSAGE } from './issues/channel-rows.ts';
import { ISSUE } from './issues/issue-rows.ts';
import { EVENT_TYPE } from './types/type-rows.ts';

/** How a column's values are stored. `utf8` is text in SQLite and bytes in PostgreSQL. */
export type MovedKind = 'integer' | 'text' | 'boolean' | 'bytes' | 'utf8';

export interface MovedTable {
  name: string;
  /** The columns of the primary key, in order. A move stores its progress as the key of a row. */
  key: readonly string[];
  columns: Readonly<Record<string, MovedKind>>;
}

export type MovedValue = string | number | Buffer | null;
export type MovedRow = Readonly<Record<string, MovedValue>>;

/**
 * Returns a value of the row. Throws if the row lacks the column, so that a move loses no value.
 */
export function valueIn(row: MovedRow, column: string): MovedValue {
  const value = row[column];
  if (value === undefined) throw new Error(`a row without ${column}`);
  return value;
}

/** Rows in the order of their keys. `next` is the last key, or null at the end. */
export interface MovedChunk {
  rows: MovedRow[];
  next: MovedValue[] | null;
}

const KINDS: Readonly<Record<string, MovedKind>> = {
  bigint: 'integer',
  integer: 'integer',
  smallint: 'integer',
  text: 'text',
  boolean: 'boolean',
  bytea: 'bytes',
};

function moved({ sqlTypes }: { sqlTypes: Readonly<Record<string, string>> }) {
  const kinds = Object.entries(sqlTypes).map(([name, type]) => [name, KINDS[type] as MovedKind]);
  return Object.fromEntries(kinds) as MovedTable['columns'];
}

/**
 * The tables that both backends have, ordered so that no table refers to a later one. Search texts
 * aren't moved, because the target derives them. Leases aren't moved, because they end soon.
 */
// biome-ignore format: one paragraph for each table
export const MOVED_TABLES: readonly MovedTable[] = [
  { name: 'users', key: ['id'], columns: moved(USER) },
  { name: 'sessions', key: ['id'], columns: moved(SESSION) },
  { name: 'api_tokens', key: ['id'], columns: moved(API_TOKEN) },
  { name: 'endpoints', key: ['key'], columns: {
    key: 'integer', id: 'text', user_id: 'text', public_token: 'text', settings: 'text',
    created_at: 'integer', deleted_at: 'integer', settings_version: 'integer', filters: 'integer',
    source: 'text', sealed_source_secrets: 'bytes', expected_since: 'integer' } },
  { name: 'api_token_endpoints', key: ['token_id', 'endpoint_key'], columns: {
    token_id: 'text', endpoint_key: 'integer' } },
  { name: 'audit_entries', key: ['user_id', 'number'], columns: moved(AUDIT_ENTRY) },
  { name: 'destinations', key: ['key'], columns: {
    key: 'integer', id: 'text', endpoint_key: 'integer', url: 'text', sealed_secret: 'bytes',
    created_at: 'integer', removed_at: 'integer', timed_out: 'boolean', settings: 'text',
    version: 'integer', rule_version: 'integer', flow: 'text', sealed_headers: 'bytes',
    sealed_previous_secret: 'bytes', previous_secret_until: 'integer', one_off: 'boolean',
    sealed_url: 'bytes' } },
  { name: 'destination_rules', key: ['destination_key', 'version'], columns: moved(DESTINATION_RULE) },
  { name: 'event_contents', key: ['seq'], columns: {
    seq: 'integer', endpoint_key: 'integer', query: 'text', headers: 'text', body: 'bytes' } },
  { name: 'events', key: ['endpoint_key', 'seq'], columns: {
    endpoint_key: 'integer', seq: 'integer', id: 'text', status: 'integer', round: 'integer',
    method: 'text', path: 'text', content_type: 'text', size: 'integer', provider: 'text',
    event_type: 'text', source_ip: 'text', received_at: 'integer', open: 'integer',
    succeeded: 'integer', dead: 'integer', failed: 'integer', counted_from: 'integer',
    edited_from: 'text', verification: 'integer', proof: 'text', duplicate_of: 'text',
    duplicate_conflict: 'boolean', unjudged: 'integer' } },
  { name: 'first_events', key: ['endpoint_key', 'once_key'], columns: {
    endpoint_key: 'integer', once_key: 'text', event_seq: 'integer', event_id: 'text',
    body: 'text' } },
  { name: 'rejected_requests', key: ['seq'], columns: {
    seq: 'integer', id: 'text', endpoint_key: 'integer', method: 'text', path: 'text',
    query: 'text', headers: 'text', content_type: 'text', provider: 'text', event_type: 'text',
    source_ip: 'text', received_at: 'integer', proof: 'text', size: 'integer', body: 'bytes' } },
  { name: 'filtered_events', key: ['endpoint_key', 'event_seq'], columns: {
    endpoint_key: 'integer', event_seq: 'integer', dropped: 'text', uncomparable: 'text' } },
  { name: 'event_counts', key: ['endpoint_key', 'status'], columns: {
    endpoint_key: 'integer', status: 'integer', count: 'integer' } },
  { name: 'open_deliveries', key: ['destination_key', 'event_seq', 'round'], columns: {
    destination_key: 'integer', event_seq: 'integer', round: 'integer', endpoint_key: 'integer',
    id: 'text', trigger: 'integer', attempts: 'integer', probes: 'integer',
    next_attempt_at: 'integer', order_key: 'text', turn: 'integer', behind: 'boolean',
    job_key: 'integer', unjudged: 'boolean' } },
  { name: 'deliveries', key: ['endpoint_key', 'event_seq', 'round', 'destination_key'], columns: {
    endpoint_key: 'integer', event_seq: 'integer', round: 'integer', destination_key: 'integer',
    id: 'text', trigger: 'integer', state: 'integer', attempts: 'integer', probes: 'integer',
    error_code: 'text', order_key: 'text', job_key: 'integer' } },
  { name: 'attempts', key: ['seq'], columns: {
    seq: 'integer', id: 'text', event_seq: 'integer', endpoint_key: 'integer',
    destination_key: 'integer', delivery_id: 'text', trigger: 'integer', number: 'integer',
    response_code: 'integer', response_truncated: 'boolean', duration_ms: 'integer',
    error_code: 'text', error_message: 'text', attempted_at: 'integer',
    next_attempt_at: 'integer', response_body: 'utf8',
    response_headers: 'text', destination_url: 'text', probe: 'boolean', request_headers: 'text',
    rule_version: 'integer', health: 'integer' } },
  { name: 'replay_jobs', key: ['key'], columns: {
    key: 'integer', id: 'text', user_id: 'text', endpoint_key: 'integer', filter: 'text',
    destinations: 'text', state: 'integer', after_seq: 'integer', upper_seq: 'integer',
    matching: 'integer', created_at: 'integer', turn: 'integer' } },
  { name: 'replay_counts', key: ['job_key', 'state'], columns: {
    job_key: 'integer', state: 'integer', count: 'integer' } },
  { name: 'issues', key: ['key'], columns: moved(ISSUE) },
  { name: 'channels', key: ['key'], columns: moved(CHANNEL) },
  { name: 'channel_messages', key: ['seq'], columns: {
    seq: 'integer', ...moved(CHANNEL_MESSAGE) } },
  { name: 'event_types', key: ['key'], columns: moved(EVENT_TYPE) },
  { name: 'cursors', key: ['name'], columns: { name: 'text', position: 'integer' } },
];

/** Sequences of row numbers. The target continues from their last values. */
const MOVED_SEQUENCES = [
  'event_contents',
  'attempts',
  'endpoints',
  'destinations',
  'replay_jobs',
  'rejected_requests',
  'issues',
  'channels',
  'channel_messages',
  'event_types',
] as const;
export type MovedSequence = (typeof MOVED_SEQUENCES)[number];

/** The source of a move. Its data doesn't change during the move. */
export interface MoveSource {
  readonly generation: string;
  readonly secretCheck: string | null;
  count(table: MovedTable): number;
  /**
   * Returns at most a few MiB of rows after the key `after`: `next` of the previous chunk, or null.
   */
  chunk(table: MovedTable, after: readonly MovedValue[] | null): MovedChunk;
  /** Returns the last number in use, even if its row is deleted. */
  lastNumber(sequence: MovedSequence): number;
  close(): void;
}

/** Hashes rows in order. Tables with equal hashes have equal rows. */
export class RowHash {
  readonly #hash = createHash('sha256');
  readonly #columns: readonly string[];
  rows = 0;

  constructor({ columns }: MovedTable) {
    this.#columns = Object.keys(columns);
  }

  add(row: MovedRow): void {
    this.rows++;
    for (const column of this.#columns) {
      const value = valueIn(row, column);
      if (value === null) this.#hash.update('n;');
      else if (typeof value === 'number') this.#hash.update(`i${value};`);
      else {
        const bytes = typeof value === 'string' ? Buffer.from(value) : value;
        this.#hash.update(`b${bytes.length};`).update(bytes);
      }
    }
  }

  digest(): string {
    return this.#hash.digest('hex');
  }
}
