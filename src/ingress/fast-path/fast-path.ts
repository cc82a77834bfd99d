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

/** The fast path of a server. Other folders import only this file of the folder. */
export class FastPath {
  readonly #options: FastConnectionOptions;

  constructor(options: FastConnectionOptions) {
    this.#options = options;
  }

  /** Reads a connection until it must go to Node. */
  read(socket: Socket, events: FastConnectionEvents): FastConnection {
    return new FastConnection(socket, this.#options, events);
  }
}
