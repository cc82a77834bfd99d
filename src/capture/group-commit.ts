import type { CapturedRequest } from '../core/http/captured-request.ts';
import type { ClaimTerms } from '../store/contract/claims.ts';
import type { AppendBatchResult, AppendResult } from '../store/contract/events.ts';

/** How many events one commit has at most. This bounds how long its last event waits. */
const MAX_BATCH_EVENTS = 512;
/** A commit takes no more requests once their bodies reach this size, bytes. */
const MAX_BATCH_BYTES = 16 * 1024 * 1024;
/** How many commits of a lane run at once. While one waits for the disk, the store has the next. */
const MOST_UNDER_WAY = 2;
/** A second commit starts only with this many requests, because each commit has a fixed cost. */
const WORTH_A_COMMIT = 8;
/** A second commit also needs this share of the last commit's number of events. */
const WORTH_A_COMMIT_SHARE = 1 / 4;

export interface CommitStats {
  /** Stored events. Refused requests, and requests that must be judged again, don't count. */
  events: number;
  bytes: number;
  durationMs: number;
  /** Requests that wait for a later commit. */
  waiting: number;
}

export interface GroupCommitOptions {
  /**
   * Whether the commit of this request may wait for a lock. Other requests must not share that
   * commit.
   */
  isApart(request: CapturedRequest): boolean;
  append(requests: readonly CapturedRequest[], terms: ClaimTerms): Promise<AppendBatchResult>;
  /**
   * Returns how many of its new deliveries a commit may claim for the dispatcher. `isAhead`:
   * another commit is under way, and the dispatcher doesn't know that commit's deliveries yet.
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

/** A group of requests that can share commits. */
class CommitLane {
  readonly waiting: Waiting[] = [];
  /** How many requests have no answer yet. */
  open = 0;
  /** When each commit under way began, by the monotonic clock, ms. */
  readonly begun = new Set<{ at: number }>();
  /** How many events the newest commit has. */
  lastEvents = 0;
  isStarting = false;
}

/**
 * Commits requests in groups. Requests that arrive during a commit share the next commit and its
 * fsync, so a busier server has larger commits. A lone request is committed at the end of the event
 * loop's turn in which it arrives.
 *
 * The store gets the next commit while one is still under way, so it is never idle between two
 * commits. If no commit is under way, the first one takes only half of the waiting requests.
 * Otherwise all clients that wait for an answer before their next request would wait for the same
 * commit. They would then send at the same time, and the store would be idle while the server reads
 * those requests.
 *
 * Requests with an order key have their own lane (`isApart`). Their commit may wait for the lock of
 * the key, and requests without a key must not wait for that.
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
   * How long the oldest commit of the shared lane has run, ms; 0 if none runs. The other lane
   * doesn't count, because its commits delay no request of the shared lane.
   */
  get longestMs(): number {
    const [oldest] = this.#shared.begun;
    return oldest ? this.#options.monotonic() - oldest.at : 0;
  }

  /** Resolves when no request waits for its commit. Requests whose senders have left count too. */
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
