import { afterAll, expect, test } from 'vitest';
import type { AiEvent } from '../../../src/ai/event-input.ts';
import { generateHandler } from '../../../src/ai/handler/generate-handler.ts';
import { HANDLER_PAIRS } from '../../../src/ai/handler/pairs.ts';
import { TypeGenerator } from '../../../src/ai/types/type-generator.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { sampleEvents } from '../ai-events.ts';
import { HANDLER_OPTIONS, typeErrors } from '../type-check.ts';
import { hostileEvents, hostilePayloads } from './hostile-events.ts';
import { plainEvents } from './plain-events.ts';

failOnLeaks();

const types = new TypeGenerator();
afterAll(() => types.close());

test('TypeScript handlers compile under strict for every provider, payload and hostile sender', async () => {
  const files: Record<string, string> = {};
  const add = async (framework: string, name: string, event: AiEvent) => {
    const target = { language: 'typescript', framework };
    const { file, code, testFile, test } = await generateHandler(event, target, { types });
    files[`${framework}/${name}/${file}`] = code;
    files[`${framework}/${name}/${testFile}`] = test;
  };
  const frameworks = HANDLER_PAIRS.typescript;
  // Names of a payload's members may be those of a framework.
  for (const [i, { event }] of [...plainEvents(), ...hostilePayloads()].entries()) {
    for (const framework of frameworks) await add(framework, `payload-${i}`, event);
  }
  for (const [i, { event }] of [...sampleEvents(), ...hostileEvents()].entries()) {
    await add(frameworks[i % frameworks.length] as string, `event-${i}`, event);
  }
  expect(typeErrors(files, HANDLER_OPTIONS).slice(0, 5)).toEqual([]);
});
