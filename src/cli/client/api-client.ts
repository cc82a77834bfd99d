import { ofetch } from 'ofetch';
import { HookrelayError } from '../../core/errors.ts';
import { packageVersion } from '../../core/resource.ts';
import { isTokenRefused, notHookrelay, refusal } from './api-refusal.ts';
import { connectionFailure } from './connection-failure.ts';
import { eventHeadText } from './event-head-text.ts';
import type { Profile, ProfileFile } from './profile.ts';

/** How long a command waits for an answer, ms. A search of millions takes seconds. */
const TIMEOUT_MS = 60_000;
/**
 * A refresh whose answer got lost is asked for again: the server gives the same
 * answer for 30 s, after that it takes the old token for a stolen one.
 */
const REFRESH_TRIES = 3;
const REFRESH_TIMEOUT_MS = 8000;
const DEFAULT_URL = 'http://127.0.0.1:8484';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface CallOptions {
  query?: Record<string, string | number | undefined>;
  body?: object;
  signal?: AbortSignal;
  /**
   * Text, bytes, or (the default) JSON; of an event also its head alone, without the
   * body, which isn't waited for.
   */
  as?: 'json' | 'text' | 'bytes' | 'head';
  /** For the whole answer; a minute by default. */
  timeoutMs?: number;
}

export interface Tokens {
  accessToken: string;
  refreshToken: string;
}

/** Where the calls of a command go, and as whom. */
export interface Connection {
  url: string;
  /** `HOOKRELAY_TOKEN`: an API token, which never needs a refresh. */
  apiToken: string | null;
  profile: ProfileFile;
  /** Wraps each request; the one who waits can be told so. */
  whileWaiting?: <T>(answer: Promise<T>) => Promise<T>;
}

/**
 * Flags first, then HOOKRELAY_URL and HOOKRELAY_TOKEN, then the profile, then
 * this machine. Throws `config_invalid` for a token that no header can carry.
 */
export function connectionOf(
  profile: ProfileFile,
  flags: { url?: string },
  env: NodeJS.ProcessEnv = process.env,
): Connection {
  const url = flags.url || env.HOOKRELAY_URL || profile.read()?.url || DEFAULT_URL;
  return { url: url.replace(/\/+$/, ''), apiToken: checkToken(env.HOOKRELAY_TOKEN), profile };
}

function checkToken(value: string | undefined): string | null {
  const token = value?.trim();
  if (!token) return null;
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new HookrelayError('config_invalid', 'HOOKRELAY_TOKEN is not a token', {
    hint: 'make one with hookrelay tokens create NAME',
  });
}

/**
 * The HTTP API as commands use it. Logs in by an API token or by the profile's
 * session, whose access token is refreshed without a word when it has expired.
 *
 * Throws what the API answered as a `HookrelayError` of the same code, and
 * `server_unreachable` or `not_logged_in` with the command that helps.
 */
export class ApiClient {
  readonly url: string;
  readonly #connection: Connection;
  #session: Profile | null;
  #refreshing: Promise<void> | null = null;

  constructor(connection: Connection) {
    this.url = connection.url;
    this.#connection = connection;
    // With an API token even a broken profile is nobody's business.
    this.#session = connection.apiToken === null ? this.#savedSession() : null;
  }

  /** A call without a token: register, login. */
  public<T>(method: Method, path: string, options: CallOptions = {}): Promise<T> {
    return this.#send(method, path, options, null);
  }

  async call<T>(method: Method, path: string, options: CallOptions = {}): Promise<T> {
    const authorization = this.authorization();
    try {
      return await this.#send(method, path, options, authorization);
    } catch (error) {
      if (!isTokenRefused(error)) throw error;
      if (this.#connection.apiToken !== null) {
        const hint = 'HOOKRELAY_TOKEN holds it; make another with hookrelay tokens create NAME';
        throw new HookrelayError(error.code, error.message, { hint, cause: error });
      }
      // Unless another call of this command has refreshed it already.
      if (this.authorization() === authorization) await this.refresh();
      return this.#send(method, path, options, this.authorization());
    }
  }

  /** The value of the Authorization header. Throws `not_logged_in`. */
  authorization(): string {
    const token = this.#connection.apiToken ?? this.#session?.accessToken;
    if (token) return `Bearer ${token}`;
    throw this.#notLoggedIn();
  }

  /** The refresh token of the session, for logout; null with an API token. */
  get refreshToken(): string | null {
    return this.#session?.refreshToken ?? null;
  }

  /**
   * Gets new tokens and remembers them. Another command may have done so
   * meanwhile: then its tokens are taken. When both do at once, the server gives
   * both the same refresh token. Throws `not_logged_in` when the session has ended.
   */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = null;
    });
    return this.#refreshing;
  }

  async #refresh(): Promise<void> {
    const saved = this.#savedSession();
    if (!saved || !this.#session) throw this.#notLoggedIn();
    if (saved.accessToken !== this.#session.accessToken) {
      this.#session = saved;
      return;
    }
    try {
      const tokens = await this.#rotate(saved.refreshToken);
      this.#session = { ...saved, ...tokens };
      this.#connection.profile.replace(saved, this.#session);
    } catch (error) {
      if (!(error instanceof HookrelayError) || error.code !== 'invalid_token') throw error;
      const current = this.#savedSession();
      // Another command was so much earlier that the old token is a stolen one by now.
      if (current && current.refreshToken !== saved.refreshToken) {
        this.#session = current;
        return;
      }
      throw new HookrelayError('not_logged_in', 'the session has ended', {
        hint: 'run hookrelay login',
        cause: error,
      });
    }
  }

  async #rotate(refreshToken: string): Promise<Tokens> {
    for (let tried = 1; ; tried++) {
      try {
        return await this.public<Tokens>('POST', '/api/auth/refresh', {
          body: { refreshToken },
          timeoutMs: REFRESH_TIMEOUT_MS,
        });
      } catch (error) {
        const isLost = error instanceof HookrelayError && error.code === 'server_unreachable';
        if (!isLost || tried === REFRESH_TRIES) throw error;
      }
    }
  }

  /** A session is of one server: elsewhere its tokens mean nothing and are nobody's business. */
  #savedSession(): Profile | null {
    const saved = this.#connection.profile.read();
    return saved?.url === this.url ? saved : null;
  }

  #notLoggedIn(): HookrelayError {
    const { profile } = this.#connection;
    const elsewhere = profile.read()?.url;
    const where = elsewhere ? ` (profile ${profile.name} is of ${elsewhere})` : '';
    return new HookrelayError('not_logged_in', `nobody is logged in at ${this.url}${where}`, {
      hint: 'run hookrelay login or hookrelay register, or set HOOKRELAY_TOKEN',
    });
  }

  async #send<T>(
    method: Method,
    path: string,
    options: CallOptions,
    authorization: string | null,
  ): Promise<T> {
    const answer = this.#fetch(method, path, options, authorization);
    const { status, data, location } = await (this.#connection.whileWaiting?.(answer) ?? answer);
    if (status < 200 || status > 299) throw refusal(this.url, status, data, location);
    if (options.as === 'bytes') return data as T;
    const text = data.toString('utf8');
    if (options.as === 'text') return text as T;
    try {
      return (text === '' ? undefined : JSON.parse(text)) as T;
    } catch (cause) {
      throw notHookrelay(`${this.url} answered something else than JSON`, cause);
    }
  }

  async #fetch(
    method: Method,
    path: string,
    { query = {}, body, signal, as, timeoutMs = TIMEOUT_MS }: CallOptions,
    authorization: string | null,
  ): Promise<{ status: number; data: Buffer; location: string | null }> {
    // Of its own: ofetch's ends with the headers, and not at all beside another signal.
    const deadline = AbortSignal.timeout(timeoutMs);
    try {
      const response = await ofetch.raw(this.url + path + queryText(query), {
        method,
        // A POST that a redirect makes a GET of would do something else, in silence.
        redirect: 'manual',
        retry: false,
        ignoreResponseError: true,
        responseType: 'stream',
        signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
        headers: {
          'user-agent': `hookrelay/${packageVersion()}`,
          ...(authorization && { authorization }),
        },
        ...(body && { body }),
      });
      return {
        status: response.status,
        data: await dataOf(response, as),
        location: response.headers.get('location'),
      };
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw connectionFailure(error, this.url, deadline.aborted ? timeoutMs : null);
    }
  }
}

async function dataOf(response: Response, as: CallOptions['as']): Promise<Buffer> {
  if (as !== 'head' || !response.body) return Buffer.from(await response.arrayBuffer());
  const length = Number(response.headers.get('content-length') ?? Number.POSITIVE_INFINITY);
  return Buffer.from(await eventHeadText(response.body, length));
}

function queryText(query: NonNullable<CallOptions['query']>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text && `?${text}`;
}
