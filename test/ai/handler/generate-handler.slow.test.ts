import { afterAll, describe, expect, test } from 'vitest';
import { HANDLER_PAIRS } from '../../../src/ai/handler/pairs.ts';
import { TypeGenerator } from '../../../src/ai/types/type-generator.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { compileErrors } from './compile-errors.ts';
import { hostileEvents } from './hostile-events.ts';

failOnLeaks();

const types = new TypeGenerator();
afterAll(() => types.close());

describe.each(HANDLER_PAIRS.typescript)('TypeScript for %s compiles under strict', (framework) => {
  test('for every payload', async () => {
    expect(await compileErrors(hostileEvents(), framework, types)).toEqual([]);
  }, 120_000);
});
