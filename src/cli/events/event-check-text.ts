import type { UnjudgedAnswer } from '../../api/deliveries/delivery-answer.ts';
import type { EventSummaryAnswer } from '../../api/events/event-answer.ts';

/** Returns a text such as `verified (stripe), secret 2`. Old servers send no verification. */
export function verificationText({
  verification,
}: Pick<EventSummaryAnswer, 'verification'>): string {
  if (!verification) return '';
  const { state, provider, secret, reason } = verification;
  if (provider === null && reason === null) return '';
  const by = provider === null ? '' : ` (${provider})`;
  const which = secret !== null && secret > 1 ? `, secret ${secret}` : '';
  return `${state}${by}${which}${reason === null ? '' : `: ${reason}`}`;
}

export function duplicateText({
  duplicate_of,
  duplicate_conflict,
}: Pick<EventSummaryAnswer, 'duplicate_of' | 'duplicate_conflict'>): string {
  if (!duplicate_of) return '';
  return `${duplicate_of}${duplicate_conflict ? ', with another body' : ''}; it is not delivered`;
}

export function unjudgedText({ reason }: UnjudgedAnswer): string {
  return reason === 'too_large'
    ? `${reason}: the body has too many values for a filter`
    : `${reason}: a filter takes too long on the body`;
}
