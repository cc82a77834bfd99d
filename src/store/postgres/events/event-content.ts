import type { EventContent } from '../../contract/events.ts';

export interface PostgresContentRow {
  query: string;
  /** JSON. */
  headers: string;
  body: Buffer;
}

export function contentOf(row: PostgresContentRow): EventContent {
  return {
    query: row.query,
    rawHeaders: JSON.parse(row.headers) as string[],
    body: row.body,
  };
}
