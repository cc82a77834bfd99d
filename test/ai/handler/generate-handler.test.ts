import { afterAll, describe, expect, test } from 'vitest';
import { generateHandler } from '../../../src/ai/handler/generate-handler.ts';
import { HANDLER_PAIRS } from '../../../src/ai/handler/pairs.ts';
import { TypeGenerator } from '../../../src/ai/types/type-generator.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { capturedEvent, jsonEvent, sampleEvents } from '../ai-events.ts';
import { typeErrors } from '../type-check.ts';
import { compileErrors, STRICT } from './compile-errors.ts';
import { hostileEvents } from './hostile-events.ts';
import { plainEvents } from './plain-events.ts';

failOnLeaks();

const types = new TypeGenerator();
afterAll(() => types.close());

const PAIRS = Object.entries(HANDLER_PAIRS).flatMap(([language, frameworks]) =>
  frameworks.map((framework) => ({ language, framework })),
);

describe.each(HANDLER_PAIRS.typescript)('TypeScript for %s compiles under strict', (framework) => {
  const target = { language: 'typescript', framework };

  test.each([
    ['for every provider that trigger knows', sampleEvents],
    ['for every shape of body', plainEvents],
  ])(
    '%s',
    async (_, events) => {
      expect(await compileErrors(events(), framework, types)).toEqual([]);
    },
    120_000,
  );

  test('the compiler reports a wrong handler', async () => {
    const code = await generateHandler(jsonEvent('{"a":1}'), target, { types });
    const wrong = code.replace("console.log('received', payload)", 'payload.b');
    expect(typeErrors({ 'wrong.ts': wrong }, STRICT)).toEqual([
      "wrong.ts: Property 'b' does not exist on type 'WebhookPayload'.",
    ]);
  });
});

describe.each(PAIRS)('$language for $framework', (target) => {
  test.each([
    ['linear-event', "eceives Linear's webhooks, delivered by hookrelay."],
    ['svix-id', 'eceives webhooks, delivered by hookrelay.'],
    ['x-unknown', 'eceives webhooks, delivered by hookrelay.'],
  ])('names the provider whose webhooks it receives, by the header %s', async (header, line) => {
    const code = await generateHandler(capturedEvent([header, 'x'], '{}'), target, { types });
    expect(code).toContain(line);
  });

  test('has no text that a sender could run or hide', async () => {
    for (const { name, event } of hostileEvents()) {
      const code = await generateHandler(event, target, { types });
      const marked = code.split('\n').filter((line) => line.includes('INJECTED'));
      // Only as a whole quoted name: JavaScript code itself never has such names.
      const bare = marked.filter((line) => !QUOTED_NAME[target.language]?.test(line));
      expect(bare, name).toEqual([]);
      expect([...code].filter(isInvisible), name).toEqual([]);
    }
  });
});

/** Control characters, and characters that turn or hide the text around them. */
function isInvisible(character: string): boolean {
  return /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(character) && !'\n\t'.includes(character);
}

/** A line that declares one member with a whole literal as its name, and types named after it. */
const QUOTED_NAME: Readonly<Record<string, RegExp>> = {
  typescript: /^(?: {2}"(?:[^"\\]|\\.)*"\??: +[\w[\]<>| ]+;|export (?:interface|type) \w+ .*)$/,
  python: /^(?: {4}"(?:[^"\\]|\\.)*": [\w[\], |]+,|\w+ = TypedDict\("\w+", \{)$/,
  go: /^(?:\t\w+ +[\w[\]{}*]+ +`json:"[^"`\\]*"`|type \w+ struct \{)$/,
};

describe('an unsupported pair', () => {
  test.each([
    ['rust', 'axum'],
    ['typescript', 'gin'],
    ['Typescript', 'express'],
    ['constructor', 'name'],
    ['__proto__', 'length'],
    ['', ''],
  ])(
    '%s with %s is refused, and the error lists the supported ones',
    async (language, framework) => {
      await expect(
        generateHandler(jsonEvent('{}'), { language, framework }, { types }),
      ).rejects.toMatchObject({
        code: 'unsupported_framework',
        hint: 'use typescript with express, fastify, nextjs; javascript with express, fastify, nextjs; python with fastapi; go with gin',
      });
    },
  );
});
