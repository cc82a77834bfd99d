import { expect, test } from 'vitest';
import type { ChannelAnswer } from '../../src/api/channels/channel-answer.ts';
import {
  channelState,
  messageText,
  targetOf,
} from '../../src/dashboard/views/account/channel-text.ts';

const AT = '2026-11-21T14:05:00.000Z';
const HEALTHY = { state: 'healthy', since: null, consecutive_failures: 0, next_probe_at: null };
const MESSAGE = { id: 'dlv_1', at: AT, attempts: 1, error: null, next_attempt_at: null };

const channel = (given: object) =>
  ({
    ...{ id: 'chn_1', type: 'webhook', url: 'https://ops.example/h', kinds: null },
    ...{ endpoint_ids: null, confirmed: true, created_at: AT, last_delivery: null },
    health: HEALTHY,
    ...given,
  }) as ChannelAnswer;

test.each([
  ['an address that waits', { confirmed: false }, 'Waits for confirmation', null, 'warn'],
  [
    'an address that no mail reaches',
    { confirmed: false, health: { ...HEALTHY, state: 'failing', since: AT } },
    'Waits for confirmation, and the mail with the link has failed for',
    AT,
    'bad',
  ],
  ['no message', {}, 'No message yet', null, 'neutral'],
  [
    'one that arrived',
    { last_delivery: { ...MESSAGE, state: 'succeeded' } },
    'Last message arrived',
    AT,
    'good',
  ],
  [
    'one that is tried again',
    { last_delivery: { ...MESSAGE, state: 'pending', error: { code: 'x', message: 'refused' } } },
    'Last message failed and is tried again: refused',
    AT,
    'warn',
  ],
  [
    'one that gave up',
    { last_delivery: { ...MESSAGE, state: 'dead', error: { code: 'x', message: 'refused' } } },
    'Last message failed: refused',
    AT,
    'bad',
  ],
  ['refusals', { health: { ...HEALTHY, state: 'refusing', since: AT } }, 'Refused for', AT, 'bad'],
  ['failures', { health: { ...HEALTHY, state: 'failing', since: AT } }, 'Failing for', AT, 'warn'],
  [
    'an open breaker',
    { health: { ...HEALTHY, state: 'open', since: AT } },
    'Failing, messages are held back for',
    AT,
    'bad',
  ],
])('%s', (_, given, text, at, look) => {
  const state = channelState(channel(given));
  expect(state).toMatchObject({ at, look });
  expect(state.text.startsWith(text)).toBe(true);
});

test('a message that only waits is on its way', () => {
  expect(messageText({ state: 'pending', error: null })).toBe('is on its way');
});

test('the path of a Slack URL stays secret', () => {
  const slack = { type: 'slack', url: 'https://hooks.slack.com/services/T0/B0/secret' } as const;
  expect(targetOf(slack)).toBe('hooks.slack.com/…');
  expect(targetOf({ type: 'email', to: 'ada@example.com' })).toBe('ada@example.com');
});
