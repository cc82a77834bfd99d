import type { ServerResponse } from 'node:http';
import type { Principal } from '../../accounts/principal.ts';
import type { EventSummary } from '../../core/model.ts';
import type { Clock } from '../../core/runtime.ts';
import type { Turns } from '../../core/turns.ts';
import type { Live, LiveItem } from '../../live/live.ts';
import type { LivePosition, LiveStore } from '../../store/contract/live.ts';
import type { SettledAttempt } from '../../store/contract/queue.ts';
import type { Scope } from '../../store/contract/scope.ts';
import { eventSummaryView } from '../views.ts';
import type { Coalescer } from './coalescer.ts';
import { cursorOf, parseCursor } from './cursor.ts';
import { attemptData, frame, itemFrame } from './frame.ts';
import type { SharedFrames } from './shared-frames.ts';

/** Interval of comment lines, ms. They keep proxies from closing a quiet stream. */
const HEARTBEAT_MS = 15_000;
/**
 * Unsent bytes of a slow reader. A reader that still has as many after
 * `SLOW_GRACE_MS` is dropped, and resumes by its cursor.
 */
const SLOW_UNSENT_BYTES = 8 * 1024 * 1024;
const SLOW_GRACE_MS = 1000;
/**
 * Unsent bytes at which a reader is dropped at once. All items of one turn of the event
 * loop must fit, because no reader can take them earlier: 256 attempts with 16 KiB of
 * response each. JSON makes control characters six times as long.
 */
const MAX_UNSENT_BYTES = 32 * 1024 * 1024;
/** Longest delay of a timer, ms. A later end is noticed at a heartbeat. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** Time for a reader to read the rest at shutdown, ms. */
const END_GRACE_MS = 500;
/** Most UTF-16 units of frames that wait for the coalescer. More are written at once. */
const GATHERED_LENGTH = 64 * 1024;
/** Most rows of one read from the store during catch-up. */
const CATCH_UP_ROWS = 100;
/** Most items that are kept during a reader's catch-up. With more, the reader is dropped. */
const MAX_KEPT = 10_000;
/** Longest time without progress of a reader during catch-up, ms. Then it is dropped. */
const STALLED_MS = 30_000;

export interface LiveStreamOptions {
  live: Live;
  store: LiveStore;
  clock: Clock;
  /** The database's current history, a part of every cursor. All streams end with it. */
  history(): string;
  /** Throws if the caller's token is invalid. */
  revalidate(authorization: string | undefined): Promise<Principal>;
  /** Position after which every item is published to the subscribers at the call. */
  published(): Promise<LivePosition>;
  /** Turns of the streams that catch up, by account. */
  turns: Turns;
  coalescer: Coalescer;
  shared: SharedFrames;
}

/** The start of a stream: a cursor, otherwise a time, otherwise now. */
interface StreamStart {
  cursor: string | null;
  from: number | undefined;
}

/**
 * The stream of one reader. It subscribes first. Then it sends the store's items up to
 * the position where its subscription begins, and keeps the items that are published
 * meanwhile. It sends these next, and then each published item.
 */
export class LiveStream {
  readonly #res: ServerResponse;
  readonly #account: string;
  readonly #scope: Scope;
  readonly #start: StreamStart;
  readonly #options: LiveStreamOptions;
  #position: LivePosition = { eventSeq: 0, attemptSeq: 0 };
  /** Items that are published during catch-up; null after it. */
  #kept: LiveItem[] | null = [];
  /** Frames that wait to be written together, and their length. */
  #gathered: string[] = [];
  #gatheredLength = 0;
  #slow: NodeJS.Timeout | undefined;

  /** @param account id of the reader's account */
  constructor(
    res: ServerResponse,
    account: string,
    scope: Scope,
    start: StreamStart,
    options: LiveStreamOptions,
  ) {
    this.#res = res;
    this.#account = account;
    this.#scope = scope;
    this.#start = start;
    this.#options = options;
  }

  async run(authorization: string | undefined, expiresAt: number | null): Promise<void> {
    const { live, revalidate, clock } = this.#options;
    const res = this.#res;
    const unsubscribe = live.subscribe(this.#scope, (item) => this.#receive(item));
    const heartbeat = setInterval(() => {
      // An ended stream whose reader takes nothing would never close.
      if (res.writableEnded) res.destroy();
      this.#write(':\n\n');
      // A stream must not outlive its token or its account.
      revalidate(authorization).catch(() => res.end());
    }, HEARTBEAT_MS);
    const expiry =
      expiresAt === null || expiresAt - clock.now() > MAX_TIMER_MS
        ? undefined
        : setTimeout(() => this.#end(), expiresAt - clock.now());
    res.once('close', () => {
      unsubscribe();
      clearInterval(heartbeat);
      clearTimeout(expiry);
      clearTimeout(this.#slow);
    });
    try {
      const end = await this.#options.published();
      await this.#begin(end);
      await this.#catchUp(end);
    } catch {
      res.destroy();
    }
  }

  /** Ends the stream, at shutdown or for a new history. */
  shutDown(): void {
    this.#end();
    setTimeout(() => this.#res.destroy(), END_GRACE_MS).unref();
  }

  /** @param end the start of a stream that begins now */
  async #begin(end: LivePosition): Promise<void> {
    const { store } = this.#options;
    const { cursor, from } = this.#start;
    if (cursor === null) {
      this.#position =
        from === undefined ? end : await this.#inTurn(() => store.sequencesAt(this.#scope, from));
      this.#send('ready', {});
      return;
    }
    const resumed = parseCursor(cursor);
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
   * Sends the store's items up to `end`, in slices, at the reader's pace. Rows past a
   * full buffer are dropped and read again later: a thousand stalled readers hold no
   * rows.
   */
  async #catchUp(end: LivePosition): Promise<void> {
    while (this.#position.eventSeq < end.eventSeq) {
      await this.#inTurn(() => this.#nextEvents(end.eventSeq));
      await this.#drained();
    }
    while (this.#position.attemptSeq < end.attemptSeq) {
      await this.#inTurn(() => this.#nextAttempts(end.attemptSeq));
      await this.#drained();
    }
    const kept = this.#kept ?? [];
    this.#kept = null;
    for (const item of kept) this.#receive(item);
  }

  async #nextEvents(end: number): Promise<void> {
    const { store } = this.#options;
    const events = await store.eventsAfter(this.#scope, this.#position.eventSeq, CATCH_UP_ROWS);
    for (const event of events) {
      if (event.seq > end) break;
      this.#sendEvent(event);
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
    for (const settled of attempts) {
      if (settled.attempt.seq > end) break;
      this.#sendAttempt(settled);
      if (this.#res.writableNeedDrain) return;
    }
    const isLast = scannedTo === attemptSeq || scannedTo > end;
    this.#position = { ...this.#position, attemptSeq: isLast ? end : scannedTo };
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#options.turns.run(this.#account, async () => {
      this.#throwIfEnded();
      return work();
    });
  }

  #receive(item: LiveItem): void {
    if (this.#kept) {
      this.#kept.push(item);
      // The reader lags behind the commits. It reconnects by its cursor, closer to now.
      if (this.#kept.length > MAX_KEPT) this.#res.destroy();
      return;
    }
    const { eventSeq, attemptSeq } = this.#position;
    const isNew =
      item.kind === 'event' ? item.event.seq > eventSeq : item.settled.attempt.seq > attemptSeq;
    if (!isNew) return;
    const history = this.#options.history();
    const { position } = item;
    if (position.eventSeq >= eventSeq && position.attemptSeq >= attemptSeq) {
      this.#position = position;
      this.#gather(this.#options.shared.frameOf(item, history));
      return;
    }
    // Catch-up has sent later items: this item's own cursor would move backwards.
    this.#position = {
      eventSeq: Math.max(eventSeq, position.eventSeq),
      attemptSeq: Math.max(attemptSeq, position.attemptSeq),
    };
    this.#gather(itemFrame(item, history, this.#position));
  }

  #sendEvent(event: EventSummary): void {
    this.#position = { ...this.#position, eventSeq: event.seq };
    this.#send('event', eventSummaryView(event));
  }

  #sendAttempt(settled: SettledAttempt): void {
    this.#position = { ...this.#position, attemptSeq: settled.attempt.seq };
    this.#send('attempt', attemptData(settled));
  }

  #send(event: string, data: object): void {
    this.#write(frame(event, cursorOf(this.#options.history(), this.#position), data));
  }

  #gather(text: string): void {
    this.#gathered.push(text);
    this.#gatheredLength += text.length;
    if (this.#gatheredLength > GATHERED_LENGTH) this.#writeGathered();
    else if (this.#gathered.length === 1) this.#options.coalescer.soon(this.#writeGathered);
  }

  readonly #writeGathered = (): void => {
    if (this.#gathered.length === 0) return;
    const frames = this.#gathered;
    this.#gathered = [];
    this.#gatheredLength = 0;
    this.#write(this.#options.shared.bytesOf(frames));
  };

  #end(): void {
    this.#writeGathered();
    this.#res.end();
  }

  #write(text: string | Buffer): void {
    if (this.#res.destroyed || this.#res.writableEnded) return;
    this.#res.write(text);
    if (this.#res.writableLength > MAX_UNSENT_BYTES) this.#res.destroy();
    else if (this.#res.writableLength > SLOW_UNSENT_BYTES) this.#dropUnlessItCatchesUp();
  }

  #dropUnlessItCatchesUp(): void {
    this.#slow ??= setTimeout(() => {
      this.#slow = undefined;
      if (this.#res.writableLength > SLOW_UNSENT_BYTES) this.#res.destroy();
    }, SLOW_GRACE_MS).unref();
  }

  /**
   * Resolves when the reader has taken the written bytes. Throws if it leaves, or takes
   * nothing for `STALLED_MS`.
   */
  async #drained(): Promise<void> {
    this.#throwIfEnded();
    const res = this.#res;
    if (!res.writableNeedDrain) return;
    await new Promise<void>((resolve) => {
      const stalled = setTimeout(() => res.destroy(), STALLED_MS);
      const go = () => {
        clearTimeout(stalled);
        res.off('drain', go);
        res.off('close', go);
        resolve();
      };
      res.on('drain', go);
      res.on('close', go);
    });
    this.#throwIfEnded();
  }

  #throwIfEnded(): void {
    if (this.#res.destroyed || this.#res.writableEnded) throw new Error('the stream has ended');
  }
}
