import { afterAll, describe, expect, test } from 'vitest';
import { HANDLER_PAIRS } from '../../../src/ai/handler/pairs.ts';
import { TypeGenerator } from '../../../src/ai/types/type-generator.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { sampleEvents } from '../ai-events.ts';
import { compileErrors } from './compile-errors.ts';
import { hostileEvents } from './hostile-events.ts';
import { plainEvents } from './plain-events.ts';

failOnLeaks();

const types = new TypeGenerator();
afterAll(() => types.close());

describe.each(HANDLER_PAIRS.typescript)('TypeScript for %s compiles under strict', (framework) => {
  test.each([
    ['for every provider that trigger knows', sampleEvents],
    ['for every shape of body', plainEvents],
    ['for every payload', hostileEvents],
  ])(
    '%s',
    async (_, events) => {
      expect(await compileErrors(events(), framework, types)).toEqual([]);
    },
    120_000,
  );
});
