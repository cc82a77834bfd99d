import { createHmac, randomBytes } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  type JudgedJob,
  type JudgeJob,
  judgeThread,
} from '../../../src/capture/judging/judge-thread.ts';
import {
  RequestJudge,
  type RequestJudgeOptions,
} from '../../../src/capture/judging/request-judge.ts';
import { BorrowedBody } from '../../../src/core/http/borrowed-body.ts';
import type { CapturedRequest } from '../../../src/core/http/captured-request.ts';
import type { SourceSettings } from '../../../src/core/proof/source.ts';
import type { DestinationFilter } from '../../../src/core/rules/verdict.ts';
import { Keys } from '../../../src/core/secrets/keys.ts';
import { CpuUse } from '../../../src/core/turns/cpu-use.ts';
import { silentLog } from '../../fixtures/silent-log.ts';

/* A request that fails is looked into, in a thread, a few of them a second. */

const KEYS = new Keys(randomBytes(32));
const SECRET = 'a secret of the sender';
const NOW = 1_800_000_000_000;
const COMPACT = '{"a":1,"b":[2]}';
const SPACED = '{"a": 1, "b": [2]}';

interface Setting extends Partial<SourceSettings> {
  endpoints?: string[];
  filters?: DestinationFilter[];
}

function judgeOf(setting: Setting = {}, options: Partial<RequestJudgeOptions> = {}) {
  const { endpoints = ['tok'], filters = [], ...source } = setting;
  let now = 0;
  const cpu = new CpuUse(() => performance.now());
  const judge = new RequestJudge({
    keys: KEYS,
    urls: { baseUrl: () => 'https://hooks.example', ownsHost: () => false },
    keyRing: { known: () => null, fetch: async () => null },
    thread: () => judgeThread(cpu),
    cpu,
    log: silentLog,
    monotonic: () => now,
    ...options,
  });
  onTestFinished(() => judge.close());
  for (const token of endpoints) {
    judge.learn(token, {
      ...{ userId: `usr_${token}`, version: 7, endpointId: 'ep_1', dedupe: null, filters },
      source: {
        ...{ provider: 'github', enforce: false, url: null, in: null, scheme: null, ...source },
        sealedSecrets: KEYS.seal(JSON.stringify(['no', SECRET]), 'ep_1'),
      },
    });
  }
  return {
    judge,
    later(ms: number) {
      now += ms;
    },
  };
}

/** A thread that answers as told, and counts. */
function fakeThread(answer: (job: JudgeJob) => Promise<JudgedJob>) {
  const jobs: JudgeJob[] = [];
  return {
    jobs,
    run(job: JudgeJob) {
      jobs.push(job);
      return answer(job);
    },
    close: async () => {},
  };
}

/** Says of each request that its URL is another one. */
const says = async ({ failed }: JudgeJob): Promise<JudgedJob> => {
  if (!failed) throw new Error('it was asked for more than the reason');
  const { verification, ...verdict } = failed.verdict;
  const reason = 'url_mismatch' as const;
  return {
    verdict: { ...verdict, verification: verification && { ...verification, reason } },
    problem: null,
    missingKey: null,
  };
};

/** A request whose sender has signed a body, maybe another one. */
function request(signed: string, came = signed, more: Partial<CapturedRequest> = {}) {
  const signature = createHmac('sha256', SECRET).update(signed).digest('hex');
  return {
    ...{ id: 'evt_1', publicToken: 'tok', method: 'POST', path: '', query: '' },
    rawHeaders: ['X-Hub-Signature-256', `sha256=${signature}`],
    ...{ contentType: null, body: new BorrowedBody(Buffer.from(came)), sourceIp: '::1' },
    ...{ receivedAt: NOW, provider: null, eventType: null },
    ...more,
  };
}

test('a respelled body is told from a wrong secret, and both stay failed', async () => {
  const { judge } = judgeOf();
  const failed = { state: 'failed', provider: 'github', secret: null };
  const respelled = await judge.verdict(request(SPACED, COMPACT));
  expect(respelled?.verification).toEqual({ ...failed, reason: 'body_reserialized' });
  expect(respelled?.refused).toBeNull();
  const forged = await judge.verdict(request(SPACED, '{"a":2}'));
  expect(forged?.verification).toEqual({ ...failed, reason: 'signature_mismatch' });
});

test('a request for another URL is told from a wrong secret, and stays refused', async () => {
  const { judge } = judgeOf({ provider: 'square', enforce: true });
  const signature = createHmac('sha256', SECRET)
    .update('http://hooks.example/in/tok/')
    .update(COMPACT)
    .digest('base64');
  const rawHeaders = ['x-square-hmacsha256-signature', signature];
  const verdict = await judge.verdict(request('', COMPACT, { rawHeaders }));
  expect(verdict?.verification).toMatchObject({ state: 'failed', reason: 'url_mismatch' });
  expect(verdict?.refused).toEqual({ keep: true });
});

test('what the destinations’ filters say of it stays', async () => {
  const filter = { destinationKey: 1, ruleVersion: 2, filter: '{"body":{"a":5}}', orderBy: null };
  const { judge } = judgeOf({ filters: [filter] });
  const verdict = await judge.verdict(request(SPACED, COMPACT));
  expect(verdict).toMatchObject({
    verification: { reason: 'body_reserialized' },
    dropped: [{ destinationKey: 1, ruleVersion: 2 }],
  });
});

describe('the receiving thread goes on', () => {
  test('with requests that fit', () => {
    const thread = fakeThread(says);
    const { judge } = judgeOf({}, { thread: () => thread });
    expect(judge.verdict(request(COMPACT))).toMatchObject({ verification: { state: 'verified' } });
    expect(judge.verdict(request(COMPACT, COMPACT, { rawHeaders: [] }))).toMatchObject({
      verification: { reason: 'signature_missing' },
    });
    expect(thread.jobs).toEqual([]);
  });

  test('with a flood of forgeries: two a second of an endpoint are looked into', async () => {
    const thread = fakeThread(says);
    const { judge, later } = judgeOf({}, { thread: () => thread });
    const looked = async () => {
      const verdicts = [];
      for (let i = 0; i < 1500; i++) {
        const verdict = judge.verdict(request('x', COMPACT));
        verdicts.push(verdict instanceof Promise ? await verdict : verdict);
      }
      return verdicts.filter((verdict) => verdict?.verification?.reason === 'url_mismatch').length;
    };
    expect(await looked()).toBe(2);
    later(999);
    expect(await looked()).toBe(0);
    later(1);
    expect(await looked()).toBe(2);
  });

  test('with a flood to many endpoints: five a second are looked into', async () => {
    const thread = fakeThread(says);
    const endpoints = Array.from({ length: 20 }, (_, i) => `tok${i}`);
    const { judge } = judgeOf({ endpoints }, { thread: () => thread });
    for (const publicToken of endpoints) {
      await judge.verdict(request('x', COMPACT, { publicToken }));
    }
    expect(thread.jobs).toHaveLength(5);
  });

  test('while the thread is busy', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const thread = fakeThread(async (job) => {
      await promise;
      return says(job);
    });
    const { judge } = judgeOf({ endpoints: ['tok', 'other'] }, { thread: () => thread });
    const first = judge.verdict(request('x', COMPACT));
    expect(first).toBeInstanceOf(Promise);
    expect(judge.verdict(request('x', COMPACT, { publicToken: 'other' }))).toMatchObject({
      verification: { reason: 'signature_mismatch' },
    });
    resolve();
    expect(await first).toMatchObject({ verification: { reason: 'url_mismatch' } });
  });

  test('with requests that leave no trace, unless a person accepts them', async () => {
    const thread = fakeThread(says);
    const { judge, later } = judgeOf({ enforce: true }, { thread: () => thread });
    for (let i = 0; i < 20; i++) await judge.verdict(request('x', COMPACT));
    later(999);
    thread.jobs.length = 0;
    // Twenty are on record in this second.
    expect(judge.verdict(request('x', COMPACT))).toMatchObject({ refused: { keep: false } });
    expect(thread.jobs).toEqual([]);
    later(1);
    expect(await judge.verdict(request('x', COMPACT, { accepts: 'rej_1' }))).toMatchObject({
      verification: { reason: 'url_mismatch' },
      refused: { keep: false },
    });
  });
});

test('the plain reason stands where the thread fails, and during a shutdown', async () => {
  const thread = fakeThread(() => Promise.reject(new Error('gone')));
  const { judge } = judgeOf({}, { thread: () => thread });
  const plain = { verification: { state: 'failed', reason: 'signature_mismatch' } };
  expect(await judge.verdict(request(SPACED, COMPACT))).toMatchObject(plain);
  await judge.close();
  expect(judge.verdict(request(SPACED, COMPACT))).toMatchObject(plain);
  expect(thread.jobs).toHaveLength(1);
});
