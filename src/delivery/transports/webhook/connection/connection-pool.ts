import type { Socket } from 'node:net';
import { Connection } from './connection.ts';
import { AgentClosed, type Exchange } from './exchange.ts';

export interface ConnectionPoolOptions {
  /** The largest number of connections. A request beyond it waits, unless it goes alone. */
  maxConnections: number;
  connect(
    timeoutMs: number,
    onConnected: (error: Error | null, socket: Socket | null) => void,
  ): void;
  /** Called when there is no connection left, and no request that waits for one. */
  onEmpty(): void;
}

/** A request that isn't written yet. */
export interface UnsentRequest {
  /** The request line and the headers, one character for each byte. */
  head: string;
  exchange: Exchange;
  /** The longest time for making a connection, ms. */
  connectTimeoutMs: number;
}

/** The connections to one origin, and the requests that wait for one. */
export class ConnectionPool {
  readonly #options: ConnectionPoolOptions;
  readonly #connections = new Set<Connection>();
  #connecting = 0;
  /** Connections for the next requests. The last one is taken first, so that others can end. */
  readonly #idle: Connection[] = [];
  #resting: Connection[] = [];
  readonly #waiting: UnsentRequest[] = [];
  #isClosed = false;

  constructor(options: ConnectionPoolOptions) {
    this.#options = options;
  }

  send(unsent: UnsentRequest): void {
    const isAlone = unsent.exchange.request.isAlone === true;
    const idle = isAlone ? undefined : this.#idle.pop();
    if (idle) idle.send(unsent.head, unsent.exchange);
    else if (isAlone || this.#hasRoom()) this.#connect(unsent);
    else this.#waiting.push(unsent);
  }

  /** Ends all connections but those that `connect` is still making. */
  async destroy(): Promise<void> {
    this.#isClosed = true;
    for (const { exchange } of this.#waiting.splice(0)) exchange.onError(new AgentClosed());
    const connections = [...this.#connections];
    for (const connection of connections) connection.fail(new AgentClosed());
    await Promise.all(connections.map((connection) => connection.closed()));
  }

  #hasRoom(): boolean {
    return this.#connections.size + this.#connecting < this.#options.maxConnections;
  }

  #connect({ head, exchange, connectTimeoutMs }: UnsentRequest): void {
    this.#connecting++;
    this.#options.connect(connectTimeoutMs, (error, socket) => {
      this.#connecting--;
      if (socket && !this.#isClosed) {
        const connection = new Connection(socket, {
          onFree: () => this.#rest(connection),
          onClosed: () => this.#remove(connection),
        });
        this.#connections.add(connection);
        if (exchange.isGivenUp) connection.close();
        else connection.send(head, exchange);
        return;
      }
      socket?.destroy();
      exchange.onError(this.#isClosed || !error ? new AgentClosed() : error);
      this.#afterLoss();
    });
  }

  /**
   * Lets a connection rest until the event loop has read from all sockets. A receiver that sends
   * more than its response, or closes the connection, is then noticed before the next request.
   */
  #rest(connection: Connection): void {
    if (this.#resting.push(connection) > 1) return;
    setImmediate(() => {
      const rested = this.#resting;
      this.#resting = [];
      // The event loop reads sockets between two immediates.
      setImmediate(() => {
        for (const each of rested) if (each.isOpen) this.#reuse(each);
      });
    });
  }

  #reuse(connection: Connection): void {
    const next = this.#nextWaiting();
    if (next) {
      connection.send(next.head, next.exchange);
    } else {
      this.#idle.push(connection);
      connection.idle();
    }
  }

  #remove(connection: Connection): void {
    this.#connections.delete(connection);
    const at = this.#idle.indexOf(connection);
    if (at !== -1) this.#idle.splice(at, 1);
    this.#afterLoss();
  }

  #afterLoss(): void {
    const next = this.#hasRoom() ? this.#nextWaiting() : undefined;
    if (next) this.#connect(next);
    else if (this.#connections.size + this.#connecting === 0) this.#options.onEmpty();
  }

  #nextWaiting(): UnsentRequest | undefined {
    let next = this.#waiting.shift();
    while (next?.exchange.isGivenUp) next = this.#waiting.shift();
    return next;
  }
}
