import type { SourceCheckAnswer } from '../../../api/sources/source-check-answer.ts';
import { counted } from '../../../core/text/words.ts';
import { asTyped } from '../../model/as-typed.ts';
import { session } from '../../model/page.ts';
import { sentence } from '../../text/verification-text.ts';
import { checkText, failedRows, leftOutText } from './check-text.ts';
import type { SourceInput } from './source-form.ts';

/** A check verifies this many of the newest events. */
const CHECKED_EVENTS = 1000;
/** Deadline of a check, ms. The server takes at most 10 s. */
const CHECK_TIMEOUT_MS = 20_000;

/** Verifies past events with these changes of the source. Doesn't save the changes. */
export function checkSource(endpointId: string, change: SourceInput): Promise<SourceCheckAnswer> {
  const hasChange = Object.keys(change).length > 0;
  return session.call('POST /api/endpoints/{id}/source/check', {
    params: { id: endpointId },
    body: asTyped({ source: hasChange ? change : undefined, last: CHECKED_EVENTS }),
    signal: AbortSignal.timeout(CHECK_TIMEOUT_MS),
  });
}

export function CheckResult({ check }: { check: SourceCheckAnswer }) {
  return (
    <>
      <p>
        <strong>{checkText(check)}</strong>
        {` ${leftOutText(check)}`}
      </p>
      <FailedList check={check} />
    </>
  );
}

/** Shows why events fail, and what to do. */
export function FailedList({ check }: { check: SourceCheckAnswer }) {
  const rows = failedRows(check);
  const { hints } = check;
  if (rows.length + hints.length === 0) return null;
  return (
    <ul>
      {hints.map(({ message }) => (
        <li key={message}>
          <strong>{sentence(message)}</strong>
        </li>
      ))}
      {rows.map(({ reason, count, says, todo }) => (
        <li key={reason}>
          {counted(count, 'event')}: {says} <span class="muted">{todo}</span>
        </li>
      ))}
    </ul>
  );
}
