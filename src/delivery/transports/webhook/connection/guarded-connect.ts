import net from 'node:net';
import tls from 'node:tls';
import { AttemptFailure } from '../../../network/attempt-failure.ts';
import { publicOnlyBlockList } from '../../../network/block-list.ts';
import { tlsFailure } from '../../../network/connection-error.ts';
import { guardedLookup } from '../../../network/guarded-lookup.ts';

/** How long a connection is idle before TCP probes the peer, ms. */
const TCP_KEEP_ALIVE_DELAY_MS = 60_000;
/** The largest number of origins whose TLS session is kept for the next handshake. */
const SESSIONS_MAX = 100;

export interface GuardedConnectOptions {
  /** The operator's `--allow-private-destinations`. It allows any address, and `http:`. */
  allowPrivate: boolean;
  /**
   * Resolves names. Don't pass `dns.lookup`, because an unanswered name would block other names.
   */
  lookup: net.LookupFunction;
}

/** Gets the connected socket, or the error. */
type OnConnected = (error: Error | null, socket: net.Socket | null) => void;

/**
 * Opens connections, to public addresses only unless the operator allows others. It passes the block
 * list to `net.connect`, and gives the connected socket to TLS. There are two reasons:
 *
 * - A literal address has no lookup that could check it, but the block list still applies.
 * - A socket that falls back to the name's next address has a new handle. TLS would keep the old
 *   handle.
 */
export class GuardedConnect {
  readonly #allowPrivate: boolean;
  readonly #guard: Pick<net.TcpNetConnectOpts, 'lookup' | 'blockList'>;
  readonly #connecting = new Set<net.Socket>();
  /** The newest session of each origin. It shortens the next handshake. */
  readonly #sessions = new Map<string, Buffer>();

  constructor({ allowPrivate, lookup }: GuardedConnectOptions) {
    this.#allowPrivate = allowPrivate;
    this.#guard = allowPrivate
      ? { lookup }
      : { lookup: guardedLookup(lookup), blockList: publicOnlyBlockList() };
  }

  /**
   * Opens a connection to an origin. Calls `onConnected` once, after this method has returned.
   *
   * @param timeoutMs the longest time for lookup, TCP and TLS together
   */
  connect(origin: string, timeoutMs: number, onConnected: OnConnected): void {
    const { protocol, hostname, port } = new URL(origin);
    const isTls = protocol === 'https:';
    if (!isTls && !this.#allowPrivate) {
      const error = new AttemptFailure('blocked_address', 'Plain http: is not allowed.');
      queueMicrotask(() => onConnected(error, null));
      return;
    }
    // A URL has an IPv6 address in brackets.
    const host = hostname.replace(/^\[(.*)\]$/, '$1');
    const socket = net.connect({
      host,
      port: Number(port) || (isTls ? 443 : 80),
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: TCP_KEEP_ALIVE_DELAY_MS,
      ...this.#guard,
    });
    let handshaking = false;
    const settle = (error: Error | null, connected: net.Socket) => {
      // Several events can settle this connect. Only the first one does.
      if (!this.#connecting.delete(socket)) return;
      clearTimeout(timer);
      if (!error) {
        onConnected(null, connected);
        return;
      }
      socket.destroy();
      onConnected(handshaking ? tlsFailure(error) : error, null);
    };
    const timer = setTimeout(() => {
      handshaking = false;
      settle(new AttemptFailure('timeout', 'The connection was not made in time.'), socket);
    }, timeoutMs);
    this.#connecting.add(socket);
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
      const secured = this.#secure(origin, host, socket);
      secured.on('error', (error) => settle(error, secured));
      secured.once('secureConnect', () => settle(null, secured));
    });
  }

  /** Ends the connections that aren't made yet. Their callers get an error. */
  destroy(): void {
    for (const socket of this.#connecting) socket.destroy();
  }

  #secure(origin: string, host: string, socket: net.Socket): tls.TLSSocket {
    const session = this.#sessions.get(origin);
    const secured = tls.connect({
      socket,
      host,
      // A certificate for an address is checked by `host`. SNI has names only (RFC 6066).
      servername: net.isIP(host) === 0 ? host : '',
      ALPNProtocols: ['http/1.1'],
      // These options keep TLS strict despite NODE_TLS_REJECT_UNAUTHORIZED or --tls-min-v1.0.
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      ...(session && { session }),
    });
    return secured.on('session', (newest) => this.#keepSession(origin, newest));
  }

  #keepSession(origin: string, session: Buffer): void {
    this.#sessions.delete(origin);
    this.#sessions.set(origin, session);
    if (this.#sessions.size <= SESSIONS_MAX) return;
    const [oldest] = this.#sessions.keys();
    this.#sessions.delete(oldest as string);
  }
}
