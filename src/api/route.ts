import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GenericSchema, InferOutput } from 'valibot';
import type { Principal } from '../accounts/principal.ts';
import type { Endpoint, EventSummary } from '../core/model.ts';

/**
 * A route is data: `app.ts` serves it, `openapi.ts` describes it, and the 405 and 404
 * answers come from the same list. Before `handle` runs, `app.ts` checks the token,
 * the plan, the ownership of the path's ids, and the input, in this order. A handler
 * never sees another account's endpoint or event.
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
  /** Status of a success. */
  status: number;
  /** Shape of a success's JSON, for the OpenAPI document and the tests. */
  response?: GenericSchema;
  /** Media type of a success without JSON, for the same. */
  mediaType?: string;
  /** Another success, which `handle` returns as `WithStatus`. */
  also?: { status: number; description: string; response: GenericSchema };
  handle(context: RouteContext<A, Q, B>): Promise<unknown> | unknown;
}

/**
 * Who may call a route, and which ids of the path are resolved:
 *
 * - `public`: anybody;
 * - `account`: a valid token;
 * - `endpoint`: a valid token, and `{id}` names an endpoint of that account;
 * - `event`: also, `{eventId}` names an event of that endpoint. In a path without
 *   `{id}`, the event may belong to any endpoint of the account.
 */
export type Access = 'public' | 'account' | 'endpoint' | 'event';

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
  endpoint: A extends 'endpoint' | 'event' ? Endpoint : undefined;
  event: A extends 'event' ? EventSummary : undefined;
}

/** Defines a route. Infers the context of `handle` from the schemas. */
export function route<
  A extends Access,
  Q extends GenericSchema | undefined = undefined,
  B extends GenericSchema | undefined = undefined,
>(definition: Route<A, Q, B>): Route {
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
