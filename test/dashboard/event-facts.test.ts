import { expect, test } from 'vitest';
import type { StreamedAttempt } from '../../src/api/deliveries/attempt-answer.ts';
import type { EventSummaryAnswer } from '../../src/api/events/event-answer.ts';
import type { IssueAnswer } from '../../src/api/issues/issue-answer.ts';
import { driftingType } from '../../src/core/issues/drift-words.ts';
import { heldText } from '../../src/core/text/held-text.ts';
import { codeClass, latencyText, withAttempt } from '../../src/dashboard/text/event-facts.ts';
import { isDriftOf } from '../../src/dashboard/views/types/is-drift-of.ts';
import { NO_DELIVERIES } from '../fixtures/no-deliveries.ts';

const RECEIVED = '2026-11-21T10:00:00.000Z';
const row = {
  ...{ status: 'received', attempts: 0, received_at: RECEIVED },
  ...{ response_code: null, latency_ms: null, retries: 0 },
  delivery_counts: { ...NO_DELIVERIES, pending: 1, held: 1 },
  held_by: { destination_id: 'dst_1', name: 'ledger', waits_for: 'breaker' },
} as EventSummaryAnswer;
const news = (attempt: number, response_code: number | null, delayMs: number) =>
  ({
    ...{ attempt, response_code, probe: false, duration_ms: 40 },
    error: response_code === 200 ? null : { code: 'x' },
    next_attempt_at: response_code === 200 ? null : RECEIVED,
    event_status: response_code === 200 ? 'delivered' : 'failed',
    attempted_at: new Date(Date.parse(RECEIVED) + delayMs).toISOString(),
  }) as unknown as StreamedAttempt;

test('news of attempts tell the first answer, the first success and the retries', () => {
  const unanswered = withAttempt(row, news(1, null, 10));
  expect(unanswered).toMatchObject({ response_code: null, latency_ms: null, retries: 0 });
  const failed = withAttempt(unanswered, news(2, 503, 5000));
  expect(failed).toMatchObject({ status: 'failed', response_code: 503, retries: 1 });
  const done = withAttempt(failed, news(3, 200, 9000));
  expect(done).toMatchObject({
    ...{ status: 'delivered', response_code: 503, latency_ms: 9040, retries: 2, attempts: 3 },
  });
  expect(failed).toMatchObject({ delivery_counts: { pending: 1, held: 1 } });
  expect(done.delivery_counts).toEqual({ ...NO_DELIVERIES, succeeded: 1 });
  expect(done.held_by).toBeNull();
  const probe = { ...news(4, 200, 20_000), probe: true };
  expect(withAttempt(done, probe)).toMatchObject({ latency_ms: 9040, retries: 2 });
});

test.each([
  [-3, '0 ms'],
  [85, '85 ms'],
  [1200, '1.2 s'],
  [185_000, '3 min'],
  [7_500_000, '2 h'],
])('a latency of %i ms is %s', (ms, text) => {
  expect(latencyText(ms)).toBe(text);
});

test.each([
  [204, 'good'],
  [302, 'warn'],
  [404, 'warn'],
  [503, 'bad'],
])('an answer of %i is %s', (code, kind) => {
  expect(codeClass(code)).toBe(kind);
});

test.each([
  ['paused', 1, 'held by ledger’s pause'],
  ['breaker', 2, 'held by ledger’s breaker, and 1 more'],
  ['order', 1, 'held by ledger’s order'],
  ['transform', 1, 'held by ledger’s transform'],
  ['unjudged', 1, 'held for you, unjudged, at ledger'],
] as const)('%s holds %i: %s', (waits_for, count, text) => {
  expect(heldText({ name: 'ledger', waits_for }, count)).toBe(text);
});

test('a drift is about a type whose name its title cuts', () => {
  const type = 'x'.repeat(400);
  const title = `shop: the payload of ${driftingType({ subject: type })} changed`;
  expect(isDriftOf({ title } as IssueAnswer, type)).toBe(true);
  expect(isDriftOf({ title } as IssueAnswer, 'y')).toBe(false);
});
