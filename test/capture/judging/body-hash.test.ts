import { expect, test } from 'vitest';
import { bodyHash } from '../../../src/capture/judging/body-hash.ts';
import { parseDocument } from '../../../src/core/rules/document.ts';
import { parsePath } from '../../../src/core/rules/path.ts';

const hashOf = (body: string, ...varies: string[]) =>
  bodyHash(
    Buffer.from(body),
    varies.map((path) => parsePath(`body${path}`).slice(1)),
    () => parseDocument(body),
  );

test('hashes every byte where nothing varies', () => {
  expect(hashOf('{"a":1}')).toBe(hashOf('{"a":1}', '.b', '.a.b', '.a[0]', '[*]'));
  expect(hashOf('{"a":1}')).not.toBe(hashOf('{ "a":1}'));
});

test.each([
  ['.n', '{"a":1,"n":1}', '{"a":1,"n":2}', '{"a":2,"n":1}'],
  ['.x.n', '{"x":{"n":1,"m":1}}', '{"x":{"n":[2],"m":1}}', '{"x":{"n":1,"m":2}}'],
  ['[*].n', '[{"n":1},{"n":2}]', '[{"n":3},{"n":4}]', '[{"n":1}]'],
  ['.i[1].n', '{"i":[{"n":1},{"n":2}]}', '{"i":[{"n":1},{"n":3}]}', '{"i":[{"n":2},{"n":2}]}'],
])('leaves out %s', (varies, one, same, other) => {
  expect(hashOf(same, varies)).toBe(hashOf(one, varies));
  expect(hashOf(other, varies)).not.toBe(hashOf(one, varies));
});

test('keeps every digit of numbers', () => {
  const [one, other] = ['{"n":1,"a":12345678901234567890}', '{"n":1,"a":12345678901234567891}'];
  expect(hashOf(one, '.n')).not.toBe(hashOf(other, '.n'));
});

test('hashes a body that can’t be written as it came', () => {
  const deep = `${'['.repeat(1e5)}12345678901234567890${']'.repeat(1e5)}`;
  expect(hashOf(`{"n":1,"deep":${deep}}`, '.n')).toBe(hashOf(`{"n":1,"deep":${deep}}`));
});
