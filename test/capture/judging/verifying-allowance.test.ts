import { expect, test } from 'vitest';
import { VerifyingAllowance } from '../../../src/capture/judging/verifying-allowance.ts';
import { CpuUse } from '../../../src/core/cpu-use.ts';

const KiB = 1024;

/** An allowance, and a clock on which verifying takes time. */
function allowance() {
  let now = 0;
  const cpu = new CpuUse(() => now);
  const of = new VerifyingAllowance(cpu, () => now);
  return {
    cpu,
    later(ms: number) {
      now += ms;
    },
    /** Whether the receiving thread verified it. */
    verifies: (account: string, kib: number, tookMs: number) =>
      of.run(account, (work) => {
        work.hash(kib * KiB);
        now += tookMs;
        return true;
      }) === true,
    signs: (account: string, signatures: number) =>
      of.run(account, (work) => {
        for (let i = 0; i < signatures; i++) work.signature(100);
        now += signatures;
        return true;
      }) === true,
  };
}

test('an account has 10 ms in 100 for costly requests, which it is charged for', () => {
  const { cpu, later, verifies } = allowance();
  for (let i = 0; i < 2; i++) expect(verifies('a', 200, 5)).toBe(true);
  expect(verifies('a', 200, 5)).toBe(false);
  expect(verifies('b', 200, 5)).toBe(true);
  expect(cpu.of('a')).toBe(10);
  later(85);
  expect(verifies('a', 200, 5)).toBe(true);
});

test('what takes no longer than handing it over is free', () => {
  const { cpu, verifies } = allowance();
  for (let i = 0; i < 200; i++) expect(verifies('a', 128, 0.1)).toBe(true);
  expect(cpu.of('a')).toBe(0);
  for (let i = 0; i < 2; i++) verifies('a', 200, 5);
  expect(verifies('a', 200, 5)).toBe(false);
  expect(verifies('a', 128, 0.1)).toBe(true);
});

test('three signatures by a public key are verified here, and none where the allowance is used up', () => {
  const { signs } = allowance();
  expect(signs('a', 4)).toBe(false);
  for (let i = 0; i < 4; i++) expect(signs('a', 3)).toBe(true);
  expect(signs('a', 1)).toBe(false);
});

test('all accounts together have 25 ms in 100', () => {
  const { verifies } = allowance();
  const accounts = Array.from({ length: 10 }, (_, i) => `account ${i}`);
  expect(accounts.filter((account) => verifies(account, 200, 5))).toHaveLength(5);
});

test('other failures stay failures', () => {
  const of = new VerifyingAllowance(new CpuUse(() => 0), () => 0);
  const failing = () => {
    throw new Error('no');
  };
  expect(() => of.run('a', failing)).toThrow('no');
});
