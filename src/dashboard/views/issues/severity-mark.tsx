import type { IssueAnswer } from '../../../api/issues/issue-answer.ts';
import { SEVERITY_TEXT, type Severity, severityOf } from '../../text/issue-labels.ts';

/** Signs that differ in shape, for people who can't tell the colours apart. */
const MARKS: Record<Severity, string> = { high: '▲', medium: '◆', low: '○' };

/** Shows an issue's severity. A resolved or ignored issue has no colour. */
export function SeverityMark({ issue }: { issue: IssueAnswer }) {
  const severity = severityOf(issue);
  const isQuiet = issue.state === 'resolved' || issue.state === 'ignored';
  return (
    <span
      class={`severity is-${isQuiet ? 'quiet' : severity}`}
      role="img"
      aria-label={`Severity ${severity}: ${SEVERITY_TEXT[severity]}`}
      title={SEVERITY_TEXT[severity]}
    >
      {MARKS[severity]}
    </span>
  );
}
