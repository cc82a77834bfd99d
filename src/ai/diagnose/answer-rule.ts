import type { Answer } from './answer.ts';
import type { Case, Target, Verdict } from './case.ts';

/** A rule for one kind of answer. */
export interface AnswerRule {
  when(answer: Answer): boolean;
  verdict(answer: Answer, target: Target, subject: Case): Verdict;
}
