import type { ChannelMessage } from '../../core/channels/channel.ts';
import { channelMessage } from '../../core/channels/channel-message.ts';
import {
  digestNotice,
  type NoticeContext,
  openedNotice,
  resolvedNotice,
} from '../../core/channels/issue-notices.ts';
import {
  BURST_MS,
  DIGEST_WAITS_MS,
  type NotificationPlan,
  type PlannedMessage,
  planNotifications,
} from '../../core/channels/notification-plan.ts';
import type { WaitingCount } from '../../core/flow/waiting.ts';
import type { Issue, NamedIssue } from '../../core/issues/issue.ts';
import { afterNotification } from '../../core/issues/notify-at.ts';
import type { Clock, Logger } from '../../core/runtime/runtime.ts';
import type { ChannelStore } from '../../store/contract/channels.ts';
import type { DestinationStore } from '../../store/contract/destinations.ts';
import type { IssueStore, NotifiedIssue } from '../../store/contract/issues.ts';
import { BackgroundLoop } from '../background-loop.ts';

/** The longest delay of a notification if this loop isn't woken, ms. */
const EVERY_MS = 1000;
const SLICE_ISSUES = 200;
/**
 * The issues of an account that one slice explains at most. Each explanation reads an event's
 * attempts.
 */
const MOST_EXPLAINED = 20;
/** How long the loop skips an account after an error, ms. */
const RETRY_ACCOUNT_MS = 10_000;

type Explanation = NonNullable<Issue['explanation']>;

export interface NotificationsOptions {
  issues: Pick<IssueStore, 'toNotify' | 'notifiedSince' | 'saveNotified'>;
  channels: Pick<ChannelStore, 'list'>;
  destinations: Pick<DestinationStore, 'conditions'>;
  /** Returns why the newest event of a `delivery` issue failed; null if unknown. */
  explain(named: NamedIssue): Promise<Explanation | null>;
  /** The dashboard's URL, without a trailing slash. */
  baseUrl(): string;
  clock: Clock;
  log: Logger;
  /** Called when new messages are queued. */
  onQueued(): void;
}

/**
 * Notifies channels of issues. One commit records the notifications and queues their messages. So a
 * crash loses no notification. If several nodes notify of the same issue, only the first commit
 * succeeds. An error at one account doesn't delay the others.
 */
export function createNotifications(options: NotificationsOptions): BackgroundLoop {
  const notifications = new Notifications(options);
  return new BackgroundLoop({
    name: 'notifying channels of issues',
    log: options.log,
    everyMs: EVERY_MS,
    slice: () => notifications.slice(),
  });
}

class Notifications {
  readonly #options: NotificationsOptions;
  /** When to retry each failed account, by its id, monotonic ms. */
  readonly #retryAt = new Map<string, number>();

  constructor(options: NotificationsOptions) {
    this.#options = options;
  }

  /** Returns true if more issues are due. */
  async slice(): Promise<boolean> {
    const { issues, clock } = this.#options;
    const now = clock.now();
    const due = await issues.toNotify(now, SLICE_ISSUES, this.#failing());
    let isStale = false;
    for (const [userId, own] of Map.groupBy(due, ({ issue }) => issue.userId)) {
      try {
        isStale = !(await this.#notifyAccount(userId, own, now)) || isStale;
      } catch (error) {
        this.#retryLater(userId, error);
      }
    }
    return isStale || due.length === SLICE_ISSUES;
  }

  /** Returns the accounts to skip. Their issues stay due, and would otherwise fill the slices. */
  #failing(): string[] {
    const at = this.#options.clock.monotonic();
    for (const [userId, retryAt] of this.#retryAt) {
      if (retryAt <= at) this.#retryAt.delete(userId);
    }
    return [...this.#retryAt.keys()];
  }

  #retryLater(userId: string, error: unknown): void {
    const { clock, log } = this.#options;
    log.error('could not notify an account of its issues; the server tries again', {
      account: userId,
      error,
    });
    this.#retryAt.set(userId, clock.monotonic() + RETRY_ACCOUNT_MS);
  }

  /** Returns false if another node or a person changed an issue first. */
  async #notifyAccount(userId: string, due: readonly NamedIssue[], now: number): Promise<boolean> {
    const { issues, channels, baseUrl, onQueued } = this.#options;
    const [own, notifiedRecently] = await Promise.all([
      channels.list(userId),
      issues.notifiedSince(userId, now - BURST_MS),
    ]);
    const plan = planNotifications(due, own, notifiedRecently);
    const explained = await this.#explained(plan.notified);
    const context = { baseUrl: baseUrl(), now };
    const messages: ChannelMessage[] = [];
    for (const message of plan.messages) {
      messages.push(await this.#rendered(message, explained, context));
    }
    const isSaved = await issues.saveNotified(notifiedIssues(due, plan, explained, now), messages);
    if (isSaved && messages.length > 0) onQueued();
    return isSaved;
  }

  /** Returns explanations by issue key. */
  async #explained(notified: readonly NamedIssue[]): Promise<Map<number, Explanation>> {
    const { explain, log } = this.#options;
    const explained = new Map<number, Explanation>();
    const failed = notified.filter(
      ({ issue }) => issue.kind === 'delivery' && issue.state === 'open',
    );
    for (const named of failed.slice(0, MOST_EXPLAINED)) {
      const { key, id } = named.issue;
      // A notification goes out even if its explanation fails.
      const explanation = await explain(named).catch((error: unknown) => {
        log.error('an issue could not be explained', { issue: id, error });
        return null;
      });
      if (explanation) explained.set(key, explanation);
    }
    return explained;
  }

  async #rendered(
    { channel, issues, state }: PlannedMessage,
    explained: ReadonlyMap<number, Explanation>,
    context: NoticeContext,
  ): Promise<ChannelMessage> {
    const named = issues.map(({ issue, ...names }) => {
      const explanation = explained.get(issue.key) ?? issue.explanation;
      return { ...names, issue: { ...issue, explanation } };
    });
    const [one, ...more] = named as [NamedIssue, ...NamedIssue[]];
    if (more.length > 0) return channelMessage(channel, digestNotice(named, state, context));
    const notice =
      state === 'open'
        ? openedNotice(one, await this.#waiting(one), context)
        : resolvedNotice(one, context);
    return channelMessage(channel, notice);
  }

  async #waiting({ issue, destination }: NamedIssue): Promise<WaitingCount | null> {
    if (destination === null) return null;
    const conditions = await this.#options.destinations.conditions(
      issue.endpointKey,
      destination.id,
    );
    return conditions[0]?.waiting ?? null;
  }
}

/** Returns the next notification state of each due issue. */
function notifiedIssues(
  due: readonly NamedIssue[],
  { notified, postponed }: NotificationPlan,
  explained: ReadonlyMap<number, Explanation>,
  now: number,
): NotifiedIssue[] {
  const isNotified = new Set(notified);
  const isPostponed = new Set(postponed);
  return due.map((named) => {
    const { issue } = named;
    const { key, state } = issue;
    const due = { state, notifyAt: issue.notifyAt };
    const { notified, notifiedAt, notifyAt } = isNotified.has(named)
      ? afterNotification(issue, now)
      : { ...issue, notifyAt: isPostponed.has(named) ? now + DIGEST_WAITS_MS : null };
    const explanation = explained.get(key);
    return { key, due, notified, notifiedAt, notifyAt, ...(explanation && { explanation }) };
  });
}
