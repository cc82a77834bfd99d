import type { IssueAnswer } from '../../api/issues/issue-answer.ts';

/** The trouble that each kind of issue reports. */
export const KIND_TEXT: Record<IssueAnswer['kind'], string> = {
  delivery: 'deliveries that fail',
  alert: 'channels that can’t be reached',
  verification: 'requests that fail verification',
  backlog: 'deliveries that wait too long',
  silence: 'endpoints without events',
  drift: 'payloads that changed',
  unjudged: 'events that filters could not judge',
  uncomparable: 'events that filters dropped because a value can’t be compared',
  conflict: 'repeats with another body',
};

/** All kinds of issues, the most severe kinds first. */
export const ISSUE_KINDS = Object.keys(KIND_TEXT) as IssueAnswer['kind'][];

export type Severity = 'high' | 'medium' | 'low';

const SEVERITY: Record<IssueAnswer['kind'], Severity> = {
  delivery: 'high',
  alert: 'high',
  verification: 'high',
  backlog: 'medium',
  silence: 'medium',
  drift: 'medium',
  unjudged: 'medium',
  uncomparable: 'medium',
  conflict: 'low',
};

export const SEVERITY_TEXT: Record<Severity, string> = {
  high: 'events are lost or refused',
  medium: 'events may be late or wrong',
  low: 'worth a look',
};

export const severityOf = ({ kind }: Pick<IssueAnswer, 'kind'>): Severity => SEVERITY[kind];

const STATE_ORDER: IssueAnswer['state'][] = ['open', 'acknowledged', 'ignored', 'resolved'];
const SEVERITY_ORDER: Severity[] = ['high', 'medium', 'low'];

/** Sorts issues by state (open first), then by severity, then by their last occurrence. */
export function bySeverity(issues: readonly IssueAnswer[]): IssueAnswer[] {
  return [...issues].sort(
    (a, b) =>
      STATE_ORDER.indexOf(a.state) - STATE_ORDER.indexOf(b.state) ||
      SEVERITY_ORDER.indexOf(severityOf(a)) - SEVERITY_ORDER.indexOf(severityOf(b)) ||
      Date.parse(b.last_at) - Date.parse(a.last_at),
  );
}
