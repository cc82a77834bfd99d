import type { Logger } from '../../../core/runtime/runtime.ts';
import type { Horizons } from '../cluster/tickets.ts';
import type { Database } from '../connection/database.ts';
import { Repeat } from '../connection/explain.ts';
import { takeDuty } from '../connection/locks.ts';
import { missingTexts, WATERMARK, writeTexts, writeTextsAgain } from './event-texts.ts';

/**
 * The delay after a capture, ms, so that captures are indexed together. Searches scan them until
 * then.
 */
const GATHER_MS = 200;
/** The interval between two runs without captures, ms. Such a run finds the work of a dead node. */
const EVERY_MS = 20_000;
/** The wait after an error, ms. */
const RETRY_MS = 5000;

/**
 * Writes the texts in which searches find candidates. It runs after captures, because to index a
 * text's trigrams costs more than the rest of a capture. One node at a time indexes, in sequence,
 * up to the horizon. The commit that writes texts also updates the watermark.
 */
export class Indexer {
  readonly #db: Database;
  readonly #horizons: Horizons;
  readonly #log: Logger;
  #timer: NodeJS.Timeout | undefined;
  #dueAt = Number.POSITIVE_INFINITY;
  #running: Promise<void> | undefined;
  #again = false;
  /** Endpoints that lack texts. Before `#reportsFrom`, further reports are ignored. */
  #incomplete: readonly number[] = [];
  #reportsFrom = 0;
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

  /** Starts a run soon. Call it after a capture. */
  wake(): void {
    this.#runIn(GATHER_MS);
  }

  /** Reports endpoints whose events the index lacks. The next run adds these events. */
  report(endpointKeys: readonly number[]): void {
    const now = performance.now();
    if (now < this.#reportsFrom) return;
    this.#reportsFrom = now + EVERY_MS;
    this.#incomplete = endpointKeys;
    this.wake();
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

  /** Indexes until nothing is left. Returns the time until the next run, ms. */
  async #run(): Promise<number> {
    this.#again = false;
    try {
      while (!this.#closed && (await this.slice()));
      const incomplete = this.#incomplete;
      this.#incomplete = [];
      if (incomplete.length > 0) await this.#addMissing(incomplete);
      this.#failed = false;
      return EVERY_MS;
    } catch (error) {
      if (!this.#closed && !this.#failed) {
        this.#log.warn('search indexing failed and will be retried', { error });
      }
      this.#failed = true;
      // Forget wake-ups during the failed run. Otherwise the next run would start after
      // `GATHER_MS`.
      this.#again = false;
      return RETRY_MS;
    }
  }

  /** Indexes the next slice. Returns whether more is left. */
  async slice(): Promise<boolean> {
    const { eventSeq: horizon, isLast } = await this.#horizons.get();
    const more = await this.#db.transaction(async (sql) => {
      if (!(await takeDuty(sql, 'indexing'))) return false;
      const [meta] = await sql.rows<{ watermark: number }>(`SELECT ${WATERMARK} AS watermark`);
      const watermark = meta?.watermark ?? 0;
      if (watermark >= horizon) return false;
      const seqs = await writeTexts(sql, { after: watermark, upTo: horizon });
      const last = seqs.at(-1);
      const moved = await sql.run(
        "UPDATE meta SET value = $1 WHERE name = 'search_watermark' AND value = $2",
        [String(last ?? horizon), String(watermark)],
      );
      // Another transaction changed the watermark, so the events after it need their texts again.
      if (moved === 0) throw new Repeat();
      return last !== undefined && last < horizon;
    });
    // Open transactions have numbers beyond the horizon, so run again soon.
    if (!more && !isLast) this.#again = true;
    return more;
  }

  /** Adds texts that the index lacks because of a fault. */
  async #addMissing(keys: readonly number[]): Promise<void> {
    const missing = await this.#db.snapshot((sql) => missingTexts(sql, keys));
    if (!missing) return;
    const { events, span } = missing;
    this.#log.warn('the search index lacked events and is being completed', { events });
    await writeTextsAgain(
      this.#db,
      span,
      () => {},
      () => this.#closed,
    );
  }
}
