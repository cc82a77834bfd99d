import type { NamedIssue } from '../issues/issue.ts';
import type { Channel } from './channel.ts';

/** Opened issues that an account hears of one by one within `BURST_MS`. More come as a digest. */
const BURST = 10;
/** ms. */
export const BURST_MS = 60_000;
/** How long opened issues wait before the next plan, where a digest must wait, ms. */
export const DIGEST_WAITS_MS = 10_000;

/** The messages of one account at one time. */
export interface NotificationPlan {
  /** Issues that are done: their messages go out now, or no channel is for them. */
  notified: NamedIssue[];
  /** Opened issues that wait for a digest. */
  postponed: NamedIssue[];
  messages: PlannedMessage[];
}

export interface PlannedMessage {
  channel: Channel;
  /** One issue, or those of a digest. All have this state. */
  issues: NamedIssue[];
  state: 'open' | 'resolved';
}

/**
 * Decides which channels hear of which issues. Up to `BURST` opened issues in `BURST_MS` get a
 * message each. More of them come as one digest; issues that open later in that time wait for
 * the next digest. Resolved issues go out at once, more than `BURST` as a digest.
 *
 * @param due issues of one account whose time has come, opened and resolved ones
 * @param notifiedRecently opened issues that the account heard of in the last `BURST_MS`
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

/** Whether a channel reports an issue. Never one about itself: the message wouldn't arrive. */
export function isFor(
  { id, confirmedAt, kinds, endpointIds }: Channel,
  { issue, endpoint, channel }: NamedIssue,
): boolean {
  if (confirmedAt === null || channel?.id === id) return false;
  if (kinds !== null && !kinds.includes(issue.kind)) return false;
  return endpointIds === null || (endpoint !== null && endpointIds.includes(endpoint.id));
}
