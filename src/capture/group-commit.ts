import type { CapturedRequest } from '../core/http/captured-request.ts';
import type { ClaimTerms } from '../store/contract/claims.ts';
import type { AppendBatchResult, AppendResult } from '../store/contract/events.ts';

/** Most events in one commit. Bounds the wait of its last event. */
const MAX_BATCH_EVENTS = 512;
/** Size of its bodies at which a commit is full, bytes. */
const MAX_BATCH_BYTES = 16 * 1024 * 1024;
/** Most commits of a lane at once. While one waits for the disk, the store has the next. */
const MOST_UNDER_WAY = 2;
/** Fewest requests that start a second commit, because each commit has a fixed cost. */
const WORTH_A_COMMIT = 8;
/** Fewest requests that start a second commit, as a share of the last commit's events. */
const WORTH_A_COMMIT_SHARE = 1 / 4;

export interface CommitStats {
  /** Stored events. Refused requests, and those to judge again, don't count. */
  events: number;
  bytes: number;
  durationMs: number;
  /** Requests that wait for a later commit. */
  waiting: number;
}

export interface GroupCommitOptions {
  /** Whether the request's commit may wait for a lock. Other requests must not wait for it. */
  isApart(request: CapturedRequest): boolean;
  append(requests: readonly CapturedRequest[], terms: ClaimTerms): Promise<AppendBatchResult>;
  /**
   * How many of the new deliveries the dispatcher claims in the commit. `isAhead`: another commit
   * is under way, whose deliveries the dispatcher doesn't know yet.
   */
  claimTerms(isAhead: boolean): ClaimTerms;
  /** Called after each durable commit, before any of its requests is answered. */
  onCommitted(batch: AppendBatchResult, stats: CommitStats): void;
  monotonic(): number;
}

interface Waiting {
  request: CapturedRequest;
  resolve: (result: AppendResult) => void;
  reject: (error: unknown) => void;
}

/** Requests that share commits. */
class CommitLane {
  readonly waiting: Waiting[] = [];
  /** Requests without an answer. */
  open = 0;
  /** Start of each commit under way, by the monotonic clock, ms. */
  readonly begun = new Set<{ at: number }>();
  /** Events of the newest commit. */
  lastEvents = 0;
  isStarting = false;
}

/**
 * Requests that arrive while a commit runs share the next commit and its fsync: the busier the
 * server, the larger the batches. A lone request is committed at the end of the event loop's
 * turn in which it arrives.
 *
 * The store gets the next commit while one is under way, so it never idles between two. If none
 * is under way, the first commit takes half of the waiting requests. Otherwise closed-loop
 * clients synchronise with commits: the store idles while their requests are read, and they wait
 * while it writes.
 *
 * Requests with an order key have their own lane (`isApart`). Their commit may wait for the key's
 * lock, and must not hold up requests without a key.
 */
export class GroupCommit {
  readonly #options: GroupCommitOptions;
  readonly #shared = new CommitLane();
  readonly #apart = new CommitLane();
  readonly #idle: (() => void)[] = [];

  constructor(options: GroupCommitOptions) {
    this.#options = options;
  }

  /** Resolves when the request is on disk or refused. Rejects when its commit failed. */
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
   * Age of the oldest commit under way in the shared lane, ms; 0 without one. A commit of the
   * other lane delays no request of this one.
   */
  get longestMs(): number {
    const [oldest] = this.#shared.begun;
    return oldest ? this.#options.monotonic() - oldest.at : 0;
  }

  /** Resolves when no request waits for its commit, even one whose sender has left. */
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
    // The next commit runs while this batch is answered.
    this.#start(lane);
    answer();
    if (this.#isSettled) for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** Commits a batch. Returns a function that settles its requests. */
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

/** Takes the requests of the next commit. */
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
