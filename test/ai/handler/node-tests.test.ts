import { afterAll, describe, expect, test } from 'vitest';
import {
  type GeneratedHandler,
  generateHandler,
} from '../../../src/ai/handler/generate-handler.ts';
import { HANDLER_PAIRS } from '../../../src/ai/handler/pairs.ts';
import { TypeGenerator } from '../../../src/ai/types/type-generator.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { capturedEvent, composed } from '../ai-events.ts';
import { SCHEMES } from './handler-conformance.ts';
import { allEvents, runNodeTests } from './node-test-runs.ts';

failOnLeaks();

const PAIRS = (['typescript', 'javascript'] as const).flatMap((language) =>
  HANDLER_PAIRS[language].map((framework) => ({ language, framework })),
);
const types = new TypeGenerator();
afterAll(() => types.close());

describe('the tests of handlers for Node', () => {
  test('pass for every provider, every payload and every hostile sender', async () => {
    const events = allEvents();
    // Each event has one of the pairs. node-tests.slow.test.ts has every framework for each.
    const handlers: (GeneratedHandler & { name: string })[] = [];
    for (const [i, { name, event }] of events.entries()) {
      const target = PAIRS[(i + Math.floor(i / 6)) % 6] as (typeof PAIRS)[number];
      handlers.push({ name, ...(await generateHandler(event, target, { types })) });
    }
    const { status, results } = runNodeTests(handlers);
    const failed = results.filter(({ passed }) => !passed);
    expect(failed.map(({ handler, test }) => `${handlers[handler]?.name}: ${test}`)).toEqual([]);
    expect(status).toBe(0);
    // The captured body, another secret, a changed body.
    expect(results.length).toBeGreaterThanOrEqual(3 * events.length);
  });

  const TAKES = 'takes the captured webhook';
  const OTHER_SECRET = 'refuses the signature of another secret';
  const CHANGED = 'refuses a body that was changed';
  const OLD = 'refuses a signature of 10 minutes ago';
  const UNFIT = 'refuses a payload of another type';
  const WRONG_HANDLERS = [
    {
      name: 'takes any signature',
      ...{ right: 'if (!isAuthentic(header, body))', wrong: 'if (body === null)' },
      failed: [OTHER_SECRET, CHANGED, OLD],
    },
    { name: 'takes old signatures', right: '<= TOLERANCE_S', wrong: '!== -1', failed: [OLD] },
    {
      name: 'refuses all',
      ...{ right: 'if (!isAuthentic(header, body))', wrong: 'if (body !== null)' },
      failed: [TAKES, UNFIT],
    },
    {
      name: 'parses nothing',
      ...{ right: 'if (!error) return data;', wrong: 'if (error !== null) return payload;' },
      failed: [UNFIT],
    },
  ];

  test('fail for handlers that are wrong', async () => {
    const { headers, body } = composed(SCHEMES.standard.sample);
    const handlers = [];
    for (const target of PAIRS) {
      const handler = await generateHandler(capturedEvent(headers, body), target, { types });
      for (const { name, right, wrong } of WRONG_HANDLERS) {
        expect(handler.code, name).toContain(right);
        handlers.push({ ...handler, name, target, code: handler.code.replace(right, wrong) });
      }
    }
    const { status, results } = runNodeTests(handlers);
    expect(status).toBe(1);
    const failed = handlers.map(({ name, target }, i) => ({
      ...{ name, target },
      failed: results
        .filter((result) => result.handler === i && !result.passed)
        .map(({ test }) => test),
    }));
    expect(failed).toEqual(
      PAIRS.flatMap((target) =>
        WRONG_HANDLERS.map(({ name, failed }) => ({ name, target, failed })),
      ),
    );
  });
});
