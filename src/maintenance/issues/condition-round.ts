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

/** Places that one slice judges. */
const PAGE = 200;

type Store = Pick<IssueStore, 'openOf' | 'byCauses' | 'save'>;

/** An endpoint, or one of its destinations. */
export interface ConditionPlace {
  endpointKey: number;
  destinationKey?: number;
}

/** A condition of places, such as destinations where deliveries wait for too long. */
export interface IssueCondition<T extends ConditionPlace> {
  kind: IssueKind;
  /** See `IssueCause`; empty where it is left out. */
  subject?: string;
  /** By the destination's key, or otherwise the endpoint's: at most `limit` after `afterKey`. */
  page(afterKey: number, limit: number): Promise<T[]>;
  judge(item: T, now: number): ConditionSeen;
  /** Replaces `foldCondition` for issues that other facts open. */
  fold?(before: NewIssue | null, seen: ConditionSeen, context: FoldContext): NewIssue | null;
}

interface JudgedCause {
  cause: IssueCause;
  seen: ConditionSeen;
}

/**
 * Judges all places of a condition, page by page, and opens, updates and closes their issues.
 * An issue whose place is gone closes too. If a person or another node changed an issue
 * first, the next round judges its place again.
 */
export class ConditionRound<T extends ConditionPlace> {
  readonly #issues: Store;
  readonly #condition: IssueCondition<T>;
  /** Issues that were open at the start, and whose places no page has had yet; null between rounds. */
  #unseen: Map<string, Issue> | null = null;
  #after = 0;
  /** Number of places and open issues in the last round. */
  size = 0;

  constructor(issues: Store, condition: IssueCondition<T>) {
    this.#issues = issues;
    this.#condition = condition;
  }

  get isUnderWay(): boolean {
    return this.#unseen !== null;
  }

  /** Judges one page at `now`. Returns true when more are left. */
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
   * Judges only these places, between the pages of a round, and closes the issues of the `gone`
   * ones. Returns false when a person or another node changed an issue first: judge again.
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
