import type { Socket } from 'node:net';
import {
  FastConnection,
  type FastConnectionEvents,
  type FastConnectionOptions,
} from './fast-connection.ts';

/** The fast path of a server. */
export class FastPath {
  readonly #options: FastConnectionOptions;

  constructor(options: FastConnectionOptions) {
    this.#options = options;
  }

  /** Reads a connection on the fast path until Node must read it. */
  read(socket: Socket, events: FastConnectionEvents): FastConnection {
    return new FastConnection(socket, this.#options, events);
  }
}
