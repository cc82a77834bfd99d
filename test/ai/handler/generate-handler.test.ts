import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateHandler } from '../../../src/ai/handler/generate-handler.ts';
import { HANDLER_PAIRS } from '../../../src/ai/handler/pairs.ts';
import { TypeGenerator } from '../../../src/ai/types/type-generator.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { capturedEvent, jsonEvent, sampleEvents } from '../ai-events.ts';
import { HANDLER_OPTIONS, typeErrors } from '../type-check.ts';
import { hostileEvents } from './hostile-events.ts';
import { plainEvents } from './plain-events.ts';

failOnLeaks();

const types = new TypeGenerator();
afterAll(() => types.close());

const PAIRS = Object.entries(HANDLER_PAIRS).flatMap(([language, frameworks]) =>
  frameworks.map((framework) => ({ language, framework })),
);

/** GitHub's other samples alone would take a third of the compiler's time. */
function oneOfEachProvider() {
  return [...new Map(sampleEvents().map((sample) => [sample.event.provider, sample])).values()];
}

describe('TypeScript handlers', () => {
  const frameworks = HANDLER_PAIRS.typescript;
  let errors: string[] = [];

  // One program for all: each costs a second.
  beforeAll(async () => {
    const files: Record<string, string> = {};
    // Each event has one framework. generate-handler.slow.test.ts has all events, and more of each.
    // Two events have the same shape; they are an unknown sender's and Stripe's in turn.
    const plain = plainEvents().filter((_, i) => i % 4 === 0 || i % 4 === 3);
    for (const [i, { event }] of [...oneOfEachProvider(), ...plain].entries()) {
      const framework = frameworks[i % frameworks.length] as string;
      const target = { language: 'typescript', framework };
      const { file, code, testFile, test } = await generateHandler(event, target, { types });
      files[`${framework}-${i}/${file}`] = code;
      files[`${framework}-${i}/${testFile}`] = test;
    }
    for (const framework of frameworks) {
      const target = { language: 'typescript', framework };
      const { code } = await generateHandler(jsonEvent('{"a":1}'), target, { types });
      files[`wrong-${framework}.ts`] = code.replace('void payload', 'payload.b');
    }
    errors = typeErrors(files, HANDLER_OPTIONS);
  }, 120_000);

  test.each(frameworks)('for %s compile under strict', (framework) => {
    expect(errors.filter((error) => error.startsWith(framework))).toEqual([]);
  });

  test.each(frameworks)('for %s the compiler reports a wrong handler', (framework) => {
    const file = `wrong-${framework}.ts`;
    expect(errors.filter((error) => error.startsWith(file))).toEqual([
      `${file}: Property 'b' does not exist on type '{ a?: number | null | undefined; }'.`,
    ]);
  });
});

describe.each(PAIRS)('$language for $framework', (target) => {
  test.each([
    ['linear-event', "eceives Linear's webhooks, delivered by hookrelay."],
    ['svix-id', 'eceives webhooks, delivered by hookrelay.'],
    ['x-unknown', 'eceives webhooks, delivered by hookrelay.'],
  ])('names the provider whose webhooks it receives, by the header %s', async (header, line) => {
    const { code } = await generateHandler(capturedEvent([header, 'x'], '{}'), target, { types });
    expect(code).toContain(line);
  });

  test('has no text that a sender could run or hide', async () => {
    for (const { name, event } of hostileEvents()) {
      const { code, test } = await generateHandler(event, target, { types });
      const marked = code.split('\n').filter((line) => line.includes('INJECTED'));
      // Only as a whole quoted name: JavaScript code itself never has such names.
      const bare = marked.filter((line) => !QUOTED_NAME[target.language]?.test(line));
      expect(bare, name).toEqual([]);
      expect([...code].filter(isInvisible), name).toEqual([]);
      const inTest = test.split('\n').filter((line) => line.includes('INJECTED'));
      expect(
        inTest.filter((line) => !QUOTED_LINE.test(line)),
        name,
      ).toEqual([]);
      expect([...test].filter(isInvisible), name).toEqual([]);
    }
  });
});

/** Control characters, and characters that turn or hide the text around them. */
function isInvisible(character: string): boolean {
  return /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(character) && !'\n\t'.includes(character);
}

/** In a test, a header or a part of the payload stands alone in its line, as literals. */
const QUOTED_LINE =
  /^(?:\s+|const sample = )"(?:[^"\\]|\\.)*"(?:: "(?:[^"\\]|\\.)*")?(?: \+|,|)$|^\trequest\.Header\.Set\("[\w-]+", "(?:[^"\\]|\\.)*"\)$/;

/** A line that declares one member with a whole literal as its name, and types named after it. */
const QUOTED_NAME: Readonly<Record<string, RegExp>> = {
  typescript: /^(?: {2}"(?:[^"\\]|\\.)*": [\w.(), [\]]+,|const \w+ = z\.object\(\{)$/,
  javascript: /^(?: {2}"(?:[^"\\]|\\.)*": [\w.(), [\]]+,|const \w+ = z\.object\(\{)$/,
  python:
    /^(?: {4}\w+: [\w[\], |]+ = Field\((?:default=None, )?alias="(?:[^"\\]|\\.)*"\)|class \w+\((?:BaseModel|RootModel\[[\w[\], |]+\])\):)$/,
  go: /^(?:\t\w+ +[\w.[\]{}*]+ +`json:"[^"`\\]*"`|type \w+ struct \{)$/,
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
