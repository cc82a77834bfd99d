import type { IssueChanges } from '../../core/issues/issue-draft.ts';
import type { CursorName, IssueStore } from '../../store/contract/issues.ts';

/** Most facts of one slice. They take some milliseconds of the store's thread. */
const SLICE_FACTS = 500;
/** Most facts without an effect that a crash makes the keeper read again. */
const MOST_UNSAVED = 10_000;

/**
 * How far this node has read facts of one kind. Each fold that changes issues stores the
 * cursor. Other facts move only the position in memory, which saves a commit.
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

  /** The number after which to read. */
  async position(): Promise<number> {
    if (this.#stored === null) {
      this.#stored = await this.#issues.cursor(this.#name);
      this.#position = this.#stored;
    }
    return this.#position;
  }

  /**
   * Commits the changes by the facts up to `scannedTo`. Returns false when another node or a
   * person changed an issue first: read again from `position`.
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
   * Halves the next slice after the store refused a fold. An issue that changes all the time
   * then holds up few other facts.
   */
  refused(): void {
    this.#stored = null;
    this.#limit = Math.max(1, Math.floor(this.#limit / 2));
  }
}

export function isEmpty({ added, changed, dropped }: IssueChanges): boolean {
  return added.length + changed.length + dropped.length === 0;
}
