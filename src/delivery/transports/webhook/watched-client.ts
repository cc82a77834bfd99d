import type net from 'node:net';
import { type buildConnector, Client, type Dispatcher } from 'undici';
import { ResponseWatch } from './response-watch.ts';

/** A client's connection. It serves one request at a time. */
interface Held {
  socket: net.Socket | null;
  requests: number;
  watch: ResponseWatch | null;
  /** The longest time for making the connection, ms; null means the connector's own bound. */
  connectTimeoutMs: number | null;
}

/** Makes a connection. Fails after `timeoutMs`; null means the connector's own bound. */
export type Connector = (
  options: buildConnector.Options & { timeoutMs: number | null },
  callback: buildConnector.Callback,
) => void;

/** A client with one connection. A `ResponseWatch` observes what the connection receives. */
export class WatchedClient extends Client {
  readonly #held: Held;

  constructor(origin: URL, options: Client.Options & { connect: Connector }) {
    const held: Held = { socket: null, requests: 0, watch: null, connectTimeoutMs: null };
    super(origin, { ...options, connect: holding(held, options.connect) });
    this.#held = held;
    // undici added its listener to the socket first, so the parser has already read the counted
    // bytes.
    this.on('connect', () => held.socket?.on('readable', () => held.watch?.onReceived()));
  }

  override dispatch(
    options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): boolean {
    const held = this.#held;
    const { connectTimeoutMs = null } = options as { connectTimeoutMs?: number };
    held.connectTimeoutMs = connectTimeoutMs;
    const watch = new ResponseWatch(handler, (started) => {
      held.watch = started;
      return { connection: held.socket as net.Socket, isReused: held.requests++ > 0 };
    });
    return super.dispatch(options, watch);
  }
}

/** Wraps `connect`, and keeps its connection in `held`. */
function holding(held: Held, connect: Connector): buildConnector.connector {
  return (options, callback) =>
    connect({ ...options, timeoutMs: held.connectTimeoutMs }, (...result) => {
      held.socket = result[1];
      held.requests = 0;
      callback(...result);
    });
}
