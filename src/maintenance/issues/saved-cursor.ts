import type { IssueChanges } from '../../core/issues/issue-draft.ts';
import type { CursorName, IssueStore } from '../../store/contract/issues.ts';

/** The facts that one slice reads. They take some milliseconds of the store's thread. */
const SLICE_FACTS = 500;
/** The facts without an effect that a node reads again after a crash, at most. */
const MOST_UNSAVED = 10_000;

/**
 * How far this node has read the facts of one kind. A fold that changes issues also stores the
 * cursor. Facts that change no issue advance only the position in memory, which saves a commit.
 */
export class SavedCursor {
  readonly #name: CursorName;
  readonly #issues: Pick<IssueStore, 'cursor' | 'save'>;
  #stored: number | null = null;
  #position = 0;
  #limit = SLICE_FACTS;

  constructor(name: CursorName, issues: Pick<IssueStore, 'cursor' | 'save'>) {
    this.#name = name;
    this.#issues = issues;
  }

  /** The most facts to read next. */
  get limit(): number {
    return this.#limit;
  }

  /** Returns the number of the last fact that was read. */
  async position(): Promise<number> {
    if (this.#stored === null) {
      this.#stored = await this.#issues.cursor(this.#name);
      this.#position = this.#stored;
    }
    return this.#position;
  }

  /**
   * Commits the changes from the facts up to `scannedTo`. Returns false if another node or a person
   * changed one of the issues first. The caller must then read again from `position`.
   */
  async save(changes: IssueChanges, scannedTo: number): Promise<boolean> {
    const before = this.#stored as number;
    if (isEmpty(changes) && scannedTo - before < MOST_UNSAVED) {
      this.#position = scannedTo;
      return true;
    }
    const cursor = { name: this.#name, before, after: scannedTo };
    if (!(await this.#issues.save({ cursor, ...changes }))) {
      this.refused();
      return false;
    }
    this.#stored = scannedTo;
    this.#position = scannedTo;
    this.#limit = Math.min(SLICE_FACTS, 2 * this.#limit);
    return true;
  }

  /**
   * Halves the next slice, because the store refused a fold. If one issue changes all the time, a
   * small slice delays few facts about other issues.
   */
  refused(): void {
    this.#stored = null;
    this.#limit = Math.max(1, Math.floor(this.#limit / 2));
  }
}

export function isEmpty({ added, changed, dropped }: IssueChanges): boolean {
  return added.length + changed.length + dropped.length === 0;
}
