import { expect, test } from 'vitest';
import { SharedRefusals } from '../../src/capture/shared-refusals.ts';
import type { CapturedRequest } from '../../src/core/http/captured-request.ts';
import type { Verdict } from '../../src/core/rules/verdict.ts';
import type { AppendResult } from '../../src/store/contract/events.ts';

const INVALID: AppendResult = { stored: false, reason: 'signature_invalid' };

/** A request that its verdict refuses. Those that are not kept leave no trace. */
function refused({ publicToken = 'token', version = 1, keep = false } = {}): CapturedRequest {
  return { publicToken, verdict: { version, refused: { keep } } as Verdict } as CapturedRequest;
}

/** Commits that end when the test says so. */
function world() {
  const commits: {
    request: CapturedRequest;
    resolve(result: AppendResult): void;
    reject(error: Error): void;
  }[] = [];
  let onCommit = () => {};
  const refusals = new SharedRefusals(
    (request) =>
      new Promise((resolve, reject) => {
        commits.push({ request, resolve, reject });
        onCommit();
      }),
  );
  const committed = (count: number) =>
    new Promise<void>((resolve) => {
      onCommit = () => commits.length >= count && resolve();
      onCommit();
    });
  return { commits, refusals, committed };
}

test('one of those that leave no trace asks for all of its endpoint', async () => {
  const { commits, refusals, committed } = world();
  const results = Array.from({ length: 100 }, () => refusals.commit(refused()));
  await committed(1);
  commits[0]?.resolve(INVALID);
  expect(await Promise.all(results)).toEqual(Array(100).fill(INVALID));
  expect(commits).toHaveLength(1);
});

test('one that comes while another asks, asks again', async () => {
  const { commits, refusals, committed } = world();
  const before = refusals.commit(refused());
  await committed(1);
  const after = refusals.commit(refused());
  commits[0]?.resolve(INVALID);
  expect(await before).toBe(INVALID);
  await committed(2);
  const stale = { stored: false, reason: 'stale' } as AppendResult;
  commits[1]?.resolve(stale);
  expect(await after).toBe(stale);
});

test('those of other endpoints and versions ask for themselves', async () => {
  const { commits, refusals, committed } = world();
  void refusals.commit(refused());
  void refusals.commit(refused({ version: 2 }));
  void refusals.commit(refused({ publicToken: 'other' }));
  await committed(3);
  expect(commits.map(({ request }) => [request.publicToken, request.verdict?.version])).toEqual([
    ['token', 1],
    ['token', 2],
    ['other', 1],
  ]);
});

test('a request that is kept, stored or not judged is committed at once', () => {
  const { commits, refusals } = world();
  const passed = { version: 1, refused: null } as Verdict;
  const requests = [
    refused({ keep: true }),
    refused({ keep: true }),
    { publicToken: 'token', verdict: passed } as CapturedRequest,
    { publicToken: 'token' } as CapturedRequest,
  ];
  for (const request of requests) void refusals.commit(request);
  expect(commits.map(({ request }) => request)).toEqual(requests);
});

test('a commit that fails fails all that share it, and no later one', async () => {
  const { commits, refusals, committed } = world();
  const first = refusals.commit(refused());
  const second = refusals.commit(refused());
  const both = Promise.allSettled([first, second]);
  await committed(1);
  commits[0]?.reject(new Error('the disk is full'));
  expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const third = refusals.commit(refused());
  await committed(2);
  commits[1]?.resolve(INVALID);
  expect(await third).toBe(INVALID);
});
