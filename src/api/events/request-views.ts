import { HookrelayError } from '../../core/errors.ts';
import { memoryOf } from '../../core/runtime/free-memory.ts';
import { JobThread } from '../../core/threads/job-thread.ts';
import type { CpuUse } from '../../core/turns/cpu-use.ts';
import { Turns } from '../../core/turns/turns.ts';
import { JsonText } from '../route.ts';
import {
  type Detail,
  type DetailHead,
  detailText,
  headView,
  type ShownEvent,
  type StoredEventDetail,
} from './detail-view.ts';
import type { ViewJob, WrittenView } from './view-worker.ts';

/** The largest body that the main thread writes into a view. It takes less than a millisecond. */
const MOST_BYTES_HERE = 64 * 1024;
/**
 * The largest number of waiting views per account. Each keeps a connection, but no body in memory.
 */
const WAITING_PER_ACCOUNT = 16;
/** Deadline of one view, ms. 25 MiB take about 300 ms. */
const DEADLINE_MS = 10_000;
const IDLE_MS = 60_000;
const RETRY_AFTER_S = 2;
/** Memory for a body and its escaped text, at two bytes per character. */
const WORKER_LIMITS = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 16 };

export interface Viewed {
  /** The caller's account, which owns the request. */
  account: string;
  /** Size of the body, bytes. */
  size: number;
  /** Whether to leave out the body. */
  isHead?: boolean;
  signal: AbortSignal;
}

/** Writes requests as the API shows them. A thread writes large ones, and accounts take turns. */
export class RequestViews {
  readonly #turns: Turns;
  readonly #thread: JobThread<ViewJob, WrittenView>;

  constructor(cpu: CpuUse) {
    this.#turns = new Turns({ slots: 1, slotsPerKey: 1, cpu });
    this.#thread = new JobThread({
      worker: 'view-worker',
      resourceLimits: WORKER_LIMITS,
      deadlineMs: DEADLINE_MS,
      idleMs: IDLE_MS,
      // Views wait in `#turns`, which runs one at a time.
      mostWaiting: 1,
      cpu,
      overloaded: tooMany,
      tooLong: () => new Error('the view of a body takes too long'),
      gaveOut: (cause) => new Error('the thread that writes views failed', { cause }),
    });
  }

  /**
   * Returns the request's head or the whole request. Throws `overloaded` if too many views of the
   * account's large requests are already waiting. If the signal aborts a view, rejects with the
   * signal's reason.
   *
   * @param load reads the request. For a large request, it isn't called before the account's turn,
   *   so that only one large body is in memory
   */
  show(viewed: Viewed & { isHead?: never }, load: () => Promise<Detail>): Promise<JsonText>;
  show(viewed: Viewed, load: () => Promise<StoredEventDetail>): Promise<JsonText | ShownEvent>;
  async show(viewed: Viewed, load: () => Promise<Detail>): Promise<JsonText | DetailHead> {
    const { account, size, isHead = false, signal } = viewed;
    if (size <= MOST_BYTES_HERE) {
      const detail = await load();
      return isHead ? headView(detail) : new JsonText(detailText(detail));
    }
    if (this.#turns.waitingOf(account) >= WAITING_PER_ACCOUNT) throw tooMany();
    const view = await this.#turns.run(
      account,
      async () => {
        const detail = await load();
        const memory = memoryOf(detail.content.body);
        const terms = { account, signal, handedOver: memory ? [memory] : [] };
        return this.#thread.run({ detail, isHead }, terms);
      },
      signal,
    );
    if (!(view instanceof Uint8Array)) return view;
    return new JsonText(Buffer.from(view.buffer, view.byteOffset, view.byteLength));
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}

function tooMany(): HookrelayError {
  return new HookrelayError('overloaded', 'too many views of large bodies wait', {
    hint: `try again in ${RETRY_AFTER_S} s`,
    retryAfterS: RETRY_AFTER_S,
  });
}
