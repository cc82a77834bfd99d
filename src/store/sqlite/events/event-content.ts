import type { EventContent } from '../../contract/events.ts';
import { type ContentRow, contentOf } from '../../shared/events/event-content.ts';
import { receivedBody, type StoredBody } from './stored-body.ts';

/** A row with the stored body, which may be compressed. */
export type StoredContentRow = Omit<ContentRow, 'body'> & StoredBody;

/** Columns of `event_contents c` that make a `StoredContentRow`. */
export const CONTENT_COLUMNS = 'c.query, c.headers, c.body, c.uncompressed_size';

/** Returns the content as received. Throws `database_unusable` if the body is damaged. */
export function receivedContent(row: StoredContentRow): EventContent {
  return contentOf({ query: row.query, headers: row.headers, body: receivedBody(row) });
}
