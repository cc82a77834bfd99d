import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { fromNodeHandler, H3, type NodeHandler, toNodeHandler } from 'h3';
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
 * Serves the route table. h3 matches paths. This file handles tokens, plan,
 * ownership, input, the audit, answers and errors, once for all routes.
 */
export function createApp(options: AppOptions): RequestListener {
  const app = new H3({ silent: true });
  for (const route of options.routes) {
    for (const method of methodsOf(route)) {
      app.on(method, h3Path(route.path), (event) =>
        onNode((req, res) => serve(route, event.context.params ?? {}, req, res, options))(event),
      );
    }
  }
  app.all(
    '/**',
    onNode((req, res) => refuseUnknown(req, res, options)),
  );
  const listener = toNodeHandler(app) as RequestListener;
  const patterns = options.routes.map(({ path }) => pathPattern(path));
  return (req, res) => {
    // h3 also accepts `/api/me/` and `/api/%6de` for `/api/me`. The API allows one spelling.
    if (patterns.some((pattern) => pattern.test(pathOf(req)))) listener(req, res);
    else refuseUnknown(req, res, options);
  };
}

/**
 * Wraps a handler that answers Node's response. h3 ends the response when its handler
 * returns, so a stream's handler returns when its reader is gone. (h3's type allows
 * HTTP/2 objects, which this server never creates.)
 */
function onNode(handle: (req: IncomingMessage, res: ServerResponse) => Promise<void> | void) {
  return fromNodeHandler((async (req: IncomingMessage, res: ServerResponse) => {
    await handle(req, res);
    if (!res.writableEnded && !res.destroyed) {
      await new Promise((resolve) => res.once('close', resolve));
    }
  }) as NodeHandler);
}

async function serve(
  route: Route,
  params: Record<string, string>,
  req: IncomingMessage,
  res: ServerResponse,
  options: AppOptions,
): Promise<void> {
  const { clock, log } = options;
  const requestId = newId('req', clock.now());
  const started = clock.monotonic();
  // Listens before the first await: the client may leave while its token is checked.
  const left = new AbortController();
  res.once('close', () => left.abort(new Error('the client left')));
  const { signal } = left;
  try {
    const result = await answerOf(route, params, req, res, { requestId, signal }, options);
    if (result instanceof WithStatus) sendResult(res, result.status, result.value, requestId);
    else if (result !== ANSWERED) sendResult(res, route.status, result, requestId);
  } catch (error) {
    const isGone = signal.aborted && error === signal.reason;
    const level = isGone ? null : logLevelOfError(error);
    if (level) log[level]('a request failed', { request_id: requestId, route: route.path, error });
    sendError(req, res, error, { requestId });
  }
  if (route.method !== 'GET' || res.statusCode >= 400) {
    log.info('request', {
      request_id: requestId,
      method: route.method,
      route: route.path,
      status: res.statusCode,
      duration_ms: Math.round(clock.monotonic() - started),
    });
  }
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
  { requestId, signal }: { requestId: string; signal: AbortSignal },
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

function sendResult(res: ServerResponse, status: number, result: unknown, requestId: string): void {
  // The client has left, and h3 has answered the closed response.
  if (res.destroyed) return;
  const headers = ['x-request-id', requestId];
  if (result === undefined) {
    res.writeHead(status, headers).end();
    return;
  }
  const body = result instanceof JsonText ? result.text : JSON.stringify(result);
  headers.push(...JSON_HEADERS, 'content-length', String(Buffer.byteLength(body)));
  res.writeHead(status, headers).end(body);
}

/** Answers 404 for an unknown path, or 405 with the allowed methods. */
function refuseUnknown(req: IncomingMessage, res: ServerResponse, options: AppOptions): void {
  const path = pathOf(req);
  const methods = options.routes
    .filter((route) => pathPattern(route.path).test(path))
    .flatMap(methodsOf);
  const requestId = newId('req', options.clock.now());
  if (methods.length === 0) {
    if (!path.startsWith('/api/') && options.lost(req, res)) return;
    const error = new HookrelayError('not_found', 'there is nothing at this path', {
      hint: 'see /api/openapi.json',
    });
    sendError(req, res, error, { requestId });
    return;
  }
  const allow = [...new Set(methods)].join(', ');
  const error = new HookrelayError('method_not_allowed', `this path allows ${allow}`, { allow });
  sendError(req, res, error, { requestId });
}

function pathOf(req: IncomingMessage): string {
  return (req.url as string).split('?')[0] as string;
}

/** Methods of a route. GET includes HEAD, for which Node omits the body. */
function methodsOf({ method }: Route): ('HEAD' | Route['method'])[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}

/** h3's form of a path: `/a/:id` for `/a/{id}`. */
function h3Path(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

function pathPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);
}
