import { describe, expect, test } from 'vitest';
import type { Channel } from '../../../src/core/channels/channel.ts';
import { isFor, planNotifications } from '../../../src/core/channels/notification-plan.ts';
import type { NamedIssue } from '../../../src/core/issues/issue.ts';
import { AT, namedIssue } from '../issues/named-issue.ts';

function channel(changes: Partial<Channel> = {}): Channel {
  return {
    key: 1,
    id: 'chn_01',
    userId: 'usr_01',
    type: 'webhook',
    target: 'https://ops.example.com/',
    kinds: null,
    endpointIds: null,
    confirmedAt: AT,
    confirmHash: null,
    confirmSentAt: null,
    endpointKey: 9,
    publicToken: 'token',
    destinationKey: 9,
    destinationId: 'dst_09',
    createdAt: AT,
    ...changes,
  };
}

const issues = (count: number, state: 'open' | 'resolved' = 'open'): NamedIssue[] =>
  Array.from({ length: count }, (_, i) => namedIssue({ key: i + 1, id: `iss_${i}`, state }));

const ALERT = namedIssue(
  { kind: 'alert' },
  { endpoint: null, channel: { id: 'chn_01', type: 'webhook', target: 'https://x/' } },
);

test.each<[string, Partial<Channel>, NamedIssue, boolean]>([
  ['of everything', {}, namedIssue(), true],
  ['unconfirmed', { confirmedAt: null }, namedIssue(), false],
  ['of its kinds', { kinds: ['backlog', 'delivery'] }, namedIssue(), true],
  ['of other kinds', { kinds: ['backlog'] }, namedIssue(), false],
  ['of no kind', { kinds: [] }, namedIssue(), false],
  ['of its endpoints', { endpointIds: ['ep_01'] }, namedIssue(), true],
  ['of other endpoints', { endpointIds: ['ep_02'] }, namedIssue(), false],
  ['an alert about itself', {}, ALERT, false],
  ['an alert about another', { id: 'chn_02' }, ALERT, true],
  ['limited to endpoints, an alert', { id: 'chn_02', endpointIds: ['ep_01'] }, ALERT, false],
])('a channel %s', (_, changes, named, expected) => {
  expect(isFor(channel(changes), named)).toBe(expected);
});

describe('openings', () => {
  test.each<[told: number, due: number, shape: { messages: number; waits: number }]>([
    [0, 1, { messages: 1, waits: 0 }],
    [0, 10, { messages: 10, waits: 0 }],
    [9, 1, { messages: 1, waits: 0 }],
    [0, 11, { messages: 1, waits: 0 }],
    [10, 1, { messages: 1, waits: 0 }],
    [10, 50, { messages: 1, waits: 0 }],
    [11, 1, { messages: 0, waits: 1 }],
    [60, 200, { messages: 0, waits: 200 }],
  ])('%d told, %d due', (toldRecently, due, { messages, waits }) => {
    const plan = planNotifications(issues(due), [channel()], toldRecently);
    expect(plan.messages).toHaveLength(messages);
    expect(plan.postponed).toHaveLength(waits);
    expect(plan.notified).toHaveLength(due - waits);
    expect(plan.messages.flatMap((message) => message.issues)).toEqual(plan.notified);
  });

  test('those that nobody hears of are told, and make no digest', () => {
    const plan = planNotifications(issues(50), [channel({ kinds: ['silence'] })], 60);
    expect(plan).toMatchObject({ postponed: [], messages: [] });
    expect(plan.notified).toHaveLength(50);
  });

  test('without a channel all are told, to nobody', () => {
    expect(planNotifications(issues(3), [], 0)).toMatchObject({ postponed: [], messages: [] });
  });

  test('each channel has a digest of its own', () => {
    const ofSilence = namedIssue({ key: 99, kind: 'silence' });
    const channels = [channel(), channel({ key: 2, id: 'chn_02', kinds: ['silence'] })];
    const plan = planNotifications([...issues(20), ofSilence], channels, 0);
    expect(plan.messages.map((message) => message.issues.length)).toEqual([21, 1]);
  });
});

test('ends are told while openings wait, many of them as a digest', () => {
  const few = planNotifications([...issues(2), ...issues(10, 'resolved')], [channel()], 60);
  expect(few.messages).toHaveLength(10);
  expect(few.postponed).toHaveLength(2);
  const many = planNotifications(issues(11, 'resolved'), [channel()], 0);
  expect(many.messages).toMatchObject([{ state: 'resolved' }]);
});
