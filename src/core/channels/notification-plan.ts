import type { NamedIssue } from '../issues/issue.ts';
import type { Channel } from './channel.ts';

/** Openings that an account hears of one by one, in `BURST_MS`. More come as a digest. */
export const BURST = 10;
/** ms. */
export const BURST_MS = 60_000;
/** How much later openings are looked at again where a digest must wait, ms. */
export const DIGEST_WAITS_MS = 10_000;

/** What one account is told at one time. */
export interface NotificationPlan {
  /** Told now; those that no channel is for, too. */
  notified: NamedIssue[];
  /** Openings that wait for a digest. */
  postponed: NamedIssue[];
  messages: PlannedMessage[];
}

export interface PlannedMessage {
  channel: Channel;
  /** One issue, or those of a digest. All open, or all resolved. */
  issues: NamedIssue[];
  state: 'open' | 'resolved';
}

/**
 * Who is told of what. Of up to `BURST` openings in `BURST_MS`, each has a message. More
 * come as a digest, and none for the rest of that time: what opens then waits for a
 * digest of its own. Ends are told at once, many of them as a digest.
 *
 * @param due issues of one account that are to be told now, open and resolved ones
 * @param notifiedRecently openings that the account was told of in the last `BURST_MS`
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

/** Whether a channel is for an issue: never for one about itself, which could not be told there. */
export function isFor(
  { id, confirmedAt, kinds, endpointIds }: Channel,
  { issue, endpoint, channel }: NamedIssue,
): boolean {
  if (confirmedAt === null || channel?.id === id) return false;
  if (kinds !== null && !kinds.includes(issue.kind)) return false;
  return endpointIds === null || (endpoint !== null && endpointIds.includes(endpoint.id));
}
