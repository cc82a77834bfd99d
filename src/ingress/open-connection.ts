import type { Socket } from 'node:net';
import type { FastConnection } from './fast-path/fast-connection.ts';

const BUSY = 0;
let ticks = BUSY;

/** A connection from its acceptance to its end, and how long it has been idle. */
export class OpenConnection {
  /** Over TLS, this is the TCP socket during the handshake, and the TLS socket afterwards. */
  socket: Socket;
  /** The client network that this connection counts for. Null for a proxy's connection. */
  readonly network: string | null;
  /** Null before a TLS handshake, and while Node reads the connection. */
  fastPath: FastConnection | null = null;
  #requests = 0;
  #idleSince = ++ticks;

  constructor(socket: Socket, network: string | null) {
    this.socket = socket;
    this.network = network;
  }

  /** Call this when a request's head has arrived completely. */
  beginRequest(): void {
    this.#requests++;
    this.#idleSince = BUSY;
  }

  /** Call this when an answer is handed to the system. */
  endRequest(): void {
    this.#requests--;
    if (this.#requests === 0) this.#idleSince = ++ticks;
  }

  /**
   * A number that grows with each connection that becomes idle. It is null while this connection
   * owes an answer. A connection that has sent only a part of a request's head counts as idle.
   */
  get idleSince(): number | null {
    return this.#idleSince === BUSY || this.socket.writableLength > 0 ? null : this.#idleSince;
  }
}
