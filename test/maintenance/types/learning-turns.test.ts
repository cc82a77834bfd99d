import { expect, onTestFinished, test } from 'vitest';
import { CpuUse } from '../../../src/core/turns/cpu-use.ts';
import { LearningThread } from '../../../src/maintenance/types/learning-thread.ts';
import type { EventToLearn } from '../../../src/store/contract/types.ts';

const eventOf = (seq: number, userId: string, values: number): EventToLearn => ({
  ...{ seq, id: `evt_${seq}`, endpointKey: 1, userId, receivedAt: 0 },
  ...{ provider: null, eventType: 'made', contentType: 'application/json' },
  body: Buffer.from(JSON.stringify({ list: Array.from({ length: values }, (_, i) => i) })),
});

test('accounts are charged with learning by the bytes of their events', async () => {
  const cpu = new CpuUse(() => 0);
  const thread = new LearningThread(cpu);
  onTestFinished(() => thread.close());
  const small = eventOf(1, 'small', 10);
  const large = Array.from({ length: 100 }, (_, i) => eventOf(i + 2, 'large', 20_000));
  await thread.read({ slice: 1, events: [small, ...large] });
  expect(cpu.of('large')).toBeGreaterThan(1000 * cpu.of('small'));
  expect(cpu.of('small')).toBeGreaterThan(0);
});
