import * as argon2 from '@node-rs/argon2';
import { beforeEach, expect, test, vi } from 'vitest';
import { Passwords } from '../../../src/http/auth/passwords.ts';
import { refusalOf } from './account-setup.ts';

vi.mock('@node-rs/argon2', { spy: true });

beforeEach(() => {
  vi.clearAllMocks();
});

test('a hash is argon2id with OWASP’s parameters and a salt of its own', async () => {
  const passwords = new Passwords();
  const [one, two] = await Promise.all([passwords.hash('same'), passwords.hash('same')]);
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
  const passwords = new Passwords();
  expect(await passwords.verify(tried, await passwords.hash(stored))).toBe(expected);
});

test('without a hash it computes one all the same, with the same parameters, and says no', async () => {
  const passwords = new Passwords();
  expect(await passwords.verify('whatever', null)).toBe(false);
  expect(argon2.verify).toHaveBeenCalledTimes(1);
  const dummy = vi.mocked(argon2.verify).mock.calls[0]?.[0] as string;
  const real = await passwords.hash('whatever');
  const shape = (text: string) => text.split('$').map((part, i) => (i < 4 ? part : part.length));
  expect(shape(dummy)).toEqual(shape(real));
});

test('nobody logs in by the password of the dummy', async () => {
  vi.mocked(argon2.verify).mockResolvedValueOnce(true);
  expect(await new Passwords().verify('a lucky guess', null)).toBe(false);
});

test('at most 2 hashes run at once, the others in order, and an error frees its place', async () => {
  const passwords = new Passwords();
  let running = 0;
  let most = 0;
  const finished: number[] = [];
  vi.mocked(argon2.hash).mockImplementation(async (password) => {
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running--;
    if (String(password) === '3') throw new Error('broken');
    finished.push(Number(String(password)));
    return '';
  });
  const all = Array.from({ length: 8 }, (_, i) => passwords.hash(String(i)));
  const results = await Promise.allSettled(all);
  vi.mocked(argon2.hash).mockReset();
  expect(most).toBe(2);
  expect(results.map(({ status }) => status).filter((one) => one === 'rejected')).toHaveLength(1);
  expect(finished).toEqual([0, 1, 2, 4, 5, 6, 7]);
  expect(await passwords.verify('x', await passwords.hash('x'))).toBe(true);
});

test('past 64 waiting it is overloaded, and recovers', async () => {
  const passwords = new Passwords();
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  vi.mocked(argon2.verify).mockResolvedValue(true);
  const waiting = Array.from({ length: 66 }, () => passwords.verify('x', 'stored', () => gate));
  const refusal = await refusalOf(passwords.verify('x', 'stored'));
  expect(refusal.code).toBe('overloaded');
  expect(refusal.retryAfterS).toBeGreaterThan(0);
  open();
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([true]));
  expect(await passwords.verify('x', 'stored')).toBe(true);
  vi.mocked(argon2.verify).mockReset();
});

test('who isn’t admitted costs no hash', async () => {
  const passwords = new Passwords();
  const refuse = () => {
    throw new Error('not you');
  };
  await expect(passwords.hash('x', refuse)).rejects.toThrow('not you');
  await expect(passwords.verify('x', null, refuse)).rejects.toThrow('not you');
  expect(argon2.hash).not.toHaveBeenCalled();
  expect(argon2.verify).not.toHaveBeenCalled();
});
