import type { HookrelayError } from '../../../core/errors.ts';
import type { Logger } from '../../../core/runtime/runtime.ts';
import type { Sql } from '../connection/database.ts';
import { codeOf } from '../connection/explain.ts';
import { readSchema, schemaNewer } from '../connection/schema.ts';

/** The interval between two polls of the schema, ms. */
const EVERY_MS = 500;
/**
 * SQLSTATEs of statements that don't fit the schema. A table, column, function or constraint is
 * missing, or a constraint refuses a value.
 */
const MISFIT = /^(42|23502|23514|0A000)/;

/** Stops a node that can't use the database's schema. A newer node may upgrade the schema. */
export class SchemaWatch {
  /** The error if this node can't use the schema, otherwise null. */
  newer: HookrelayError | null = null;
  readonly #sql: Pick<Sql, 'rows'>;
  readonly #log: Logger;
  readonly #onNewer: (error: HookrelayError) => void;
  #seen: number;
  #timer: NodeJS.Timeout | undefined;

  /** @param schema the number of the schema at the node's start */
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
      // While the database is unreachable, no node can upgrade it.
      await this.poll().catch(() => {});
      if (this.#timer) this.start();
    }, EVERY_MS).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /**
   * Returns `schema_newer` if the statement failed because the schema is too new, otherwise null.
   */
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
