import type net from 'node:net';
import { ConnectionPool } from './connection/connection-pool.ts';
import { AgentClosed, type Exchange } from './connection/exchange.ts';
import { GuardedConnect } from './connection/guarded-connect.ts';
import { requestHead } from './connection/request-head.ts';

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
export interface DeliveryAgent {
  /** @param connectTimeoutMs the longest time for making a connection, ms */
  send(exchange: Exchange, connectTimeoutMs?: number): void;
  /** Ends all connections, including unfinished ones. Requests under way fail. */
  destroy(): Promise<void>;
}

/**
 * Makes an agent that speaks HTTP/1.1 on connections that it keeps. A request takes half of the CPU
 * that it takes with undici.
 */
export function createDeliveryAgent({
  allowPrivate,
  connectTimeoutMs: defaultTimeoutMs,
  maxConnectionsPerOrigin = Number.POSITIVE_INFINITY,
  lookup,
}: DeliveryAgentOptions): DeliveryAgent {
  const guarded = new GuardedConnect({ allowPrivate, lookup });
  const pools = new Map<string, ConnectionPool>();
  let isClosed = false;

  const poolOf = (origin: string): ConnectionPool => {
    let pool = pools.get(origin);
    if (!pool) {
      pool = new ConnectionPool({
        maxConnections: maxConnectionsPerOrigin,
        connect: (timeoutMs, onConnected) => guarded.connect(origin, timeoutMs, onConnected),
        onEmpty: () => pools.delete(origin),
      });
      pools.set(origin, pool);
    }
    return pool;
  };

  return {
    send(exchange, connectTimeoutMs = defaultTimeoutMs) {
      if (isClosed) {
        exchange.onError(new AgentClosed());
        return;
      }
      let head: string;
      try {
        head = requestHead(exchange.request);
      } catch (error) {
        exchange.onError(error as Error);
        return;
      }
      poolOf(exchange.request.origin).send({ head, exchange, connectTimeoutMs });
    },
    async destroy() {
      isClosed = true;
      guarded.destroy();
      await Promise.all(Array.from(pools.values(), (pool) => pool.destroy()));
    },
  };
}
