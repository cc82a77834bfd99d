import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GenericSchema, InferOutput } from 'valibot';
import type { Principal } from '../accounts/principal.ts';
import type { Endpoint, EventSummary } from '../core/model.ts';

/**
 * A route is data: `app.ts` serves it, `openapi.ts` describes it, and the 405
 * and 404 answers come from the same list. Before `handle` runs, in this order,
 * the token is checked, the plan, the ownership of what the path names, and the
 * input; a handler never sees another account's endpoint or event.
 */
export interface Route<
  A extends Access = Access,
  Q extends GenericSchema | undefined = GenericSchema | undefined,
  B extends GenericSchema | undefined = GenericSchema | undefined,
> {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** OpenAPI form: `/api/endpoints/{id}/events/{eventId}`. */
  path: string;
  /** One line for the OpenAPI document. */
  summary: string;
  tag: string;
  access: A;
  /** Only for accounts of the starter and pro plans. */
  paid?: boolean;
  query?: Q;
  body?: B;
  /** Request headers that `handle` reads, for the OpenAPI document. */
  headers?: GenericSchema;
  /** Status of the success. */
  status: number;
  /** Shape of the success's JSON, for the OpenAPI document and the tests. */
  response?: GenericSchema;
  /** Type of a success that has no such shape, for the same. */
  mediaType?: string;
  /** Another success, which `handle` answers by `WithStatus`. */
  also?: { status: number; description: string; response: GenericSchema };
  handle(context: RouteContext<A, Q, B>): Promise<unknown> | unknown;
}

/**
 * Who may call, and what the path's ids are resolved to:
 *
 * - `public`: anyone;
 * - `account`: a valid token;
 * - `endpoint`: also an endpoint of that account named by `{id}`;
 * - `event`: also an event of that endpoint named by `{eventId}`; in a path
 *   without `{id}`, an event of any of the account's endpoints.
 */
export type Access = 'public' | 'account' | 'endpoint' | 'event';

type Parsed<S> = S extends GenericSchema ? InferOutput<S> : undefined;

export interface RouteContext<A extends Access, Q, B> {
  req: IncomingMessage;
  res: ServerResponse;
  requestId: string;
  /** Where the request came from, through trusted proxies only. */
  address: string;
  params: Record<string, string>;
  query: Parsed<Q>;
  body: Parsed<B>;
  /** Aborted when the client leaves before it is answered. */
  signal: AbortSignal;
  principal: A extends 'public' ? undefined : Principal;
  endpoint: A extends 'endpoint' | 'event' ? Endpoint : undefined;
  event: A extends 'event' ? EventSummary : undefined;
}

/** Infers a route's context from its schemas. */
export function route<
  A extends Access,
  Q extends GenericSchema | undefined = undefined,
  B extends GenericSchema | undefined = undefined,
>(definition: Route<A, Q, B>): Route {
  return definition as unknown as Route;
}

/** Returned by a handler that has answered `res` itself (streams, downloads). */
export const ANSWERED = Symbol('answered');

/** A handler's result that is JSON text already: an event's body is spliced in as it came. */
export class JsonText {
  readonly text: Buffer;

  constructor(text: Buffer) {
    this.text = text;
  }
}

/** A handler's result with another success's status than its route's. */
export class WithStatus {
  readonly status: number;
  readonly value: unknown;

  constructor(status: number, value: unknown) {
    this.status = status;
    this.value = value;
  }
}
