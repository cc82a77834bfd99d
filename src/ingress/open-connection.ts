import type { Socket } from 'node:net';
import type { FastConnection } from './fast-path/fast-path.ts';

const BUSY = 0;
let ticks = BUSY;

/** A connection from its acceptance to its end, and how long it has been idle. */
export class OpenConnection {
  /** Over TLS: the bare one, and the secured one after the handshake. */
  socket: Socket;
  /** The client address that it counts for; null for none. */
  readonly network: string | null;
  /** Null before a TLS handshake, and where Node reads the connection. */
  fastPath: FastConnection | null = null;
  #requests = 0;
  #idleSince = ++ticks;

  constructor(socket: Socket, network: string | null) {
    this.socket = socket;
    this.network = network;
  }

  /** A request's head has come whole. */
  beginRequest(): void {
    this.#requests++;
    this.#idleSince = BUSY;
  }

  /** Its answer is handed to the system. */
  endRequest(): void {
    this.#requests--;
    if (this.#requests === 0) this.#idleSince = ++ticks;
  }

  /**
   * A number that grows with each connection that falls idle; null while it owes
   * an answer. One that waits for the rest of a request's head is idle.
   */
  get idleSince(): number | null {
    return this.#idleSince === BUSY || this.socket.writableLength > 0 ? null : this.#idleSince;
  }
}
