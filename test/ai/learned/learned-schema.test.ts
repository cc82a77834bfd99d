import { describe, expect, test } from 'vitest';
import { SCHEMA_FORMATS } from '../../../src/ai/learned/declared-types.ts';
import { learnedSchema } from '../../../src/ai/learned/learned-schema.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { typeErrors } from '../type-check.ts';
import { learned } from './shapes.ts';
import { ajvSchema, nameOf, zodSchema } from './validators.ts';

failOnLeaks();

describe('a schema refuses', () => {
  const texts = Array.from({ length: 6 }, (_, i) =>
    JSON.stringify({ id: i, state: i % 2 ? 'open' : 'closed', note: i % 2 ? null : 'x' }),
  );
  const it = learned('orders', texts);

  test.each([
    ['a payload without a member', '{"id":1,"state":"open"}'],
    ['another type', '{"id":"1","state":"open","note":null}'],
    ['another value of an enumeration', '{"id":1,"state":"lost","note":null}'],
    ['a null that never came', '{"id":null,"state":"open","note":null}'],
  ])('%s', (_, text) => {
    expect(zodSchema(it).safeParse(JSON.parse(text)).success).toBe(false);
    expect(ajvSchema(it, 2020)(JSON.parse(text))).toBe(false);
    const value = `export const payload: ${nameOf(it)} = ${text};\n`;
    expect(typeErrors({ 'it.ts': learnedSchema(it, 'typescript') + value })).toHaveLength(1);
  });
});

test('a schema reads as one writes it', () => {
  const text = (n: number) =>
    `{"action":"opened","id":${n},"at":"2026-11-20T10:00:0${n}Z","user":{"login":"u${n}","e-mail":null},"owner":{"login":"o${n}","e-mail":null},"labels":[],"meta":{},"state":"${n % 2 ? 'open' : 'closed'}"${n === 0 ? '' : ',"note":"a b!"'}}`;
  const it = {
    ...learned('issue', [0, 1, 2, 3, 4, 5].map(text), 'issue.opened'),
    provider: 'github',
  };
  for (const format of SCHEMA_FORMATS) {
    expect(learnedSchema(it, format)).toMatchSnapshot(format);
    expect(learnedSchema({ ...it, shape: learned('', it.texts).shape }, format)).toBe(
      learnedSchema(it, format),
    );
  }
});
