import { setTimeout as sleep } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import type { CallQuery } from '../../api/client/typed-call.ts';
import type { StreamedAttempt } from '../../api/deliveries/attempt-answer.ts';
import type { EventSummaryAnswer } from '../../api/events/event-answer.ts';
import { CAUGHT_UP } from '../../core/http/caught-up.ts';
import { CatchUp } from './catch-up.ts';
import { RecentIds } from './recent-ids.ts';
import { reconnectDelay } from './reconnect-delay.ts';
import type { StreamItem } from './stream-item.ts';
import { brokenOff, isPassing, type StreamedAnswer, type StreamedGet } from './streamed-get.ts';

/** A connection that is silent for this long is dead, ms. The server writes every 15 s. */
const SILENCE_MS = 40_000;
/** If the server ends a stream that lasted at least this long, reopen the stream at once, ms. */
const LASTING_MS = 1000;
/** The largest number of ids in memory, for dropping duplicates. */
const REMEMBERED_IDS = 10_000;

export interface FollowOptions {
  /** The only endpoint to follow; null for all endpoints of the account. */
  endpointId: string | null;
  /** The start of the stream, and the filters for events and their attempts. */
  query?: CallQuery<'GET /api/stream'>;
  /** Returns whether an item is wanted. Unwanted items aren't counted. Default: all are wanted. */
  wants?(item: StreamItem): boolean;
  /** Ends the stream without an error. */
  signal: AbortSignal;
  /** A connection that is silent for this long counts as dead, ms. */
  silenceMs?: number;
  random?: () => number;
  /** A monotonic clock, ms. Default: this process's clock. */
  monotonicMs?: () => number;
}

/**
 * Yields the items of a live stream until the caller stops iterating.
 *
 * Reopens a lost connection for ever, after 0.25 s at first, then after delays that double up to 10
 * s. The new connection continues at the last cursor. If the server ends a stream, for example
 * because the access token has expired, reopens it at once. No item reports this unless the
 * reopening fails.
 *
 * Reads nothing while the caller handles an item. The server drops a connection that is read too
 * slowly. The stream then continues with a new one.
 *
 * Throws if the first connection fails. Later it throws only errors that a retry can't fix: the
 * session has ended, or the endpoint is gone.
 */
export async function* followEvents(
  get: StreamedGet,
  options: FollowOptions,
): AsyncGenerator<StreamItem, void, undefined> {
  const { signal, random = Math.random } = options;
  const follow = new Follow(get, options);
  let failures = 0;
  while (!signal.aborted) {
    try {
      yield* follow.connection();
      if (follow.lastedMs >= LASTING_MS) {
        failures = 0;
        continue;
      }
      yield* follow.lost('the server ended the stream');
    } catch (error) {
      if (signal.aborted) return;
      if (!follow.hasBegun || !isPassing(error)) throw error;
      if (follow.lastedMs >= LASTING_MS) failures = 0;
      yield* follow.lost((error as Error).message);
    }
    await sleep(reconnectDelay(failures, random()), undefined, { signal }).catch(() => {});
    failures++;
  }
}

class Follow {
  readonly #get: StreamedGet;
  readonly #options: FollowOptions;
  readonly #now: () => number;
  readonly #seen = new RecentIds(REMEMBERED_IDS);
  #cursor: string | null = null;
  #lostAt: number | null = null;
  #openedAt: number | null = null;
  hasBegun = false;

  constructor(get: StreamedGet, options: FollowOptions) {
    this.#get = get;
    this.#options = options;
    this.#now = options.monotonicMs ?? (() => performance.now());
  }

  /** Time since the latest connection was opened, ms; 0 if it failed. */
  get lastedMs(): number {
    return this.#openedAt === null ? 0 : this.#now() - this.#openedAt;
  }

  *lost(reason: string): Generator<StreamItem, void, undefined> {
    if (this.#lostAt !== null) return;
    this.#lostAt = this.#now();
    yield { kind: 'disconnected', reason };
  }

  /** Yields the items of one connection. Throws `server_unreachable` if the connection breaks. */
  async *connection(): AsyncGenerator<StreamItem, void, undefined> {
    const { wants = () => true } = this.#options;
    this.#openedAt = null;
    const answer = await this.#open();
    this.#openedAt = this.#now();
    let catchUp: CatchUp | null = null;
    try {
      for await (const message of messages(answer.body)) {
        if (message?.event === 'ready' && this.#lostAt !== null) {
          catchUp = new CatchUp(this.#now() - this.#lostAt, answer);
        }
        const taken = message && this.#take(message);
        const item = taken && wants(taken) ? taken : null;
        if (catchUp && (message === null || catchUp.isOver(item))) {
          yield catchUp.report();
          catchUp = null;
        }
        if (!item) continue;
        catchUp?.count(item);
        yield item;
      }
    } catch (error) {
      throw brokenOff(this.#get.url, error);
    } finally {
      answer.body.destroy();
    }
  }

  #open(): Promise<StreamedAnswer> {
    const { endpointId: id, query = {}, signal, silenceMs = SILENCE_MS } = this.#options;
    const options = {
      query,
      headers: {
        accept: 'text/event-stream',
        // With a cursor, the server ignores `?from=`.
        ...(this.#cursor !== null && { 'last-event-id': this.#cursor }),
      },
      signal,
      quietTimeoutMs: silenceMs,
    };
    return id === null
      ? this.#get.get('GET /api/stream', options)
      : this.#get.get('GET /api/endpoints/{id}/stream', { params: { id }, ...options });
  }

  /** Returns null for a duplicate or an unknown kind. */
  #take({ event, id, data }: Message): StreamItem | null {
    if (id !== undefined) this.#cursor = id;
    switch (event) {
      case 'ready':
      case 'reset':
        return this.#begin(event);
      case 'event': {
        const value = JSON.parse(data) as EventSummaryAnswer;
        return this.#seen.add(value.id) ? { kind: 'event', event: value } : null;
      }
      case 'attempt': {
        const value = JSON.parse(data) as StreamedAttempt;
        return this.#seen.add(value.id) ? { kind: 'attempt', attempt: value } : null;
      }
      default:
        return null;
    }
  }

  #begin(event: 'ready' | 'reset'): StreamItem | null {
    const isFirst = !this.hasBegun;
    this.hasBegun = true;
    this.#lostAt = null;
    if (event === 'reset') return { kind: 'reset' };
    return isFirst ? { kind: 'ready' } : null;
  }
}

interface Message {
  event?: string | undefined;
  id?: string | undefined;
  data: string;
}

/** Yields the stream's messages. Yields null when the stream has caught up. */
async function* messages(
  body: StreamedAnswer['body'],
): AsyncGenerator<Message | null, void, undefined> {
  body.setEncoding('utf8');
  let parsed: (Message | null)[] = [];
  const parser = createParser({
    onEvent: (message) => parsed.push(message),
    onComment: (comment) => {
      if (comment.trim() === CAUGHT_UP) parsed.push(null);
    },
  });
  for await (const chunk of body as AsyncIterable<string>) {
    parser.feed(chunk);
    const batch = parsed;
    parsed = [];
    yield* batch;
  }
}
