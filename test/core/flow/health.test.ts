import { describe, expect, test } from 'vitest';
import { type AttemptSign, afterAttempt } from '../../../src/core/flow/after-attempt.ts';
import { type Flow, NO_FLOW } from '../../../src/core/flow/flow.ts';
import { healthOf } from '../../../src/core/flow/health.ts';
import { BREAKER } from '../../fixtures/breaker.ts';

const ANSWERED = { reach: 'answered', succeeded: false } as const;
/** What an attempt meets: a status, nothing, or an event that hookrelay didn't send. */
const MEETS = {
  200: { reach: 'answered', succeeded: true },
  400: ANSWERED,
  404: ANSWERED,
  410: ANSWERED,
  503: { reach: 'failed', succeeded: false },
  not_verified: { reach: 'not_sent', succeeded: false },
} as const;
type Met = [meets: keyof typeof MEETS, eventSeq: number, isEdited?: boolean];

/** Attempts come a second apart, from second 1. */
function flowAfter(...attempts: Met[]): Flow {
  let flow = NO_FLOW;
  attempts.forEach(([meets, eventSeq, isEdited = false], i) => {
    const startedAt = (i + 1) * 1000;
    const sign: AttemptSign = {
      ...MEETS[meets],
      ...{ isEdited, eventSeq, startedAt, endedAt: startedAt + 10 },
      ...{ deliveryId: `dlv_${eventSeq}`, round: 0, probe: null, holdMs: null },
    };
    flow = afterAttempt(flow, sign, BREAKER, 16);
  });
  return flow;
}

describe('a destination', () => {
  test.each<[string, Met[], string]>([
    [
      'refuses two events',
      [
        [400, 1],
        [400, 2],
      ],
      'healthy',
    ],
    [
      'refuses three',
      [
        [400, 1],
        [400, 2],
        [400, 3],
      ],
      'refusing',
    ],
    [
      'refuses two, and then takes one',
      [
        [400, 1],
        [400, 2],
        [200, 3],
        [400, 4],
      ],
      'healthy',
    ],
    [
      'takes one after it refused three',
      [
        [400, 1],
        [400, 2],
        [400, 3],
        [200, 4],
      ],
      'healthy',
    ],
    [
      'answers 400, 404 and 410',
      [
        [400, 1],
        [404, 2],
        [410, 3],
      ],
      'refusing',
    ],
    [
      'refuses one event three times',
      [
        [400, 1],
        [400, 1],
        [400, 1],
        [400, 2],
      ],
      'healthy',
    ],
    [
      'breaks down after refusals',
      [
        [400, 1],
        [400, 2],
        [400, 3],
        [503, 4],
      ],
      'failing',
    ],
    [
      'breaks down amid refusals',
      [
        [400, 1],
        [400, 2],
        [503, 3],
        [400, 4],
      ],
      'healthy',
    ],
    [
      'refuses three after it was down',
      [
        [503, 1],
        [400, 2],
        [400, 3],
        [400, 4],
      ],
      'refusing',
    ],
    [
      'refuses edited events',
      [
        [400, 1, true],
        [400, 2, true],
        [400, 3, true],
      ],
      'healthy',
    ],
    [
      'refuses edited events amid others',
      [
        [400, 1],
        [400, 2, true],
        [400, 3],
        [400, 4],
      ],
      'refusing',
    ],
    [
      'fails an edited event amid refusals',
      [
        [400, 1],
        [400, 2],
        [400, 3],
        [503, 4, true],
        [400, 5, true],
      ],
      'refusing',
    ],
    [
      'is sent nothing',
      [
        ['not_verified', 1],
        ['not_verified', 2],
        ['not_verified', 3],
      ],
      'healthy',
    ],
    [
      'is sent nothing amid refusals',
      [
        [400, 1],
        [400, 2],
        ['not_verified', 3],
        [400, 4],
      ],
      'refusing',
    ],
  ])('that %s', (_, attempts, state) => {
    expect(healthOf(flowAfter(...attempts)).state).toBe(state);
  });
});

test('a refusing destination says since when, and how many attempts it refused', () => {
  expect(healthOf(flowAfter([200, 1], [400, 2], [400, 3], [400, 3], [400, 4]))).toEqual({
    ...{ state: 'refusing', since: 2000, consecutiveFailures: 4, nextProbeAt: null },
  });
});

test('two refusals are nothing to tell', () => {
  expect(healthOf(flowAfter([400, 1], [400, 2]))).toEqual({
    ...{ state: 'healthy', since: null, consecutiveFailures: 0, nextProbeAt: null },
  });
});
