import type { IssueView } from '../issues/issue-view.ts';

/** A message to a channel, before `channelMessage` formats it for the channel's type. */
export interface Notice {
  type: NoticeType;
  /** Unix ms. */
  at: number;
  /** One line. May contain text from strangers, which `channelMessage` escapes. */
  title: string;
  paragraphs: readonly string[];
  /** What to do, one step a line. Empty if there is nothing to do. */
  steps: string;
  /** A page of hookrelay. Null for no link. */
  link: { label: string; url: string } | null;
  /** The member `data` of a webhook message. */
  data: NoticeData;
}

type NoticeType =
  | 'issue.opened'
  | 'issue.resolved'
  | 'issue.digest'
  | 'channel.test'
  | 'channel.confirmation';

type NoticeData = IssueView | DigestData | ChannelData;

/** Several issues that opened, or were resolved, at about the same time. */
interface DigestData {
  state: 'open' | 'resolved';
  /** The number of issues. `issues` lists the first ten. */
  count: number;
  issues: IssueView[];
}

interface ChannelData {
  channel_id: string;
}
