import type { Clock, Logger } from '../../core/runtime/runtime.ts';
import { MOST_TYPES } from '../../core/shapes/most-types.ts';
import type { StoredType, TypeStore } from '../../store/contract/types.ts';
import { BackgroundLoop } from '../background-loop.ts';
import type { LearningThread } from './learning-thread.ts';

const SLICE_TYPES = 20;
/** The types that the round checks in a second, at most. */
const PACE = 20;
/**
 * The interval between rounds if this process deletes no events, ms. Other processes may delete
 * some.
 */
const EVERY_MS = 6 * 3_600_000;

export interface ForgetRoundOptions {
  types: TypeStore;
  thread: LearningThread;
  clock: Clock;
  log: Logger;
}

/**
 * Forgets literal values whose last event was deleted. A round checks all types. Rounds start with
 * the process and after deletions.
 */
export class ForgetRound extends BackgroundLoop {
  readonly #options: ForgetRoundOptions;
  /** The key of the last type that this round has checked. */
  #at = 0;
  /** Whether the next round is due, because events were deleted after this round began. */
  #isStale = true;
  #nextAt = 0;

  constructor(options: ForgetRoundOptions) {
    super({
      name: 'forgetting values of deleted events',
      log: options.log,
      everyMs: EVERY_MS,
      slice: () => this.#slice(),
    });
    this.#options = options;
  }

  onDeleted(): void {
    this.#isStale = true;
    this.#schedule();
  }

  #schedule(): void {
    this.wakeIn(Math.max(0, this.#nextAt - this.#options.clock.monotonic()));
  }

  /** Returns false, because a timer starts the next slice. */
  async #slice(): Promise<false> {
    const { types, clock } = this.#options;
    const now = clock.monotonic();
    if (now < this.#nextAt) {
      this.#schedule();
      return false;
    }
    this.#nextAt = now + (1000 * SLICE_TYPES) / PACE;
    if (this.#at === 0) this.#isStale = false;
    const page = await types.after(this.#at, SLICE_TYPES);
    await this.#forget(page.filter((type) => type.shape !== null));
    const isEnd = page.length < SLICE_TYPES;
    this.#at = isEnd ? 0 : (page.at(-1)?.key ?? 0);
    if (!isEnd || this.#isStale) this.#schedule();
    return false;
  }

  async #forget(page: readonly StoredType[]): Promise<void> {
    const { types, thread } = this.#options;
    if (page.length === 0) return;
    const shapes = page.map(({ shape }) => shape as Uint8Array);
    const needed = [...new Set((await thread.needed(shapes)).flat())];
    if (needed.length === 0) return;
    const gone = await types.gone(needed);
    if (gone.size === 0) return;
    const changed = (await thread.forget(shapes, gone)).flatMap((shape, i) =>
      shape ? [{ ...(page[i] as StoredType), shape }] : [],
    );
    if (changed.length === 0) return;
    // The learner changed one of the types first, so the next round tries again.
    if (!(await types.save({ added: [], changed }, MOST_TYPES))) this.#isStale = true;
  }
}
