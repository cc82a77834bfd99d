import type { HookrelayError } from '../../../core/errors.ts';
import type { Logger } from '../../../core/runtime/runtime.ts';
import type { Sql } from '../connection/database.ts';
import { codeOf } from '../connection/explain.ts';
import { readSchema, schemaNewer } from '../connection/schema.ts';

/** Interval of polls of the schema, ms. An outdated node stops within a second. */
const EVERY_MS = 500;
/**
 * SQLSTATEs of statements that don't fit the schema: a missing table, column, function or
 * constraint, a value that a constraint refuses.
 */
const MISFIT = /^(42|23502|23514|0A000)/;

/** Polls whether this node still works with the schema, which a newer node may upgrade. */
export class SchemaWatch {
  /** The error of an outdated node. */
  newer: HookrelayError | null = null;
  readonly #sql: Pick<Sql, 'rows'>;
  readonly #log: Logger;
  readonly #onNewer: (error: HookrelayError) => void;
  #seen: number;
  #timer: NodeJS.Timeout | undefined;

  /** @param schema the number at the start, with which the node works */
  constructor(
    sql: Pick<Sql, 'rows'>,
    schema: number,
    log: Logger,
    onNewer: (error: HookrelayError) => void,
  ) {
    this.#sql = sql;
    this.#seen = schema;
    this.#log = log;
    this.#onNewer = onNewer;
  }

  start(): void {
    this.#timer = setTimeout(async () => {
      // While the database is away, nobody upgrades it.
      await this.poll().catch(() => {});
      if (this.#timer) this.start();
    }, EVERY_MS).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** `schema_newer` for the error of a statement that the schema has overtaken; null otherwise. */
  async explain(error: unknown): Promise<HookrelayError | null> {
    if (!MISFIT.test(codeOf(error))) return null;
    await this.poll().catch(() => {});
    return this.newer;
  }

  async poll(): Promise<void> {
    if (this.newer) return;
    const schema = await readSchema(this.#sql);
    if (this.newer || schema.number === this.#seen) return;
    this.#seen = schema.number;
    this.newer = schemaNewer(schema);
    if (this.newer) {
      this.stop();
      this.#onNewer(this.newer);
    } else {
      this.#log.info('a newer node upgraded the schema; this one works with it', {
        schema: schema.number,
      });
    }
  }
}
