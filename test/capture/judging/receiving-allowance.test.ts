import { expect, test } from 'vitest';
import { ReceivingAllowance } from '../../../src/capture/judging/receiving-allowance.ts';
import { Work } from '../../../src/core/rules/work.ts';
import { CpuUse } from '../../../src/core/turns/cpu-use.ts';

const KiB = 1024;

/** An allowance, and a clock on which verifying takes time. */
function allowance() {
  let now = 0;
  const cpu = new CpuUse(() => now);
  const of = new ReceivingAllowance(cpu, () => now);
  return {
    cpu,
    later(ms: number) {
      now += ms;
    },
    /** Whether the receiving thread verified it. */
    verifies: (account: string, kib: number, tookMs: number) =>
      of.verify(account, (work) => {
        work.hash(kib * KiB);
        now += tookMs;
        return true;
      }) === true,
    /** Whether it judged a body by so many steps. */
    judges: (account: string, bytes: number, steps: number, tookMs: number) =>
      of.judge(account, bytes, (most) => {
        new Work(most).spend(steps);
        now += tookMs;
        return true;
      }) === true,
    signs: (account: string, signatures: number) =>
      of.verify(account, (work) => {
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

test('rules count by what they took; large bodies and many steps go to a thread past it', () => {
  const { cpu, judges, verifies } = allowance();
  expect(judges('a', 60 * KiB, 20_001, 1)).toBe(false);
  for (let i = 0; i < 200; i++) expect(judges('a', 60 * KiB, 100, 0.2)).toBe(true);
  expect(cpu.of('a')).toBe(0);
  expect(judges('a', 60 * KiB, 20_000, 10)).toBe(true);
  expect(cpu.of('a')).toBe(10);
  expect(judges('a', 60 * KiB, 100, 0.2)).toBe(false);
  expect(judges('a', 8 * KiB, 2501, 0.2)).toBe(false);
  expect(judges('a', 8 * KiB, 2500, 0.2)).toBe(true);
  expect(verifies('a', 200, 5)).toBe(false);
  expect(judges('b', 60 * KiB, 20_000, 1)).toBe(true);
});

test('other failures stay failures', () => {
  const of = new ReceivingAllowance(new CpuUse(() => 0), () => 0);
  const failing = () => {
    throw new Error('no');
  };
  expect(() => of.verify('a', failing)).toThrow('no');
});
