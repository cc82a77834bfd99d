import type { ReceiverAnswer } from './answer.ts';
import type { Case, DestinationTarget } from './case.ts';

/** A failed attempt: its case with the limits of its destination, and that destination. */
export interface Failed extends Case, DestinationTarget {}

/** An attempt that the destination answered. */
export interface Answered extends Failed, ReceiverAnswer {}

/** An attempt without a status. */
export interface Unanswered extends Failed {
  /** The error's. */
  message: string;
}

/** A text, or how it is made for an attempt. */
export type Text<F> = string | ((failed: F) => string);

/** What a rule finds: the cause, and the steps to take, with their commands. */
export interface Finding<F extends Failed = Failed> {
  cause: Text<F>;
  /** Empty ones are left out. */
  steps: readonly Text<F>[];
  /** What the last step, a replay, begins with; null for no replay. Default: `Then deliver it again`. */
  replay?: Text<F> | null;
  /** The same request keeps failing until somebody changes something. */
  isLasting?: boolean;
}

/** A finding for the answers that it matches. */
export interface AnswerRule extends Finding<Answered> {
  when(answer: Answered): boolean;
}

/** A finding in the words for one attempt. */
export interface FoundCause {
  cause: string;
  steps: string[];
  /** The last step. */
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
