import type { WaitingCount } from '../flow/waiting.ts';
import type { NamedIssue } from '../issues/issue.ts';
import { type IssueView, issueView } from '../issues/issue-view.ts';
import { titleOf } from '../issues/issue-words.ts';
import { formatDuration } from '../text/duration.ts';
import { formatTime } from '../text/time.ts';
import { counted, formatCount } from '../text/words.ts';
import type { Notice } from './notice.ts';

/** The largest number of issues that a digest lists by title. Further issues are counted. */
const DIGEST_ISSUES = 10;

export interface NoticeContext {
  /** The URL of hookrelay's page, without a trailing slash. */
  baseUrl: string;
  /** Unix ms. */
  now: number;
}

/** @param waiting deliveries for the issue's destination; null if the issue has no destination */
export function openedNotice(
  named: NamedIssue,
  waiting: WaitingCount | null,
  { baseUrl, now }: NoticeContext,
): Notice {
  const view = issueView(named);
  return {
    type: 'issue.opened',
    at: now,
    title: view.title,
    paragraphs: [
      view.cause,
      [sinceText(named), waitingText(waiting, now)].filter((text) => text !== '').join(' '),
    ],
    steps: view.suggestion,
    link: issueLink(view, baseUrl),
    data: view,
  };
}

export function resolvedNotice(named: NamedIssue, { baseUrl, now }: NoticeContext): Notice {
  const view = issueView(named);
  const { firstAt, lastAt, count } = named.issue;
  return {
    type: 'issue.resolved',
    at: now,
    title: `Resolved: ${view.title}`,
    paragraphs: [
      `It began ${formatTime(firstAt)} and ended ${formatTime(lastAt)}; it was seen ${counted(count, 'time')}.`,
    ],
    steps: '',
    link: issueLink(view, baseUrl),
    data: view,
  };
}

/** Returns one notice for many issues, either all opened or all resolved. */
export function digestNotice(
  issues: readonly NamedIssue[],
  state: 'open' | 'resolved',
  { baseUrl, now }: NoticeContext,
): Notice {
  const shown = issues.slice(0, DIGEST_ISSUES);
  const more = issues.length - shown.length;
  return {
    type: 'issue.digest',
    at: now,
    title: `${counted(issues.length, 'issue')} ${state === 'open' ? 'opened' : 'resolved'}`,
    paragraphs: [...shown.map(titleOf), ...(more > 0 ? [`and ${formatCount(more)} more`] : [])],
    steps: state === 'open' ? 'List them: hookrelay issues list --state open' : '',
    link: { label: 'Open the issues', url: `${baseUrl}/issues` },
    data: { state, count: issues.length, issues: shown.map(issueView) },
  };
}

function issueLink({ id }: IssueView, baseUrl: string): Notice['link'] {
  return { label: 'Open the issue', url: `${baseUrl}/issues/${id}` };
}

function sinceText({ issue: { firstAt, count } }: NamedIssue): string {
  const often = count > 1 ? `, seen ${counted(count, 'time')}` : '';
  return `Since ${formatTime(firstAt)}${often}.`;
}

function waitingText(waiting: WaitingCount | null, now: number): string {
  if (waiting === null || waiting.count === 0) return '';
  const count = `${waiting.atLeast ? 'At least ' : ''}${counted(waiting.count, 'delivery')}`;
  const wait = waiting.count === 1 ? 'waits' : 'wait';
  const age =
    waiting.oldestAt === null ? '' : `, the oldest for ${formatDuration(now - waiting.oldestAt)}`;
  return `${count} ${wait} there${age}.`;
}
