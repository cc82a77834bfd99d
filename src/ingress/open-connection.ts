import type { Socket } from 'node:net';
import type { FastConnection } from './fast-path/fast-connection.ts';

const BUSY = 0;
let ticks = BUSY;

/** A connection, and how long it has been idle. */
export class OpenConnection {
  /** Over TLS, the TCP socket during the handshake and the TLS socket afterwards. */
  socket: Socket;
  /** The client network that the connection counts for; null for a proxy. */
  readonly network: string | null;
  /** Null during a TLS handshake, and while Node reads the connection. */
  fastPath: FastConnection | null = null;
  #requests = 0;
  #idleSince = ++ticks;

  constructor(socket: Socket, network: string | null) {
    this.socket = socket;
    this.network = network;
  }

  /** Call it when a request's head has arrived completely. */
  beginRequest(): void {
    this.#requests++;
    this.#idleSince = BUSY;
  }

  /** Call it when an answer is handed to the system. */
  endRequest(): void {
    this.#requests--;
    if (this.#requests === 0) this.#idleSince = ++ticks;
  }

  /**
   * The order in which connections became idle; null while this connection owes an answer. A
   * connection with an incomplete request head counts as idle.
   */
  get idleSince(): number | null {
    return this.#idleSince === BUSY || this.socket.writableLength > 0 ? null : this.#idleSince;
  }
}
