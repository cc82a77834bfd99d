import type { Answer } from './answer.ts';
import type { Case, Target, Verdict } from './case.ts';

/** What an answer tells, where it is one of a kind. */
export interface AnswerRule {
  when(answer: Answer): boolean;
  verdict(answer: Answer, target: Target, subject: Case): Verdict;
}
