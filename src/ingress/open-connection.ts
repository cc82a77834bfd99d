import type { Socket } from 'node:net';
import type { FastConnection } from './fast-path/fast-connection.ts';

const BUSY = 0;
let ticks = BUSY;

/** A connection from its acceptance to its end, and how long it has been idle. */
export class OpenConnection {
  /** Over TLS, the TCP socket until the handshake is done, then the TLS socket. */
  socket: Socket;
  /** The client network whose share counts this connection; null for a proxy's. */
  readonly network: string | null;
  /** Null before a TLS handshake, and while Node reads the connection. */
  fastPath: FastConnection | null = null;
  #requests = 0;
  #idleSince = ++ticks;

  constructor(socket: Socket, network: string | null) {
    this.socket = socket;
    this.network = network;
  }

  /** A request's head has arrived completely. */
  beginRequest(): void {
    this.#requests++;
    this.#idleSince = BUSY;
  }

  /** An answer is handed to the system. */
  endRequest(): void {
    this.#requests--;
    if (this.#requests === 0) this.#idleSince = ++ticks;
  }

  /**
   * Order in which connections fall idle: a later one has a larger number. Null
   * while this one owes an answer. A connection with half a request's head is idle.
   */
  get idleSince(): number | null {
    return this.#idleSince === BUSY || this.socket.writableLength > 0 ? null : this.#idleSince;
  }
}
