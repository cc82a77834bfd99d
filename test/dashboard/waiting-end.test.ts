import { expect, test } from 'vitest';
import type { DestinationAnswer } from '../../src/api/destinations/destination-answer.ts';
import { throughText } from '../../src/dashboard/views/destination/waiting-end.ts';

const HOUR_MS = 3_600_000;
const NOON = Date.parse('2026-11-25T12:00:00.000Z');

interface Given {
  count?: number;
  at_least?: boolean;
  state?: DestinationAnswer['state'];
  health?: DestinationAnswer['health']['state'];
  rate?: DestinationAnswer['rate'];
}

function destination({ count = 0, at_least = false, ...given }: Given): DestinationAnswer {
  return {
    state: given.state ?? 'active',
    rate: given.rate ?? null,
    health: { state: given.health ?? 'healthy' },
    waiting: { count, at_least, oldest_at: null },
  } as DestinationAnswer;
}

/** @param succeeded by hour, the present one last */
const hours = (...succeeded: number[]) =>
  succeeded.map((count, i) => ({
    at: new Date(NOON - (succeeded.length - 1 - i) * HOUR_MS).toISOString(),
    succeeded: count,
    failed: 0,
    mean_ms: 1,
    max_ms: 1,
  }));

test.each<[Given, number[], number, string | null]>([
  [{ count: 600 }, [600], 30, 'through in about 30 min, at the present pace: 20 a minute'],
  // The hour is young: the one before tells more.
  [{ count: 65 }, [60, 5], 5, 'through in about 65 min, at the present pace: 1 a minute'],
  [{ count: 3 }, [10], 30, 'through in about 9 min, at the present pace: less than one a minute'],
  [{ count: 5 }, [6000], 30, 'through in about a minute, at the present pace: 200 a minute'],
  [
    { count: 10_000, at_least: true },
    [300],
    30,
    'through in more than 17 h, at the present pace: 10 a minute',
  ],
  // A rate is a limit, and no pace.
  [
    { count: 600, rate: { limit: 100, per: 'second' } },
    [600],
    30,
    'through in about 30 min, at the present pace: 20 a minute',
  ],
  [{ count: 100, rate: { limit: 10, per: 'second' } }, [], 0, null],
  [{ count: 0 }, [600], 30, null],
  [{ count: 5 }, [0], 30, null],
  [{ count: 5 }, [], 30, null],
  [{ count: 5, state: 'paused' }, [600], 30, null],
  [{ count: 5, state: 'disabled' }, [600], 30, null],
  [{ count: 5, health: 'open' }, [600], 30, null],
  [{ count: 5, health: 'failing', rate: { limit: 1, per: 'second' } }, [600], 30, null],
])('%j after %j at minute %i: %s', (given, succeeded, minute, text) => {
  const now = NOON + minute * 60_000;
  expect(throughText(destination(given), hours(...succeeded), now)).toBe(text);
});

test('what waits for retries follows no pace, and unknown figures give none', () => {
  const now = NOON + 30 * 60_000;
  const failing = hours(600).map((hour) => ({ ...hour, failed: 1 }));
  expect(throughText(destination({ count: 600 }), failing, now)).toBeNull();
  expect(throughText(destination({ count: 600 }), null, now)).toBeNull();
});
