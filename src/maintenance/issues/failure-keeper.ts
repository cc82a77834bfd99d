import { newId } from '../../core/ids.ts';
import { foldFailures, verificationCause } from '../../core/issues/verification-streak.ts';
import type { Clock } from '../../core/runtime/runtime.ts';
import type { FailureCursor, IssueStore } from '../../store/contract/issues.ts';
import { SavedCursor } from './saved-cursor.ts';

type Store = Pick<IssueStore, 'cursor' | 'failureFacts' | 'byCauses' | 'save'>;

/** Counts failed verifications, a slice at a time. */
export class FailureKeeper {
  readonly #issues: Store;
  readonly #clock: Clock;
  readonly #name: FailureCursor;
  readonly #cursor: SavedCursor;

  constructor(name: FailureCursor, issues: Store, clock: Clock) {
    this.#issues = issues;
    this.#clock = clock;
    this.#name = name;
    this.#cursor = new SavedCursor(name, issues);
  }

  /** Returns true when more is left. */
  async slice(): Promise<boolean> {
    const from = await this.#cursor.position();
    const { facts, scannedTo } = await this.#issues.failureFacts(
      this.#name,
      from,
      this.#cursor.limit,
    );
    if (scannedTo === from) return false;
    const endpointKeys = [...new Set(facts.map(({ endpointKey }) => endpointKey))];
    const known =
      endpointKeys.length > 0
        ? await this.#issues.byCauses(endpointKeys.map(verificationCause))
        : [];
    const now = this.#clock.now();
    const context = { now, makeId: () => newId('iss', now) };
    await this.#cursor.save(foldFailures(known, facts, context), scannedTo);
    return true;
  }
}
