import type { Socket } from 'node:net';
import { clientNetwork } from '../core/http/client-network.ts';
import type { Clock, Logger } from '../core/runtime/runtime.ts';
import { IdleQueue } from './idle-queue.ts';
import { OpenConnection } from './open-connection.ts';

/** The shortest time between two logs of the same warning, ms. */
const WARN_INTERVAL_MS = 10_000;

export interface ConnectionCaps {
  /** The limit of all open connections. */
  max: number;
  /** The limit of open connections of one client network (`clientNetwork`). */
  perAddress: number;
}

export interface OpenConnectionsOptions {
  connectionCaps: ConnectionCaps;
  /**
   * Whether an address is a trusted proxy's. `perAddress` doesn't apply to proxies, because one
   * proxy serves many clients.
   */
  isProxy(address: string): boolean;
  log: Logger;
  clock: Clock;
}

/** The connections under one cap. */
class Pool {
  readonly connections = new Set<OpenConnection>();
  /** The command-line option that sets the cap. */
  readonly option: string;
  readonly cap: number;
  readonly #idle = new IdleQueue();

  constructor(option: string, cap: number) {
    this.option = option;
    this.cap = cap;
  }

  get isFull(): boolean {
    return this.connections.size >= this.cap;
  }

  takeIdle(): OpenConnection | undefined {
    return this.#idle.take(this.connections);
  }
}

/**
 * All open connections of a server. One cap limits each client network, and another limits all
 * connections. At a cap, a new connection replaces the one that has been idle longest. The
 * network's cap is checked first, so a network can't keep others out with idle connections. If no
 * connection is idle, the server closes the new one without reading it.
 */
export class OpenConnections {
  readonly #options: OpenConnectionsOptions;
  readonly #all: Pool;
  readonly #shares = new Map<string, Pool>();
  /** When each warning was last logged, monotonic ms, and how often it has occurred since. */
  readonly #warnings = new Map<string, { at: number; count: number }>();

  constructor(options: OpenConnectionsOptions) {
    this.#options = options;
    this.#all = new Pool('--max-connections', options.connectionCaps.max);
  }

  [Symbol.iterator](): Iterator<OpenConnection> {
    return this.#all.connections.values();
  }

  /**
   * Counts a new connection until it closes. If a cap leaves no room, closes the connection and
   * returns null.
   */
  admit(socket: Socket): OpenConnection | null {
    const address = socket.remoteAddress;
    const network =
      address === undefined || this.#options.isProxy(address) ? null : clientNetwork(address);
    const share = network === null ? null : this.#shareOf(network);
    if ((share && !this.#makeRoom(share, address)) || !this.#makeRoom(this.#all, address)) {
      socket.destroy();
      return null;
    }
    const connection = new OpenConnection(socket, network);
    this.#all.connections.add(connection);
    share?.connections.add(connection);
    socket.once('close', () => this.#forget(connection));
    return connection;
  }

  #shareOf(network: string): Pool {
    let share = this.#shares.get(network);
    if (!share) {
      share = new Pool('--max-connections-per-address', this.#options.connectionCaps.perAddress);
      this.#shares.set(network, share);
    }
    return share;
  }

  /** Makes room for one more connection by closing an idle one. Returns false if all are busy. */
  #makeRoom(pool: Pool, client: string | undefined): boolean {
    if (!pool.isFull) return true;
    const idle = pool.takeIdle();
    if (!idle) {
      this.#warn('new connections are refused: all open ones are busy', pool, client);
      return false;
    }
    this.#warn('idle connections are closed to make room for new ones', pool, client);
    this.#forget(idle);
    idle.socket.destroySoon();
    return true;
  }

  #forget(connection: OpenConnection): void {
    this.#all.connections.delete(connection);
    const { network } = connection;
    const share = network === null ? undefined : this.#shares.get(network);
    share?.connections.delete(connection);
    if (network !== null && share?.connections.size === 0) this.#shares.delete(network);
  }

  #warn(message: string, { option, cap }: Pool, client: string | undefined): void {
    const now = this.#options.clock.monotonic();
    const key = `${option} ${message}`;
    const seen = this.#warnings.get(key) ?? { at: Number.NEGATIVE_INFINITY, count: 0 };
    this.#warnings.set(key, seen);
    seen.count++;
    if (now - seen.at < WARN_INTERVAL_MS) return;
    this.#options.log.warn(message, { limit: `${option} ${cap}`, client, count: seen.count });
    seen.at = now;
    seen.count = 0;
  }
}
