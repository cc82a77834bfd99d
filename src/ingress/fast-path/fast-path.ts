import type { Socket } from 'node:net';
import {
  FastConnection,
  type FastConnectionEvents,
  type FastConnectionOptions,
} from './fast-connection.ts';

export type { FastConnection } from './fast-connection.ts';
export type { FastRequest } from './fast-request.ts';
export { type FastPathCounts, HAND_OVER_CAUSES, noCounts } from './hand-over.ts';
export { type RenderedReply, renderReply } from './rendered-reply.ts';

/** The fast path of a server. The rest of the server uses this file of the folder alone. */
export class FastPath {
  readonly #options: FastConnectionOptions;

  constructor(options: FastConnectionOptions) {
    this.#options = options;
  }

  /** Reads a connection until something comes that is Node's. */
  read(socket: Socket, events: FastConnectionEvents): FastConnection {
    return new FastConnection(socket, this.#options, events);
  }
}
