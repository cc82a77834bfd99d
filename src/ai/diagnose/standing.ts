import type { Attempt } from '../../core/model.ts';
import { giveUpCode } from '../../core/settings/gives-up.ts';
import { formatDuration } from '../../core/text/duration.ts';
import { counted } from '../../core/text/words.ts';
import { type Case, type CaseDelivery, destinationOf, type Standing } from './case.ts';
import { destinationStep, retryCommand } from './steps.ts';
import { breakerText, waitingOf } from './waiting.ts';

const WEEK_MS = 7 * 86_400_000;

/** @param last the last attempt of the delivery; null before the first */
export function standingOf(delivery: CaseDelivery, last: Attempt | null, subject: Case): Standing {
  switch (delivery.state) {
    case 'pending':
      return waitingOf(delivery, subject);
    case 'dead':
      return deadOf(delivery, last, subject);
    case 'cancelled':
      return { text: cancelledText(delivery, subject), steps: [] };
    default:
      return { text: '', steps: [] };
  }
}

function deadOf(delivery: CaseDelivery, last: Attempt | null, subject: Case): Standing {
  if (delivery.endedBy === 'held_too_long') return heldTooLong(delivery, last, subject);
  const { attempts, destinationId } = delivery;
  const at = { ...subject, destinationId };
  const retry = destinationOf(subject, destinationId)?.settings.retry;
  const status = last?.responseCode ?? null;
  const code = status === null ? null : giveUpCode(status, retry?.give_up_on);
  // Without its own list, a destination gives up on 410, and the rule for that status says so.
  if (code !== null && retry?.give_up_on !== undefined) {
    return {
      text: `The delivery ended at once: this destination gives up on ${code}${code === status ? '' : `, and ${status} is one of these`}.`,
      steps: [
        destinationStep(
          at,
          'If it should retry after such an answer, give up on 410 only',
          'edit',
          '--no-give-up-on',
        ),
      ],
    };
  }
  return {
    text: `The delivery is dead after ${counted(attempts, 'attempt')}: hookrelay makes no more attempts unless you replay it.`,
    steps: [],
  };
}

function heldTooLong(delivery: CaseDelivery, last: Attempt | null, subject: Case): Standing {
  const { attempts, destinationId } = delivery;
  const at = { ...subject, destinationId };
  const destination = destinationOf(subject, destinationId);
  if (!destination) {
    return {
      text: 'The delivery is dead (held_too_long): the breaker of its destination was open for too long. The destination has been removed since.',
      steps: [],
    };
  }
  const { hold } = destination.settings;
  const { condition } = destination;
  const isOpen = condition ? condition.flow.breaker !== null : false;
  const tried = [
    ...(last === null ? [' No attempt was made.'] : []),
    ...(attempts > 0 ? [` ${counted(attempts, 'attempt')} came before.`] : []),
  ].join('');
  return {
    text: [
      `The delivery is dead (held_too_long): the destination's breaker was open, and held the delivery back for longer than its hold${hold ? ` (${formatDuration(hold)})` : ''}.${tried}`,
      condition && isOpen ? breakerText(condition, subject.now) : 'The breaker is closed now.',
    ].join(' '),
    replacesReplay: true,
    steps: [
      ...(isOpen && condition?.waiting.count
        ? [destinationStep(at, 'When it works again, probe it now', 'probe')]
        : []),
      retryCommand('When the destination works, open this delivery again', delivery),
      `Or deliver all that died again, after a look at how many: hookrelay replay --endpoint ${subject.endpoint.id} --status dead_letter --dry-run`,
      destinationStep(
        at,
        'To hold deliveries for longer next time',
        'edit',
        hold !== null && hold < WEEK_MS ? '--hold 7d' : '--hold never',
      ),
    ],
  };
}

function cancelledText({ destinationId, attempts }: CaseDelivery, subject: Case): string {
  const when = attempts === 0 ? ' before its first attempt' : '';
  return destinationOf(subject, destinationId)
    ? `The delivery was cancelled${when}: by a person, alone or with all deliveries that waited for the destination, or by a replay that replaced it.`
    : `The delivery was cancelled${when}, because its destination was removed.`;
}
