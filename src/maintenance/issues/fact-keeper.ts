import { newId } from '../../core/ids.ts';
import { type EventKind, eventCause, foldEvents } from '../../core/issues/event-streak.ts';
import type { Clock } from '../../core/runtime/runtime.ts';
import type { CursorName, EventFact, FactPage, IssueStore } from '../../store/contract/issues.ts';
import { SavedCursor } from './saved-cursor.ts';

export interface EventFacts {
  kind: EventKind;
  cursor: CursorName;
  /** See `IssueStore.conflictFacts`. */
  read(after: number, limit: number): Promise<FactPage<EventFact>>;
}

/** Folds what single events show into issues of a kind, a slice at a time. */
export class EventKeeper {
  readonly #issues: Pick<IssueStore, 'cursor' | 'byCauses' | 'save'>;
  readonly #facts: EventFacts;
  readonly #clock: Clock;
  readonly #cursor: SavedCursor;

  constructor(
    issues: Pick<IssueStore, 'cursor' | 'byCauses' | 'save'>,
    facts: EventFacts,
    clock: Clock,
  ) {
    this.#issues = issues;
    this.#facts = facts;
    this.#clock = clock;
    this.#cursor = new SavedCursor(facts.cursor, issues);
  }

  /** Returns true when more is left. */
  async slice(): Promise<boolean> {
    const { kind, read } = this.#facts;
    const from = await this.#cursor.position();
    const { facts, scannedTo } = await read(from, this.#cursor.limit);
    if (scannedTo === from) return false;
    const endpointKeys = new Set(facts.map(({ endpointKey }) => endpointKey));
    const causes = [...endpointKeys].map((key) => eventCause(kind, key));
    const known = causes.length > 0 ? await this.#issues.byCauses(causes) : [];
    const now = this.#clock.now();
    const context = { now, makeId: () => newId('iss', now) };
    await this.#cursor.save(foldEvents(kind, known, facts, context), scannedTo);
    return true;
  }
}
