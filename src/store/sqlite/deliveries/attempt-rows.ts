import { triggerOf } from '../../shared/codes.ts';
import {
  type AttemptRow,
  ATTEMPT_COLUMNS as SHARED_COLUMNS,
} from '../../shared/deliveries/attempt-rows.ts';
import { unpackHeaders } from './packed-headers.ts';

/** Columns of events `e` and contents `c` that `unpackedRow` needs. */
export const STORED_HEADERS = 'e.size AS eventSize, c.headers AS eventHeaders';

/** Columns for a `StoredAttemptRow`. */
export const ATTEMPT_COLUMNS = `${SHARED_COLUMNS}, ${STORED_HEADERS}`;

const JOINED = `
  CROSS JOIN events e ON e.endpoint_key = a.endpoint_key AND e.seq = a.event_seq
  CROSS JOIN event_contents c ON c.seq = a.event_seq
  CROSS JOIN endpoints p ON p.key = a.endpoint_key
  CROSS JOIN destinations d ON d.key = a.destination_key`;

/** The tables that `ATTEMPT_COLUMNS` needs. */
export const ATTEMPT_TABLES = `FROM attempts a ${JOINED}`;

/** The same tables for a read by `a.seq`. The index by event would be sorted for it. */
export const ATTEMPT_TABLES_BY_SEQ = `FROM attempts a NOT INDEXED ${JOINED}`;

/** What a row of `STORED_HEADERS` has. */
interface StoredHeaders {
  /** See `packHeaders`. */
  requestHeaders: string | null;
  eventSize: number;
  /** A JSON array of names and values. */
  eventHeaders: string;
}

export type Stored<Row extends AttemptRow> = Row & StoredHeaders;

export type StoredAttemptRow = Stored<AttemptRow>;

/** Returns the row with all headers of its request. */
export function unpackedRow<Row extends AttemptRow>({
  eventSize,
  eventHeaders,
  ...row
}: Stored<Row>) {
  const { requestHeaders: stored, trigger } = row;
  const source = () => ({
    ...row,
    trigger: triggerOf(trigger),
    captured: JSON.parse(eventHeaders) as string[],
    size: eventSize,
  });
  return { ...row, requestHeaders: stored === null ? null : unpackHeaders(stored, source) };
}
