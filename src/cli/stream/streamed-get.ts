import type { Readable } from 'node:stream';
import { Agent, type Dispatcher, request } from 'undici';
import { type ErrorCode, HookrelayError } from '../../core/errors.ts';
import type { ApiClient } from '../client/api-client.ts';
import { isTokenRefused, refusal } from '../client/api-refusal.ts';
import { connectionFailure } from '../client/connection-failure.ts';

/** Until the status line is there, ms. */
const HEADERS_TIMEOUT_MS = 30_000;
/** Between two bytes of a download, ms. */
const QUIET_TIMEOUT_MS = 30_000;
/** Of an error's body, bytes: it names a code and a message. */
const ERROR_BODY_MAX_BYTES = 64 * 1024;

/** The narrow part of `ApiClient` that is needed: who calls, and a new token. */
export type Caller = Pick<ApiClient, 'url' | 'authorization' | 'refresh' | 'refreshToken'>;

export interface GetOptions {
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Longest time without a byte, ms; past it the body fails. */
  quietTimeoutMs?: number;
}

export interface StreamedAnswer {
  headers: Dispatcher.ResponseData['headers'];
  /** Read it to its end, or destroy it. */
  body: Readable;
}

/**
 * GETs of the API whose answers are read as they come: live streams, and bodies
 * too large to hold. `ApiClient` buffers whole answers.
 *
 * Throws what the API answered as a `HookrelayError` of the same code, and
 * `server_unreachable` or `api_error` where no hookrelay answered. An expired
 * access token is refreshed once.
 */
export class StreamedGet {
  readonly #caller: Caller;
  readonly #agent = new Agent({ allowH2: false, pipelining: 1 });

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  get url(): string {
    return this.#caller.url;
  }

  async get(path: string, options: GetOptions = {}): Promise<StreamedAnswer> {
    try {
      return await this.#send(path, options);
    } catch (error) {
      // Without a refresh token there is nothing to refresh with: an API token was refused.
      if (!isTokenRefused(error) || this.#caller.refreshToken === null) throw error;
      await this.#caller.refresh();
      return this.#send(path, options);
    }
  }

  /** Ends every connection; bodies being read fail. */
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
    // Whoever reads is told by the reading; an error after that is nobody's.
    answer.body.on('error', () => {});
    if (answer.statusCode === 200) return { headers: answer.headers, body: answer.body };
    const { location } = answer.headers;
    const leadsTo = typeof location === 'string' ? location : null;
    throw refusal(url, answer.statusCode, await beginningOf(answer.body), leadsTo);
  }
}

/** What may pass by itself: the server is down, starting, or has too much to do. */
const PASSING: ReadonlySet<ErrorCode> = new Set([
  'server_unreachable',
  'request_timeout',
  'rate_limited',
  'overloaded',
  'storage_full',
  // PostgreSQL is away.
  'storage_unavailable',
  'not_ready',
  'internal',
  // Not of hookrelay: a proxy before it, while there is nothing behind.
  'api_error',
]);

/** Whether it makes sense to ask again later. */
export function isPassing(error: unknown): boolean {
  return error instanceof HookrelayError && PASSING.has(error.code);
}

/** A connection that broke while its body was read, as the error that it amounts to. */
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
    // What came is all there is.
  }
  return Buffer.concat(chunks);
}
