import type { NamedIssue } from '../issues/issue.ts';
import type { Channel } from './channel.ts';

/**
 * The largest number of openings in `BURST_MS` with a message each. With more, the account gets
 * digests.
 */
const BURST = 10;
/** ms. */
export const BURST_MS = 60_000;
/** The time before postponed issues are planned again, ms. */
export const DIGEST_WAITS_MS = 10_000;

/** The messages for one account at one time. */
export interface NotificationPlan {
  /** Issues that need no further plan: either `messages` reports them, or no channel wants them. */
  notified: NamedIssue[];
  /** Opened issues that wait for a digest. */
  postponed: NamedIssue[];
  messages: PlannedMessage[];
}

export interface PlannedMessage {
  channel: Channel;
  /** One issue, or the issues of a digest. All are in the same `state`. */
  issues: NamedIssue[];
  state: 'open' | 'resolved';
}

/**
 * Decides which channels hear of which issues.
 *
 * - Up to `BURST` openings in `BURST_MS` get a message each. Above that, one digest reports them.
 * Later openings wait for the next digest.
 * - Resolutions are reported at once: one message each, or one digest for more than `BURST`.
 *
 * @param due the account's issues whose notification is due, both opened and resolved
 * @param notifiedRecently the number of openings reported to the account in the last `BURST_MS`
 */
export function planNotifications(
  due: readonly NamedIssue[],
  channels: readonly Channel[],
  notifiedRecently: number,
): NotificationPlan {
  const opened = due.filter(({ issue }) => issue.state === 'open');
  const ended = due.filter(({ issue }) => issue.state === 'resolved');
  const heard = opened.filter((named) => channels.some((channel) => isFor(channel, named)));
  const isBurst = notifiedRecently + heard.length > BURST;
  const postponed = isBurst && notifiedRecently > BURST ? heard : [];
  const told = postponed.length === 0 ? opened : opened.filter((named) => !heard.includes(named));
  return {
    notified: [...told, ...ended],
    postponed,
    messages: [
      ...messagesOf(told, 'open', isBurst, channels),
      ...messagesOf(ended, 'resolved', ended.length > BURST, channels),
    ],
  };
}

function messagesOf(
  issues: readonly NamedIssue[],
  state: PlannedMessage['state'],
  isDigest: boolean,
  channels: readonly Channel[],
): PlannedMessage[] {
  return channels.flatMap((channel) => {
    const own = issues.filter((named) => isFor(channel, named));
    if (own.length === 0) return [];
    if (isDigest) return [{ channel, issues: own, state }];
    return own.map((named) => ({ channel, issues: [named], state }));
  });
}

/**
 * Returns whether a channel reports an issue. A channel never reports an issue about itself,
 * because that message wouldn't arrive either.
 */
export function isFor(
  { id, confirmedAt, kinds, endpointIds }: Channel,
  { issue, endpoint, channel }: NamedIssue,
): boolean {
  if (confirmedAt === null || channel?.id === id) return false;
  if (kinds !== null && !kinds.includes(issue.kind)) return false;
  return endpointIds === null || (endpoint !== null && endpointIds.includes(endpoint.id));
}
