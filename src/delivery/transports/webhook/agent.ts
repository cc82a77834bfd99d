import net from 'node:net';
import { Agent, buildConnector, type Dispatcher, Pool } from 'undici';
import { AttemptFailure } from '../../network/attempt-failure.ts';
import { publicOnlyBlockList } from '../../network/block-list.ts';
import { guardedLookup } from '../../network/guarded-lookup.ts';
import { tlsFailure } from './attempt-error.ts';
import { WatchedClient } from './watched-client.ts';

/** Bounds what one response's headers take of memory, bytes. */
const RESPONSE_HEADERS_MAX_BYTES = 16 * 1024;
/**
 * How long an idle connection is kept, ms. Below the 5 s after which Node and
 * Apache close theirs: a request sent into a closing connection is a failed attempt.
 */
const IDLE_DEFAULT_MS = 4000;
/** The most of it that a receiver's `Keep-Alive` header can ask for, ms. */
const IDLE_MAX_MS = 30_000;
/** Taken off a receiver's `Keep-Alive` timeout, for the way there, ms. */
const IDLE_MARGIN_MS = 1000;
/** Idle time after which TCP probes the peer, ms. */
const TCP_KEEP_ALIVE_DELAY_MS = 60_000;

export interface DeliveryAgentOptions {
  /** The operator's `--allow-private-destinations`: any address, and `http:` too. */
  allowPrivate: boolean;
  /** Bounds lookup, TCP and TLS together, ms. Give it the attempt's own timeout. */
  connectTimeoutMs: number;
  /**
   * Most connections to one origin; past it, requests wait inside the agent
   * while their deadline runs. Destinations of different accounts can share an
   * origin, so this must be no less than what may be in flight in all. No limit
   * by default: the dispatcher's caps bound it.
   */
  maxConnectionsPerOrigin?: number;
  /** Resolves names. `dns.lookup` only where names that hang hold up nobody else. */
  lookup: net.LookupFunction;
}

/** What sends deliveries. Nothing in it reaches an address that isn't public, unless allowed. */
export interface DeliveryAgent extends Pick<Dispatcher, 'dispatch'> {
  /** Sends a request over a connection of its own: no other uses it before or after. */
  dispatchAlone: Dispatcher['dispatch'];
  /** Ends every connection, also those being made. Requests under way fail. */
  destroy(): Promise<void>;
}

/**
 * The agent opens each socket itself, with the block list in `net.connect`, and
 * gives it to undici for TLS only once it is connected:
 *
 * - passed on as a mere option, the block list is dropped for `https:`;
 * - a lookup is never called for a literal address; the block list is;
 * - a socket still connecting can change its handle when it falls over to the
 *   name's next address, and TLS would stay with the old one.
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
  // Explicit, so that neither NODE_TLS_REJECT_UNAUTHORIZED nor --tls-min-v1.0 weakens it.
  const secure = buildConnector({
    allowH2: false,
    timeout: 0,
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    keepAliveInitialDelay: TCP_KEEP_ALIVE_DELAY_MS,
  });
  const connecting = new Set<net.Socket>();

  const connect: buildConnector.connector = (options, callback) => {
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
      // Also says whether this connect was settled before: the stages race.
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
    }, connectTimeoutMs);
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
    // The attempt's own deadline covers both.
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
  // Without pipelining undici closes each connection after its request.
  const closing = agentOf(0);

  return {
    dispatch: (request, handler) => keeping.dispatch(request, handler),
    dispatchAlone: (request, handler) => closing.dispatch(request, handler),
    async destroy() {
      const destroyed = Promise.all([keeping.destroy(), closing.destroy()]);
      // undici leaves a socket alone until it is connected.
      for (const socket of connecting) socket.destroy();
      await destroyed;
    },
  };
}
