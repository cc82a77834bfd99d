import { signal } from '@preact/signals';
import { createParser } from 'eventsource-parser';
import { callTarget } from '../../api/client/call-target.ts';
import type { StreamedAttempt } from '../../api/deliveries/attempt-answer.ts';
import type { EventSummaryAnswer } from '../../api/events/event-answer.ts';

/**
 * The longest silence before the connection counts as dead, ms. The server sends something every 15
 * s.
 */
const SILENCE_MS = 40_000;
/** Deadline for the response's head, ms. A server that works answers at once. */
const ANSWER_MS = 8000;
const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 10_000;

export type ConnectionState = 'connecting' | 'live' | 'offline' | 'closed';

export type LiveNews =
  | { kind: 'event'; event: EventSummaryAnswer }
  | { kind: 'attempt'; attempt: StreamedAttempt }
  /**
   * All data on the page may be stale, because the connection or the database is new. If `isFirst`,
   * only news from before the page's first connection can be missing.
   */
  | { kind: 'resync'; isFirst: boolean };

/** Returns the endpoint that news is about. */
export function endpointOf(news: Exclude<LiveNews, { kind: 'resync' }>): string {
  return news.kind === 'event' ? news.event.endpoint_id : news.attempt.endpoint_id;
}

/**
 * The credentials of the stream. The stream calls `forgetToken` when the server refuses the token.
 */
interface StreamCredentials {
  authorization(): Promise<string>;
  forgetToken(): void;
}

/**
 * The account's live stream. It uses `fetch`, because an `EventSource` can send a token only in the
 * URL, and logs record URLs. After a lost connection, the stream resumes after the last news that
 * the page received.
 */
export class LiveClient {
  readonly connection = signal<ConnectionState>('connecting');
  readonly #credentials: StreamCredentials;
  readonly #listeners = new Set<(news: LiveNews) => void>();
  readonly #closed = new AbortController();
  #cursor: string | null = null;
  #wake: (() => void) | null = null;
  #link: AbortController | null = null;
  #heardAt = 0;

  constructor(credentials: StreamCredentials) {
    this.#credentials = credentials;
  }

  subscribe(listener: (news: LiveNews) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Keeps a connection until `close` is called. Connects again after each failure. */
  async run(): Promise<void> {
    const { signal } = this.#closed;
    // A connection is dead after a sleep of the computer. Abort it before the timer does.
    const look = () => {
      if (document.visibilityState === 'hidden') return;
      if (this.connection.value === 'live' && Date.now() - this.#heardAt > SILENCE_MS / 2) {
        this.#link?.abort();
      }
      this.#wake?.();
    };
    window.addEventListener('online', look, { signal });
    document.addEventListener('visibilitychange', look, { signal });
    let retryMs = FIRST_RETRY_MS;
    while (!signal.aborted) {
      const wasLive = await this.#connect();
      if (signal.aborted) break;
      this.connection.value = 'offline';
      retryMs = wasLive ? FIRST_RETRY_MS : Math.min(retryMs * 2, LONGEST_RETRY_MS);
      await this.#pause(retryMs * (0.8 + Math.random() * 0.4));
    }
    this.connection.value = 'closed';
  }

  close(): void {
    this.#closed.abort();
    this.#link?.abort();
    this.#wake?.();
  }

  /** Follows one connection until it ends. Returns whether it was established. */
  async #connect(): Promise<boolean> {
    const link = new AbortController();
    this.#link = link;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const expect = (ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => link.abort(), ms);
    };
    const heard = () => {
      this.#heardAt = Date.now();
      expect(SILENCE_MS);
    };
    try {
      expect(ANSWER_MS);
      const answer = await fetch(callTarget('GET /api/stream', undefined).path, {
        headers: {
          authorization: await this.#credentials.authorization(),
          ...(this.#cursor !== null && { 'last-event-id': this.#cursor }),
        },
        credentials: 'omit',
        cache: 'no-store',
        signal: link.signal,
      });
      if (answer.status === 401) this.#credentials.forgetToken();
      if (!answer.ok || !answer.body) return false;
      heard();
      const parser = createParser({
        onEvent: ({ event, id, data }) => this.#take(event, id, data),
      });
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return true;
        heard();
        parser.feed(value);
      }
    } catch {
      return this.connection.value === 'live';
    } finally {
      clearTimeout(timer);
      link.abort();
    }
  }

  #take(event: string | undefined, id: string | undefined, data: string): void {
    const isFirst = this.#cursor === null;
    if (id !== undefined) this.#cursor = id;
    if (event === 'ready' || event === 'reset') {
      this.connection.value = 'live';
      this.#publish({ kind: 'resync', isFirst });
    } else if (event === 'event') {
      this.#publish({ kind: 'event', event: JSON.parse(data) as EventSummaryAnswer });
    } else if (event === 'attempt') {
      this.#publish({ kind: 'attempt', attempt: JSON.parse(data) as StreamedAttempt });
    }
  }

  #publish(news: LiveNews): void {
    for (const listener of [...this.#listeners]) listener(news);
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#wake = null;
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.#wake = done;
    });
  }
}
