import type { IncomingMessage, ServerResponse } from 'node:http';
import * as v from 'valibot';
import type { Scope } from '../store/contract/live.ts';
import { JoinedFrames } from './joined-frames.ts';
import { LiveStream, type LiveStreamOptions } from './live-stream.ts';
import { ANSWERED, type Route, route } from './route.ts';
import { timestampSchema } from './timestamp.ts';
import { WritePace } from './write-pace.ts';

const querySchema = v.object({ from: v.optional(timestampSchema) });
const headersSchema = v.object({
  'Last-Event-ID': v.optional(
    v.pipe(
      v.string(),
      v.description(
        'Id of the last thing read: the stream goes on after it, whatever `from` says.',
      ),
    ),
  ),
});

export interface StreamRoutes {
  routes: Route[];
  openCount(): number;
  /** Ends every open stream: the server is shutting down. */
  endAll(): void;
}

/**
 * Server-sent events of what is captured (`event`) and attempted (`attempt`).
 * Each has an id, a cursor `history.eventSeq.attemptSeq`; with it as
 * `Last-Event-ID` a stream goes on where it was, without a gap or a double;
 * with `?from=` it starts at a time.
 *
 * It begins with `ready`, which carries a cursor too, so that even a stream
 * that has seen nothing yet can resume; with `reset` instead when the cursor
 * given is of another database, or past what this one holds since a restore or a
 * failover: what came in between is unknown. A new history ends all streams, so that
 * each finds out by its cursor.
 */
export function streamRoutes(options: Omit<LiveStreamOptions, 'pace' | 'joined'>): StreamRoutes {
  const open = new Set<LiveStream>();
  const shared = { pace: new WritePace(), joined: new JoinedFrames() };
  const tag = 'live';

  function start(
    scope: Scope,
    res: ServerResponse,
    req: IncomingMessage,
    expiresAt: number | null,
    from: number | undefined,
  ): typeof ANSWERED {
    // The client may have left while its token was checked; h3 has answered it then.
    if (res.destroyed || res.headersSent) return ANSWERED;
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
    const stream = new LiveStream(res, scope, { cursor, from }, { ...options, ...shared });
    open.add(stream);
    res.once('close', () => open.delete(stream));
    void stream.run(req.headers.authorization, expiresAt);
    return ANSWERED;
  }

  return {
    openCount: () => open.size,
    endAll() {
      for (const stream of open) stream.shutDown();
    },
    routes: [
      route({
        method: 'GET',
        path: '/api/stream',
        summary: 'Follow all endpoints of the account live (server-sent events)',
        tag,
        access: 'account',
        query: querySchema,
        headers: headersSchema,
        status: 200,
        mediaType: 'text/event-stream',
        handle: ({ req, res, principal, query }) =>
          start({ userId: principal.user.id }, res, req, principal.expiresAt, query.from),
      }),
      route({
        method: 'GET',
        path: '/api/endpoints/{id}/stream',
        summary: 'Follow one endpoint live (server-sent events)',
        tag,
        access: 'endpoint',
        query: querySchema,
        headers: headersSchema,
        status: 200,
        mediaType: 'text/event-stream',
        handle: ({ req, res, principal, endpoint, query }) =>
          start({ endpointKey: endpoint.key }, res, req, principal.expiresAt, query.from),
      }),
    ],
  };
}
