import type { IssueView } from '../issues/issue-view.ts';

/** What a channel is told, before it has the form of its type. */
export interface Notice {
  type: NoticeType;
  /** When it was made, Unix ms. */
  at: number;
  /** One line, with a stranger's names in it: each form escapes it. */
  title: string;
  /** Sentences, a paragraph each. */
  paragraphs: readonly string[];
  /** What to do, a step a line; empty where there is nothing to do. */
  steps: string;
  /** hookrelay's own; null where there is no page for it. */
  link: { label: string; url: string } | null;
  /** `data` of a webhook. */
  data: NoticeData;
}

export type NoticeType =
  | 'issue.opened'
  | 'issue.resolved'
  | 'issue.digest'
  | 'channel.test'
  | 'channel.confirmation';

export type NoticeData = IssueView | DigestData | ChannelData;

/** Many issues that opened, or ended, at about the same time. */
export interface DigestData {
  state: 'open' | 'resolved';
  /** All of them; `issues` has the first ten. */
  count: number;
  issues: IssueView[];
}

export interface ChannelData {
  channel_id: string;
}
