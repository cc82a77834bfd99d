import { setImmediate as tick } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { JudgedJob, JudgeJob } from '../../../src/capture/judging/judge-thread.ts';
import { JudgingThreads } from '../../../src/capture/judging/judging-threads.ts';
import { CpuUse } from '../../../src/core/turns/cpu-use.ts';

const MiB = 1024 * 1024;
const VERDICT = { version: 1, dropped: [], orderKeys: [], once: null, refused: null };
const JUDGED: JudgedJob = {
  verdict: { ...VERDICT, handshake: null, verification: null, unjudged: null },
  problem: null,
  missingKey: null,
};

function jobOf(account: string, body: Buffer): JudgeJob {
  const source = null;
  const settings = { userId: account, version: 1, endpointId: 'ep_1', source, dedupe: null };
  const request = {
    ...{ method: 'POST', path: '', query: '', rawHeaders: [], contentType: null, body, urls: [] },
    ...{ provider: null, eventType: null, sourceIp: '10.0.0.1', sentAt: 0, origin: 'sender' },
    ...{ isAccepted: false, key: null },
  } as JudgeJob['request'];
  return {
    opened: { settings: { ...settings, filters: [] }, secrets: null },
    request,
    isWithoutRules: false,
  };
}

/** Threads whose jobs end on request. */
function threads() {
  const running: { job: JudgeJob; end(): void }[] = [];
  const judging = new JudgingThreads({
    thread: () => ({
      run: (job) => new Promise((resolve) => running.push({ job, end: () => resolve(JUDGED) })),
      close: async () => {},
    }),
    cpu: new CpuUse(() => 0),
    monotonic: () => 0,
  });
  return { running, judging };
}

test('short jobs don’t wait for long ones', async () => {
  const { running, judging } = threads();
  for (const account of ['a', 'b']) void judging.judge(jobOf(account, Buffer.alloc(2 * MiB)));
  await tick();
  expect(running).toHaveLength(1);
  for (const account of ['a', 'b', 'c']) void judging.judge(jobOf(account, Buffer.alloc(MiB)));
  await tick();
  expect(running).toHaveLength(3);
  const small = judging.verify(jobOf('a', Buffer.alloc(10)));
  await tick();
  expect(running).toHaveLength(4);
  running[3]?.end();
  expect(await small).toBeNull();
});

test('a message has the bytes of its own body only', async () => {
  const { running, judging } = threads();
  const chunk = Buffer.alloc(8192, 'x');
  void judging.judge(jobOf('a', chunk.subarray(10, 20)));
  await tick();
  const body = running[0]?.job.request.body;
  expect(body?.toString()).toBe('xxxxxxxxxx');
  expect(body?.buffer.byteLength).toBe(10);
});

test('a job whose turn comes after the end is refused, and starts no thread', async () => {
  const { running, judging } = threads();
  const first = judging.judge(jobOf('a', Buffer.alloc(10)));
  const second = judging.judge(jobOf('a', Buffer.alloc(10)));
  await tick();
  await judging.close();
  running[0]?.end();
  await first;
  await expect(second).rejects.toMatchObject({ code: 'not_ready' });
  expect(running).toHaveLength(1);
});
