import type { ServerResponse } from 'node:http';
import type { Principal } from '../../accounts/principal.ts';
import { CAUGHT_UP } from '../../core/http/caught-up.ts';
import type { Clock } from '../../core/runtime/runtime.ts';
import type { Turns } from '../../core/turns/turns.ts';
import type { Live, LiveItem } from '../../live/live.ts';
import type { LivePosition, LiveStore } from '../../store/contract/live.ts';
import type { Scope } from '../../store/contract/scope.ts';
import { eventSummaryView } from '../events/event-view.ts';
import type { EventLookups } from './event-lookups.ts';
import { FrameWriter, type FrameWriterOptions } from './frame-writer.ts';
import { eventFits, ItemGate, type StreamFilter } from './item-gate.ts';
import { parseStreamCursor, streamCursor } from './stream-cursor.ts';
import { attemptData, itemFrame, streamFrame } from './stream-frame.ts';

/** Interval of heartbeats, ms. They keep proxies from closing a quiet stream. */
const HEARTBEAT_MS = 15_000;
/** Longest delay of a timer, ms. A heartbeat notices a token that expires later. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** Time for a reader to read the remaining frames at shutdown, ms. */
const END_GRACE_MS = 500;
const CATCH_UP_ROWS = 100;
/** The largest number of items that are kept during catch-up. With more, the reader is dropped. */
const MAX_KEPT = 10_000;

export interface ReaderStreamOptions extends FrameWriterOptions {
  live: Live;
  store: LiveStore;
  clock: Clock;
  /** The database's history, which every cursor contains. All streams end when it changes. */
  history(): string;
  /** Throws if the caller's token is invalid. */
  revalidate(authorization: string | undefined): Promise<Principal>;
  /** Resolves with a position. Subscribers at the time of the call get every later item. */
  published(): Promise<LivePosition>;
  /** Orders the catch-up reads of all accounts. */
  turns: Turns;
  looks: EventLookups;
}

/** The start of a stream: the cursor, otherwise the time `from`, otherwise now. */
interface StreamStart {
  cursor: string | null;
  from: number | undefined;
}

/**
 * Sends items to one reader. Subscribes first. Then sends the store's items up to the position
 * where the subscription begins, and keeps items that are published meanwhile. Sends the kept items
 * next, and then each published item.
 *
 * An item that doesn't fit the filter only advances the position. The next heartbeat sends that
 * position.
 */
export class ReaderStream {
  readonly #res: ServerResponse;
  readonly #account: string;
  readonly #scope: Scope;
  readonly #start: StreamStart;
  readonly #filter: StreamFilter;
  readonly #options: ReaderStreamOptions;
  readonly #writer: FrameWriter;
  readonly #gate: ItemGate;
  #position: LivePosition = { eventSeq: 0, attemptSeq: 0 };
  /** Items that are published during catch-up; null after it. */
  #kept: LiveItem[] | null = [];
  /** Whether the position is ahead of the last cursor that the reader got. */
  #isAhead = false;

  constructor(
    res: ServerResponse,
    account: string,
    scope: Scope,
    start: StreamStart,
    filter: StreamFilter,
    options: ReaderStreamOptions,
  ) {
    this.#res = res;
    this.#account = account;
    this.#scope = scope;
    this.#start = start;
    this.#filter = filter;
    this.#options = options;
    this.#writer = new FrameWriter(res, options);
    const { looks } = options;
    this.#gate = new ItemGate({
      filter,
      looks: looks.join(account, filter.where),
      pass: (item, eventType) => this.#pass(item, eventType),
      skip: (item) => this.#skip(item.position),
      drop: () => res.destroy(),
    });
    res.once('close', () => {
      this.#gate.close();
      looks.leave(account, filter.where);
    });
  }

  async run(authorization: string | undefined, expiresAt: number | null): Promise<void> {
    const { live, revalidate, clock } = this.#options;
    const res = this.#res;
    const unsubscribe = live.subscribe(this.#scope, (item) => this.#receive(item));
    const heartbeat = setInterval(() => {
      // Destroy an ended stream, because it never closes if the reader takes nothing.
      if (res.writableEnded) res.destroy();
      this.#beat();
      // A stream must not outlive its token or its account.
      revalidate(authorization).catch(() => this.#writer.end());
    }, HEARTBEAT_MS);
    const expiry =
      expiresAt === null || expiresAt - clock.now() > MAX_TIMER_MS
        ? undefined
        : setTimeout(() => this.#writer.end(), expiresAt - clock.now());
    res.once('close', () => {
      unsubscribe();
      clearInterval(heartbeat);
      clearTimeout(expiry);
    });
    try {
      const end = await this.#options.published();
      await this.#begin(end);
      await this.#catchUp(end);
    } catch {
      res.destroy();
    }
  }

  /** Ends the stream, at shutdown or if the database's history changes. */
  shutDown(): void {
    this.#writer.end();
    setTimeout(() => this.#res.destroy(), END_GRACE_MS).unref();
  }

  /** @param end the position of a stream that begins now */
  async #begin(end: LivePosition): Promise<void> {
    const { store } = this.#options;
    const { cursor, from } = this.#start;
    if (cursor === null) {
      this.#position =
        from === undefined ? end : await this.#inTurn(() => store.sequencesAt(this.#scope, from));
      this.#send('ready', {});
      return;
    }
    const resumed = parseStreamCursor(cursor);
    if (resumed && (await store.includes(resumed.history, resumed.position))) {
      this.#position = resumed.position;
      this.#send('ready', {});
      return;
    }
    this.#position = end;
    this.#send('reset', {
      reason: 'the cursor belongs to another database, or to commits that this one has lost',
    });
  }

  /**
   * Sends the store's items up to `end`, in slices, at the reader's pace. If the buffer is full,
   * drops the rest of the slice and reads the rest again later. So a thousand stalled readers keep
   * no rows in memory.
   */
  async #catchUp(end: LivePosition): Promise<void> {
    while (this.#position.eventSeq < end.eventSeq) {
      await this.#inTurn(() => this.#nextEvents(end.eventSeq));
      await this.#writer.drained();
    }
    while (this.#position.attemptSeq < end.attemptSeq) {
      await this.#inTurn(() => this.#nextAttempts(end.attemptSeq));
      await this.#writer.drained();
    }
    const kept = this.#kept ?? [];
    this.#kept = null;
    for (const item of kept) this.#receive(item);
    this.#writer.write(`: ${CAUGHT_UP}\n\n`);
  }

  async #nextEvents(end: number): Promise<void> {
    const { store } = this.#options;
    const events = await store.eventsAfter(this.#scope, this.#position.eventSeq, CATCH_UP_ROWS);
    const fits = await this.#fitting(events.map(({ seq }) => seq));
    for (const event of events) {
      if (event.seq > end) break;
      this.#position = { ...this.#position, eventSeq: event.seq };
      if (fits(event.seq)) this.#send('event', eventSummaryView(event));
      else this.#isAhead = true;
      if (this.#res.writableNeedDrain) return;
    }
    const isLast = events.length < CATCH_UP_ROWS || (events.at(-1)?.seq ?? 0) > end;
    if (isLast) this.#position = { ...this.#position, eventSeq: end };
  }

  async #nextAttempts(end: number): Promise<void> {
    const { store } = this.#options;
    const { attemptSeq } = this.#position;
    const { attempts, scannedTo } = await store.attemptsAfter(
      this.#scope,
      attemptSeq,
      CATCH_UP_ROWS,
    );
    const fits = await this.#fitting(attempts.map(({ eventSeq }) => eventSeq));
    for (const settled of attempts) {
      if (settled.attempt.seq > end) break;
      this.#position = { ...this.#position, attemptSeq: settled.attempt.seq };
      if (fits(settled.eventSeq)) this.#send('attempt', attemptData(settled));
      else this.#isAhead = true;
      if (this.#res.writableNeedDrain) return;
    }
    const isLast = scannedTo === attemptSeq || scannedTo > end;
    this.#position = { ...this.#position, attemptSeq: isLast ? end : scannedTo };
  }

  /** Returns a function that takes a sequence number and checks whether the event fits. */
  async #fitting(eventSeqs: readonly number[]): Promise<(seq: number) => boolean> {
    const { type, where } = this.#filter;
    if (type === null && where === null) return () => true;
    const looks = await this.#options.store.classify([...new Set(eventSeqs)], where);
    const fitting = new Set(
      looks.filter((look) => eventFits(look, this.#filter)).map(({ seq }) => seq),
    );
    return (seq) => fitting.has(seq);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#options.turns.run(this.#account, async () => {
      this.#writer.throwIfEnded();
      return work();
    });
  }

  #receive(item: LiveItem): void {
    if (this.#kept) {
      this.#kept.push(item);
      // The reader lags behind the commits. It reconnects with a cursor that is closer to now.
      if (this.#kept.length > MAX_KEPT) this.#res.destroy();
      return;
    }
    const { eventSeq, attemptSeq } = this.#position;
    const isNew =
      item.kind === 'event' ? item.event.seq > eventSeq : item.settled.attempt.seq > attemptSeq;
    if (isNew) this.#gate.take(item);
  }

  #pass(item: LiveItem, eventType: string | null): void {
    const { shared } = this.#options;
    const history = this.#options.history();
    const isLater = this.#advance(item.position);
    this.#isAhead = false;
    this.#writer.gather(
      isLater
        ? shared.frameOf(item, eventType, history)
        : // Catch-up has sent later items, so this item's own cursor would go backwards.
          itemFrame(item, eventType, history, this.#position),
    );
  }

  #skip(position: LivePosition): void {
    this.#advance(position);
    this.#isAhead = true;
  }

  /** Advances the position. Returns whether the result is `position`. */
  #advance(position: LivePosition): boolean {
    const { eventSeq, attemptSeq } = this.#position;
    if (position.eventSeq >= eventSeq && position.attemptSeq >= attemptSeq) {
      this.#position = position;
      return true;
    }
    this.#position = {
      eventSeq: Math.max(eventSeq, position.eventSeq),
      attemptSeq: Math.max(attemptSeq, position.attemptSeq),
    };
    return false;
  }

  #beat(): void {
    if (this.#isAhead) this.#send('cursor', {});
    else this.#writer.write(':\n\n');
  }

  #send(event: string, data: object): void {
    this.#isAhead = false;
    this.#writer.write(
      streamFrame(event, streamCursor(this.#options.history(), this.#position), data),
    );
  }
}
