import { expect, test } from 'vitest';
import { BusyAccounts } from '../../src/api/busy-accounts.ts';
import { CpuUse } from '../../src/core/turns/cpu-use.ts';

test('an account that used much is refused after five seconds, with the time to try again', async () => {
  const cpu = new CpuUse(() => 0);
  cpu.charge('greedy', 5000);
  cpu.wait('modest');
  const startedAt = performance.now();
  const admitted = new BusyAccounts(cpu).admit('greedy', new AbortController().signal);
  await expect(admitted).rejects.toMatchObject({ code: 'busy', retryAfterS: 5 });
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(5000);
});
