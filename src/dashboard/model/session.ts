import { signal } from '@preact/signals';
import { callTarget } from '../../api/client/call-target.ts';
import type { CallAnswer, CallArguments, CallOf, CallTarget } from '../../api/client/typed-call.ts';
import { ApiError, errorOf, unreachable } from './api-error.ts';
import { EarlyAnswers } from './early-answers.ts';

/** An access token is renewed this long before its end, ms. */
const RENEW_BEFORE_MS = 30_000;
/** Deadline of a read, ms. A read that takes longer is on a dead connection. */
const READ_TIMEOUT_MS = 30_000;
/** The channel on which tabs report sign-ins and sign-outs. All tabs share the cookie. */
const CHANNEL = 'hookrelay-session';

/** News from another tab. `email` is the user who signed in there; null after a sign-out. */
interface TabNews {
  email: string | null;
}

type SignedInUser = CallAnswer<'POST /dashboard/session/login'>['user'];

/** The answer of `GET /dashboard/session`, which needs no sign-in. */
export type Doorstep = CallAnswer<'GET /dashboard/session'>;

/** The state of the session. It is `unknown` until the server has answered. */
type SessionState =
  | { kind: 'unknown' }
  | { kind: 'unreachable' }
  | { kind: 'signed-out'; doorstep: Doorstep }
  | { kind: 'signed-in'; user: SignedInUser };

interface SendOptions {
  signal?: AbortSignal;
  /** Deadline of a read. */
  timeoutMs?: number;
}

interface BodyOptions extends SendOptions {
  body?: unknown;
}

/** Calls of the page's own session. The cookie authorizes them. */
type PageCall = Extract<CallOf, `${string} /dashboard/session${string}`>;

/** The calls that answer with JSON, or with nothing. */
export type JsonCall = { [K in CallOf]: CallAnswer<K> extends Uint8Array ? never : K }[CallOf];

type Arguments<K extends CallOf> = CallArguments<K, SendOptions>;

/**
 * The user's session. No other object holds the access token. The refresh token is in a cookie that
 * scripts can't read.
 */
export class PageSession {
  readonly state = signal<SessionState>({ kind: 'unknown' });
  #accessToken: string | null = null;
  #expiresAt = 0;
  #renewing: Promise<void> | null = null;
  readonly #tabs = new BroadcastChannel(CHANNEL);
  readonly early = new EarlyAnswers((path) => this.#send('GET', path));
  /** The last answer of `GET /dashboard/session`. */
  #visitors: Doorstep = { has_session: false, registration: 'closed', first_account: false };

  constructor() {
    this.#tabs.onmessage = ({ data }: MessageEvent<TabNews>) => this.#followTab(data);
  }

  /**
   * Resumes the session of the cookie, if there is one.
   *
   * @param first paths that the page requests at the same time as the user
   */
  async resume(first: readonly string[] = []): Promise<void> {
    try {
      const doorstep = await this.#doorstep();
      if (!doorstep.has_session) {
        this.#leave();
        return;
      }
      await this.#renew();
      for (const path of first) this.early.ask(path);
      const user = await this.call('GET /api/me');
      this.state.value = { kind: 'signed-in', user };
    } catch (error) {
      if (this.state.value.kind === 'signed-out') return;
      if (error instanceof ApiError && error.status === 401) await this.#signedOut();
      else this.state.value = { kind: 'unreachable' };
    }
  }

  async login(email: string, password: string): Promise<void> {
    this.#enter(await this.#ask('POST /dashboard/session/login', { body: { email, password } }));
  }

  /** Creates an account and returns the id of its first endpoint. */
  async register(email: string, password: string, setupToken: string | null): Promise<string> {
    const entered = await this.#ask('POST /dashboard/session/register', {
      body: { email, password, setup_token: setupToken ?? undefined },
    });
    this.#enter(entered);
    return entered.endpoint_id;
  }

  async logout(): Promise<void> {
    await this.#ask('DELETE /dashboard/session');
    this.#tell(null);
    await this.#signedOut();
  }

  /** Returns the authorization header for the live stream. */
  async authorization(): Promise<string> {
    if (this.#accessToken === null || Date.now() > this.#expiresAt - RENEW_BEFORE_MS) {
      await this.#renew();
    }
    return `Bearer ${this.#accessToken}`;
  }

  /** Forgets the token. Called when the server refuses the token early. */
  forgetToken(): void {
    this.#accessToken = null;
  }

  /** Calls the API. Throws `ApiError`. Use `request` for an answer that isn't JSON. */
  async call<K extends JsonCall>(name: K, ...input: Arguments<K>): Promise<CallAnswer<K>> {
    return answerOf<K>(await this.request(name, ...input));
  }

  /** Makes a call without a body. */
  async read<K extends JsonCall>(
    name: K,
    target: CallTarget<K> | undefined,
    signal: AbortSignal,
  ): Promise<CallAnswer<K>> {
    return answerOf<K>(await this.#request(callTarget(name, target), { signal }));
  }

  /** Sends a request and returns a successful answer. Throws `ApiError`. */
  request<K extends CallOf>(name: K, ...[input]: Arguments<K>): Promise<Response> {
    return this.#request(callTarget(name, input), input);
  }

  async #request(
    { method, path }: ReturnType<typeof callTarget>,
    options: BodyOptions = {},
  ): Promise<Response> {
    const early = method === 'GET' ? this.early.take(path) : null;
    if (!early) return this.#send(method, path, options);
    const answer = await early;
    options.signal?.throwIfAborted();
    return answer;
  }

  async #send(method: string, path: string, options: BodyOptions = {}): Promise<Response> {
    const send = async () =>
      fetchOrThrow(path, {
        method,
        headers: {
          authorization: await this.authorization(),
          ...(options.body !== undefined && { 'content-type': 'application/json' }),
        },
        credentials: 'omit',
        ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
        ...(method === 'GET'
          ? { signal: within(options.timeoutMs ?? READ_TIMEOUT_MS, options.signal) }
          : options.signal && { signal: options.signal }),
      });
    let answer = await send();
    // A wrong password also gets 401. Only a refused token has this header (RFC 6750).
    if (answer.status === 401 && answer.headers.has('www-authenticate')) {
      this.forgetToken();
      answer = await send();
    }
    if (!answer.ok) throw await errorOf(answer);
    return answer;
  }

  #enter({ user, accessToken }: CallAnswer<'POST /dashboard/session/login'>): void {
    this.#take(accessToken);
    this.#visitors.first_account = false;
    this.state.value = { kind: 'signed-in', user };
    this.#tell(user.email);
  }

  /**
   * Renews the access token. Only one tab at a time renews it, because all tabs share the cookie.
   */
  #renew(): Promise<void> {
    this.#renewing ??= this.#renewAlone().finally(() => {
      this.#renewing = null;
    });
    return this.#renewing;
  }

  async #renewAlone(): Promise<void> {
    const renew = async () => {
      const { accessToken } = await this.#ask('POST /dashboard/session/refresh');
      this.#take(accessToken);
    };
    try {
      // Browsers offer locks only on https and localhost.
      if (navigator.locks) await navigator.locks.request('hookrelay-session', renew);
      else await renew();
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) await this.#signedOut();
      throw error;
    }
  }

  #take(accessToken: string): void {
    this.#accessToken = accessToken;
    this.#expiresAt = expiryOf(accessToken);
  }

  /** Hides all data at once. Then asks the server which ways to sign in it offers. */
  async #signedOut(): Promise<void> {
    this.#leave();
    try {
      await this.#doorstep();
    } catch {
      // The last answer stays in use.
      return;
    }
    if (this.state.value.kind === 'signed-out') this.#leave();
  }

  #leave(): void {
    this.#accessToken = null;
    this.early.forget();
    this.state.value = {
      kind: 'signed-out',
      doorstep: { ...this.#visitors, has_session: false },
    };
  }

  #tell(email: string | null): void {
    this.#tabs.postMessage({ email } satisfies TabNews);
  }

  #followTab({ email }: TabNews): void {
    const state = this.state.value;
    if (email === null) {
      if (state.kind !== 'signed-out') void this.#signedOut();
      return;
    }
    if (state.kind === 'signed-in' && state.user.email === email) return;
    // The cookie belongs to another session, so the page must show no data of the old one.
    this.#leave();
    void this.resume();
  }

  async #doorstep(): Promise<Doorstep> {
    this.#visitors = await this.#ask('GET /dashboard/session');
    return this.#visitors;
  }

  async #ask<K extends PageCall>(
    name: K,
    ...[input]: CallArguments<K, unknown>
  ): Promise<CallAnswer<K>> {
    const { method, path } = callTarget(name, undefined);
    const answer = await fetchOrThrow(path, {
      method,
      headers: { 'x-hookrelay-page': '1' },
      ...(input?.body !== undefined && { body: JSON.stringify(input.body) }),
    });
    if (!answer.ok) throw await errorOf(answer);
    return answerOf<K>(answer);
  }
}

/** Returns the JSON of a successful answer, or undefined for status 204. */
async function answerOf<K extends CallOf>(answer: Response): Promise<CallAnswer<K>> {
  return (answer.status === 204 ? undefined : await answer.json()) as CallAnswer<K>;
}

async function fetchOrThrow(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init);
  } catch (error) {
    // An abort is deliberate, so it isn't an error of the API.
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw unreachable();
  }
}

function within(ms: number, signal: AbortSignal | undefined): AbortSignal {
  const timeout = AbortSignal.timeout(ms);
  return signal ? AbortSignal.any([signal, timeout]) : timeout;
}

/**
 * Returns when a JWT expires, Unix ms; 0 if the token isn't readable. If this computer's clock is
 * wrong, a 401 reveals the expiry.
 */
function expiryOf(token: string): number {
  try {
    const claims = (token.split('.')[1] as string).replaceAll('-', '+').replaceAll('_', '/');
    return (JSON.parse(atob(claims)) as { exp: number }).exp * 1000;
  } catch {
    return 0;
  }
}
