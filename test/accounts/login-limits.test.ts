import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LoginLimits } from '../../src/accounts/login-limits.ts';
import { codeOf, refusalOf } from './account-setup.ts';

const HOME = '192.0.2.1';
const AWAY = '198.51.100.7';
const ADA = 'ada@example.com';
const BOB = 'bob@example.com';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

async function fail(limits: LoginLimits, address: string, email: string, times: number) {
  for (let i = 0; i < times; i++) {
    await limits.checkLogin(address, email);
    await limits.beginLogin(address, email);
  }
}

test('10 failures block an account from one address for the rest of 15 minutes', async () => {
  const limits = new LoginLimits();
  await fail(limits, HOME, ADA, 1);
  vi.advanceTimersByTime(60_000);
  await fail(limits, HOME, ADA, 9);
  const refusal = await refusalOf(limits.checkLogin(HOME, ADA));
  expect(refusal).toMatchObject({ code: 'rate_limited', retryAfterS: 14 * 60 });
  expect(await codeOf(limits.beginLogin(HOME, ADA))).toBe('rate_limited');
  vi.advanceTimersByTime(14 * 60_000 - 1);
  expect((await refusalOf(limits.checkLogin(HOME, ADA))).retryAfterS).toBe(1);
  vi.advanceTimersByTime(1);
  await fail(limits, HOME, ADA, 10);
});

test('no other address of the owner and no other account is blocked', async () => {
  const limits = new LoginLimits();
  await fail(limits, AWAY, ADA, 10);
  await limits.checkLogin(HOME, ADA);
  await limits.beginLogin(HOME, ADA);
  await limits.checkLogin(AWAY, BOB);
  await limits.beginLogin(AWAY, BOB);
});

test('100 failures block an address for every account', async () => {
  const limits = new LoginLimits();
  for (let i = 0; i < 10; i++) await fail(limits, AWAY, `user${i}@example.com`, 10);
  const refusal = await refusalOf(limits.checkLogin(AWAY, ADA));
  expect(refusal).toMatchObject({ code: 'rate_limited', retryAfterS: 15 * 60 });
  expect(await codeOf(limits.beginLogin(AWAY, ADA))).toBe('rate_limited');
  await limits.checkLogin(HOME, ADA);
});

test('a success clears the account’s failures and is not counted itself', async () => {
  const limits = new LoginLimits();
  for (let round = 0; round < 20; round++) {
    if (round < 10) await fail(limits, HOME, ADA, 9);
    await limits.beginLogin(HOME, ADA);
    await limits.loginSucceeded(HOME, ADA);
  }
  // The 90 failures of the address still count.
  await fail(limits, HOME, BOB, 10);
  expect(await codeOf(limits.checkLogin(HOME, 'carol@example.com'))).toBe('rate_limited');
});

test('concurrent tries get no more than sequential ones', async () => {
  const limits = new LoginLimits();
  const tries = Array.from({ length: 50 }, () => limits.beginLogin(HOME, ADA));
  const settled = await Promise.allSettled(tries);
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
});

test.each([
  ['a /64', '2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', true],
  ['its neighbour', '2001:db8:1:2::1', '2001:db8:1:3::1', false],
  ['spellings', '2001:DB8:0:0:1::1', '2001:0db8::1:0:0:2', true],
  ['zeros left out at the end', '2001:db8::', '2001:db8:0:0:8000::', true],
  ['loopback', '::1', '::2', true],
  ['zones', 'fe80::1%eth0', 'fe80::2%eth1', true],
  ['IPv4 in IPv6', '::ffff:192.0.2.1', '192.0.2.1', true],
  ['two of them', '::ffff:192.0.2.1', '::FFFF:192.0.2.2', false],
  ['IPv4', '192.0.2.1', '192.0.2.2', false],
  ['no address', '', 'unknown', false],
])('counted as one address or two: %s', async (_, one, two, same) => {
  const limits = new LoginLimits();
  await fail(limits, one, ADA, 10);
  const blocked = await limits.checkLogin(two, ADA).then(
    () => false,
    () => true,
  );
  expect(blocked).toBe(same);
});

test('registrations are limited by address, apart from logins', async () => {
  const limits = new LoginLimits();
  for (let i = 0; i < 1000; i++) {
    await limits.checkRegistration(HOME);
    await limits.beginRegistration(HOME);
  }
  expect(await codeOf(limits.checkRegistration(HOME))).toBe('rate_limited');
  expect(await codeOf(limits.beginRegistration(HOME))).toBe('rate_limited');
  await limits.checkRegistration(AWAY);
  await limits.checkLogin(HOME, ADA);
  vi.advanceTimersByTime(60 * 60_000);
  await limits.checkRegistration(HOME);
});

test.each([365 * 86_400_000, -365 * 86_400_000])(
  'a wall clock that jumps by %d ms extends no block',
  async (jump) => {
    const limits = new LoginLimits();
    await fail(limits, HOME, ADA, 10);
    vi.setSystemTime(Date.now() + jump);
    const refusal = await limits.checkLogin(HOME, ADA).catch((error) => error);
    if (refusal) expect(refusal.retryAfterS).toBeLessThanOrEqual(15 * 60);
    vi.advanceTimersByTime(15 * 60_000);
    await limits.checkLogin(HOME, ADA);
  },
);
