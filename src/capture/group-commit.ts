import type { CapturedRequest } from '../core/model.ts';
import type { ClaimTerms } from '../store/contract/claims.ts';
import type { AppendBatchResult, AppendResult } from '../store/contract/events.ts';

/** Events of one commit: bounds how long the last of them waits. */
const MAX_BATCH_EVENTS = 512;
/** Bytes of bodies in one commit, after which it is closed. */
const MAX_BATCH_BYTES = 32 * 1024 * 1024;

export interface CommitStats {
  events: number;
  bytes: number;
  durationMs: number;
  /** Requests that came meanwhile and wait for the next commit. */
  waiting: number;
}

export interface GroupCommitOptions {
  append(requests: readonly CapturedRequest[], terms: ClaimTerms): Promise<AppendBatchResult>;
  /** How many of the new deliveries the dispatcher takes on at once. */
  claimTerms(): ClaimTerms;
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
 */
export class GroupCommit {
  readonly #options: GroupCommitOptions;
  readonly #waiting: Waiting[] = [];
  #running = false;
  readonly #idle: (() => void)[] = [];

  constructor(options: GroupCommitOptions) {
    this.#options = options;
  }

  /** Resolves when the request is on disk (or refused alone); rejects when its commit failed. */
  add(request: CapturedRequest): Promise<AppendResult> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, resolve, reject });
      if (this.#running) return;
      this.#running = true;
      setImmediate(() => void this.#run());
    });
  }

  /** Resolves when nothing waits to be committed: also what came from senders that left since. */
  settled(): Promise<void> {
    if (!this.#running) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  async #run(): Promise<void> {
    let commit = this.#commit(this.#nextBatch());
    while (this.#running) {
      const answer = await commit;
      // What came meanwhile is on its way to the disk while these are answered.
      this.#running = this.#waiting.length > 0;
      if (this.#running) commit = this.#commit(this.#nextBatch());
      answer();
    }
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  #nextBatch(): Waiting[] {
    let bytes = 0;
    let count = 0;
    for (const { request } of this.#waiting) {
      bytes += request.body.length;
      count++;
      if (count === MAX_BATCH_EVENTS || bytes >= MAX_BATCH_BYTES) break;
    }
    return this.#waiting.splice(0, count);
  }

  /** Commits a batch. Returns what answers its requests. */
  async #commit(batch: Waiting[]): Promise<() => void> {
    const { append, claimTerms, onCommitted, monotonic } = this.#options;
    const started = monotonic();
    try {
      const requests = batch.map(({ request }) => request);
      const appended = await append(requests, claimTerms());
      onCommitted(appended, {
        events: batch.length,
        bytes: requests.reduce((sum, { body }) => sum + body.length, 0),
        durationMs: monotonic() - started,
        waiting: this.#waiting.length,
      });
      const { results } = appended;
      return () => {
        for (const [i, { resolve }] of batch.entries()) resolve(results[i] as AppendResult);
      };
    } catch (error) {
      return () => {
        for (const { reject } of batch) reject(error);
      };
    }
  }
}
