import { afterAll, describe, expect, test } from 'vitest';
import {
  type GeneratedHandler,
  generateHandler,
} from '../../../src/ai/handler/generate-handler.ts';
import { HANDLER_PAIRS } from '../../../src/ai/handler/pairs.ts';
import { TypeGenerator } from '../../../src/ai/types/type-generator.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { allEvents, runNodeTests } from './node-test-runs.ts';

failOnLeaks();

const types = new TypeGenerator();
afterAll(() => types.close());

describe.each(HANDLER_PAIRS.typescript)('the tests of handlers for %s', (framework) => {
  test('pass for every provider, every payload and every hostile sender', async () => {
    const handlers: (GeneratedHandler & { name: string })[] = [];
    for (const [i, { name, event }] of allEvents().entries()) {
      // node-handlers.test.ts shows that a JavaScript handler is the TypeScript one without types.
      const target = { language: i % 2 === 0 ? 'typescript' : 'javascript', framework };
      handlers.push({ name, ...(await generateHandler(event, target, { types })) });
    }
    const { status, results } = runNodeTests(handlers);
    const failed = results.filter(({ passed }) => !passed);
    expect(failed.map(({ handler, test }) => `${handlers[handler]?.name}: ${test}`)).toEqual([]);
    expect(status).toBe(0);
    // The captured body, another secret, a changed body.
    expect(results.length).toBeGreaterThanOrEqual(3 * handlers.length);
  });
});
