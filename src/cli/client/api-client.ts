import { FetchError, type FetchOptions, ofetch } from 'ofetch';
import { callTarget } from '../../api/client/call-target.ts';
import type { CallAnswer, CallArguments, CallOf } from '../../api/client/typed-call.ts';
import type { EventHeadAnswer, EventSummaryAnswer } from '../../api/events/event-answer.ts';
import { HookrelayError } from '../../core/errors.ts';
import { parseDocument } from '../../core/rules/document.ts';
import { packageVersion } from '../../core/runtime/resource.ts';
import { hasCode, withHint } from '../command-error.ts';
import { isTokenRefused, notHookrelay, redirected, refusal } from './api-refusal.ts';
import { connectionFailure } from './connection-failure.ts';
import { eventHeadText } from './event-head-text.ts';
import type { Profile, ProfileFile } from './profile.ts';

/** Default deadline of an answer, ms. A search through millions of events takes seconds. */
const TIMEOUT_MS = 60_000;
/**
 * A refresh is repeated if its answer is lost. For 30 s, the server answers the same refresh token
 * with the same new tokens. After that it treats the old token as stolen.
 */
const REFRESH = { retry: 2, timeoutMs: 24_000 };
/** The pause before a request is repeated, ms. */
const RETRY_PAUSE_MS = 200;
/** Statuses of a server that restarts behind a proxy. ofetch counts a lost connection as 500. */
const RETRIED_STATUSES = [500, 502, 504];
const DEFAULT_URL = 'http://127.0.0.1:8484';

/** Forms of an answer. `head` is the JSON of an event without its body: the body isn't read. */
export type AnswerFormat = 'json' | 'text' | 'bytes' | 'head';

interface SendOptions<A extends AnswerFormat = AnswerFormat> {
  signal?: AbortSignal;
  /** Default: `json`. An answer that isn't JSON needs one of the other forms. */
  as?: A;
  /** Keeps all digits of the numbers in a JSON answer, because rules may hold long numbers. */
  exact?: boolean;
  /** Deadline of the whole answer; a minute by default. */
  timeoutMs?: number;
  /** How often the request is repeated. Default: once for a GET, otherwise never. */
  retry?: number;
  /** What the progress line says it waits for; inert text. Default: the server's name. */
  waitingFor?: string;
}

/** A call's answer in a form. */
type Formed<K extends CallOf, A extends AnswerFormat> = A extends 'text'
  ? string
  : A extends 'bytes'
    ? Buffer
    : A extends 'head'
      ? CallAnswer<K> extends EventSummaryAnswer
        ? EventHeadAnswer
        : never
      : CallAnswer<K>;

/**
 * The input of a call, with the options of this client. A call that answers bytes must ask for
 * `bytes` or `text`, because bytes aren't JSON.
 */
type Arguments<K extends CallOf, A extends AnswerFormat> = CallArguments<
  K,
  SendOptions<A> & (CallAnswer<K> extends Uint8Array ? { as: 'bytes' | 'text' } : unknown)
>;

export interface SessionTokens {
  accessToken: string;
  refreshToken: string;
}

/** The server that a command calls, and its credentials. */
export interface ServerConnection {
  url: string;
  /** `HOOKRELAY_TOKEN`, an API token. It is never refreshed. */
  apiToken: string | null;
  profile: ProfileFile;
  /** Wraps each request to show its progress. */
  whileWaiting?: <T>(answer: Promise<T>, waitingFor?: string) => Promise<T>;
}

/**
 * Returns the server and the credentials. The URL comes from the flag, from HOOKRELAY_URL, from the
 * profile, or is this machine's: the first of these that is set. Throws `config_invalid` for a
 * token that no HTTP header can carry.
 */
export function connectionOf(
  profile: ProfileFile,
  flags: { url?: string },
  env: NodeJS.ProcessEnv = process.env,
): ServerConnection {
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
 * Client of the HTTP API. It authenticates by an API token, or by the profile's session. It
 * refreshes the session's access token when that has expired.
 *
 * Throws the API's error as a `HookrelayError` with the same code. Throws `server_unreachable` and
 * `not_logged_in` with a hint.
 */
export class ApiClient {
  readonly url: string;
  readonly #connection: ServerConnection;
  readonly #http: typeof ofetch.raw;
  #session: Profile | null;
  #refreshing: Promise<void> | null = null;

  constructor(connection: ServerConnection) {
    this.url = connection.url;
    this.#connection = connection;
    this.#http = fetchFrom(connection.url);
    // The profile isn't read if there is an API token, so a broken profile does no harm then.
    this.#session = connection.apiToken === null ? this.#savedSession() : null;
  }

  /** Calls a part of the API that needs no token: register, login. */
  public<K extends CallOf, A extends AnswerFormat = 'json'>(
    name: K,
    ...input: Arguments<K, A>
  ): Promise<Formed<K, A>> {
    return this.#send(name, input, null);
  }

  async call<K extends CallOf, A extends AnswerFormat = 'json'>(
    name: K,
    ...input: Arguments<K, A>
  ): Promise<Formed<K, A>> {
    const authorization = this.authorization();
    try {
      return await this.#send(name, input, authorization);
    } catch (error) {
      if (!isTokenRefused(error)) throw error;
      if (this.#connection.apiToken !== null) {
        throw withHint(
          error,
          'HOOKRELAY_TOKEN holds it; make another with hookrelay tokens create NAME',
        );
      }
      // Another call of this command may have refreshed the token already.
      if (this.authorization() === authorization) await this.refresh();
      return this.#send(name, input, this.authorization());
    }
  }

  /** The value of the Authorization header. Throws `not_logged_in`. */
  authorization(): string {
    const token = this.#connection.apiToken ?? this.#session?.accessToken;
    if (token) return `Bearer ${token}`;
    throw this.#notLoggedIn();
  }

  /** The refresh token of the session. Null with an API token. */
  get refreshToken(): string | null {
    return this.#session?.refreshToken ?? null;
  }

  /**
   * Gets new tokens and saves them to the profile. If another command has refreshed them already,
   * takes those from the profile. If two commands refresh at the same time, the server gives both
   * the same tokens. Throws `not_logged_in` if the session has ended.
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
      const tokens = await this.public('POST /api/auth/refresh', {
        body: { refreshToken: saved.refreshToken },
        ...REFRESH,
      });
      this.#session = { ...saved, ...tokens };
      this.#connection.profile.replace(saved, this.#session);
    } catch (error) {
      if (!hasCode(error, 'invalid_token')) throw error;
      const current = this.#savedSession();
      // Another command refreshed over 30 s ago, so the server treated the old token as stolen.
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

  /** Returns the profile's session if it is this server's: no other may see its tokens. */
  #savedSession(): Profile | null {
    const saved = this.#connection.profile.read();
    return saved?.url === this.url ? saved : null;
  }

  #notLoggedIn(): HookrelayError {
    const { profile } = this.#connection;
    const elsewhere = profile.read()?.url;
    const where = elsewhere ? ` (profile ${profile.name} is for ${elsewhere})` : '';
    return new HookrelayError('not_logged_in', `nobody is logged in at ${this.url}${where}`, {
      hint: 'run hookrelay login or hookrelay register, or set HOOKRELAY_TOKEN',
    });
  }

  async #send<K extends CallOf, A extends AnswerFormat>(
    name: K,
    input: Arguments<K, A>,
    authorization: string | null,
  ): Promise<Formed<K, A>> {
    // While K is open, TypeScript can't read the members of a type that depends on it.
    const options = (input[0] ?? {}) as SendOptions & { body?: object };
    const { method, path } = callTarget(name, input[0]);
    const { whileWaiting } = this.#connection;
    const answer = this.#fetch(path, options, {
      method,
      ...(options.body && { body: options.body }),
      ...(authorization && { headers: { authorization } }),
    });
    const data = await (whileWaiting?.(answer, options.waitingFor) ?? answer);
    if (options.as === 'bytes') return data as Formed<K, A>;
    const text = data.toString('utf8');
    if (options.as === 'text') return text as Formed<K, A>;
    try {
      if (text === '') return undefined as Formed<K, A>;
      return (options.exact ? parseDocument(text) : JSON.parse(text)) as Formed<K, A>;
    } catch (cause) {
      throw notHookrelay(`${this.url} answered without JSON`, cause);
    }
  }

  async #fetch(
    path: string,
    { signal, as, timeoutMs = TIMEOUT_MS, retry }: SendOptions,
    request: FetchOptions,
  ): Promise<Buffer> {
    // ofetch's own timeout covers only the headers, and doesn't work with another signal.
    const deadline = AbortSignal.timeout(timeoutMs);
    try {
      const { _data: data, headers } = await this.#http(path, {
        ...request,
        ...(retry !== undefined && { retry }),
        responseType: as === 'head' ? 'stream' : 'arrayBuffer',
        signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
      });
      if (!(data instanceof ReadableStream)) return bytesOf(data);
      const length = Number(headers.get('content-length') ?? Number.POSITIVE_INFINITY);
      return Buffer.from(await eventHeadText(data, length));
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (error instanceof FetchError && error.status !== undefined) {
        throw refusal(this.url, error.status, await bytesOf(error.data));
      }
      if (error instanceof HookrelayError) throw error;
      throw connectionFailure(error, this.url, deadline.aborted ? timeoutMs : null);
    }
  }
}

/** Returns the bytes of a body in any form that ofetch returns. */
async function bytesOf(data: ConstructorParameters<typeof Response>[0]): Promise<Buffer> {
  return Buffer.from(await new Response(data).arrayBuffer());
}

/** Returns ofetch with the settings of every call. */
function fetchFrom(url: string) {
  return ofetch.create({
    baseURL: url,
    headers: { 'user-agent': `hookrelay/${packageVersion()}` },
    // A redirect could silently turn a POST into a GET.
    redirect: 'manual',
    onResponse({ response: { status, headers } }) {
      if (status >= 300 && status < 400) throw redirected(url, status, headers.get('location'));
    },
    retryStatusCodes: RETRIED_STATUSES,
    retryDelay: ({ options }) => (options.signal?.aborted ? 0 : RETRY_PAUSE_MS),
  }).raw;
}
