import type { Mismatch } from '../../core/rules/evaluate.ts';
import type { TriedEvent } from '../../store/contract/events.ts';
import type { RuleOutcome, RuleTrialAnswer, RuleTrialSample } from './rule-answer.ts';

const MAX_CHANGED = 1000;
const MAX_SAMPLES = 20;

/**
 * Returns the answer to a trial of a rule.
 *
 * @param tried newest event first. `fits` is the outcome of the tried rule, then of the present
 *   rule
 */
export function ruleTrialView(tried: readonly TriedEvent[]): RuleTrialAnswer {
  const changed = tried.filter(isChanged);
  const failed = tried.filter(
    ({ mismatches, isTooCostly }) => isTooCostly || mismatches.length > 0,
  );
  const matched = tried.filter((event) => outcomes(event).after === 'matched').length;
  const inOrder = new Set([...failed, ...changed, ...tried.slice(0, MAX_SAMPLES)]);
  return {
    tried: tried.length,
    matched,
    dropped: tried.length - matched,
    failed: failed.length,
    changed: changed
      .slice(0, MAX_CHANGED)
      .map((event) => ({ event_id: event.id, ...outcomes(event) })),
    changed_total: changed.length,
    samples: [...inOrder].slice(0, MAX_SAMPLES).map(sample),
  };
}

function sample(event: TriedEvent): RuleTrialSample {
  const error = errorOf(event);
  return {
    event_id: event.id,
    output: outcomes(event).after,
    ...(error !== null && { error }),
    logs: [],
    diff: null,
  };
}

function errorOf({ mismatches: [mismatch], isTooCostly }: TriedEvent): string | null {
  if (isTooCostly)
    return 'the rule takes too many steps on this event, so the event goes to the destination';
  return mismatch ? mismatchText(mismatch) : null;
}

function isChanged(event: TriedEvent): boolean {
  const { before, after } = outcomes(event);
  return before !== after;
}

function outcomes({ fits: [fits, didFit] }: TriedEvent): {
  before: RuleOutcome;
  after: RuleOutcome;
} {
  return { before: outcome(didFit), after: outcome(fits) };
}

function outcome(fits: boolean | undefined): RuleOutcome {
  return fits ? 'matched' : 'dropped';
}

/** Returns a text such as `body.amount is text: $gte compares it with text only`. */
export function mismatchText({ path, operator, type }: Mismatch): string {
  return `${path} is ${type}: ${operator} ${takes(operator, type)}`;
}

function takes(operator: string, type: string): string {
  const isText = type === 'text';
  switch (operator) {
    case '$in':
      if (type === 'an array' || type === 'an object') return 'takes single values';
      return isText ? 'finds it in a text or a list only' : 'finds it in a list only';
    case '$contains':
      return isText ? 'finds only text in it' : 'takes text and arrays';
    case '$startsWith':
    case '$endsWith':
      return isText ? 'compares it with text only' : 'takes text';
    case '$regex':
      return 'takes text';
    default:
      if (isText) return 'compares it with a number only if it is one, such as "500.00"';
      return type === 'a number' ? 'compares it with numbers only' : 'takes numbers and text';
  }
}
