import type { EventContent } from '../../contract/events.ts';

export interface ContentRow {
  query: string;
  /** A JSON array of names and values. */
  headers: string;
  /** The body as received. */
  body: Buffer;
}

/** Returns the content, without other columns of the row. */
export function contentOf({ query, headers, body }: ContentRow): EventContent {
  return { query, rawHeaders: JSON.parse(headers) as string[], body };
}
