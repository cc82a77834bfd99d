import type { CapturedRequest } from '../core/http/captured-request.ts';

import type { ClaimTerms } from '../store/contract/claims.ts';
import type { AppendBatchResult, AppendResult } from '../store/contract/events.ts';

/** Events of one commit: bounds how long the last of them waits. */
const MAX_BATCH_EVENTS = 512;
/** Bytes of bodies in one commit, after which it is closed. */
const MAX_BATCH_BYTES = 16 * 1024 * 1024;
/** Commits at once: one that the disk is waited for, and the next. */
const MOST_UNDER_WAY = 2;
/** Fewer requests than this wait while another commit is under way: each has its price. */
const WORTH_A_COMMIT = 8;
/** And fewer than this share of those in the one under way. */
const WORTH_A_COMMIT_SHARE = 1 / 4;

export interface CommitStats {
  events: number;
  bytes: number;
  durationMs: number;
  /** Requests that came meanwhile: the next commit is theirs, or one after it. */
  waiting: number;
}

export interface GroupCommitOptions {
  append(requests: readonly CapturedRequest[], terms: ClaimTerms): Promise<AppendBatchResult>;
  /**
   * How many of the new deliveries the dispatcher takes on at once. `isAhead` while
   * another commit is under way, whose deliveries nobody knows yet.
   */
  claimTerms(isAhead: boolean): ClaimTerms;
  /** After each durable commit, before any of its requests is answered. */
  onCommitted(batch: AppendBatchResult, stats: CommitStats): void;
  monotonic(): number;
}

interface Waiting {
  request: CapturedRequest;
  resolve: (result: AppendResult) => void;
  reject: (error: unknown) => void;
}

/**
 * Requests that arrive while a commit runs share the next one, and so its
 * fsync: the busier the server, the larger the batches. A lone request is
 * committed at the end of the turn of the event loop in which it arrived.
 *
 * The next commit is handed to the store while one is under way, so that it
 * never waits for this end. And when none is, the first takes half of what waits:
 * senders that wait for their answers else fall into step, and the store is idle
 * while their requests are read, and they while it writes.
 */
export class GroupCommit {
  readonly #options: GroupCommitOptions;
  readonly #waiting: Waiting[] = [];
  /** Not answered yet. */
  #open = 0;
  #underWay = 0;
  /** Events of the commit that was begun last. */
  #lastEvents = 0;
  #isStarting = false;
  /** When each commit under way was begun, by the monotonic clock. */
  readonly #begun = new Set<{ at: number }>();
  readonly #idle: (() => void)[] = [];

  constructor(options: GroupCommitOptions) {
    this.#options = options;
  }

  /** Resolves when the request is on disk (or refused alone); rejects when its commit failed. */
  add(request: CapturedRequest): Promise<AppendResult> {
    return new Promise((resolve, reject) => {
      this.#open++;
      this.#waiting.push({ request, resolve, reject });
      if (this.#isStarting || this.#underWay === MOST_UNDER_WAY) return;
      this.#isStarting = true;
      setImmediate(() => {
        this.#isStarting = false;
        this.#start();
      });
    });
  }

  /** How long the oldest commit under way has taken, ms; 0 when none is. */
  get longestMs(): number {
    const [oldest] = this.#begun;
    return oldest ? this.#options.monotonic() - oldest.at : 0;
  }

  /** Resolves when nothing waits to be committed: also what came from senders that left since. */
  settled(): Promise<void> {
    if (this.#open === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  #start(): void {
    while (this.#underWay < MOST_UNDER_WAY) {
      const isFirst = this.#underWay === 0;
      const least = isFirst ? 1 : Math.max(WORTH_A_COMMIT, WORTH_A_COMMIT_SHARE * this.#lastEvents);
      if (this.#waiting.length < least) return;
      const batch = this.#nextBatch(isFirst);
      this.#lastEvents = batch.length;
      void this.#run(batch);
    }
  }

  async #run(batch: Waiting[]): Promise<void> {
    this.#underWay++;
    const answer = await this.#commit(batch);
    this.#underWay--;
    this.#open -= batch.length;
    // What came meanwhile is on its way to the disk while these are answered.
    this.#start();
    answer();
    if (this.#open === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  #nextBatch(isFirst: boolean): Waiting[] {
    const isWorthTwo = isFirst && this.#waiting.length >= 2 * WORTH_A_COMMIT;
    const most = isWorthTwo ? Math.ceil(this.#waiting.length / 2) : this.#waiting.length;
    let bytes = 0;
    let count = 0;
    for (const { request } of this.#waiting) {
      bytes += request.body.length;
      count++;
      if (count === Math.min(most, MAX_BATCH_EVENTS) || bytes >= MAX_BATCH_BYTES) break;
    }
    return this.#waiting.splice(0, count);
  }

  /** Commits a batch. Returns what answers its requests. */
  async #commit(batch: Waiting[]): Promise<() => void> {
    const { append, claimTerms, onCommitted, monotonic } = this.#options;
    const started = monotonic();
    const begun = { at: started };
    this.#begun.add(begun);
    try {
      const requests = batch.map(({ request }) => request);
      const appended = await append(requests, claimTerms(this.#underWay > 1));
      onCommitted(appended, {
        events: batch.length,
        bytes: requests.reduce((sum, { body }) => sum + body.length, 0),
        durationMs: monotonic() - started,
        waiting: this.#open - batch.length,
      });
      const { results } = appended;
      return () => {
        for (const [i, { resolve }] of batch.entries()) resolve(results[i] as AppendResult);
      };
    } catch (error) {
      return () => {
        for (const { reject } of batch) reject(error);
      };
    } finally {
      this.#begun.delete(begun);
    }
  }
}
