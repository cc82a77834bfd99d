import { MOST_COUNTED } from '../../core/flow/waiting.ts';
import type { WaitReason } from '../../core/flow/waits-for.ts';
import { EVERYTHING } from '../../core/judging/order.ts';
import type { ListedDelivery } from '../../core/model.ts';
import type { Rate } from '../../core/settings/rate-schema.ts';
import { formatDuration } from '../../core/text/duration.ts';
import { formatTime } from '../../core/text/time.ts';
import { clean, counted, opt, quoted } from '../../core/text/words.ts';
import {
  type Case,
  type CaseCondition,
  type CaseDelivery,
  type CaseDestination,
  destinationOf,
  type Standing,
} from './case.ts';
import { cancelCommand, destinationStep, retryCommand } from './steps.ts';

const PERIOD_MS: Record<Rate['per'], number> = { second: 1000, minute: 60_000, hour: 3_600_000 };

/** The reasons that hold all deliveries of a destination. */
export const HELD: ReadonlySet<WaitReason | null> = new Set(['paused', 'breaker', 'rate']);

/** An open delivery with its destination, which may have been removed. */
interface Waiting extends Case {
  delivery: CaseDelivery;
  destinationId: string;
  destination: CaseDestination | undefined;
}

/** Returns what an open delivery waits for, and what to do about it. */
export function waitingOf(delivery: CaseDelivery, subject: Case): Standing {
  const { destinationId } = delivery;
  const destination = destinationOf(subject, destinationId);
  const standing = reasonOf({ ...subject, delivery, destinationId, destination });
  return { ...standing, replacesReplay: standing.steps.length > 0 };
}

/** Describes the delivery for each `WaitReason`, and for none. */
function reasonOf(waiting: Waiting): Standing {
  const { delivery, destination } = waiting;
  if (!destination && HELD.has(delivery.waitsFor)) {
    return {
      text: `The destination was removed, and this delivery still waits for it (${delivery.waitsFor}).`,
      steps: [cancelCommand('If nobody needs it any more', delivery)],
    };
  }
  switch (delivery.waitsFor) {
    case 'paused':
      return pausedStanding(waiting);
    case 'unjudged':
      return {
        text: "The destination's filter could not judge the event's body, and the endpoint holds such events until a person decides.",
        steps: [
          retryCommand('If the destination should get it, send it', delivery),
          cancelCommand('Otherwise', delivery),
        ],
      };
    case 'breaker':
      return breakerStanding(waiting);
    case 'order':
      return orderStanding(waiting);
    case 'rate':
      return rateStanding(waiting);
    case 'retry':
      return {
        text: opt`The next attempt is due ${formatTime(delivery.nextAttemptAt ?? Number.NaN)}.`,
        steps: [retryCommand('Then attempt it now, without the wait', delivery)],
      };
    default:
      return dueStanding(waiting);
  }
}

function pausedStanding(waiting: Waiting): Standing {
  const { destination } = waiting;
  const what =
    destination?.settings.state === 'disabled'
      ? 'The destination is disabled: hookrelay makes no attempts, and new events make no deliveries to it.'
      : 'The destination is paused: events make deliveries, but hookrelay makes no attempts.';
  return {
    text: [
      what,
      ...(destination?.condition?.flow.breaker ? ['Its breaker is open, too.'] : []),
      ...waitingText(destination),
    ].join(' '),
    steps: [
      destinationStep(waiting, 'Resume it: waiting deliveries go out, the oldest first', 'resume'),
    ],
  };
}

function breakerStanding(waiting: Waiting): Standing {
  const { delivery, destination, now } = waiting;
  if (!destination?.condition) {
    return {
      text: "The destination's breaker is open: deliveries wait until a probe succeeds.",
      steps: [],
    };
  }
  const { hold } = destination.settings;
  return {
    text: [
      breakerText(destination.condition, now),
      ...waitingText(destination),
      hold === null
        ? 'They wait until it closes.'
        : `A delivery that waits for longer than ${formatDuration(hold)} dies (held_too_long).`,
    ].join(' '),
    steps: [
      destinationStep(waiting, 'Mend the destination, then probe it now', 'probe'),
      retryCommand('Or attempt this delivery alone, past the breaker', delivery),
    ],
  };
}

/**
 * Says when and why a breaker opened, and when it probes. Returns an empty text if the breaker is
 * closed.
 */
export function breakerText({ flow, lastError, waiting }: CaseCondition, now: number): string {
  const { breaker, failing } = flow;
  if (!breaker) return '';
  const why = [
    ...(failing ? [`${counted(failing.count, 'failure')} in a row`] : []),
    ...(lastError
      ? [`the last error: ${lastError.code}, "${clean(lastError.message, 120).replace(/\.$/, '')}"`]
      : []),
  ].join('; ');
  const { failedProbes, nextProbeAt } = breaker;
  const probed = failedProbes > 0 ? ` after ${counted(failedProbes, 'failed probe')}` : '';
  const next =
    waiting.count === 0
      ? 'No delivery waits that could probe it. The next event probes it.'
      : nextProbeAt <= now
        ? `The next probe${probed} is due now.`
        : opt`The next probe${probed} is due ${formatTime(nextProbeAt)}.`;
  return [
    opt`The destination's breaker has been open since ${formatTime(breaker.since)}${why && ` (${why})`}: deliveries wait, and use up no attempts.`,
    next,
  ].join(' ');
}

function orderStanding({ delivery, destination, endpoint, now }: Waiting): Standing {
  const { destinationId, behind } = delivery;
  const by = destination?.settings.order_by ?? null;
  const whose =
    by === null
      ? 'of the same order key'
      : by === EVERYTHING
        ? 'of the destination, which orders all of its deliveries'
        : `with the same value of ${quoted(by, 120)}, by which the destination orders them`;
  const text = [
    `The delivery waits for an earlier one ${whose}: hookrelay attempts one at a time, in the order of capture.`,
    ...(behind ? [`It is ${behind.first.id} of event ${behind.first.eventId}.`] : []),
    ...(behind ? [firstText(behind.first, now)] : []),
    ...waitingText(destination),
  ].join(' ');
  const alone = retryCommand('Or attempt this delivery alone, out of turn', delivery);
  if (behind) {
    const { first } = behind;
    const why = `See why that one isn't delivered: hookrelay ai diagnose ${first.eventId}`;
    const cancel = cancelCommand('If nobody needs it, cancel it, and the next one goes out', first);
    return { text, steps: [why, cancel, alone] };
  }
  const list = `hookrelay deliveries list ${endpoint.id} --destination ${destinationId} --state pending`;
  return {
    text,
    steps: [`Find the one that it waits for, and cancel it if nobody needs it: ${list}`, alone],
  };
}

/** Describes the delivery that must end first. */
function firstText({ attempts, error, nextAttemptAt }: ListedDelivery, now: number): string {
  if (attempts === 0) return 'That one has not been attempted yet.';
  const failed = `That one failed ${counted(attempts, 'time')}${error ? ` (the last error: ${error.code})` : ''}`;
  if (nextAttemptAt === null || nextAttemptAt <= now) return `${failed}; its next attempt is due.`;
  return opt`${failed}; its next attempt is due ${formatTime(nextAttemptAt)}.`;
}

function rateStanding(waiting: Waiting): Standing {
  const { delivery, destination, now } = waiting;
  const heldUntil = destination?.condition?.flow.heldUntil ?? null;
  if (heldUntil !== null && heldUntil > now) {
    return {
      text: opt`The destination asked for a pause (Retry-After): none of its deliveries is attempted before ${formatTime(heldUntil)}.`,
      steps: [retryCommand('To attempt this delivery now, before that time', delivery)],
    };
  }
  const rate = destination?.settings.rate;
  if (!rate) {
    return { text: 'The delivery waits for its turn: a rate limits the attempts.', steps: [] };
  }
  const { limit, per } = rate;
  const { count = 0, atLeast = false } = destination?.condition?.waiting ?? {};
  const drainMs = (count / limit) * PERIOD_MS[per];
  return {
    text: [
      `The destination's rate is ${limit}/${per}, and no further attempt may start in this ${per}.`,
      ...waitingText(destination),
      ...(count > limit
        ? [`At that rate, they take ${atLeast ? 'more than' : 'about'} ${formatDuration(drainMs)}.`]
        : []),
    ].join(' '),
    steps: [
      destinationStep(
        waiting,
        'If the destination can take more, raise the rate',
        'edit',
        `--rate ${limit * 2}/${per}`,
      ),
      destinationStep(waiting, 'Or lift it', 'edit', '--no-rate'),
    ],
  };
}

/** Describes a delivery that waits only for its next attempt. */
function dueStanding(waiting: Waiting): Standing {
  const { delivery, destination, now } = waiting;
  const { nextAttemptAt } = delivery;
  const due = opt`The next attempt is due ${formatTime(nextAttemptAt ?? Number.NaN)}${nextAttemptAt !== null && nextAttemptAt <= now ? ', which is now' : ''}.`;
  const { flow, waiting: queue } = destination?.condition ?? {};
  if (flow?.ramp) {
    return {
      text: [
        due,
        `The destination has just recovered, so waiting deliveries go out oldest first, ${flow.ramp.limit} at a time for now, and twice as many with each round of answers.`,
        ...waitingText(destination),
      ].join(' '),
      steps: [destinationStep(waiting, 'See how much still waits', 'get')],
    };
  }
  const { concurrency } = destination?.settings ?? {};
  const isCrowded = typeof concurrency === 'number' && (queue?.count ?? 0) > concurrency;
  if (!isCrowded) return { text: due, steps: [] };
  return {
    text: [
      due,
      `The destination gets at most ${counted(concurrency, 'attempt')} at once (its concurrency).`,
      ...waitingText(destination),
    ].join(' '),
    steps: [
      destinationStep(
        waiting,
        'If it can take more, let hookrelay find out how many',
        'edit',
        '--concurrency auto',
      ),
    ],
  };
}

function waitingText(destination: CaseDestination | undefined): string[] {
  const { count = 0, atLeast = false } = destination?.condition?.waiting ?? {};
  if (count < 2) return [];
  return [
    atLeast
      ? `More than ${MOST_COUNTED.toLocaleString('en-US')} deliveries wait for it.`
      : `${counted(count, 'delivery')} wait for it.`,
  ];
}
