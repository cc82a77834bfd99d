import type { Readable } from 'node:stream';
import { Agent, type Dispatcher } from 'undici';
import { callTarget } from '../../api/client/call-target.ts';
import type { CallInput, CallOf } from '../../api/client/typed-call.ts';
import { type ErrorCode, HookrelayError } from '../../core/errors.ts';
import type { ApiClient } from '../client/api-client.ts';
import { isTokenRefused, redirected, refusal } from '../client/api-refusal.ts';
import { connectionFailure } from '../client/connection-failure.ts';

const HEADERS_TIMEOUT_MS = 30_000;
/** Longest silence during a download, ms. */
const QUIET_TIMEOUT_MS = 30_000;
/** The largest part of an error's body that is read, bytes. */
const ERROR_BODY_MAX_BYTES = 64 * 1024;

export type StreamCaller = Pick<ApiClient, 'url' | 'authorization' | 'refresh' | 'refreshToken'>;

type GetCall = Extract<CallOf, `GET ${string}`>;

export interface GetOptions {
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Longest silence of the body before reading it fails, ms. */
  quietTimeoutMs?: number;
}

export interface StreamedAnswer {
  headers: Dispatcher.ResponseData['headers'];
  /** The caller must read the body to its end, or destroy it. */
  body: Readable;
}

/**
 * Sends GETs with streamed answers: live streams, and bodies that are too large for memory. If the
 * access token has expired, refreshes it once.
 *
 * Throws the API's error as a `HookrelayError` with the same code. Throws `server_unreachable` or
 * `api_error` if no hookrelay answered.
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
    // While `K` is generic, TypeScript can't read the members of a type that depends on it.
    const { path } = callTarget(name, options as never);
    try {
      return await this.#send(path, options);
    } catch (error) {
      // Without a refresh token, the refused token was an API token, which a refresh can't renew.
      if (!isTokenRefused(error) || this.#caller.refreshToken === null) throw error;
      await this.#caller.refresh();
      return this.#send(path, options);
    }
  }

  /** Ends all connections. Reading their bodies then fails. */
  close(): Promise<void> {
    return this.#agent.destroy();
  }

  async #send(path: string, { headers: own, signal, quietTimeoutMs }: GetOptions) {
    const { url } = this.#caller;
    const { origin, pathname, search } = new URL(url + path);
    const options: Dispatcher.RequestOptions = {
      ...{ origin, path: pathname + search, method: 'GET' },
      headers: { ...own, authorization: this.#caller.authorization() },
      headersTimeout: HEADERS_TIMEOUT_MS,
      bodyTimeout: quietTimeoutMs ?? QUIET_TIMEOUT_MS,
      ...(signal && { signal }),
    };
    let answer: Dispatcher.ResponseData;
    try {
      answer = await this.#agent.request(options);
    } catch (cause) {
      throw connectionFailure(cause, url, null);
    }
    const { statusCode: status, headers, body } = answer;
    // A reader gets its errors from its own read. Ignore later errors, which nobody reads.
    body.on('error', () => {});
    if (status === 200) return { headers, body };
    const location = typeof headers.location === 'string' ? headers.location : null;
    if (status < 400) throw redirected(url, status, location);
    throw refusal(url, status, await beginningOf(body));
  }
}

/** Errors that a retry may fix. */
const PASSING: ReadonlySet<ErrorCode> = new Set([
  'server_unreachable',
  'request_timeout',
  'rate_limited',
  'overloaded',
  'storage_full',
  // PostgreSQL is unreachable.
  'storage_unavailable',
  // This node stops, but other nodes answer.
  'schema_newer',
  'not_ready',
  'internal',
  // A proxy answers because the server behind it is down.
  'api_error',
]);

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
