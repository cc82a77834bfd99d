import type { IssueChanges } from '../../core/issues/issue-draft.ts';
import type { CursorName, IssueStore } from '../../store/contract/issues.ts';

/** Most facts of one slice: they keep the store's thread busy for a few milliseconds. */
const SLICE_FACTS = 500;
/** Facts that change nothing are read again after a crash; at most so many. */
const MOST_UNSAVED = 10_000;

/**
 * How far this node has read facts of one kind. The stored cursor moves with each fold.
 * Facts that change no issue move only the position in memory: it spares a commit.
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

  /** Most facts to read next. */
  get limit(): number {
    return this.#limit;
  }

  /** Where to read on. */
  async position(): Promise<number> {
    if (this.#stored === null) {
      this.#stored = await this.#issues.cursor(this.#name);
      this.#position = this.#stored;
    }
    return this.#position;
  }

  /**
   * Commits what the facts up to `scannedTo` change. False where another node or a person
   * was faster: read again from `position`.
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
   * A fold of these facts was refused: read fewer of them again. What keeps one fold from
   * its end then stops few others.
   */
  refused(): void {
    this.#stored = null;
    this.#limit = Math.max(1, Math.floor(this.#limit / 2));
  }
}

export function isEmpty({ added, changed, dropped }: IssueChanges): boolean {
  return added.length + changed.length + dropped.length === 0;
}
