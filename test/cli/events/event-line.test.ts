import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { StreamedAttempt } from '../../../src/api/deliveries/attempt-answer.ts';
import type { EventSummaryAnswer } from '../../../src/api/events/event-answer.ts';
import { attemptLine, eventLine } from '../../../src/cli/events/event-line.ts';
import { displayWidth } from '../../../src/cli/terminal/display-width.ts';
import { NO_DELIVERIES } from '../../fixtures/no-deliveries.ts';

const AT = '2026-11-21T09:50:44.000Z';
const NOW = Date.parse(AT);
const ID = 'evt_01m7yr7vg3fc895jxgbjtv3ts9';

const event: EventSummaryAnswer = {
  ...{ id: ID, endpoint_id: 'ep_1', status: 'dead_letter', method: 'DELETE', received_at: AT },
  ...{ path: '/hooks/shop/orders/created/now', content_type: 'application/json', size: 8191 },
  ...{ provider: 'github', event_type: 'pull_request', source_ip: '127.0.0.1', attempts: 0 },
  ...{ response_code: null, latency_ms: null, retries: 0 },
  edited_from: null,
  verification: { state: 'unverified', provider: null, secret: null, reason: null },
  duplicate_of: null,
  duplicate_conflict: null,
  unjudged: null,
  delivery_counts: NO_DELIVERIES,
  held_by: null,
};
const attempt = {
  ...{ id: 'att_1', event_id: ID, event_status: 'failed', attempt: 1, attempted_at: AT },
  destination_url: 'https://receiver.example.com/webhooks/orders',
  ...{ response_code: null, error: { code: 'connect_refused' }, duration_ms: 10 },
  next_attempt_at: '2026-11-21T09:51:06.000Z',
} as unknown as StreamedAttempt;

test('an attempt shows the next one while that is ahead', () => {
  const line = (next_attempt_at: string | null, now: number) => {
    const surface = { columns: Number.POSITIVE_INFINITY, server: null, now };
    return stripVTControlCharacters(attemptLine({ ...attempt, next_attempt_at }, surface));
  };
  expect(line(attempt.next_attempt_at, NOW)).toContain('again in 22 s');
  expect(line(attempt.next_attempt_at, NOW + 22_000)).not.toContain('again');
  expect(line(attempt.next_attempt_at, NOW + 60_000)).not.toContain('again');
  expect(line(null, NOW)).not.toContain('again');
});

test.each([
  ['succeeded', 200, 'failed'],
  ['failed', 500, 'delivered'],
  ['failed', null, 'received'],
])(
  'an attempt is %s by its own answer, %s, while its event is %s',
  (result, code, event_status) => {
    const surface = { columns: Number.POSITIVE_INFINITY, server: null, now: NOW };
    const shown = { ...attempt, event_status, response_code: code } as StreamedAttempt;
    expect(stripVTControlCharacters(attemptLine(shown, surface))).toMatch(
      new RegExp(`^\\d\\d:\\d\\d:\\d\\d {2}${result.padEnd(11)} {2}attempt 1 `),
    );
  },
);

const lines = (columns: number, server: string | null = null) =>
  [
    eventLine(event, { columns, server, now: NOW }),
    attemptLine(attempt, { columns, server, now: NOW }),
  ].map(stripVTControlCharacters) as [string, string];

describe('a line at a terminal', () => {
  test.each([76, 80, 81, 90, 100, 110, 120, 132, 200])(
    'of %i columns stays one line',
    (columns) => {
      for (const line of lines(columns)) {
        expect(displayWidth(line)).toBeLessThanOrEqual(columns);
        expect(line).toContain(ID);
        expect(line).toMatch(/^\d\d:\d\d:\d\d {2}/);
      }
    },
  );

  test('drops the least important parts first when it is narrow', () => {
    expect(lines(200)[0]).toContain(
      'dead_letter  DELETE  /hooks/shop/orders/created/now    8.0 KB  github pull_request  evt_',
    );
    expect(lines(100)[0]).toContain(
      'dead_letter  DELETE  /hooks/shop/ord…  github pull_request  evt_',
    );
    expect(lines(80)[0]).toContain('dead_letter  DELETE  /hooks/shop/orde…  evt_');
    expect(lines(200)[1]).toContain(
      'failed       attempt 1  connect_refused (10 ms)  https://receiver.example.com/webhooks/orders  again in 22 s  evt_',
    );
    expect(lines(110)[1]).toContain(
      'attempt 1  connect_refused (10 ms)  https://receiver…  again in 22 s  evt_',
    );
    expect(lines(80)[1]).toMatch(/ {2}attempt 1 {2}connect_refused \(10 ms\) {2}evt_\w+$/);
  });

  test('is complete in a pipe', () => {
    const [shown, attempted] = lines(Number.POSITIVE_INFINITY);
    expect(shown).toContain('8.0 KB  github pull_request');
    expect(attempted).toContain('https://receiver.example.com/webhooks/orders  again in 22 s');
  });
});
