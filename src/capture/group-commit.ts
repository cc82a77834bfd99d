import type { CapturedRequest } from '../core/http/captured-request.ts';
import type { ClaimTerms } from '../store/contract/claims.ts';
import type { AppendBatchResult, AppendResult } from '../store/contract/events.ts';

/** At most this many events are in one commit. The limit bounds how long the last event waits. */
const MAX_BATCH_EVENTS = 512;
/** A commit takes no more requests after their bodies reach this size, bytes. */
const MAX_BATCH_BYTES = 16 * 1024 * 1024;
/**
 * At most this many commits of a lane run at once. While one waits for the disk, the store works on
 * the next.
 */
const MOST_UNDER_WAY = 2;
/** A second commit needs at least this many requests, because each commit has a fixed cost. */
const WORTH_A_COMMIT = 8;
/** A second commit also needs this share of the last commit's events. */
const WORTH_A_COMMIT_SHARE = 1 / 4;

export interface CommitStats {
  /** The stored events. Refused and stale requests don't count. */
  events: number;
  bytes: number;
  durationMs: number;
  /** Requests that wait for a later commit. */
  waiting: number;
}

export interface GroupCommitOptions {
  /**
   * Whether the commit of this request may wait for a lock. Requests without such a lock must not
   * share that commit.
   */
  isApart(request: CapturedRequest): boolean;
  append(requests: readonly CapturedRequest[], terms: ClaimTerms): Promise<AppendBatchResult>;
  /**
   * Returns how many new deliveries a commit may claim for the dispatcher.
   *
   * @param isAhead whether another commit runs, whose deliveries the dispatcher doesn't know yet
   */
  claimTerms(isAhead: boolean): ClaimTerms;
  /** Called after each durable commit, before its requests are answered. */
  onCommitted(batch: AppendBatchResult, stats: CommitStats): void;
  monotonic(): number;
}

interface Waiting {
  request: CapturedRequest;
  resolve: (result: AppendResult) => void;
  reject: (error: unknown) => void;
}

class CommitLane {
  readonly waiting: Waiting[] = [];
  /** Requests without an answer. */
  open = 0;
  /** Start times of the running commits, monotonic ms. */
  readonly begun = new Set<{ at: number }>();
  /** Events of the newest commit. */
  lastEvents = 0;
  isStarting = false;
}

/**
 * Commits requests in groups. Requests that arrive during a commit share the next commit and its
 * fsync. A lone request is committed at the end of its turn of the event loop.
 *
 * The store gets the next commit while one still runs, so it is never idle between two commits. If
 * no commit runs, the first one takes only half of the waiting requests. Otherwise closed-loop
 * clients synchronise with commits, and the store is idle while the server reads their next
 * requests.
 *
 * Requests with an order key have their own lane (`isApart`), because their commit may wait for the
 * key's lock.
 */
export class GroupCommit {
  readonly #options: GroupCommitOptions;
  readonly #shared = new CommitLane();
  readonly #apart = new CommitLane();
  readonly #idle: (() => void)[] = [];

  constructor(options: GroupCommitOptions) {
    this.#options = options;
  }

  /** Resolves when the request is on disk or refused. Rejects when its commit fails. */
  add(request: CapturedRequest): Promise<AppendResult> {
    const lane = this.#options.isApart(request) ? this.#apart : this.#shared;
    return new Promise((resolve, reject) => {
      lane.open++;
      lane.waiting.push({ request, resolve, reject });
      if (lane.isStarting || lane.begun.size === MOST_UNDER_WAY) return;
      lane.isStarting = true;
      setImmediate(() => {
        lane.isStarting = false;
        this.#start(lane);
      });
    });
  }

  /**
   * How long the oldest running commit of the shared lane has run, ms; 0 if none runs. Commits of
   * the other lane delay no request of the shared lane, so they don't count.
   */
  get longestMs(): number {
    const [oldest] = this.#shared.begun;
    return oldest ? this.#options.monotonic() - oldest.at : 0;
  }

  /** Resolves when no request waits for its commit, not even a request whose sender has left. */
  settled(): Promise<void> {
    if (this.#isSettled) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  get #isSettled(): boolean {
    return this.#shared.open + this.#apart.open === 0;
  }

  #start(lane: CommitLane): void {
    while (lane.begun.size < MOST_UNDER_WAY) {
      const isFirst = lane.begun.size === 0;
      const least = isFirst ? 1 : Math.max(WORTH_A_COMMIT, WORTH_A_COMMIT_SHARE * lane.lastEvents);
      if (lane.waiting.length < least) return;
      const batch = nextBatch(lane.waiting, isFirst);
      lane.lastEvents = batch.length;
      void this.#run(lane, batch);
    }
  }

  async #run(lane: CommitLane, batch: Waiting[]): Promise<void> {
    const answer = await this.#commit(lane, batch);
    lane.open -= batch.length;
    // Starts the next commit first, so that it runs while this batch is answered.
    this.#start(lane);
    answer();
    if (this.#isSettled) for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** Commits a batch. Returns a function that resolves or rejects its requests. */
  async #commit(lane: CommitLane, batch: Waiting[]): Promise<() => void> {
    const { append, claimTerms, onCommitted, monotonic } = this.#options;
    const started = monotonic();
    const begun = { at: started };
    lane.begun.add(begun);
    try {
      const requests = batch.map(({ request }) => request);
      const underWay = this.#shared.begun.size + this.#apart.begun.size;
      const appended = await append(requests, claimTerms(underWay > 1));
      onCommitted(appended, {
        events: appended.results.filter(({ stored }) => stored).length,
        bytes: requests.reduce((sum, { body }) => sum + body.length, 0),
        durationMs: monotonic() - started,
        waiting: lane.open - batch.length,
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
      lane.begun.delete(begun);
    }
  }
}

/** Removes and returns the requests of the next commit. */
function nextBatch(waiting: Waiting[], isFirst: boolean): Waiting[] {
  const isWorthTwo = isFirst && waiting.length >= 2 * WORTH_A_COMMIT;
  const most = isWorthTwo ? Math.ceil(waiting.length / 2) : waiting.length;
  let bytes = 0;
  let count = 0;
  for (const { request } of waiting) {
    bytes += request.body.length;
    count++;
    if (count === Math.min(most, MAX_BATCH_EVENTS) || bytes >= MAX_BATCH_BYTES) break;
  }
  return waiting.splice(0, count);
}
