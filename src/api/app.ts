import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { H3, type H3Event, HTTPResponse, type Middleware, toNodeHandler } from 'h3';
import type { Principal } from '../accounts/principal.ts';
import { refuseForeignOrigin } from '../accounts/same-origin.ts';
import { HookrelayError } from '../core/errors.ts';
import { readBody } from '../core/http/read-body.ts';
import { newId } from '../core/ids.ts';
import type { Logger } from '../core/runtime/runtime.ts';
import { JSON_HEADERS, logLevelOfError, sendError } from '../ingress/error-response.ts';
import { type Owned, type OwnedStores, ownedBy, requireRights, requireScope } from './access.ts';
import type { AuditLog } from './audit-log.ts';
import type { AuditNote, PublicAuditNote } from './audit-note.ts';
import { parseInput, parseJson, queryOf } from './input.ts';
import { ANSWERED, JsonText, type Route, WithStatus } from './route.ts';

/** Longest body of most API calls. The largest inputs are an endpoint's response and a secret. */
const MAX_BODY_BYTES = 256 * 1024;
/** `JSON_HEADERS` as h3 takes headers. */
const JSON_HEADERS_BY_NAME = Object.fromEntries(
  JSON_HEADERS.flatMap((name, i) => (i % 2 === 0 ? [[name, JSON_HEADERS[i + 1]]] : [])),
);

export interface AppOptions extends OwnedStores {
  routes: readonly Route[];
  log: Logger;
  /** The account behind an Authorization header. Throws the 401 errors. */
  authenticate(authorization: string | undefined): Promise<Principal>;
  /** Writes the audit entries of handlers. */
  audit: Pick<AuditLog, 'write'>;
  /** Delays an account that uses most of the processor. Throws `busy`. */
  admit(account: string, signal: AbortSignal): Promise<void>;
  clientAddress(req: IncomingMessage): string;
  /** URL that people open. */
  baseUrl(): string;
  /** Answers a browser at an unknown address outside the API. Returns false for other requests. */
  lost(req: IncomingMessage, res: ServerResponse): boolean;
  /** Longest time to receive a body, ms. */
  bodyTimeoutMs: number;
}

/**
 * Serves the route table. h3 matches methods and paths, and calls `refuse` for every error. This
 * file checks tokens, plan, ownership and input, writes the audit, and shapes answers, once for all
 * routes.
 */
export function createApp(options: AppOptions): RequestListener {
  const app = new H3({
    silent: true,
    onError: (error, event) => refuse(event, error.unhandled ? error.cause : error, options),
  });
  const unknown = (event: H3Event) => refuseUnknown(event, options);
  for (const [path, routes] of Map.groupBy(options.routes, (route) => route.path)) {
    const oneSpelling: Middleware = (event, next) =>
      isSpelled(path, pathOf(nodeOf(event).req)) ? next() : unknown(event);
    const only = { middleware: [oneSpelling] };
    for (const route of routes) {
      for (const method of methodsOf(route)) {
        app.on(method, h3Path(path), (event) => serve(route, event, options), only);
      }
    }
    const allow = routes.flatMap(methodsOf).join(', ');
    const refuseMethod = () => {
      throw new HookrelayError('method_not_allowed', `this path allows ${allow}`, { allow });
    };
    app.all(h3Path(path), refuseMethod, only);
  }
  app.all('/**', unknown);
  return toNodeHandler(app) as RequestListener;
}

interface Node {
  req: IncomingMessage;
  res: ServerResponse;
}

/** Node's request and response. h3's type allows HTTP/2, which this server never speaks. */
function nodeOf(event: H3Event): Node {
  return event.runtime?.node as Node;
}

/**
 * Returns whether a path is the one spelling of a route's path. h3 also accepts `/api/me/` and
 * `/api/%6de` for `/api/me`.
 */
function isSpelled(route: string, path: string): boolean {
  const given = path.split('/');
  const segments = route.split('/');
  return (
    segments.length === given.length &&
    segments.every((segment, i) => segment.startsWith('{') || segment === given[i])
  );
}

/** A request that a route answers. */
interface Served {
  id: string;
  route: Route;
  /** Monotonic time, ms. */
  startedAt: number;
  signal: AbortSignal;
}

declare module 'h3' {
  interface H3EventContext {
    /** Missing if no route matched. */
    served?: Served;
  }
}

/** Answers a request by its route. Throws the errors, which `refuse` answers. */
async function serve(route: Route, event: H3Event, options: AppOptions): Promise<unknown> {
  const { clock } = options;
  const { req, res } = nodeOf(event);
  // Listens before the first await: the client may leave while its token is checked.
  const left = new AbortController();
  res.once('close', () => left.abort(new Error('the client left')));
  const id = newId('req', clock.now());
  const served = { id, route, startedAt: clock.monotonic(), signal: left.signal };
  event.context.served = served;
  const result = await answerOf(route, event.context.params ?? {}, req, res, served, options);
  if (result === ANSWERED) {
    const answered = await answeredByNode(res);
    logServed(served, res.statusCode, options);
    return answered;
  }
  const [status, value] =
    result instanceof WithStatus ? [result.status, result.value] : [route.status, result];
  logServed(served, status, options);
  return jsonAnswer(status, value, id);
}

/** Logs each request that isn't a GET, and each refused one. */
function logServed(served: Served, status: number, { clock, log }: AppOptions): void {
  const { id, route, startedAt } = served;
  if (route.method === 'GET' && status < 400) return;
  log.info('request', {
    request_id: id,
    method: route.method,
    route: route.path,
    status,
    duration_ms: Math.round(clock.monotonic() - startedAt),
  });
}

/** Answers and logs an error. It is the only way from an error to an answer. */
async function refuse(event: H3Event, error: unknown, options: AppOptions): Promise<HTTPResponse> {
  const { req, res } = nodeOf(event);
  const { served } = event.context;
  const requestId = served?.id ?? newId('req', options.clock.now());
  const isGone = served?.signal.aborted && error === served.signal.reason;
  const level = isGone ? null : logLevelOfError(error);
  if (level) {
    options.log[level]('a request failed', {
      request_id: requestId,
      route: served?.route.path,
      error,
    });
  }
  sendError(req, res, error, { requestId });
  if (served) logServed(served, res.statusCode, options);
  return answeredByNode(res);
}

/**
 * Waits until a response that was written to Node is sent or broken, because h3 ends it as soon as
 * it has an answer. Returns an empty answer for h3, which then writes nothing.
 */
async function answeredByNode(res: ServerResponse): Promise<HTTPResponse> {
  if (!res.writableEnded && !res.destroyed) {
    await new Promise((resolve) => res.once('close', resolve));
  }
  return new HTTPResponse(null);
}

/**
 * Checks token, rights, plan, ownership and input in this order: errors reveal nothing to
 * strangers.
 */
async function answerOf(
  route: Route,
  params: Record<string, string>,
  req: IncomingMessage,
  res: ServerResponse,
  { id: requestId, signal }: Served,
  options: AppOptions,
): Promise<unknown> {
  let principal: Principal | undefined;
  let owned: Owned = {};
  if (route.access === 'public') {
    if (route.method !== 'GET') refuseForeignOrigin(req, options.baseUrl());
  } else {
    principal = await options.authenticate(req.headers.authorization);
    requireRights(route, principal);
    await options.admit(principal.user.id, signal);
    if (route.paid && principal.user.plan === 'free') {
      throw new HookrelayError('plan_required', 'this route needs the starter or the pro plan', {
        hint: `hookrelay users set-plan ${principal.user.email} starter`,
      });
    }
    owned = await ownedBy(principal, route, params, options);
  }
  const query = route.query && parseInput(route.query, queryOf(req.url as string));
  const body = route.body && parseInput(route.body, parseJson(await bodyOf(req, route, options)));
  if (principal && route.onlyReads && !route.onlyReads(body as never)) {
    requireScope(route.scope, principal);
  }
  let noted: AuditNote | PublicAuditNote | undefined;
  const address = options.clientAddress(req);
  const result = await route.handle({
    req,
    res,
    requestId,
    address,
    params,
    query: query as never,
    body: body as never,
    signal,
    principal: principal as never,
    endpoint: owned.endpoint as never,
    event: owned.event as never,
    delivery: owned.delivery as never,
    issue: owned.issue as never,
    eventSeq: owned.eventSeq as never,
    record(note) {
      noted = note;
    },
  });
  const who = noted && 'by' in noted ? noted.by : principal;
  if (noted && who && typeof route.audit === 'string') {
    await options.audit.write(route.audit, who, noted, address);
  }
  return result;
}

function bodyOf(
  req: IncomingMessage,
  { maxBodyBytes = MAX_BODY_BYTES }: Route,
  { bodyTimeoutMs }: AppOptions,
): Promise<Buffer> {
  return readBody(req, { maxBytes: maxBodyBytes, deadlineMs: bodyTimeoutMs });
}

function jsonAnswer(status: number, result: unknown, requestId: string): HTTPResponse {
  const headers = { 'x-request-id': requestId };
  if (result === undefined) return new HTTPResponse(null, { status, headers });
  const body = result instanceof JsonText ? result.text : JSON.stringify(result);
  const length = String(Buffer.byteLength(body));
  const all = { ...headers, ...JSON_HEADERS_BY_NAME, 'content-length': length };
  // The type of a fetch body excludes memory that threads share. Node sends it all the same.
  return new HTTPResponse(body as string | Buffer<ArrayBuffer>, { status, headers: all });
}

/** Answers an unknown path with 404, or a browser with the page for lost visitors. */
async function refuseUnknown(event: H3Event, options: AppOptions): Promise<HTTPResponse> {
  const { req, res } = nodeOf(event);
  if (!pathOf(req).startsWith('/api/') && options.lost(req, res)) {
    return answeredByNode(res);
  }
  throw new HookrelayError('not_found', 'there is nothing at this path', {
    hint: 'see /api/openapi.json',
  });
}

function pathOf(req: IncomingMessage): string {
  return (req.url as string).split('?')[0] as string;
}

/** Methods of a route. GET includes HEAD, for which h3 omits the body. */
function methodsOf({ method }: Route): ('HEAD' | Route['method'])[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}

/** h3's form of a path: `/a/:id` for `/a/{id}`. */
function h3Path(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}
