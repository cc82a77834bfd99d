import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDocument, writeDocument } from '../../../src/core/rules/document.ts';
import { equalValues } from '../../../src/core/rules/equal-values.ts';
import { compareNumbers, numberOf } from '../../../src/core/rules/exact-number.ts';
import { Work } from '../../../src/core/rules/work.ts';
import { jsonText } from './filters.ts';

const unlimited = new Work(Number.POSITIVE_INFINITY);

const numberText = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.bigInt({ min: 0n, max: 12n })),
    fc.option(fc.stringMatching(/^\d{1,25}$/), { nil: undefined }),
    fc.option(fc.integer({ min: -30, max: 30 }), { nil: undefined }),
  )
  .map(
    ([sign, whole, fraction, exponent]) =>
      `${sign}${whole}${fraction === undefined ? '' : `.${fraction}`}${
        exponent === undefined ? '' : `e${exponent}`
      }`,
  );

/** × 10^60: a whole number for every text above. */
function scaled(text: string): bigint {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e(.+))?$/.exec(text) ?? [];
  const size = BigInt(whole + fraction) * 10n ** BigInt(60 + Number(exponent) - fraction.length);
  return sign ? -size : size;
}

test('numbers compare as exact decimals', () => {
  fc.assert(
    fc.property(numberText, numberText, (a, b) => {
      const exact = scaled(a) - scaled(b);
      // + 0: the difference of -0 and 0 is -0.
      const order = Math.sign(compareNumbers(numberOf(a), numberOf(b))) + 0;
      expect(order).toBe(exact === 0n ? 0 : exact > 0n ? 1 : -1);
    }),
    { numRuns: 2000 },
  );
});

test('a number beyond every double keeps its order', () => {
  const order = (a: string, b: string) => Math.sign(compareNumbers(numberOf(a), numberOf(b)));
  expect(order('1e400', '1e401')).toBe(-1);
  expect(order('-1e400', '-1e401')).toBe(1);
  expect(order('1e-400', '0')).toBe(1);
  expect(order('1e99999999999999999999', '1e99999999999999999998')).toBe(1);
  expect(order('0e99999999999999999999', '-0.000')).toBe(0);
});

test('a document keeps every digit', () => {
  const text = '{"a":[12345678901234567890,1.10,"12345678901234567890 1e5"],"1e400":1e400}';
  expect(writeDocument(parseDocument(text))).toBe(text.replace('1.10', '1.1'));
});

test('a document equals itself, however long its numbers', () => {
  fc.assert(
    fc.property(jsonText, (text) => {
      const document = parseDocument(text);
      expect(equalValues(document, parseDocument(writeDocument(document)), unlimited)).toBe(true);
    }),
  );
});

test('numbers in names and in texts are no numbers', () => {
  const text = String.raw`{"12345678901234567890":"\\\" 12345678901234567890","b":1}`;
  expect(parseDocument(text)).toEqual(JSON.parse(text));
});

test.each(['', '{', '01', '1.', '-', '{12345678901234567890:1}', '[0123456789012345678]'])(
  'refuses %j',
  (text) => expect(() => parseDocument(text)).toThrow(SyntaxError),
);

test('deep nesting with a long number neither overflows nor rounds', () => {
  const deep = `${'['.repeat(100_000)}12345678901234567890${']'.repeat(100_000)}`;
  const other = deep.replace('890', '891');
  expect(equalValues(parseDocument(deep), parseDocument(deep), unlimited)).toBe(true);
  expect(equalValues(parseDocument(deep), parseDocument(other), unlimited)).toBe(false);
});

// Quadratic time would be minutes, which the test's timeout ends.
test('long numbers and long exponents take linear time', () => {
  const zeros = `1${'0'.repeat(1_000_000)}1`;
  expect(writeDocument(parseDocument(zeros))).toBe(zeros);
  expect(compareNumbers(numberOf(zeros), 1)).toBe(1);
  const large = numberOf(`1e${'9'.repeat(3_000_000)}`);
  for (let i = 0; i < 1000; i++) expect(compareNumbers(large, i)).toBe(1);
  expect(compareNumbers(numberOf(`1e-${'9'.repeat(3_000_000)}`), 1)).toBe(-1);
});
