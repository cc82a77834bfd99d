import type { Database } from 'better-sqlite3';
import type { Sieve } from '../../../core/rules/sieve.ts';
import { freeMemory } from '../../../core/runtime/free-memory.ts';
import { decodedIncludes, otherReadings } from '../../shared/search/search-text.ts';
import { readableBody } from '../events/stored-body.ts';

/** A condition on `events e` and `event_contents c`, with the values of its named parameters. */
export interface ContentCondition {
  /** It starts with ` AND`, or is empty. */
  sql: string;
  values: Record<string, string | Buffer>;
}

/** Registers the SQL functions of these conditions. Call it once for each connection. */
export function prepareForSearch(db: Database): void {
  const options = { deterministic: true, directOnly: true };
  db.function('decoded_includes', options, (body, q) =>
    decodedIncludes(body as Uint8Array, q as string) ? 1 : 0,
  );
  db.function('compressed_includes', options, (body, size, q) =>
    inReceived(
      body,
      size,
      (received) => received.includes(q as string) || decodedIncludes(received, q as string),
    ),
  );
  db.function('sifted', options, (body, contentType, sieve) =>
    holdsAll(body as Uint8Array, contentType as string | null, sieve as string) ? 1 : 0,
  );
  db.function('compressed_sifted', options, (body, size, contentType, sieve) =>
    inReceived(body, size, (received) =>
      holdsAll(received, contentType as string | null, sieve as string),
    ),
  );
}

/** Returns 0 for a damaged body, so that the search goes on. */
function inReceived(body: unknown, size: unknown, look: (received: Buffer) => boolean): 0 | 1 {
  const stored = { body: body as Buffer, uncompressed_size: size as number };
  const received = readableBody(stored);
  if (!received) return 0;
  const isThere = look(received);
  freeMemory(received);
  return isThere ? 1 : 0;
}

/** @param sieve the sieve as JSON */
function holdsAll(body: Uint8Array, contentType: string | null, sieve: string): boolean {
  const received = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const readings = [received, ...otherReadings(body, contentType)];
  return (JSON.parse(sieve) as Sieve).every((texts) =>
    texts.some((text) => readings.some((reading) => reading.includes(text))),
  );
}

// SQLite skips a term that can't change the result. A CASE called JavaScript for every row and took
// five times as long.
const HOLDS_Q = ` AND (
  (c.uncompressed_size IS NULL AND
    (instr(c.body, @bytes) > 0 OR (instr(c.body, x'5c') > 0 AND decoded_includes(c.body, @q))))
  OR (c.uncompressed_size NOTNULL AND compressed_includes(c.body, c.uncompressed_size, @q)))`;

/** Matches bodies that contain `q` and at least one text of each clause of the sieve. */
export function contentCondition(q: string | undefined, sieve: Sieve): ContentCondition {
  const holdsQ = q === undefined ? null : { sql: HOLDS_Q, values: { q, bytes: Buffer.from(q) } };
  const isSifted = sieve.length === 0 ? null : siftedBy(sieve);
  return {
    sql: `${holdsQ?.sql ?? ''}${isSifted?.sql ?? ''}`,
    values: { ...holdsQ?.values, ...isSifted?.values },
  };
}

function siftedBy(sieve: Sieve): ContentCondition {
  const values: Record<string, string | Buffer> = { sieve: JSON.stringify(sieve) };
  const received = sieve.map((texts, i) => {
    const holds = texts.map((text, j) => {
      values[`text${i}_${j}`] = Buffer.from(text);
      return `instr(c.body, @text${i}_${j}) > 0`;
    });
    return `(${holds.join(' OR ')})`;
  });
  // Only forms, and bodies with escapes, can be read in other ways.
  const sql = ` AND (
    (c.uncompressed_size IS NULL AND ((${received.join(' AND ')})
      OR ((instr(c.body, x'5c') > 0 OR e.content_type LIKE '%form%')
        AND sifted(c.body, e.content_type, @sieve))))
    OR (c.uncompressed_size NOTNULL
      AND compressed_sifted(c.body, c.uncompressed_size, e.content_type, @sieve)))`;
  return { sql, values };
}
