import { describe, expect, onTestFinished, test } from 'vitest';
import { CAPTURE_HEADERS, capture } from '../../src/capture/capture.ts';
import { GroupCommit } from '../../src/capture/group-commit.ts';
import { KnownUrls } from '../../src/capture/known-urls.ts';
import { MemoryBudget } from '../../src/capture/memory-budget.ts';
import { HookrelayError } from '../../src/core/errors.ts';
import type { CapturedRequest } from '../../src/core/model.ts';
import { type LogFields, type Logger, systemClock } from '../../src/core/runtime.ts';
import { CLIENT_LIMITS } from '../../src/http/client-limits.ts';
import { createFrontDoor } from '../../src/http/front-door.ts';
import { listen } from '../../src/http/server.ts';
import { request } from '../fixtures/http-request.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';

/* The capture path on a store whose commits fail, behind the real front door. */

failOnLeaks();

async function serverWhoseCommits(fail: (stored: CapturedRequest[]) => void) {
  const stored: CapturedRequest[] = [];
  const errors: { message: string; fields: LogFields }[] = [];
  const budget = new MemoryBudget(1_000_000);
  const commits = new GroupCommit({
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
  const log: Logger = {
    debug() {},
    info() {},
    warn() {},
    error: (message, fields = {}) => {
      errors.push({ message, fields });
    },
  };
  const server = await listen({
    host: '127.0.0.1',
    port: 0,
    tls: null,
    limits: CLIENT_LIMITS,
    listener: createFrontDoor({
      dashboard: () => false,
      clock: systemClock,
      log,
      captureHeaders: CAPTURE_HEADERS,
      capture: (req, res, target) =>
        capture(req, res, target, {
          maxBodyBytes: 1_000_000,
          budget,
          clock: systemClock,
          known: new KnownUrls(() => 0),
          findEndpoint: async () => null,
          commit: (one) => commits.add(one),
          clientAddress: () => '127.0.0.1',
        }),
      api: (_req, res) => res.end(),
    }),
  });
  onTestFinished(() => server.close(1000));
  const send = () => request(`${server.url}/in/token`, { method: 'POST', body: 'hello' });
  return { send, stored, errors, budget };
}

const full = () =>
  new HookrelayError('storage_full', 'the storage took no more data', {
    hint: 'free disk space; capture goes on by itself',
    retryAfterS: 30,
    cause: new Error('SQLITE_FULL at /var/lib/secret-path'),
  });

describe('a full disk', () => {
  test('is a 503 that says when to come back, and nothing is stored', async () => {
    let isFull = true;
    const { send, stored, budget } = await serverWhoseCommits(() => {
      if (isFull) throw full();
    });
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
  });

  test('refuses all requests of its commit, and none of the next', async () => {
    let commits = 0;
    const { send, stored } = await serverWhoseCommits(() => {
      commits++;
      if (commits === 1) throw full();
    });
    const answers = await Promise.all(Array.from({ length: 50 }, send));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(stored.length);
    expect(statuses.filter((status) => status === 503)).toHaveLength(50 - stored.length);
    expect(stored.length).toBeLessThan(50);
  });
});

test('any other failure is a 500 that tells its request id and nothing else', async () => {
  const { send, stored, errors } = await serverWhoseCommits(() => {
    throw new Error('no such table: secrets');
  });
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
});
