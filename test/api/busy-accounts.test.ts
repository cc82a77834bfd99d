import { expect, test } from 'vitest';
import { BusyAccounts } from '../../src/api/busy-accounts.ts';
import { CpuUse } from '../../src/core/turns/cpu-use.ts';

const staying = new AbortController().signal;

/** An account that used 5 s of CPU, and another one that waits. */
function contended() {
  const cpu = new CpuUse(() => 0);
  const busy = new BusyAccounts(cpu);
  cpu.charge('greedy', 5000);
  return { busy, endWait: cpu.wait('modest') };
}

test('a request of an account that used much waits until nobody else waits', async () => {
  const { busy, endWait } = contended();
  let isAdmitted = false;
  const admitted = busy.admit('greedy', staying).then(() => {
    isAdmitted = true;
  });
  await busy.admit('modest', staying);
  expect(isAdmitted).toBe(false);
  endWait();
  await admitted;
});

test('an account that is alone goes on, whatever it used', async () => {
  const { busy, endWait } = contended();
  endWait();
  await busy.admit('greedy', staying);
});

test('a client that leaves waits no longer', async () => {
  const { busy } = contended();
  const left = new AbortController();
  const admitted = busy.admit('greedy', left.signal);
  left.abort();
  await expect(admitted).rejects.toMatchObject({ name: 'AbortError' });
});
