import type { Logger } from '../../../core/runtime/runtime.ts';
import type { StoreSignal } from '../../contract/cluster.ts';
import type { PostgresConnection } from '../connection/connections.ts';
import type { Database, PgRow } from '../connection/database.ts';

const CHANNEL = 'hookrelay';
/** Signals within this time share one notification, ms. Each notification wakes every node. */
const TOGETHER_MS = 10;
/** The first wait before a reconnect, ms. Each further wait is twice as long, up to the longest. */
const RECONNECT_MS = 250;
const LONGEST_RECONNECT_MS = 5000;
/** The interval between two pings, ms. */
const PING_EVERY_MS = 15_000;
const PING_TIMEOUT_MS = 10_000;
/**
 * At most this many keys fit into the 8000 bytes of a notification. With more keys, it says "any
 * destination".
 */
const MAX_KEYS = 200;

interface Message {
  node: string;
  committed?: true;
  /** Keys of destinations with unclaimed deliveries. An empty list means any destination. */
  due?: number[];
  /** Keys of destinations that changed. An empty list means any destination. */
  changed?: number[];
  /**
   * The due time of the oldest delivery of each destination in `due`, Unix ms. Null if the sender
   * doesn't know it.
   */
  since?: (number | null)[];
}

/** The due times that this node knows (see `LaneMarks`). */
interface QueueDueTimes {
  since(destinationKey: number): number | null;
  note(destinationKey: number, dueAt: number): void;
}

/**
 * Sends signals between nodes. A signal says only that something was committed. The receiver reads
 * the tables. If a node misses a signal, it finds the change at its next regular poll.
 *
 * Signals use a separate connection and go out after the commit. Within the committing transaction,
 * the notifications of all nodes would wait for one lock during each fsync.
 */
export class Signals {
  readonly #db: Database;
  readonly #node: string;
  readonly #dueTimes: QueueDueTimes;
  readonly #log: Logger;
  readonly #listeners = new Set<(signal: StoreSignal) => void>();
  #client: PostgresConnection | undefined;
  #pending: Message | undefined;
  #due = new Set<number>();
  #anyDue = false;
  #changed = new Set<number>();
  #sendTimer: NodeJS.Timeout | undefined;
  #sending: Promise<void> = Promise.resolve();
  #asked: Promise<unknown> = Promise.resolve();
  #reconnectTimer: NodeJS.Timeout | undefined;
  #pingTimer: NodeJS.Timeout | undefined;
  #reconnectMs = RECONNECT_MS;
  #closed = false;

  constructor(db: Database, node: string, dueTimes: QueueDueTimes, log: Logger) {
    this.#db = db;
    this.#node = node;
    this.#dueTimes = dueTimes;
    this.#log = log;
  }

  async start(): Promise<void> {
    await this.#connect();
    this.#pingTimer = setInterval(() => this.#ping(), PING_EVERY_MS).unref();
  }

  /**
   * Calls `listener` with the signals of other nodes. Returns a function that ends the
   * subscription.
   */
  subscribe(listener: (signal: StoreSignal) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Sends a signal to the other nodes within `TOGETHER_MS`. */
  send(signal: StoreSignal): void {
    if (this.#closed) return;
    this.#pending ??= { node: this.#node };
    if (signal.kind === 'due') {
      if (signal.destinationKeys === null) this.#anyDue = true;
      else for (const key of signal.destinationKeys) this.#due.add(key);
    } else if (signal.kind === 'changed') {
      for (const key of signal.destinationKeys ?? []) this.#changed.add(key);
    } else if (signal.kind === 'committed') {
      this.#pending.committed = true;
    }
    this.#sendTimer ??= setTimeout(() => this.#flush(), TOGETHER_MS);
  }

  /** Sends the pending signals in one message. */
  #flush(): Promise<void> {
    clearTimeout(this.#sendTimer);
    this.#sendTimer = undefined;
    this.#sending = this.#sending.then(() => this.#sendPending());
    return this.#sending;
  }

  async #sendPending(): Promise<void> {
    const message = this.#take();
    if (message) {
      // A notification needs no fsync. If this node has no connection, the message is lost. The
      // other nodes then find the change at their next regular poll.
      await this.rows("SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, $2)", [
        CHANNEL,
        JSON.stringify(message),
      ]).catch(() => {});
    }
  }

  #take(): Message | undefined {
    const message = this.#pending;
    if (!message) return undefined;
    this.#pending = undefined;
    if (this.#anyDue || this.#due.size > MAX_KEYS) message.due = [];
    else if (this.#due.size > 0) {
      message.due = [...this.#due];
      message.since = message.due.map((key) => this.#dueTimes.since(key));
    }
    if (this.#changed.size > 0)
      message.changed = this.#changed.size > MAX_KEYS ? [] : [...this.#changed];
    this.#due = new Set();
    this.#anyDue = false;
    this.#changed = new Set();
    return message;
  }

  /**
   * Runs a query on the signals' connection, which captures never use. Rejects without a
   * connection. Runs one query at a time, because pg 9 refuses a second one.
   */
  rows<T extends PgRow>(text: string, values: unknown[] = []): Promise<T[]> {
    const asked = this.#asked.then(async () => {
      if (!this.#client) throw new Error('no connection to the other nodes');
      return (await this.#client.query<T>(text, values)).rows;
    });
    this.#asked = asked.catch(() => {});
    return asked;
  }

  #receive(payload: string | undefined): void {
    let message: Message;
    try {
      message = JSON.parse(payload ?? '') as Message;
    } catch {
      return;
    }
    if (message.node === this.#node) return;
    if (message.committed) this.tell({ kind: 'committed' });
    if (Array.isArray(message.changed)) {
      const keys = message.changed.length > 0 ? new Set(message.changed) : null;
      this.tell({ kind: 'changed', destinationKeys: keys });
    }
    if (Array.isArray(message.due)) {
      for (const [i, key] of message.due.entries()) {
        const since = message.since?.[i];
        if (typeof since === 'number') this.#dueTimes.note(key, since);
      }
      this.tell({
        kind: 'due',
        destinationKeys: message.due.length > 0 ? new Set(message.due) : null,
      });
    }
  }

  /** Passes a signal to the listeners of this node. */
  tell(signal: StoreSignal): void {
    for (const listener of this.#listeners) listener(signal);
  }

  async #connect(): Promise<void> {
    const client = this.#db.client();
    let isLost = false;
    const lost = () => {
      isLost = true;
      if (this.#client !== client) return;
      this.#client = undefined;
      this.#reconnectSoon();
    };
    client.on('error', lost);
    client.on('end', lost);
    client.on('notification', ({ payload }) => this.#receive(payload));
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
      // The connection may end just as the answer arrives.
      if (isLost) throw new Error('the connection was lost while it was set up');
    } catch (error) {
      client.end().catch(() => {});
      throw error;
    }
    if (this.#closed) {
      await client.end();
      return;
    }
    this.#client = client;
    this.#reconnectMs = RECONNECT_MS;
  }

  #reconnectSoon(): void {
    if (this.#closed || this.#reconnectTimer) return;
    this.#reconnectTimer = setTimeout(async () => {
      this.#reconnectTimer = undefined;
      try {
        await this.#connect();
        this.#log.info('the connection to the other nodes is back');
        // Tell the listeners that this node missed signals meanwhile.
        this.tell({ kind: 'resumed' });
      } catch {
        this.#reconnectMs = Math.min(2 * this.#reconnectMs, LONGEST_RECONNECT_MS);
        this.#reconnectSoon();
      }
    }, this.#reconnectMs).unref();
  }

  /**
   * Pings the database. If no answer comes in time, destroys the connection, because it may be
   * dead.
   */
  #ping(): void {
    const client = this.#client;
    if (!client) return;
    const timer = setTimeout(() => client.destroy(), PING_TIMEOUT_MS).unref();
    this.rows('SELECT 1')
      .catch(() => {})
      .finally(() => clearTimeout(timer));
  }

  async close(): Promise<void> {
    clearInterval(this.#pingTimer);
    clearTimeout(this.#reconnectTimer);
    await this.#flush();
    this.#closed = true;
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => {});
  }
}
