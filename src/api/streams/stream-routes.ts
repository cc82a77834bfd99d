import type * as v from 'valibot';
import type { Principal } from '../../accounts/principal.ts';
import { limitReached } from '../../core/limits.ts';
import type { CpuUse } from '../../core/turns/cpu-use.ts';
import { Turns } from '../../core/turns/turns.ts';
import type { Scope } from '../../store/contract/scope.ts';
import { scopeOf } from '../access.ts';
import type { Contract } from '../contract.ts';
import { ANSWERED, type Route, type RouteContext, routesOf } from '../route.ts';
import { Coalescer } from './coalescer.ts';
import { EventLookups } from './event-lookups.ts';
import { ReaderStream, type ReaderStreamOptions } from './reader-stream.ts';
import { SharedFrames } from './shared-frames.ts';
import { type querySchema, STREAM_CALLS } from './stream-calls.ts';

type Query = v.InferOutput<typeof querySchema>;

/**
 * How many streams may catch up at once, in all and per account. Each of them reads rows in
 * slices, on the thread or the connections that lists and searches use.
 */
const CATCH_UP_LIMITS = { slots: 2, slotsPerKey: 1 };

export interface StreamRoutesOptions
  extends Omit<ReaderStreamOptions, 'coalescer' | 'shared' | 'turns' | 'looks'> {
  /** Most open streams of an account. */
  most: number;
  /** The CPU that accounts used. It orders lookups of contents. */
  cpu: CpuUse;
}

export interface StreamRoutes {
  routes: Route[];
  openCount(): number;
  /** Ends every open stream. Readers reconnect with their cursors. */
  endAll(): void;
}

/**
 * Server-sent events for captured events (`event`) and attempts (`attempt`). The id of
 * each frame is a cursor `history.eventSeq.attemptSeq`. With it as `Last-Event-ID` a
 * stream resumes without a gap or a duplicate. With `?from=` a stream starts at a time.
 *
 * A stream begins with `ready`, which has a cursor too: a stream can resume before its
 * first item. It begins with `reset` if the given cursor belongs to another database, or
 * lies past this one's data after a restore or a failover: the items in between are
 * unknown. `cursor` replaces a heartbeat after items that don't fit the stream's `type` and
 * `where`. A new history ends all streams: each reader returns with its cursor.
 */
export function streamRoutes({ most, cpu, ...options }: StreamRoutesOptions): StreamRoutes {
  const open = new Set<ReaderStream>();
  /** Open streams by account. */
  const counts = new Map<string, number>();
  const turns = new Turns(CATCH_UP_LIMITS);
  const shared = {
    coalescer: new Coalescer(),
    shared: new SharedFrames(),
    turns,
    looks: new EventLookups(options.store, cpu),
  };

  function count(account: string, change: number): void {
    const now = (counts.get(account) ?? 0) + change;
    if (now > 0) counts.set(account, now);
    else counts.delete(account);
  }

  function start(
    { user, expiresAt }: Principal,
    scope: Scope,
    { req, res }: Pick<RouteContext<string, Contract>, 'req' | 'res'>,
    { from, type, where }: Query,
  ): typeof ANSWERED {
    // If the client left while its token was checked, h3 has answered already.
    if (res.destroyed || res.headersSent) return ANSWERED;
    if ((counts.get(user.id) ?? 0) >= most) throw limitReached('streams', most);
    res.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-accel-buffering': 'no',
    });
    if (req.method === 'HEAD') {
      res.end();
      return ANSWERED;
    }
    const lastEventId = req.headers['last-event-id'];
    const cursor = typeof lastEventId === 'string' && lastEventId !== '' ? lastEventId : null;
    const stream = new ReaderStream(
      res,
      user.id,
      scope,
      { cursor, from },
      { type: type ?? null, where: where ?? null },
      { ...options, ...shared },
    );
    open.add(stream);
    count(user.id, 1);
    res.once('close', () => {
      open.delete(stream);
      count(user.id, -1);
    });
    void stream.run(req.headers.authorization, expiresAt);
    return ANSWERED;
  }

  return {
    openCount: () => open.size,
    endAll() {
      for (const stream of open) stream.shutDown();
    },
    routes: routesOf(STREAM_CALLS, {
      'GET /api/stream': ({ principal, query, ...exchange }) =>
        start(principal, scopeOf(principal), exchange, query),
      'GET /api/endpoints/{id}/stream': ({ principal, endpoint, query, ...exchange }) =>
        start(principal, { endpointKeys: [endpoint.key] }, exchange, query),
    }),
  };
}
