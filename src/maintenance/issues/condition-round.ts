import {
  type ConditionSeen,
  endCondition,
  foldCondition,
} from '../../core/issues/condition-streak.ts';
import type { Issue, IssueCause, IssueKind } from '../../core/issues/issue.ts';
import { type FoldContext, IssueDraft, type NewIssue } from '../../core/issues/issue-draft.ts';
import type { IssueStore } from '../../store/contract/issues.ts';
import { foldContext } from './fold-context.ts';
import { isEmpty } from './saved-cursor.ts';

/** The places that one slice judges at most. */
const PAGE = 200;

type Store = Pick<IssueStore, 'openOf' | 'byCauses' | 'save'>;

/** An endpoint or a destination. */
export interface ConditionPlace {
  endpointKey: number;
  destinationKey?: number;
}

/** A condition of a place, such as "deliveries of this destination wait too long". */
export interface IssueCondition<T extends ConditionPlace> {
  kind: IssueKind;
  /** See `IssueCause`. Default: empty. */
  subject?: string;
  /** Returns at most `limit` places after `afterKey`, by the key of the destination or endpoint. */
  page(afterKey: number, limit: number): Promise<T[]>;
  judge(item: T, now: number): ConditionSeen;
  /** Replaces `foldCondition` if facts of another kind open these issues. */
  fold?(before: NewIssue | null, seen: ConditionSeen, context: FoldContext): NewIssue | null;
}

interface JudgedCause {
  cause: IssueCause;
  seen: ConditionSeen;
}

/**
 * Judges all places of a condition, page by page. Opens, updates and closes their issues. Closes an
 * issue whose place is gone. If an issue was changed in the meantime, the next round judges its
 * place again.
 */
export class ConditionRound<T extends ConditionPlace> {
  readonly #issues: Store;
  readonly #condition: IssueCondition<T>;
  /**
   * Issues that were open at the start, and whose places no page has contained yet. Null between
   * rounds.
   */
  #unseen: Map<string, Issue> | null = null;
  #after = 0;
  /** The places and open issues of the last round. */
  size = 0;

  constructor(issues: Store, condition: IssueCondition<T>) {
    this.#issues = issues;
    this.#condition = condition;
  }

  get isUnderWay(): boolean {
    return this.#unseen !== null;
  }

  /** Judges one page at `now`, Unix ms. Returns true if more pages are left. */
  async slice(now: number): Promise<boolean> {
    if (!this.#unseen) {
      this.#unseen = await this.#standing();
      this.#after = 0;
      this.size = this.#unseen.size;
    }
    const items = await this.#condition.page(this.#after, PAGE);
    this.size += items.length;
    await this.#judgePage(items, this.#unseen, now);
    const last = items.at(-1);
    if (last !== undefined && items.length === PAGE) {
      this.#after = last.destinationKey ?? last.endpointKey;
      return true;
    }
    await this.#end([...this.#unseen.values()], now);
    this.#unseen = null;
    return false;
  }

  /**
   * Judges only these places, and closes the issues of the `gone` places. It may run between two
   * pages of a round. Returns false if an issue was changed in the meantime. The caller must then
   * judge the places again.
   */
  async judgeNow(
    items: readonly T[],
    gone: readonly ConditionPlace[],
    now: number,
  ): Promise<boolean> {
    const judged = items.map((item) => this.#judged(item, now));
    const ended = gone.map((place): JudgedCause => {
      const seen = { userId: '', holds: false, sightings: [] };
      return { cause: this.#causeAt(place), seen };
    });
    const isSaved = await this.#fold([...judged, ...ended], now);
    if (isSaved) for (const place of gone) this.#unseen?.delete(nameOf(place));
    return isSaved;
  }

  async #standing(): Promise<Map<string, Issue>> {
    const { kind, subject = '' } = this.#condition;
    const standing = new Map<string, Issue>();
    let after = 0;
    for (;;) {
      const issues = await this.#issues.openOf(kind, after, PAGE);
      const own = issues.filter((issue) => issue.subject === subject);
      for (const issue of own) standing.set(nameOf(issue), issue);
      after = issues.at(-1)?.key ?? after;
      if (issues.length < PAGE) return standing;
    }
  }

  async #judgePage(items: readonly T[], unseen: Map<string, Issue>, now: number): Promise<void> {
    const judged = items.map((item) => {
      const isStanding = unseen.delete(nameOf(item));
      return { ...this.#judged(item, now), isStanding };
    });
    // A fold may end an issue that is still forming.
    const touched = judged.filter(
      ({ isStanding, seen: { holds } }) =>
        isStanding || holds === true || (this.#condition.fold && holds === false),
    );
    await this.#fold(touched, now);
  }

  #judged(item: T, now: number): JudgedCause {
    return { cause: this.#causeAt(item), seen: this.#condition.judge(item, now) };
  }

  #causeAt({ endpointKey, destinationKey = 0 }: ConditionPlace): IssueCause {
    const { kind, subject = '' } = this.#condition;
    return { kind, subject, endpointKey, destinationKey };
  }

  async #fold(judged: readonly JudgedCause[], now: number): Promise<boolean> {
    if (judged.length === 0) return true;
    const draft = new IssueDraft(await this.#issues.byCauses(judged.map(({ cause }) => cause)));
    const context = foldContext(now);
    for (const { cause, seen } of judged) {
      const before = draft.get(cause);
      const { fold } = this.#condition;
      draft.put(
        cause,
        fold ? fold(before, seen, context) : foldCondition(before, cause, seen, context),
      );
    }
    return this.#save(draft);
  }

  async #end(issues: readonly Issue[], now: number): Promise<void> {
    const context = foldContext(now);
    for (let i = 0; i < issues.length; i += PAGE) {
      const some = issues.slice(i, i + PAGE);
      const draft = new IssueDraft(some);
      for (const issue of some) draft.put(issue, endCondition(issue, context));
      await this.#save(draft);
    }
  }

  async #save(draft: IssueDraft): Promise<boolean> {
    const changes = draft.changes();
    return isEmpty(changes) || this.#issues.save(changes);
  }
}

function nameOf({ endpointKey, destinationKey = 0 }: ConditionPlace): string {
  return `${endpointKey} ${destinationKey}`;
}
