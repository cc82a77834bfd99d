import type { IssueAnswer } from '../../../api/issues/issue-answer.ts';

/** Marks that differ by shape as well as by colour. */
const MARKS: Record<IssueAnswer['state'], [mark: string, look: string]> = {
  open: ['▲', 'is-dead'],
  acknowledged: ['◐', 'is-failed'],
  ignored: ['○', 'is-received'],
  resolved: ['●', 'is-delivered'],
};

export function IssueState({ state }: Pick<IssueAnswer, 'state'>) {
  const [mark, look] = MARKS[state];
  return (
    <span class={`badge ${look}`}>
      <span aria-hidden="true">{mark}</span> {state}
    </span>
  );
}
