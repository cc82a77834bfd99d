import { expect, test } from 'vitest';
import { weaknessOf } from '../../../src/core/text/weak-secret.ts';

test.each([
  ['short', 'is short'],
  ['whsec_c2hvcnQ=', 'is short'],
  ['a'.repeat(256), 'repeats few characters'],
  ['abcabcabcabcabcabcabcabcabc', 'repeats few characters'],
  ['€'.repeat(24), 'repeats few characters'],
  ['0123456789abcdef01234567', null],
  ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD', null],
  ['a secret that two sides know', null],
])('the weakness of %s', (secret, weakness) => {
  if (weakness === null) expect(weaknessOf(secret)).toBeNull();
  else expect(weaknessOf(secret)).toContain(weakness);
});

test('no secret isn’t a weak one', () => {
  expect(weaknessOf('')).toBeNull();
});
