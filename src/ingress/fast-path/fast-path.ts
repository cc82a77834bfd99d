import type { Socket } from 'node:net';
import {
  FastConnection,
  type FastConnectionEvents,
  type FastConnectionOptions,
} from './fast-connection.ts';

export class FastPath {
  readonly #options: FastConnectionOptions;

  constructor(options: FastConnectionOptions) {
    this.#options = options;
  }

  read(socket: Socket, events: FastConnectionEvents): FastConnection {
    return new FastConnection(socket, this.#options, events);
  }
}
