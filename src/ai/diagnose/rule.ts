import type { ReceiverAnswer } from './answer.ts';
import type { Case, DestinationTarget } from './case.ts';

/** A failed attempt. The case has the limits of the attempt's destination. */
export interface Failed extends Case, DestinationTarget {}

export interface Answered extends Failed, ReceiverAnswer {}

export interface Unanswered extends Failed {
  message: string;
}

/** A text, or a function that makes it for an attempt. */
export type Text<F> = string | ((failed: F) => string);

/** What a rule finds: the cause, and the steps to take, with their commands. */
export interface Finding<F extends Failed = Failed> {
  cause: Text<F>;
  /** The steps to take. Empty texts are left out. */
  steps: readonly Text<F>[];
  /**
   * How the last step, a replay, begins. Null if the finding has no such step. Default: `Then
   * deliver it again`.
   */
  replay?: Text<F> | null;
  /** The same request keeps failing until somebody changes something. */
  isLasting?: boolean;
}

export interface AnswerRule extends Finding<Answered> {
  when(answer: Answered): boolean;
}

export interface FoundCause {
  cause: string;
  steps: string[];
  /** The last step, a replay; null if there is none. */
  replay: string | null;
  isLasting: boolean;
}

export function found<F extends Failed>(finding: Finding<F>, failed: F): FoundCause {
  const { cause, steps, replay = 'Then deliver it again', isLasting = false } = finding;
  const say = (text: Text<F>) => (typeof text === 'string' ? text : text(failed));
  return {
    cause: say(cause),
    steps: steps.map(say).filter((step) => step !== ''),
    replay: replay && `${say(replay)}: hookrelay replay ${failed.event.id}`,
    isLasting,
  };
}
