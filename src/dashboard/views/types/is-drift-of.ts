import type { IssueAnswer } from '../../../api/issues/issue-answer.ts';
import { driftedType } from '../../../core/text/drifted-type.ts';

/**
 * Returns whether a drift is about a type. Only the issue's title names the type, and the title
 * cuts a long name.
 */
export function isDriftOf({ title }: IssueAnswer, type: string): boolean {
  return title.endsWith(`: the payload of ${driftedType(type)} changed`);
}
