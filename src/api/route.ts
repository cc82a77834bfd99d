import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GenericSchema, InferOutput } from 'valibot';
import type { Principal } from '../accounts/principal.ts';
import type { AuditAction } from '../core/audit.ts';
import type { NamedIssue } from '../core/issues/issue.ts';
import type { Endpoint, EventSummary, ListedDelivery, TokenScope } from '../core/model.ts';
import type { AuditNote, PublicAuditNote } from './audit-note.ts';

/**
 * A route is data: `app.ts` serves it, `openapi.ts` describes it, and the 405 and 404
 * answers come from the same list. Before `handle` runs, `app.ts` checks the token and
 * its rights, the plan, the ownership of the path's ids, and the input, in this order. A
 * handler never sees an endpoint or an event that the token may not see.
 */
export interface Route<
  M extends Method = Method,
  A extends Access = Access,
  Q extends GenericSchema | undefined = GenericSchema | undefined,
  B extends GenericSchema | undefined = GenericSchema | undefined,
> {
  method: M;
  /** OpenAPI form: `/api/endpoints/{id}/events/{eventId}`. */
  path: string;
  /** One line for the OpenAPI document. */
  summary: string;
  tag: string;
  access: A;
  /** The scope that an API token needs. A session has both. */
  scope?: TokenScope | undefined;
  /** Whether an input changes nothing (a dry run). Then the scope `read` is enough. */
  onlyReads?(body: Parsed<B>): boolean;
  /** The action of the audit entry that `handle` asks for by `record`. */
  audit?: AuditAction | Unaudited | undefined;
  /** Only for accounts of the starter and pro plans. */
  paid?: boolean;
  query?: Q;
  body?: B;
  /** Longest body, where it may be longer than most. */
  maxBodyBytes?: number;
  /** Request headers that `handle` reads, for the OpenAPI document. */
  headers?: GenericSchema;
  /** Status of a success. */
  status: number;
  /** Shape of a success's JSON, for the OpenAPI document and the tests. */
  response?: GenericSchema;
  /** Media type of a success without JSON, for the same. */
  mediaType?: string;
  /** Another answer: a success that `handle` returns as `WithStatus`, or an error with more to it. */
  also?: { status: number; description: string; response: GenericSchema };
  handle(context: RouteContext<A, Q, B>): Promise<unknown> | unknown;
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** A route that isn't a GET and adds nothing to the audit, and why. */
export interface Unaudited {
  unaudited: string;
}

/**
 * The decisions that a route can't leave out: the scope if API tokens may call it, and
 * the audit if it isn't a GET.
 */
type Decisions<M extends Method, A extends Access> = (A extends 'public' | 'session'
  ? { scope?: never }
  : { scope: TokenScope }) &
  (M extends 'GET' ? { audit?: never } : { audit: AuditAction | Unaudited });

/**
 * Who may call a route, and which ids of the path are resolved:
 *
 * - `public`: anybody;
 * - `session`: the access token of a login. No API token: a leaked one can't create a
 *   successor before its revocation, and can't lock the owner out;
 * - `account`: a token that sees the whole account;
 * - `account-part`: any valid token. The handler shows only what the token may see
 *   (`reaches` in `accounts/principal.ts`);
 * - `endpoint`: any valid token, and `{id}` names an endpoint that it may see;
 * - `event`: also, `{eventId}` names an event of that endpoint. In a path without
 *   `{id}`, the event may belong to any endpoint that the token may see;
 * - `delivery`, `attempt`: any valid token, and `{deliveryId}` or `{attemptId}` names one
 *   of an endpoint that the token may see;
 * - `issue`: any valid token, and `{issueId}` names an issue at an endpoint that the token
 *   may see, or an issue without an endpoint, for a token that sees the whole account.
 */
export type Access =
  | 'public'
  | 'session'
  | 'account'
  | 'account-part'
  | 'endpoint'
  | 'event'
  | 'delivery'
  | 'attempt'
  | 'issue';

type Parsed<S> = S extends GenericSchema ? InferOutput<S> : undefined;

export interface RouteContext<A extends Access, Q, B> {
  req: IncomingMessage;
  res: ServerResponse;
  requestId: string;
  /** The client's address, read through trusted proxies only. */
  address: string;
  params: Record<string, string>;
  query: Parsed<Q>;
  body: Parsed<B>;
  /** Aborts if the client leaves before its answer. */
  signal: AbortSignal;
  principal: A extends 'public' ? undefined : Principal;
  endpoint: A extends 'endpoint' | 'event' | 'delivery' | 'attempt' ? Endpoint : undefined;
  event: A extends 'event' ? EventSummary : undefined;
  delivery: A extends 'delivery' ? ListedDelivery : undefined;
  issue: A extends 'issue' ? NamedIssue : undefined;
  /** The event that the attempt sent. */
  eventSeq: A extends 'attempt' ? number : undefined;
  /** Adds an entry of the route's `audit` action to the audit once `handle` succeeds. */
  record(note: A extends 'public' ? PublicAuditNote : AuditNote): void;
}

/** Defines a route. Infers the context of `handle` from the schemas. */
export function route<
  M extends Method,
  A extends Access,
  Q extends GenericSchema | undefined = undefined,
  B extends GenericSchema | undefined = undefined,
>(definition: Route<M, A, Q, B> & Decisions<M, A>): Route {
  return definition as unknown as Route;
}

/** Result of a handler that answers `res` itself (streams, downloads). */
export const ANSWERED = Symbol('answered');

/** A handler's result as JSON text: an event's body is embedded unchanged. */
export class JsonText {
  readonly text: Buffer;

  constructor(text: Buffer) {
    this.text = text;
  }
}

/** A handler's result with another status than its route's. */
export class WithStatus {
  readonly status: number;
  readonly value: unknown;

  constructor(status: number, value: unknown) {
    this.status = status;
    this.value = value;
  }
}
