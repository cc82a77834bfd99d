import type { RuledRequest } from '../../../core/rules/request-parts.ts';
import type { Sql } from '../connection/database.ts';

/** The limits of one batch. The main thread handles that much in a few milliseconds. */
const BATCH_ROWS = 200;
const BATCH_BYTES = 1024 * 1024;
/** The largest number of sure matches in one batch. They wait while its other events are judged. */
const BATCH_MATCHES = 2000;
/**
 * The longest time that the transaction waits for the judging thread, ms. One batch of each other
 * reader may come first. The default of connections is shorter, for transactions with locks.
 */
const WAIT_MS = 120_000;

export interface RuledRow extends Omit<RuledRequest, 'rawHeaders' | 'verification'> {
  seq: number;
  id: string;
  /** A JSON array of names and values. */
  headers: string;
  /** The code of the verification state. */
  verification: number | null;
  /** The id of the account that owns the event. */
  account: string;
}

interface Sized {
  seq: number;
  /** The body size, bytes. */
  size: number;
  /** Whether the event surely matches. Its content then isn't read. */
  matches?: boolean;
}

/** Events in order, and the contents of those that rules must judge. */
export interface ContentBatch<Event> {
  events: Event[];
  rows: RuledRow[];
}

export const CONTENTS = `
  SELECT e.seq, e.id, e.method, e.path, e.content_type AS "contentType", e.provider,
    e.event_type AS "eventType", e.size, e.source_ip AS "sourceIp", e.verification,
    c.query, c.headers, c.body, p.user_id AS account
  FROM event_contents c JOIN events e ON e.endpoint_key = c.endpoint_key AND e.seq = c.seq
  JOIN endpoints p ON p.key = c.endpoint_key
  WHERE c.seq = ANY($1)`;

/**
 * Yields contents in batches, in order. Leaves out deleted events. A body that is larger than a
 * batch gets its own batch. The next batch is fetched while the caller handles one.
 */
export async function* batchesOf<Event extends Sized>(
  sql: Sql,
  pages: AsyncIterable<readonly Event[]> | Iterable<readonly Event[]>,
): AsyncGenerator<ContentBatch<Event>, void> {
  yield* ahead(fetched(sql, pages));
}

async function* fetched<Event extends Sized>(
  sql: Sql,
  pages: AsyncIterable<readonly Event[]> | Iterable<readonly Event[]>,
): AsyncGenerator<ContentBatch<Event>, void> {
  sql.run(`SET LOCAL idle_in_transaction_session_timeout = ${WAIT_MS}`).catch(() => {});
  for await (const events of grouped(pages)) {
    const seqs = events.filter(({ matches }) => !matches).map(({ seq }) => seq);
    if (seqs.length === 0) {
      yield { events, rows: [] };
      continue;
    }
    const found = await sql.rows<RuledRow>(CONTENTS, [seqs]);
    const bySeq = new Map(found.map((row) => [row.seq, row]));
    yield { events, rows: seqs.flatMap((seq) => bySeq.get(seq) ?? []) };
  }
}

async function* grouped<Event extends Sized>(
  pages: AsyncIterable<readonly Event[]> | Iterable<readonly Event[]>,
): AsyncGenerator<Event[], void> {
  let group: Event[] = [];
  let rows = 0;
  let bytes = 0;
  for await (const page of pages) {
    if (group.length === 0 && page.every(({ matches }) => matches)) {
      yield [...page];
      continue;
    }
    for (const event of page) {
      const added = event.matches ? 0 : event.size;
      const isFull =
        rows === BATCH_ROWS ||
        group.length === BATCH_MATCHES ||
        (rows > 0 && bytes + added > BATCH_BYTES);
      if (isFull) {
        yield group;
        group = [];
        rows = 0;
        bytes = 0;
      }
      group.push(event);
      rows += event.matches ? 0 : 1;
      bytes += added;
    }
  }
  if (group.length > 0) yield group;
}

/** Requests the source's next value before it yields the current one. */
async function* ahead<T>(source: AsyncGenerator<T, void>): AsyncGenerator<T, void> {
  let next = source.next();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = source.next();
      next.catch(() => {});
      yield value;
    }
  } finally {
    // Wait, because the source must not use the connection after the transaction.
    await next.catch(() => {});
  }
}
