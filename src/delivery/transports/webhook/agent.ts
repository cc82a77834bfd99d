import net from 'node:net';
import { Agent, buildConnector, type Dispatcher, Pool } from 'undici';
import { AttemptFailure } from '../../network/attempt-failure.ts';
import { publicOnlyBlockList } from '../../network/block-list.ts';
import { tlsFailure } from '../../network/connection-error.ts';
import { guardedLookup } from '../../network/guarded-lookup.ts';
import { type Connector, WatchedClient } from './watched-client.ts';

/** Largest header section of a response, bytes. Bounds memory. */
const RESPONSE_HEADERS_MAX_BYTES = 16 * 1024;
/**
 * How long an idle connection is kept, ms. Node and Apache close theirs after 5 s, and a request
 * into a closing connection would be a failed attempt.
 */
const IDLE_DEFAULT_MS = 4000;
/** Longest idle time that a receiver's `Keep-Alive` header can ask for, ms. */
const IDLE_MAX_MS = 30_000;
/** Subtracted from a receiver's `Keep-Alive` timeout for the way of a request, ms. */
const IDLE_MARGIN_MS = 1000;
/** Idle time after which TCP probes the peer, ms. */
const TCP_KEEP_ALIVE_DELAY_MS = 60_000;

export interface DeliveryAgentOptions {
  /** The operator's `--allow-private-destinations`: any address, and `http:` too. */
  allowPrivate: boolean;
  /** Bounds lookup, TCP and TLS together, ms, for requests without their own bound. */
  connectTimeoutMs: number;
  /**
   * Most connections to one origin. Further requests wait in the agent while their deadline runs.
   * Destinations of different accounts can share an origin, so this must be at least the number of
   * all attempts under way. Unlimited by default, because the dispatcher bounds it.
   */
  maxConnectionsPerOrigin?: number;
  /** Resolves names. With `dns.lookup`, hanging names would block others. */
  lookup: net.LookupFunction;
}

/** Sends deliveries, only to public addresses unless others are allowed. */
export interface DeliveryAgent extends Pick<Dispatcher, 'dispatch'> {
  /** Sends a request over its own connection, which no other request uses before or after. */
  dispatchAlone: Dispatcher['dispatch'];
  /** Ends all connections, also those that are being made. Requests under way fail. */
  destroy(): Promise<void>;
}

/**
 * Opens each socket itself, with the block list in `net.connect`, and gives it to undici for TLS
 * only once it is connected:
 *
 * - undici would drop a block list in its options for `https:`;
 * - for a literal address there is no lookup, but the block list still applies;
 * - a connecting socket changes its handle when it falls back to the name's next address, and TLS
 *   would keep the old handle.
 */
export function createDeliveryAgent({
  allowPrivate,
  connectTimeoutMs,
  maxConnectionsPerOrigin,
  lookup,
}: DeliveryAgentOptions): DeliveryAgent {
  const guard = allowPrivate
    ? { lookup }
    : { lookup: guardedLookup(lookup), blockList: publicOnlyBlockList() };
  // Set explicitly, so that neither NODE_TLS_REJECT_UNAUTHORIZED nor --tls-min-v1.0 weakens TLS.
  const secure = buildConnector({
    allowH2: false,
    timeout: 0,
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    keepAliveInitialDelay: TCP_KEEP_ALIVE_DELAY_MS,
  });
  const connecting = new Set<net.Socket>();

  const connect: Connector = (options, callback) => {
    const isTls = options.protocol === 'https:';
    if (!isTls && !allowPrivate) {
      const error = new AttemptFailure('blocked_address', 'Plain http: is not allowed.');
      queueMicrotask(() => callback(error, null));
      return;
    }
    const socket = net.connect({
      host: options.hostname,
      port: Number(options.port) || (isTls ? 443 : 80),
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: TCP_KEEP_ALIVE_DELAY_MS,
      ...guard,
    });
    let handshaking = false;
    const settle = (error: Error | null, connected: net.Socket) => {
      // The stages race, and only the first one settles this connect.
      if (!connecting.delete(socket)) return;
      clearTimeout(timer);
      if (!error) {
        callback(null, connected);
        return;
      }
      socket.destroy();
      callback(handshaking ? tlsFailure(error) : error, null);
    };
    const timer = setTimeout(() => {
      handshaking = false;
      settle(new AttemptFailure('timeout', 'The connection was not made in time.'), socket);
    }, options.timeoutMs ?? connectTimeoutMs);
    connecting.add(socket);
    socket.on('error', (error) => settle(error, socket));
    socket.once('close', () => {
      settle(new AttemptFailure('connect_error', 'The connection was closed.'), socket);
    });
    socket.once('connect', () => {
      if (!isTls) {
        settle(null, socket);
        return;
      }
      handshaking = true;
      secure({ ...options, httpSocket: socket }, (error, secured) => {
        settle(error, secured ?? socket);
      });
    });
  };

  const options = {
    allowH2: false,
    connections: maxConnectionsPerOrigin ?? null,
    maxHeaderSize: RESPONSE_HEADERS_MAX_BYTES,
    keepAliveTimeout: IDLE_DEFAULT_MS,
    keepAliveMaxTimeout: IDLE_MAX_MS,
    keepAliveTimeoutThreshold: IDLE_MARGIN_MS,
    // The attempt's own deadline covers headers and body.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const agentOf = (pipelining: number) =>
    new Agent({
      factory: (origin) =>
        new Pool(origin, {
          ...options,
          pipelining,
          factory: (url, clientOptions) => new WatchedClient(url, { ...clientOptions, connect }),
        }),
    });
  const keeping = agentOf(1);
  // With no pipelining, undici closes each connection after its request.
  const closing = agentOf(0);

  return {
    dispatch: (request, handler) => keeping.dispatch(request, handler),
    dispatchAlone: (request, handler) => closing.dispatch(request, handler),
    async destroy() {
      const destroyed = Promise.all([keeping.destroy(), closing.destroy()]);
      // undici destroys only connected sockets.
      for (const socket of connecting) socket.destroy();
      await destroyed;
    },
  };
}
