import type { Logger } from '../../../core/runtime.ts';
import type { Horizons } from '../cluster/tickets.ts';
import type { Database } from '../connection/database.ts';
import { takeDuty } from '../connection/locks.ts';
import { indexedText } from './search-text.ts';

/** Limits of one commit of the index. */
const SLICE_ROWS = 500;
const SLICE_BYTES = 4 * 1024 * 1024;
/** Time in which captures gather to be indexed together, ms. Searches scan them until then. */
const GATHER_MS = 200;
/** Interval of runs without a wake-up, ms: another node may have died with work undone. */
const EVERY_MS = 20_000;
/** Wait after an error, ms. */
const RETRY_MS = 5000;

interface UnindexedBody {
  seq: number;
  body: Buffer | null;
  contentType: string | null;
}

/**
 * Writes the texts by which searches select candidates. It runs after capture: the
 * texts' trigrams cost more than the rest of a capture. One node at a time indexes, in
 * sequence, up to the horizon. The watermark moves in the same commit.
 */
export class Indexer {
  readonly #db: Database;
  readonly #horizons: Horizons;
  readonly #log: Logger;
  #timer: NodeJS.Timeout | undefined;
  #dueAt = Number.POSITIVE_INFINITY;
  #running: Promise<void> | undefined;
  #again = false;
  #closed = false;
  #failed = false;

  constructor(db: Database, horizons: Horizons, log: Logger) {
    this.#db = db;
    this.#horizons = horizons;
    this.#log = log;
  }

  start(): void {
    this.#runIn(0);
  }

  /** Call it after a capture. */
  wake(): void {
    this.#runIn(GATHER_MS);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #runIn(ms: number): void {
    if (this.#closed) return;
    if (this.#running) {
      this.#again = true;
      return;
    }
    const dueAt = performance.now() + ms;
    if (dueAt >= this.#dueAt) return;
    this.#dueAt = dueAt;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#dueAt = Number.POSITIVE_INFINITY;
      this.#running = this.#run().then((nextMs) => {
        this.#running = undefined;
        this.#runIn(this.#again ? Math.min(nextMs, GATHER_MS) : nextMs);
      });
    }, ms).unref();
  }

  /** Indexes until nothing is left. Resolves with the wait until the next run, ms. */
  async #run(): Promise<number> {
    this.#again = false;
    try {
      while (!this.#closed && (await this.slice()));
      this.#failed = false;
      return EVERY_MS;
    } catch (error) {
      if (!this.#closed && !this.#failed) {
        this.#log.warn('search indexing failed; it is tried again', { error });
      }
      this.#failed = true;
      // Captures still wake the indexer while both fail.
      this.#again = false;
      return RETRY_MS;
    }
  }

  /** Indexes the next slice. True when there is more. */
  async slice(): Promise<boolean> {
    const { eventSeq: horizon, isLast } = await this.#horizons.look();
    const more = await this.#db.transaction(async (sql) => {
      if (!(await takeDuty(sql, 'indexing'))) return false;
      const [meta] = await sql.rows<{ watermark: number }>(
        "SELECT value::bigint AS watermark FROM meta WHERE name = 'search_watermark'",
      );
      const watermark = meta?.watermark ?? 0;
      if (watermark >= horizon) return false;
      const bodies = await sql.rows<UnindexedBody>(
        `SELECT s.seq, c.body, e.content_type AS "contentType" FROM (
           SELECT c.seq, sum(length(c.body)) OVER (ORDER BY c.seq) - length(c.body) AS before
           FROM event_contents c WHERE c.seq > $1 AND c.seq <= $2 ORDER BY c.seq LIMIT $3) s
         JOIN event_contents c ON c.seq = s.seq
         LEFT JOIN events e ON e.endpoint_key = c.endpoint_key AND e.seq = c.seq
         WHERE s.before < $4 ORDER BY s.seq`,
        [watermark, horizon, SLICE_ROWS, SLICE_BYTES],
      );
      const last = bodies.at(-1)?.seq;
      // An event deleted meanwhile gets no text, because nothing would delete that text.
      await sql.run(
        `INSERT INTO event_texts (endpoint_key, seq, text)
         SELECT c.endpoint_key, t.seq, t.text
         FROM unnest($1::bigint[], $2::text[]) AS t(seq, text)
         JOIN event_contents c ON c.seq = t.seq
         ORDER BY t.seq FOR KEY SHARE OF c
         ON CONFLICT DO NOTHING`,
        [
          bodies.map(({ seq }) => seq),
          bodies.map(({ body, contentType }) => indexedText(body ?? Buffer.alloc(0), contentType)),
        ],
      );
      await sql.run("UPDATE meta SET value = $1 WHERE name = 'search_watermark'", [
        String(last ?? horizon),
      ]);
      return last !== undefined && last < horizon;
    });
    // Open transactions hold the numbers beyond the horizon: the next run is soon.
    if (!more && !isLast) this.#again = true;
    return more;
  }
}
