import type { Issue, IssueCause } from './issue.ts';

/** An issue that may be new to the store. */
export type NewIssue = Omit<Issue, 'key' | 'version'>;

/** The changes of a fold. The store commits all of them or none. */
export interface IssueChanges {
  added: NewIssue[];
  changed: Issue[];
  /** Forming issues whose streak ended. */
  dropped: Pick<Issue, 'key' | 'version'>[];
}

export interface FoldContext {
  now: number;
  makeId(): string;
}

interface DraftChange {
  before: Issue | null;
  after: NewIssue | null;
}

/** The issues during a fold, each cause once. */
export class IssueDraft {
  readonly #drafts = new Map<string, DraftChange>();
  readonly #ofDestination = new Map<number, Set<DraftChange>>();

  /** @param known all stored issues of the causes and destinations that the fold may touch */
  constructor(known: readonly Issue[]) {
    for (const issue of known) this.#add(issue, { before: issue, after: issue });
  }

  get(cause: IssueCause): NewIssue | null {
    return this.#drafts.get(nameOf(cause))?.after ?? null;
  }

  /** Returns the number of a destination's unresolved issues for HTTP statuses. */
  countStatuses(destinationKey: number): number {
    const drafts = [...(this.#ofDestination.get(destinationKey) ?? [])];
    return drafts.filter(
      ({ after }) => after && after.state !== 'resolved' && after.subject.startsWith('http_'),
    ).length;
  }

  /** @param after the new issue; null removes the issue */
  put(cause: IssueCause, after: NewIssue | null): void {
    const draft = this.#drafts.get(nameOf(cause));
    if (draft) draft.after = after;
    else if (after) this.#add(cause, { before: null, after });
  }

  /** Replaces each issue at a destination. Removes the issue if `next` returns null. */
  mapDestination(key: number, next: (issue: NewIssue) => NewIssue | null): void {
    for (const draft of this.#ofDestination.get(key) ?? []) {
      if (draft.after) draft.after = next(draft.after);
    }
  }

  changes(): IssueChanges {
    const changes: IssueChanges = { added: [], changed: [], dropped: [] };
    for (const { before, after } of this.#drafts.values()) {
      if (before === after) continue;
      if (!before) {
        if (after) changes.added.push(after);
      } else if (after) {
        const { key, id, version } = before;
        changes.changed.push({ ...after, key, id, version });
      } else {
        changes.dropped.push({ key: before.key, version: before.version });
      }
    }
    return changes;
  }

  #add(cause: IssueCause, draft: DraftChange): void {
    this.#drafts.set(nameOf(cause), draft);
    const drafts = this.#ofDestination.get(cause.destinationKey) ?? new Set();
    this.#ofDestination.set(cause.destinationKey, drafts.add(draft));
  }
}

function nameOf({ kind, endpointKey, destinationKey, subject }: IssueCause): string {
  return `${kind} ${endpointKey} ${destinationKey} ${subject}`;
}
