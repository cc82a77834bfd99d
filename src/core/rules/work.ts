import type { UnjudgedReason } from '../judging/unjudged.ts';
import { MAY_BE_CONTAINER } from '../text/payload-text.ts';
import { endOfString } from './document.ts';

/**
 * How many steps judging one request may take. A step is a condition on a value, an element of an
 * array, or some characters of a text. Two million steps take a tenth of a second.
 */
export const MOST_STEPS = 2_000_000;

const TOO_COSTLY: Record<UnjudgedReason, string> = {
  too_large: 'the body has too many values',
  too_slow: 'the rule takes too many steps on this event',
};

/** Thrown if the body has too many values, or if the rule takes too many steps on this body. */
export class RuleTooCostly extends Error {
  override readonly name = 'RuleTooCostly';
  readonly reason: UnjudgedReason;

  constructor(reason: UnjudgedReason = 'too_slow') {
    super(TOO_COSTLY[reason]);
    this.reason = reason;
  }
}

/** The steps that are left for judging one request. All rules share them. */
export class Work {
  #left: number;

  constructor(steps: number) {
    this.#left = steps;
  }

  /** Throws `RuleTooCostly`. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new RuleTooCostly();
  }
}

/**
 * How many values of a JSON text, or fields of a form, rules parse. Two million take a fifth of a
 * second. With more, garbage collection takes many times that.
 */
const MOST_VALUES = 2_000_000;
/** A value takes at least two bytes: one of its own, and one for the comma after it. */
const LEAST_BYTES_OF_VALUE = 2;

/**
 * Throws `RuleTooCostly` if a text may be a JSON object or array with too many values. It counts
 * the brackets, braces and commas outside strings.
 */
export function refuseTooManyValues(text: string): void {
  if (text.length < MOST_VALUES * LEAST_BYTES_OF_VALUE || !MAY_BE_CONTAINER.test(text)) return;
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at) - 1;
        break;
      case COMMA:
      case BRACKET:
      case BRACE:
        if (++values > MOST_VALUES) throw new RuleTooCostly('too_large');
    }
  }
}

/** Throws `RuleTooCostly` if the text of a form has too many fields. */
export function refuseTooManyFields(text: string): void {
  if (text.length < MOST_VALUES) return;
  let fields = 1;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
    if (++fields > MOST_VALUES) throw new RuleTooCostly('too_large');
  }
}

const [QUOTE, COMMA, BRACKET, BRACE] = [0x22, 0x2c, 0x5b, 0x7b];
