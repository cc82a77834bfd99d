import { expect, test } from 'vitest';
import {
  pastingProblem,
  secretVariations,
} from '../../../src/providers/reasons/secret-variations.ts';

/* Texts that a secret may stand for, where it was pasted with something too much or too little. */

const KEY = 'c2VjcmV0IG9mIHRoZSBzZW5kZXI=';
const HEX = Buffer.from(KEY, 'base64').toString('hex');

test.each([
  ['secret_blanks', ` ${KEY}\n`, KEY],
  ['secret_blanks', `${KEY}\\n`, KEY],
  ['secret_quotes', `"${KEY}"`, KEY],
  ['secret_quotes', ` '${KEY}'\n`, KEY],
  ['secret_prefix', KEY, `whsec_${KEY}`],
  ['secret_prefix', `whsec_${KEY}`, KEY],
  ['secret_prefix', `whsec_whsec_${KEY}`, `whsec_${KEY}`],
  ['secret_encoding', KEY, 'secret of the sender'],
  ['secret_encoding', 'secret of the sender', KEY],
  ['secret_encoding', HEX, KEY],
  ['secret_encoding', KEY, HEX],
  ['secret_encoding', HEX, 'secret of the sender'],
  ['secret_encoding', 'whsec_secret of the sender', `whsec_${KEY}`],
])('%s: %j may mean %j', (code, pasted, meant) => {
  const found = secretVariations(pasted).find(({ secret }) => secret === meant);
  expect(found?.code).toBe(code);
});

test.each(['', ' ', '""', 'whsec_', 'ä', '\\n', 'deadbeef', '////'])(
  'of %j are other texts, each once, a few, and none that says the secret',
  (secret) => {
    const found = secretVariations(secret);
    const texts = found.map((one) => one.secret);
    expect(texts).not.toContain(secret);
    expect(texts).not.toContain('');
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts.length).toBeLessThanOrEqual(16);
  },
);

test('a secret as providers give it has no problem', () => {
  for (const secret of [KEY, HEX, `whsec_${KEY}`, 'a"b', "it's", '"', 'polar_whs_1']) {
    expect(pastingProblem(secret)).toBeNull();
  }
  expect(pastingProblem(`'${KEY}'`)).toBe('must have no quotes around it');
  expect(pastingProblem('whsec_whsec_x')).toBe('must have whsec_ only once');
});
