import type { EventContent } from '../../contract/events.ts';

export interface ContentRow {
  query: string;
  /** JSON. */
  headers: string;
  body: Buffer;
}

export function contentOf(row: ContentRow): EventContent {
  return {
    query: row.query,
    rawHeaders: JSON.parse(row.headers) as string[],
    body: row.body,
  };
}
