import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal } from '../accounts/principal.ts';
import type { NamedIssue } from '../core/issues/issue.ts';
import type { Endpoint, EventSummary, ListedDelivery } from '../core/model.ts';
import type { AuditNote, PublicAuditNote } from './audit-note.ts';
import type { Access, Calls, Contract, Method, ParamsOf, Parsed } from './contract.ts';

/**
 * A contract with its handler. The 405 and 404 answers come from the same list. Before
 * `handle` runs, `app.ts` checks the token and its rights, the plan, the ownership of the
 * path's ids, and the input, in this order. A handler never sees an endpoint or an event
 * that the token may not see.
 */
export interface Route extends Contract {
  method: Method;
  /** OpenAPI form: `/api/endpoints/{id}/events/{eventId}`. */
  path: string;
  status: number;
  handle(context: RouteContext<string, Contract>): unknown;
}

export interface RouteContext<K, C extends Contract> {
  req: IncomingMessage;
  res: ServerResponse;
  requestId: string;
  /** The client's address, read through trusted proxies only. */
  address: string;
  params: Record<ParamsOf<K>, string>;
  query: Parsed<C['query']>;
  body: Parsed<C['body']>;
  /** Aborts if the client leaves before its answer. */
  signal: AbortSignal;
  principal: Needing<C, Exclude<Access, 'public'>, Principal>;
  endpoint: Needing<C, 'endpoint' | 'event' | 'delivery' | 'attempt', Endpoint>;
  event: Needing<C, 'event', EventSummary>;
  delivery: Needing<C, 'delivery', ListedDelivery>;
  issue: Needing<C, 'issue', NamedIssue>;
  /** The event that the attempt sent. */
  eventSeq: Needing<C, 'attempt', number>;
  /** Adds an entry of the route's `audit` action to the audit once `handle` succeeds. */
  record(note: C['access'] extends 'public' ? PublicAuditNote : AuditNote): void;
}

type Needing<C extends Contract, A extends Access, T> = C['access'] extends A ? T : undefined;

type Handler<K, C extends Contract> = (
  context: RouteContext<K, C>,
) => Result<C> | Promise<Result<C>>;

/** What a handler returns. It may hold readonly lists. */
type Result<C extends Contract> =
  | (C extends { response: infer S }
      ? Unchanged<Parsed<S>> | JsonText
      : C extends { mediaType: 'application/json' }
        ? object
        : C extends { mediaType: string }
          ? typeof ANSWERED
          : undefined)
  | (C extends { also: { response: infer S } } ? WithStatus<Unchanged<Parsed<S>>> : never);

type Unchanged<T> = T extends object ? { readonly [K in keyof T]: Unchanged<T[K]> } : T;

/** The routes of a table of contracts, in its order: each contract with its handler. */
export function routesOf<C extends Calls>(
  calls: C,
  handlers: NoInfer<{ [K in keyof C]: Handler<K, C[K] & Contract> }>,
): Route[] {
  return Object.entries(calls as Record<string, Contract>).map(([name, contract]) => {
    const [method, path] = name.split(' ') as [Method, string];
    const handle = handlers[name as keyof C] as Route['handle'];
    return { status: 200, ...contract, method, path, handle };
  });
}

/** Result of a handler that answers `res` itself (streams, downloads). */
export const ANSWERED = { answered: true } as const;

/** A handler's result as JSON text: an event's body is embedded unchanged. */
export class JsonText {
  readonly text: Buffer;

  constructor(text: Buffer) {
    this.text = text;
  }

  /** Returns the text of an object with more members, which stand first. */
  with(members: object): JsonText {
    const head = JSON.stringify(members).slice(0, -1);
    if (head === '{') return this;
    return new JsonText(Buffer.concat([Buffer.from(`${head},`), this.text.subarray(1)]));
  }
}

/** A handler's result with another status than its route's. */
export class WithStatus<T> {
  readonly status: number;
  readonly value: T;

  constructor(status: number, value: T) {
    this.status = status;
    this.value = value;
  }
}
