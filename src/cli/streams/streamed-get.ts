import type { Readable } from 'node:stream';
import { Agent, type Dispatcher, request } from 'undici';
import { callTarget } from '../../api/client/call-target.ts';
import type { CallInput, CallOf } from '../../api/client/typed-call.ts';
import { type ErrorCode, HookrelayError } from '../../core/errors.ts';
import type { ApiClient } from '../client/api-client.ts';
import { isTokenRefused, refusal } from '../client/api-refusal.ts';
import { connectionFailure } from '../client/connection-failure.ts';

/** Deadline of the response headers, ms. */
const HEADERS_TIMEOUT_MS = 30_000;
/** How long a download may be silent, ms. */
const QUIET_TIMEOUT_MS = 30_000;
/** How much of an error's body is read, bytes. The body holds a code and a message. */
const ERROR_BODY_MAX_BYTES = 64 * 1024;

/** What a download needs of `ApiClient`: the URL and the tokens. */
export type StreamCaller = Pick<ApiClient, 'url' | 'authorization' | 'refresh' | 'refreshToken'>;

/** The calls of the API that are GETs. */
type GetCall = Extract<CallOf, `GET ${string}`>;

export interface GetOptions {
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** How long the body may be silent before reading it fails, ms. */
  quietTimeoutMs?: number;
}

export interface StreamedAnswer {
  headers: Dispatcher.ResponseData['headers'];
  /** The caller must read the body to its end, or destroy it. */
  body: Readable;
}

/**
 * Makes GETs whose answers are streamed: live streams, and bodies that are too large for memory.
 * `ApiClient` would keep the whole answer in memory.
 *
 * Throws the API's error as a `HookrelayError` with the same code. Throws `server_unreachable` or
 * `api_error` if no hookrelay answered. If the access token has expired, refreshes it once.
 */
export class StreamedGet {
  readonly #caller: StreamCaller;
  readonly #agent = new Agent({ allowH2: false, pipelining: 1 });

  constructor(caller: StreamCaller) {
    this.#caller = caller;
  }

  get url(): string {
    return this.#caller.url;
  }

  async get<K extends GetCall>(
    name: K,
    options: CallInput<K> & GetOptions,
  ): Promise<StreamedAnswer> {
    // While K is open, TypeScript can't read the members of a type that depends on it.
    const { path } = callTarget(name, options as never);
    try {
      return await this.#send(path, options);
    } catch (error) {
      // Without a refresh token, the refused token was an API token. A refresh can't help.
      if (!isTokenRefused(error) || this.#caller.refreshToken === null) throw error;
      await this.#caller.refresh();
      return this.#send(path, options);
    }
  }

  /** Ends all connections. Reading their bodies then fails. */
  close(): Promise<void> {
    return this.#agent.destroy();
  }

  async #send(path: string, { headers, signal, quietTimeoutMs }: GetOptions) {
    const { url } = this.#caller;
    const options = {
      dispatcher: this.#agent,
      headers: { ...headers, authorization: this.#caller.authorization() },
      headersTimeout: HEADERS_TIMEOUT_MS,
      bodyTimeout: quietTimeoutMs ?? QUIET_TIMEOUT_MS,
      ...(signal && { signal }),
    };
    let answer: Dispatcher.ResponseData;
    try {
      answer = await request(url + path, options);
    } catch (cause) {
      throw connectionFailure(cause, url, null);
    }
    // The reader gets errors from its read. Nobody reads the later ones, so they are ignored.
    answer.body.on('error', () => {});
    if (answer.statusCode === 200) return { headers: answer.headers, body: answer.body };
    const { location } = answer.headers;
    const leadsTo = typeof location === 'string' ? location : null;
    throw refusal(url, answer.statusCode, await beginningOf(answer.body), leadsTo);
  }
}

/** Errors that a retry may fix: the server is down, starting or overloaded. */
const PASSING: ReadonlySet<ErrorCode> = new Set([
  'server_unreachable',
  'request_timeout',
  'rate_limited',
  'overloaded',
  'storage_full',
  // PostgreSQL is unreachable.
  'storage_unavailable',
  // This node stops, but others answer.
  'schema_newer',
  'not_ready',
  'internal',
  // A proxy answers because the server behind it is down.
  'api_error',
]);

/** Returns whether a later retry may succeed. */
export function isPassing(error: unknown): boolean {
  return error instanceof HookrelayError && PASSING.has(error.code);
}

/** Returns the error for a connection that broke while its body was read. */
export function brokenOff(url: string, cause: unknown): HookrelayError {
  if (cause instanceof HookrelayError) return cause;
  return new HookrelayError('server_unreachable', `the connection to ${url} was lost`, { cause });
}

async function beginningOf(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > ERROR_BODY_MAX_BYTES) break;
    }
  } catch {
    // The body broke off. The part that has arrived is enough.
  }
  return Buffer.concat(chunks);
}
