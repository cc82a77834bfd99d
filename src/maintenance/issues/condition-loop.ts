import type { Clock, Logger } from '../../core/runtime/runtime.ts';
import type { IssueStore } from '../../store/contract/issues.ts';
import { BackgroundLoop } from '../background-loop.ts';
import { type ConditionPlace, ConditionRound, type IssueCondition } from './condition-round.ts';

/** Pause after a round for each place, ms. Judging a place takes a few hundredths of that. */
const REST_PER_PLACE_MS = 1;
/** The longest interval between two rounds without a change, ms. */
const SURE_EVERY_MS = 60_000;

export interface ConditionLoopParts {
  issues: IssueStore;
  clock: Clock;
  log: Logger;
}

export interface ConditionLoopOptions<T extends ConditionPlace> extends ConditionLoopParts {
  name: string;
  condition: IssueCondition<T>;
  everyMs: number;
  /** Whether time alone can open or close an issue. Default: false. */
  changesByTime?: boolean;
  /**
   * Returns the time of a round, Unix ms; null while the clock can't be trusted. Default: the
   * clock's time.
   */
  now?(): number | null;
}

/** Runs rounds of a condition if something may have changed. */
export class ConditionLoop<T extends ConditionPlace> extends BackgroundLoop {
  readonly #mayHaveChanged: () => void;

  constructor(options: ConditionLoopOptions<T>) {
    const { name, issues, condition, everyMs, changesByTime = false, clock, log } = options;
    const round = new ConditionRound(issues, condition);
    let hasChanged = true;
    let startedAt = Number.NEGATIVE_INFINITY;
    let restUntil = Number.NEGATIVE_INFINITY;
    const isDue = () => {
      const at = clock.monotonic();
      if (at < restUntil) return false;
      return hasChanged || (changesByTime && round.size > 0) || at - startedAt >= SURE_EVERY_MS;
    };
    super({
      name,
      log,
      everyMs,
      async slice() {
        const now = options.now ? options.now() : clock.now();
        if (now === null) return false;
        if (!round.isUnderWay) {
          if (!isDue()) return false;
          hasChanged = false;
          startedAt = clock.monotonic();
        }
        const isMore = await round.slice(now);
        if (!isMore) restUntil = clock.monotonic() + round.size * REST_PER_PLACE_MS;
        return isMore;
      },
    });
    this.#mayHaveChanged = () => {
      hasChanged = true;
    };
  }

  /** Makes the next round due. Call it after a commit of events or attempts. */
  mayHaveChanged(): void {
    this.#mayHaveChanged();
  }
}
