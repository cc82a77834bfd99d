import { expect, test } from 'vitest';
import type { StreamedAttempt } from '../../../src/api/deliveries/attempt-answer.ts';
import { healthLine } from '../../../src/cli/events/event-line.ts';
import { HealthWatch, healthRecord } from '../../../src/cli/streams/health-watch.ts';
import { controlsIn } from '../live-command.ts';

const attempt = {
  id: 'att_1',
  event_id: 'evt_1',
  endpoint_id: 'ep_1',
  destination_id: 'dst_1',
  destination_url: 'https://example.com/hooks',
  attempted_at: '2026-11-22T20:08:40.700Z',
  probe: false,
  destination_health: null,
} as StreamedAttempt;

test('an open breaker and its end matter to people, mere failures only to programs', () => {
  const watch = new HealthWatch();
  const saw = (change: Partial<StreamedAttempt>) => watch.saw({ ...attempt, ...change });
  const { destination_health: _, ...old } = attempt;
  expect(watch.saw(old as StreamedAttempt)).toBeNull();
  expect(saw({})).toBeNull();
  expect(saw({ destination_health: 'failing' })).toMatchObject({ matters: false });
  expect(saw({ destination_health: 'healthy' })).toMatchObject({ matters: false });
  expect(saw({ destination_health: 'open' })).toMatchObject({ health: 'open', matters: true });
  // Another destination's health is its own.
  expect(saw({ destination_id: 'dst_2', destination_health: 'healthy' })?.matters).toBe(false);
  expect(saw({ destination_health: 'healthy' })).toMatchObject({
    health: 'healthy',
    matters: true,
  });
  expect(saw({ destination_health: 'healthy' })).toMatchObject({ matters: false });
});

test('a destination that refuses every event, and takes one again, matters to people', () => {
  const watch = new HealthWatch();
  const refusing = { ...attempt, destination_health: 'refusing' as const };
  expect(watch.saw(refusing)).toMatchObject({ health: 'refusing', matters: true });
  const healthy = { ...attempt, destination_health: 'healthy' as const };
  expect(watch.saw(healthy)).toMatchObject({ matters: true });
  const surface = { columns: 80, server: null, now: Date.parse(attempt.attempted_at) };
  expect(healthLine(attempt, 'refusing', surface)).toContain('the destination refuses every event');
});

test('a probe that succeeds ends a breaker that opened before the stream began', () => {
  const watch = new HealthWatch();
  const probe = { ...attempt, probe: true, destination_health: 'healthy' as const };
  expect(watch.saw(probe)).toMatchObject({ matters: true });
});

test('a record names the destination, and the attempt that changed it', () => {
  const change = new HealthWatch().saw({ ...attempt, destination_health: 'open' });
  expect(change && healthRecord(change)).toEqual({
    type: 'health',
    health: 'open',
    endpoint_id: 'ep_1',
    destination_id: 'dst_1',
    destination_url: 'https://example.com/hooks',
    event_id: 'evt_1',
    attempt_id: 'att_1',
    attempted_at: attempt.attempted_at,
  });
});

test('a line fits the terminal, and is inert', () => {
  const now = Date.parse(attempt.attempted_at);
  const surface = (columns: number) => ({ columns, server: null, now });
  expect(healthLine(attempt, 'open', surface(Number.POSITIVE_INFINITY))).toMatch(
    /^\d\d:\d\d:\d\d {2}open {9}https:\/\/example\.com\/hooks {2}deliveries wait until a probe succeeds$/,
  );
  expect(healthLine(attempt, 'healthy', surface(80))).toContain('the destination answers again');
  const long = { ...attempt, destination_url: `https://example.com/${'x'.repeat(90)}\u001b[31m` };
  for (const health of ['open', 'healthy']) {
    const line = healthLine(long, health, surface(60));
    expect(line.length).toBeLessThanOrEqual(60);
    expect(controlsIn(line)).toBeNull();
  }
});
