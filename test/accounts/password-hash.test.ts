import * as argon2 from '@node-rs/argon2';
import { beforeEach, expect, test, vi } from 'vitest';
import { hashPassword, verifyPassword } from '../../src/accounts/password-hash.ts';

vi.mock('@node-rs/argon2', { spy: true });

beforeEach(() => {
  vi.clearAllMocks();
});

test('a hash is argon2id with OWASP’s parameters and a salt of its own', async () => {
  const [one, two] = await Promise.all([hashPassword('same'), hashPassword('same')]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(two).not.toBe(one);
});

const LONG = 'x'.repeat(1024);
test.each([
  ['the same', 'correct horse', 'correct horse', true],
  ['another', 'correct horse', 'correct horsf', false],
  ['the same letters, decomposed', 'Zo\u00eb caf\u00e9', 'Zoe\u0308 cafe\u0301', true],
  ['compatibility forms stay apart', '\ufb01le', 'file', false],
  ['NUL doesn’t end it', 'abc\u0000def', 'abc\u0000deg', false],
  ['nor do 72 bytes', `${LONG}a`, `${LONG}b`, false],
  ['trailing blanks count', 'password', 'password ', false],
])('verify: %s', async (_, stored, tried, expected) => {
  expect(await verifyPassword(tried, await hashPassword(stored))).toBe(expected);
});

test('without a stored hash, verify computes one with the same parameters and says no', async () => {
  expect(await verifyPassword('whatever', null)).toBe(false);
  expect(argon2.verify).toHaveBeenCalledTimes(1);
  const dummy = vi.mocked(argon2.verify).mock.calls[0]?.[0] as string;
  const real = await hashPassword('whatever');
  const shape = (text: string) => text.split('$').map((part, i) => (i < 4 ? part : part.length));
  expect(shape(dummy)).toEqual(shape(real));
});

test('nobody can log in with the dummy hash', async () => {
  vi.mocked(argon2.verify).mockResolvedValueOnce(true);
  expect(await verifyPassword('a lucky guess', null)).toBe(false);
});
