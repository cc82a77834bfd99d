import type net from 'node:net';
import { type buildConnector, Client, type Dispatcher } from 'undici';
import { ResponseWatch } from './response-watch.ts';

/** The connection of a client, and the request that it serves: one at a time. */
interface Held {
  socket: net.Socket | null;
  requests: number;
  watch: ResponseWatch | null;
}

/** A client of one connection that watches what comes in on it (`ResponseWatch`). */
export class WatchedClient extends Client {
  readonly #held: Held;

  constructor(origin: URL, options: Client.Options & { connect: buildConnector.connector }) {
    const held: Held = { socket: null, requests: 0, watch: null };
    super(origin, { ...options, connect: holding(held, options.connect) });
    this.#held = held;
    // undici listens to the socket already. It reads first, so all counted bytes
    // are parsed.
    this.on('connect', () => held.socket?.on('readable', () => held.watch?.onReceived()));
  }

  override dispatch(
    options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): boolean {
    const held = this.#held;
    const watch = new ResponseWatch(handler, (started) => {
      held.watch = started;
      return { connection: held.socket as net.Socket, isReused: held.requests++ > 0 };
    });
    return super.dispatch(options, watch);
  }
}

/** Wraps `connect`, and keeps its connection in `held`. */
function holding(held: Held, connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...result) => {
      held.socket = result[1];
      held.requests = 0;
      callback(...result);
    });
}
