import type { Case, CaseCondition, CaseDelivery } from '../../../src/ai/diagnose/case.ts';
import { type Flow, NO_FLOW } from '../../../src/core/flow/flow.ts';
import type { DestinationSettings } from '../../../src/core/settings/destination-settings.ts';
import { caseOf, delivery, destination, SECOND, START } from './cases.ts';

/** A destination's settings and flow, and what they do to a delivery. */
export interface Situation {
  name: string;
  settings?: Partial<DestinationSettings>;
  flow?: Partial<Flow>;
  waiting?: Partial<CaseCondition['waiting']>;
  lastError?: CaseCondition['lastError'];
  delivery: Partial<CaseDelivery>;
  says: string[];
  suggests: string[];
  never?: string[];
}

const MINUTE = 60 * SECOND;
const open = (parts: Partial<NonNullable<Flow['breaker']>> = {}): Partial<Flow> => ({
  failing: { since: START - 20 * MINUTE, count: 12, events: [1, 2, 3] },
  breaker: {
    since: START - 10 * MINUTE,
    nextProbeAt: START + 2 * MINUTE,
    failedProbes: 0,
    last: null,
    ...parts,
  },
});
const held = { waitsFor: 'breaker', nextAttemptAt: null } as const;
const isDead = { state: 'dead', waitsFor: null, nextAttemptAt: null } as const;
const tooLong = { ...isDead, endedBy: 'held_too_long' } as const;
const isDue = { waitsFor: null, nextAttemptAt: START + 29 * SECOND } as const;

export const SITUATIONS: Situation[] = [
  {
    name: 'paused',
    settings: { state: 'paused' },
    waiting: { count: 1204 },
    delivery: { waitsFor: 'paused', nextAttemptAt: null },
    says: [
      'The destination is paused: events make deliveries, but hookrelay makes no attempts.',
      '1,204 deliveries wait for it.',
    ],
    suggests: ['the oldest first: hookrelay destinations resume ep_1 dst_1'],
    never: ['hookrelay replay', 'hookrelay deliveries retry'],
  },
  {
    name: 'disabled',
    settings: { state: 'disabled' },
    delivery: { waitsFor: 'paused', nextAttemptAt: null },
    says: ['The destination is disabled', 'new events make no deliveries to it'],
    suggests: ['hookrelay destinations resume ep_1 dst_1'],
    never: ['is paused', 'hookrelay replay'],
  },
  {
    name: 'paused, with an open breaker',
    settings: { state: 'paused' },
    flow: open(),
    delivery: { waitsFor: 'paused', nextAttemptAt: null },
    says: ['The destination is paused', 'Its breaker is open, too.'],
    suggests: ['hookrelay destinations resume ep_1 dst_1'],
    never: ['next probe', 'destinations probe'],
  },
  {
    name: 'behind a delivery of the same key',
    settings: { order_by: 'body.customer.id' },
    delivery: {
      ...{ waitsFor: 'order', nextAttemptAt: null, attempts: 0 },
      behind: {
        orderKey: '"c_17"',
        first: {
          ...delivery({ id: 'dlv_9', attempts: 3, nextAttemptAt: START + 5 * MINUTE }),
          eventId: 'evt_9',
          createdAt: START,
          error: { code: 'http_status', message: 'The receiver answered 500.' },
        },
      },
    },
    says: [
      'waits for an earlier one with the same value of "body.customer.id"',
      'It is dlv_9 of event evt_9.',
      'That one failed 3 times (the last error: http_status); its next attempt is due 2026-11-21 09:05:00 UTC.',
    ],
    suggests: ['hookrelay ai diagnose evt_9', 'hookrelay deliveries cancel dlv_9'],
    never: ['hookrelay replay', 'hookrelay deliveries list'],
  },
  {
    name: 'an open breaker',
    flow: open(),
    waiting: { count: 10_000, atLeast: true },
    lastError: { code: 'connect_refused', message: 'The connection was refused.' },
    delivery: held,
    says: [
      'breaker has been open since 2026-11-21 08:50:00 UTC (12 failures in a row; the last error: connect_refused, "The connection was refused")',
      'use up no attempts',
      'The next probe is due 2026-11-21 09:02:00 UTC.',
      'More than 10,000 deliveries wait for it.',
      'waits for longer than 3 days dies (held_too_long)',
    ],
    suggests: [
      'then probe it now: hookrelay destinations probe ep_1 dst_1',
      'past the breaker: hookrelay deliveries retry dlv_1',
    ],
    never: ['hookrelay replay'],
  },
  {
    name: 'an open breaker after failed probes, which never gives up',
    settings: { hold: null },
    flow: open({ failedProbes: 3, nextProbeAt: START, last: { end: 'newest', deliveryId: 'x' } }),
    delivery: held,
    says: ['The next probe after 3 failed probes is due now.', 'wait until it closes'],
    suggests: ['hookrelay destinations probe ep_1 dst_1'],
    never: ['the last error', 'held_too_long'],
  },
  {
    name: 'a Retry-After',
    settings: { rate: { limit: 10, per: 'second' } },
    flow: { heldUntil: START + 5 * MINUTE },
    delivery: { waitsFor: 'rate', nextAttemptAt: START },
    says: [
      'asked for a pause (Retry-After): none of its deliveries is attempted before 2026-11-21 09:05:00 UTC.',
    ],
    suggests: ['before that time: hookrelay deliveries retry dlv_1'],
    never: ['10/second', 'hookrelay replay'],
  },
  {
    name: 'a rate',
    settings: { rate: { limit: 10, per: 'minute' } },
    waiting: { count: 600 },
    delivery: { waitsFor: 'rate', nextAttemptAt: START },
    says: [
      'rate is 10/minute, and no further attempt may start in this minute. 600 deliveries wait for it. At that rate, they take about 1 h.',
    ],
    suggests: [
      'raise the rate: hookrelay destinations edit ep_1 dst_1 --rate 20/minute',
      'hookrelay destinations edit ep_1 dst_1 --no-rate',
    ],
    never: ['hookrelay replay'],
  },
  {
    name: 'an order',
    settings: { order_by: 'body.customer.id' },
    waiting: { count: 3 },
    delivery: { waitsFor: 'order', nextAttemptAt: null },
    says: [
      'waits for an earlier one with the same value of "body.customer.id", by which the destination orders them',
      '3 deliveries wait for it.',
    ],
    suggests: [
      'hookrelay deliveries list ep_1 --destination dst_1 --state pending',
      'out of turn: hookrelay deliveries retry dlv_1',
    ],
    never: ['hookrelay replay', 'Invalid'],
  },
  {
    name: 'a retry',
    delivery: { waitsFor: 'retry', nextAttemptAt: START + MINUTE },
    says: ['The next attempt is due 2026-11-21 09:01:00 UTC.'],
    suggests: ['hookrelay deliveries retry dlv_1'],
  },
  {
    name: 'a ramp',
    flow: { ramp: { limit: 4, left: 2 } },
    waiting: { count: 300 },
    delivery: isDue,
    says: ['has just recovered', '4 at a time for now', '300 deliveries wait for it.'],
    suggests: ['hookrelay destinations get ep_1 dst_1'],
  },
  {
    name: 'a delivery held for too long, the breaker still open',
    settings: { hold: 12 * 60 * MINUTE },
    flow: open(),
    lastError: { code: 'http_status', message: 'The receiver answered 503.' },
    delivery: tooLong,
    says: [
      'dead (held_too_long)',
      'longer than its hold (12 h)',
      'http_status, "The receiver answered 503"',
    ],
    suggests: [
      'hookrelay destinations probe ep_1 dst_1',
      'open this delivery again: hookrelay deliveries retry dlv_1',
      'hookrelay replay --endpoint ep_1 --status dead_letter --dry-run',
      'hookrelay destinations edit ep_1 dst_1 --hold 7d',
    ],
  },
  {
    name: 'a delivery held for too long, and nothing else that waits',
    flow: open(),
    waiting: { count: 0 },
    delivery: tooLong,
    says: ['No delivery waits that could probe it. The next event probes it.'],
    suggests: ['open this delivery again: hookrelay deliveries retry dlv_1'],
    never: ['destinations probe', 'next probe', 'hookrelay replay evt_1'],
  },
  {
    name: 'a delivery held for too long, the breaker closed meanwhile',
    delivery: tooLong,
    says: ['dead (held_too_long)', 'The breaker is closed now.'],
    suggests: ['hookrelay deliveries retry dlv_1'],
    never: ['destinations probe'],
  },
  {
    name: 'a cancelled delivery',
    delivery: { state: 'cancelled', waitsFor: null, nextAttemptAt: null },
    says: ['cancelled'],
    suggests: ['hookrelay replay evt_1'],
  },
];

/** The case of one delivery in that situation, with these attempts. */
export function caseIn(
  { settings = {}, flow = {}, waiting = {}, lastError = null, delivery: parts }: Situation,
  attempts: Case['attempts'],
): Case {
  const condition: CaseCondition = {
    flow: { ...NO_FLOW, ...flow },
    waiting: { count: 1, atLeast: false, oldestAt: START, ...waiting },
    lastError,
  };
  return caseOf([...attempts], {
    destinations: [destination({ settings, condition })],
    deliveries: [delivery({ attempts: attempts.length, ...parts })],
  });
}
