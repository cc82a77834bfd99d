import { describe, expect, test } from 'vitest';
import { GroupCommit } from '../../src/capture/group-commit.ts';
import type { CommitResult } from '../../src/capture/judging/judged-commit.ts';
import { HookrelayError } from '../../src/core/errors.ts';
import type { CapturedRequest } from '../../src/core/http/captured-request.ts';

import { systemClock } from '../../src/core/runtime/runtime.ts';
import { captureServer } from '../fixtures/capture-server.ts';
import { request } from '../fixtures/http-request.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';

/* The capture path on a store whose commits fail, behind the real front door. */

failOnLeaks();

async function serverWhoseCommits(fail: (stored: CapturedRequest[]) => void, byNode: boolean) {
  const stored: CapturedRequest[] = [];
  const commits = new GroupCommit({
    isApart: () => false,
    append: async (requests) => {
      fail(stored);
      stored.push(...requests);
      const results = requests.map(({ id }) => ({ stored: true, event: { id } }) as never);
      return { results, claimed: [], unclaimed: new Set() };
    },
    claimTerms: () => ({ leaseUntil: 0, limit: 0, skip: new Set() }),
    onCommitted: () => {},
    monotonic: () => systemClock.monotonic(),
  });
  const { url, errors, budget, counts } = await captureServer({
    commit: (one) => commits.add(one) as Promise<CommitResult>,
    ...(byNode && { fastPath: false }),
  });
  let sent = 0;
  const send = () => {
    sent++;
    return request(`${url}/in/token`, { method: 'POST', body: 'hello' });
  };
  /** All requests were read the way the test says. */
  const expectRead = () => expect(counts.taken).toBe(byNode ? 0 : sent);
  return { send, stored, errors, budget, expectRead };
}

const full = () =>
  new HookrelayError('storage_full', 'the storage took no more data', {
    hint: 'free disk space; capture goes on by itself',
    retryAfterS: 30,
    cause: new Error('SQLITE_FULL at /var/lib/secret-path'),
  });

describe.each([
  ['whole', false],
  ['by Node', true],
])('for a request that is read %s', (_how, byNode) => {
  test('a full disk answers 503 with Retry-After, and nothing is stored', async () => {
    let isFull = true;
    const { send, stored, budget, expectRead } = await serverWhoseCommits(() => {
      if (isFull) throw full();
    }, byNode);
    const answer = await send();
    expect(answer.status).toBe(503);
    expect(answer.headers['retry-after']).toBe('30');
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    expect(answer.headers['x-hookrelay-event-id']).toBeUndefined();
    expect(answer.json).toEqual({
      error: {
        code: 'storage_full',
        message: 'the storage took no more data',
        hint: 'free disk space; capture goes on by itself',
      },
    });
    expect(stored).toEqual([]);
    expect(budget.usedBytes).toBe(0);

    isFull = false;
    expect((await send()).status).toBe(200);
    expect(stored).toHaveLength(1);
    expect(budget.usedBytes).toBe(0);
    expectRead();
  });

  test('a full disk refuses all requests of its commit, and none of the next', async () => {
    let commits = 0;
    const { send, stored, expectRead } = await serverWhoseCommits(() => {
      commits++;
      if (commits === 1) throw full();
    }, byNode);
    const answers = await Promise.all(Array.from({ length: 50 }, send));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(stored.length);
    expect(statuses.filter((status) => status === 503)).toHaveLength(50 - stored.length);
    expect(stored.length).toBeLessThan(50);
    expectRead();
  });

  test('any other failure answers 500 and reveals only the request id', async () => {
    const { send, stored, errors, expectRead } = await serverWhoseCommits(() => {
      throw new Error('no such table: secrets');
    }, byNode);
    const answer = await send();
    expect(answer.status).toBe(500);
    expect(answer.json).toEqual({
      error: {
        code: 'internal',
        message: expect.any(String),
        request_id: expect.stringMatching(/^req_/),
      },
    });
    expect(answer.text).not.toContain('secrets');
    expect(answer.headers['x-request-id']).toBe(answer.json.error.request_id);
    expect(stored).toEqual([]);
    // The log has the rest, under the same id.
    expect(errors).toEqual([
      {
        message: 'a request failed',
        fields: expect.objectContaining({
          request_id: answer.json.error.request_id,
          error: expect.objectContaining({ message: 'no such table: secrets' }),
        }),
      },
    ]);
    expectRead();
  });
});
