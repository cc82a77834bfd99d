import { describe, expect, test } from 'vitest';
import { diagnoseEvent } from '../../../src/ai/diagnose/diagnose-event.ts';
import { answered, caseOf, delivery, destination, diagnose, SECOND, START } from './cases.ts';
import { caseIn, SITUATIONS, type Situation } from './standings.ts';

const SECOND_URL = 'https://two.example.com/';
const elsewhere = {
  deliveryId: 'dlv_2',
  destinationId: 'dst_2',
  destinationUrl: SECOND_URL,
};

function expectSituation(
  { says, suggests, never = [] }: Situation,
  subject: Parameters<typeof diagnoseEvent>[0],
) {
  const { diagnosis, suggestion } = diagnoseEvent(subject);
  for (const text of says) expect(diagnosis).toContain(text);
  for (const text of suggests) expect(suggestion).toContain(text);
  for (const text of never) expect(`${diagnosis}\n${suggestion}`).not.toContain(text);
  expect(suggestion).toMatch(/^1\. /);
  return { diagnosis, suggestion };
}

describe('what a delivery waits for', () => {
  test.each(SITUATIONS)('$name, after a failed attempt', (situation) => {
    const { diagnosis } = expectSituation(situation, caseIn(situation, [answered(503)]));
    expect(diagnosis).toContain('#1 at 2026-11-21 09:00:00 UTC: 503');
  });

  test.each(SITUATIONS.filter(({ name }) => name !== 'a retry'))(
    '$name, before the first attempt',
    (situation) => {
      const { diagnosis } = expectSituation(situation, caseIn(situation, []));
      expect(diagnosis).toMatch(/No attempt/);
    },
  );

  test.each(SITUATIONS)('$name, beside a destination that took the event', (situation) => {
    const subject = caseIn(situation, []);
    const { diagnosis } = diagnoseEvent({ ...subject, attempts: [answered(200, elsewhere)] });
    for (const text of situation.says) expect(diagnosis).toContain(text);
    expect(diagnosis).toContain(`${SECOND_URL} took it with 200`);
    expect(diagnosis).not.toContain('Nothing is wrong');
  });

  test.each(SITUATIONS)('$name, beside a destination that failed', (situation) => {
    const subject = caseIn(situation, []);
    const { diagnosis } = diagnoseEvent({ ...subject, attempts: [answered(500, elsewhere)] });
    for (const text of situation.says) expect(diagnosis).toContain(text);
    expect(diagnosis).toContain(`1 attempt to ${SECOND_URL}`);
  });
});

describe('a removed destination', () => {
  test.each(['paused', 'breaker', 'rate'] as const)(
    'that held its deliveries back: %s',
    (waitsFor) => {
      const { diagnosis, suggestion } = diagnose([], {
        destinations: [],
        deliveries: [delivery({ attempts: 0, waitsFor, nextAttemptAt: null })],
      });
      expect(diagnosis).toContain(
        `was removed, and this delivery still waits for it (${waitsFor})`,
      );
      expect(suggestion).toBe('1. If nobody needs it any more: hookrelay deliveries cancel dlv_1');
    },
  );

  test('with a delivery that was held for too long', () => {
    const { diagnosis, suggestion } = diagnose([answered(503)], {
      destinations: [],
      deliveries: [delivery({ state: 'dead', waitsFor: null, endedBy: 'held_too_long' })],
    });
    expect(diagnosis).toContain('held_too_long');
    expect(diagnosis).toContain('has been removed since');
    expect(suggestion).not.toContain('hookrelay destinations');
  });
});

test('an event that came while its destination was disabled', () => {
  const { diagnosis, suggestion } = diagnose([], {
    destinations: [destination({ settings: { state: 'disabled' } })],
  });
  expect(diagnosis).toContain('1 destination (https://shop.example.com/hooks) is disabled');
  expect(suggestion).toContain('hookrelay destinations resume ep_1 dst_1');
  expect(suggestion).toContain('hookrelay replay evt_1');
});

describe('probes', () => {
  const probe = (number: number) =>
    answered(503, { number, probe: true, attemptedAt: START + number * 60 * SECOND });

  test('are named, and cost no attempt', () => {
    const { diagnosis } = diagnose([answered(503), probe(2)]);
    expect(diagnosis).toContain('#2 (probe) at 2026-11-21 09:02:00 UTC: 503');
    expect(diagnosis).toContain(
      "One attempt probed the destination while its breaker was open: a failed probe doesn't count",
    );
  });

  test('are counted', () => {
    expect(diagnose([probe(1), probe(2)]).diagnosis).toContain('2 attempts probed the destination');
  });
});

describe('codes to give up on', () => {
  const dead = [delivery({ state: 'dead', waitsFor: null, nextAttemptAt: null })];
  const giving = (give_up_on: (number | '4xx')[]) => [
    destination({ settings: { retry: { schedule: [1000], give_up_on } } }),
  ];

  test.each([
    [422, ['4xx'], 'this destination gives up on 4xx, and 422 is one of these.'],
    [501, [501, '4xx'], 'this destination gives up on 501.'],
  ] as const)('%i ends a delivery', (status, codes, says) => {
    const { diagnosis, suggestion } = diagnose([answered(status)], {
      deliveries: dead,
      destinations: giving([...codes]),
    });
    expect(diagnosis).toContain(`The delivery ended at once: ${says}`);
    expect(diagnosis).not.toContain('dead after');
    expect(suggestion).toContain('hookrelay destinations edit ep_1 dst_1 --no-give-up-on');
  });

  test('429 is none of 4xx', () => {
    const { diagnosis } = diagnose([answered(429)], {
      deliveries: dead,
      destinations: giving(['4xx']),
    });
    expect(diagnosis).toContain('dead after 1 attempt');
  });

  test('410 is none of them where others replace it', () => {
    const { diagnosis } = diagnose([answered(410)], { destinations: giving([501]) });
    expect(diagnosis).not.toContain('ended at once');
    expect(diagnose([answered(410)]).diagnosis).toContain('ended at once');
  });
});

describe("the destination's own settings count", () => {
  const slow = (timeout: number | null) =>
    diagnose(
      [
        answered(200, { durationMs: 8000 }),
        {
          ...answered(500, elsewhere),
          responseCode: null,
          error: { code: 'timeout', message: 'No response after 60000 ms.' },
        },
      ],
      {
        destinations: [
          destination({ settings: { timeout } }),
          destination({ id: 'dst_2', url: SECOND_URL, settings: { timeout: 60_000 } }),
        ],
        deliveries: [],
      },
    );

  test('its deadline is named, and the longest one is not raised', () => {
    const { diagnosis, suggestion } = slow(null);
    expect(diagnosis).toContain('did not answer within 1 min');
    expect(suggestion).not.toContain('--timeout');
  });

  test('its deadline decides what is slow', () => {
    const took = (timeout: number | null) =>
      diagnose([answered(200, { durationMs: 8000 })], {
        destinations: [destination({ settings: { timeout } })],
      }).diagnosis;
    expect(took(null)).toContain('8 s of 10 s');
    expect(took(60_000)).not.toContain('close to the deadline');
  });

  test('a fixed concurrency explains a queue', () => {
    const subject = caseOf([], {
      deliveries: [delivery({ attempts: 0, waitsFor: null, nextAttemptAt: START })],
      destinations: [
        destination({
          settings: { concurrency: 2 },
          condition: {
            flow: caseIn(SITUATIONS[0] as Situation, []).destinations[0]?.condition?.flow as never,
            waiting: { count: 40, atLeast: false, oldestAt: START },
            lastError: null,
          },
        }),
      ],
    });
    const { diagnosis, suggestion } = diagnoseEvent({ ...subject, attempts: [answered(500)] });
    expect(diagnosis).toContain('at most 2 attempts at once (its concurrency). 40 deliveries wait');
    expect(suggestion).toContain('hookrelay destinations edit ep_1 dst_1 --concurrency auto');
  });
});
