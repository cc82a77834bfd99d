import type { ReceiverAnswer } from './answer.ts';
import type { Case, DestinationTarget, DiagnosedCause } from './case.ts';

/** A rule for one kind of answer. */
export interface AnswerRule {
  when(answer: ReceiverAnswer): boolean;
  verdict(answer: ReceiverAnswer, target: DestinationTarget, subject: Case): DiagnosedCause;
}
