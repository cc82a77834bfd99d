import net from 'node:net';
import { Agent, buildConnector, type Dispatcher, Pool } from 'undici';
import { AttemptFailure } from '../../network/attempt-failure.ts';
import { publicOnlyBlockList } from '../../network/block-list.ts';
import { tlsFailure } from '../../network/connection-error.ts';
import { guardedLookup } from '../../network/guarded-lookup.ts';
import { type Connector, WatchedClient } from './watched-client.ts';

/** The largest header section of a response, bytes. It bounds memory. */
const RESPONSE_HEADERS_MAX_BYTES = 16 * 1024;
/**
 * How long an idle connection is kept, ms. Node and Apache close theirs after 5 s. A request that
 * is sent as the receiver closes the connection would be a failed attempt.
 */
const IDLE_DEFAULT_MS = 4000;
/** The longest idle time that a receiver's `Keep-Alive` header can ask for, ms. */
const IDLE_MAX_MS = 30_000;
/** The margin below the timeout of a `Keep-Alive` header, ms. A request takes time to arrive. */
const IDLE_MARGIN_MS = 1000;
/** How long a connection is idle before TCP probes the peer, ms. */
const TCP_KEEP_ALIVE_DELAY_MS = 60_000;

export interface DeliveryAgentOptions {
  /** The operator's `--allow-private-destinations`. It allows any address, and `http:`. */
  allowPrivate: boolean;
  /** The longest time for lookup, TCP and TLS together, ms. A request can have its own bound. */
  connectTimeoutMs: number;
  /**
   * The largest number of connections to one origin. Further requests wait in the agent, and their
   * deadline runs. Destinations of different accounts can share an origin, so this must be at least
   * the number of all attempts under way. Unlimited by default, because the dispatcher bounds that
   * number.
   */
  maxConnectionsPerOrigin?: number;
  /**
   * Resolves names. Don't pass `dns.lookup`, because an unanswered name would block other names.
   */
  lookup: net.LookupFunction;
}

/** Sends deliveries. It refuses addresses that aren't public, unless the operator allows them. */
export interface DeliveryAgent extends Pick<Dispatcher, 'dispatch'> {
  /** Sends a request over its own connection, which no other request uses. */
  dispatchAlone: Dispatcher['dispatch'];
  /** Ends all connections, including unfinished ones. Requests under way fail. */
  destroy(): Promise<void>;
}

/**
 * Makes an agent that opens each socket itself. It passes the block list to `net.connect`, and
 * gives undici the connected socket for TLS. There are three reasons:
 *
 * - undici would drop a block list from its options for `https:`.
 * - A literal address has no lookup that could check it, but the block list still applies.
 * - A socket that falls back to the name's next address has a new handle. TLS would keep the old
 *   handle.
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
  // These options keep TLS strict despite NODE_TLS_REJECT_UNAUTHORIZED or --tls-min-v1.0.
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
      // Several events can settle this connect. Only the first one does.
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
