import type { IssueAnswer } from '../../../api/issues/issue-answer.ts';
import { counted } from '../../../core/text/words.ts';
import { Foreign } from '../../parts/foreign.tsx';
import { driftChanges } from './drift-changes.ts';

/** Shows the cause of an issue. A drift's cause is a table of members. */
export function IssueCause({ issue: { kind, cause } }: { issue: IssueAnswer }) {
  const { members, more } = kind === 'drift' ? driftChanges(cause) : { members: [], more: 0 };
  return (
    <section>
      <h2>{members.length > 0 ? 'What changed' : 'Cause'}</h2>
      {members.length === 0 ? (
        cause
          .split('\n')
          .filter((line) => line.trim() !== '')
          .map((line, i) => (
            <p key={i} class="wrap">
              <Foreign text={line} />
            </p>
          ))
      ) : (
        <div class="table-box">
          <table class="drift">
            <thead>
              <tr>
                <th>Member</th>
                <th>Was</th>
                <th>Is</th>
              </tr>
            </thead>
            <tbody>
              {members.map(({ path, before, now }) => (
                <tr key={path}>
                  <th scope="row" class="mono wrap">
                    <Foreign text={path} />
                  </th>
                  <td>{before ?? '–'}</td>
                  <td class={now === 'new' ? undefined : 'is-changed'}>{now}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {more > 0 && <p class="muted">and {counted(more, 'more member')}</p>}
    </section>
  );
}
