import type { UnjudgedAnswer } from '../../api/deliveries/delivery-answer.ts';

/** Returns a sentence that says why filters couldn't judge an event. */
export function unjudgedText({ reason }: UnjudgedAnswer): string {
  return reason === 'too_large'
    ? 'A filter could not judge it: the body has too many values.'
    : 'A filter could not judge it: the filter takes too long on this body.';
}
