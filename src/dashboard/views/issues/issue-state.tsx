import type { IssueAnswer } from '../../../api/issues/issue-answer.ts';
import { Badge } from '../../parts/badge.tsx';

/** Signs that differ in shape, for people who can't tell the colours apart. */
const MARKS: Record<IssueAnswer['state'], [mark: string, look: string]> = {
  open: ['▲', 'is-dead'],
  acknowledged: ['◐', 'is-failed'],
  ignored: ['○', 'is-received'],
  resolved: ['●', 'is-delivered'],
};

export function IssueState({ state }: Pick<IssueAnswer, 'state'>) {
  const [mark, look] = MARKS[state];
  return (
    <Badge mark={mark} look={look}>
      {state}
    </Badge>
  );
}
