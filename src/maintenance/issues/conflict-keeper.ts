import { newId } from '../../core/ids.ts';
import { conflictCause, foldConflicts } from '../../core/issues/conflict-course.ts';
import type { Clock } from '../../core/runtime.ts';
import type { IssueStore } from '../../store/contract/issues.ts';
import { SavedCursor } from './saved-cursor.ts';

/** Folds conflicts into issues, a slice at a time. */
export class ConflictKeeper {
  readonly #issues: Pick<IssueStore, 'cursor' | 'conflictFacts' | 'byCauses' | 'save'>;
  readonly #clock: Clock;
  readonly #cursor: SavedCursor;

  constructor(
    issues: Pick<IssueStore, 'cursor' | 'conflictFacts' | 'byCauses' | 'save'>,
    clock: Clock,
  ) {
    this.#issues = issues;
    this.#clock = clock;
    this.#cursor = new SavedCursor('conflicts', issues);
  }

  /** Returns true when more is left. */
  async slice(): Promise<boolean> {
    const from = await this.#cursor.position();
    const { facts, scannedTo } = await this.#issues.conflictFacts(from, this.#cursor.limit);
    if (scannedTo === from) return false;
    const endpointKeys = new Set(facts.map(({ endpointKey }) => endpointKey));
    const known =
      endpointKeys.size > 0
        ? await this.#issues.byCauses([...endpointKeys].map(conflictCause))
        : [];
    const now = this.#clock.now();
    const context = { now, makeId: () => newId('iss', now) };
    await this.#cursor.save(foldConflicts(known, facts, context), scannedTo);
    return true;
  }
}
