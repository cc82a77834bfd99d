import type { GenericSchema, InferOutput } from 'valibot';
import type { AuditAction } from '../core/audit.ts';
import type { TokenScope } from '../core/model.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/**
 * What a route promises to its callers, as data. `routesOf` gives it a handler, `app.ts`
 * serves it, `openapi.ts` describes it, and `client/api.ts` derives the types of clients from it.
 */
export interface Contract {
  /** One line for the OpenAPI document. */
  summary: string;
  tag: string;
  access: Access;
  /** The scope that an API token needs. A session has both. */
  scope?: TokenScope;
  /** Whether an input changes nothing (a dry run). Then the scope `read` is enough. */
  onlyReads?(body: never): boolean;
  /** The action of the audit entry that the handler asks for by `record`. */
  audit?: AuditAction | Unaudited;
  /** Only for accounts of the starter and pro plans. */
  paid?: boolean;
  query?: GenericSchema;
  body?: GenericSchema;
  /** Longest body, for calls that take longer ones than most. */
  maxBodyBytes?: number;
  /** Request headers that the handler reads, for the OpenAPI document. */
  headers?: GenericSchema;
  /** Status of a success. Default: 200. */
  status?: number;
  /** A success's JSON: what the handler returns. */
  response?: GenericSchema;
  /** Media type of a success without JSON. */
  mediaType?: string;
  /**
   * Another answer: a success that the handler returns as `WithStatus`, or an error with
   * further members.
   */
  also?: { status: number; description: string; response: GenericSchema };
}

/** Why a route that isn't a GET writes no audit entry. */
interface Unaudited {
  unaudited: string;
}

/**
 * Contracts by call. The types require a scope if API tokens may call, and `audit` if the call
 * isn't a GET.
 */
export type Calls = {
  [read: `GET /${string}`]: Scoped & { audit?: never };
  [change: `${'POST' | 'PATCH' | 'DELETE'} /${string}`]: Scoped & {
    audit: AuditAction | Unaudited;
  };
};

type Scoped = Contract &
  (
    | { access: 'public' | 'session'; scope?: never }
    | { access: Exclude<Access, 'public' | 'session'>; scope: TokenScope }
  );

/**
 * Who may call a route, and which ids of the path are resolved:
 *
 * - `public`: anybody;
 * - `session`: the access token of a login, not an API token. Otherwise a leaked API token could
 *   create another one before the owner revokes it, or lock the owner out;
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

/** The names in the braces of a call's path. */
export type ParamsOf<K> = K extends `${string}{${infer P}}${infer Rest}`
  ? P | ParamsOf<Rest>
  : never;

/** The output of a contract's schema; undefined without one. */
export type Parsed<S> = S extends GenericSchema ? InferOutput<S> : undefined;
