import { type EventKind, eventCause, foldEvents } from '../../core/issues/event-streak.ts';
import type { Issue, IssueCause } from '../../core/issues/issue.ts';
import type { FoldContext, IssueChanges } from '../../core/issues/issue-draft.ts';
import { foldFailures, verificationCause } from '../../core/issues/verification-streak.ts';
import type { Clock } from '../../core/runtime/runtime.ts';
import type {
  CursorName,
  EventFact,
  FactPage,
  FailureCursor,
  FailureFact,
  IssueStore,
} from '../../store/contract/issues.ts';
import { foldContext } from './fold-context.ts';
import { SavedCursor } from './saved-cursor.ts';

/** Facts about endpoints, and how they become issues. */
export interface EndpointFacts<F> {
  cursor: CursorName;
  /** See `IssueStore.conflictFacts`. */
  read(after: number, limit: number): Promise<FactPage<F>>;
  causeOf(fact: F): IssueCause;
  fold(known: readonly Issue[], facts: readonly F[], context: FoldContext): IssueChanges;
}

/** Turns facts about endpoints into issues. */
export class FactKeeper<F> {
  readonly #issues: IssueStore;
  readonly #facts: EndpointFacts<F>;
  readonly #clock: Clock;
  readonly #cursor: SavedCursor;

  constructor(issues: IssueStore, facts: EndpointFacts<F>, clock: Clock) {
    this.#issues = issues;
    this.#facts = facts;
    this.#clock = clock;
    this.#cursor = new SavedCursor(facts.cursor, issues);
  }

  /** Returns true if more facts are left. */
  async slice(): Promise<boolean> {
    const { read, causeOf, fold } = this.#facts;
    const from = await this.#cursor.position();
    const { facts, scannedTo } = await read(from, this.#cursor.limit);
    if (scannedTo === from) return false;
    const causes = uniqueCauses(facts.map(causeOf));
    const known = causes.length > 0 ? await this.#issues.byCauses(causes) : [];
    await this.#cursor.save(fold(known, facts, foldContext(this.#clock.now())), scannedTo);
    return true;
  }
}

function uniqueCauses(causes: readonly IssueCause[]): IssueCause[] {
  return [...new Map(causes.map((cause) => [JSON.stringify(cause), cause])).values()];
}

/** Where the facts of each kind come from. */
const EVENT_SOURCES = {
  conflict: { cursor: 'conflicts', read: 'conflictFacts' },
  unjudged: { cursor: 'unjudged', read: 'unjudgedFacts' },
  uncomparable: { cursor: 'uncomparable', read: 'uncomparableFacts' },
} as const satisfies Record<EventKind, { cursor: CursorName; read: keyof IssueStore }>;

/** Returns the facts about events of which a single one opens an issue of this kind. */
export function eventFacts(issues: IssueStore, kind: EventKind): EndpointFacts<EventFact> {
  const { cursor, read } = EVENT_SOURCES[kind];
  return {
    cursor,
    read: (after, limit) => issues[read](after, limit),
    causeOf: (fact) => eventCause(kind, fact),
    fold: (known, facts, context) => foldEvents(kind, known, facts, context),
  };
}

/** Returns the facts about requests whose verification failed. */
export function failureFacts(
  issues: IssueStore,
  cursor: FailureCursor,
): EndpointFacts<FailureFact> {
  return {
    cursor,
    read: (after, limit) => issues.failureFacts(cursor, after, limit),
    causeOf: ({ endpointKey }) => verificationCause(endpointKey),
    fold: foldFailures,
  };
}
