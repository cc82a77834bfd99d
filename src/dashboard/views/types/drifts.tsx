import type { IssueAnswer } from '../../../api/issues/issue-answer.ts';
import { counted } from '../../../core/text/words.ts';
import { Foreign } from '../../parts/foreign.tsx';
import { Time } from '../../parts/time.tsx';
import { IssueState } from '../issues/issue-state.tsx';

export function Drifts({ drifts }: { drifts: readonly IssueAnswer[] }) {
  if (drifts.length === 0) return null;
  return (
    <ul class="plain-list ruled">
      {drifts.map(({ id, title, state, count, last_at }) => (
        <li key={id}>
          <div>
            <a href={`/issues/${id}`}>
              <Foreign text={title} />
            </a>
            <p class="muted">
              {counted(count, 'time')} · last <Time at={last_at} form="said" />
            </p>
          </div>
          <IssueState state={state} />
        </li>
      ))}
    </ul>
  );
}
