import { beginStreaks, foldAttempts } from '../../core/issues/delivery-streak.ts';
import type { Issue } from '../../core/issues/issue.ts';
import type { IssueChanges } from '../../core/issues/issue-draft.ts';
import type { Clock } from '../../core/runtime/runtime.ts';
import type { IssueStore } from '../../store/contract/issues.ts';
import { foldContext } from './fold-context.ts';
import { isEmpty, SavedCursor } from './saved-cursor.ts';

const KINDS = ['delivery', 'alert'] as const;
/** The issues with successes that one slice reads at most. */
const SLICE_CLOSING = 200;

type Store = Pick<
  IssueStore,
  'cursor' | 'closing' | 'idle' | 'attemptFacts' | 'byDestinations' | 'save'
>;

/** Turns attempts into issues of kind `delivery` and `alert`. */
export class AttemptKeeper {
  readonly #issues: Store;
  readonly #clock: Clock;
  readonly #cursor: SavedCursor;
  #closingAfter = 0;
  /** Whether the last slice found streaks, which the next success may end. */
  awaitsSuccesses = true;

  constructor(issues: Store, clock: Clock) {
    this.#issues = issues;
    this.#clock = clock;
    this.#cursor = new SavedCursor('attempts', issues);
  }

  /** Returns true if more attempts are left. */
  async slice(): Promise<boolean> {
    const issues = this.#issues;
    // Idle destinations are read before the facts. So no failure follows those facts at an idle
    // destination.
    const closing = await issues.closing(this.#closingAfter, SLICE_CLOSING);
    const looked = placesOf(closing);
    const idle = looked.size > 0 ? await issues.idle([...looked]) : null;

    const from = await this.#cursor.position();
    const { limit } = this.#cursor;
    const { facts, scannedTo } = await issues.attemptFacts(from, limit);
    this.awaitsSuccesses = facts.length > 0 || closing.length > 0;
    // Attempts are numbered. A scan of fewer numbers than the limit has reached the end.
    const isEnd = scannedTo - from < limit;
    const ending = idle && scannedTo >= idle.upTo ? idle.destinations : new Set<number>();
    const places = [...new Set([...placesOf(facts), ...ending])];
    const known = places.length > 0 ? await issues.byDestinations(places, KINDS) : [];

    const context = { ...foldContext(this.#clock.now()), idle: ending };
    const begun = beginStreaks(
      known,
      facts.filter(({ seq }) => seq < scannedTo),
      context,
    );
    if (!isEmpty(begun)) {
      if (!(await issues.save(begun))) this.#cursor.refused();
      return true;
    }
    const changes = foldAttempts(known, facts, context);
    if (!(await this.#cursor.save(changes, scannedTo))) return true;
    this.#closingAfter = closing.length < SLICE_CLOSING ? 0 : (closing.at(-1) as Issue).key;
    return !isEnd || this.#closingAfter > 0 || hasFreshSuccess(changes, looked);
  }
}

function placesOf(all: readonly { destinationKey: number }[]): Set<number> {
  return new Set(all.map(({ destinationKey }) => destinationKey));
}

/** Whether an issue may close by a success at a destination that the slice didn't check. */
function hasFreshSuccess({ added, changed }: IssueChanges, looked: ReadonlySet<number>): boolean {
  return [...added, ...changed].some(
    ({ state, successes, destinationKey }) =>
      state !== 'resolved' && successes > 0 && !looked.has(destinationKey),
  );
}
