import { describe, expect, test } from 'vitest';
import { type CommitStats, GroupCommit } from '../../src/capture/group-commit.ts';
import type { CapturedRequest } from '../../src/core/http/captured-request.ts';

import type { ClaimTerms } from '../../src/store/contract/claims.ts';
import type { AppendBatchResult, AppendResult } from '../../src/store/contract/events.ts';
import { until } from '../fixtures/until.ts';

const TERMS: ClaimTerms = { leaseUntil: 1, limit: 1, skip: new Set() };
const WORTH_A_COMMIT = 8;
const MAX_BATCH_EVENTS = 512;
const MAX_BATCH_BYTES = 16 * 1024 * 1024;

function requestOf(id: string, size = 1): CapturedRequest {
  // Only the fields that group commit reads: a large body costs no memory.
  return { id, body: { length: size } } as unknown as CapturedRequest;
}

interface Batch {
  ids: string[];
  finish(): void;
  fail(error: Error): void;
}

/** A store whose commits end when the test says so. */
function manual() {
  const batches: Batch[] = [];
  const committed: { batch: AppendBatchResult; stats: CommitStats }[] = [];
  const order: string[] = [];
  const ahead: boolean[] = [];
  let clock = 0;
  const commits = new GroupCommit({
    isApart: ({ id }) => id.startsWith('apart'),
    append: (requests, terms) => {
      expect(terms).toBe(TERMS);
      return new Promise((resolve, reject) => {
        const ids = requests.map(({ id }) => id);
        batches.push({
          ids,
          finish() {
            clock += 5;
            const results = ids.map((id) => ({ stored: true, event: { id } }) as AppendResult);
            resolve({ results, claimed: [], unclaimed: new Set() });
          },
          fail: reject,
        });
      });
    },
    claimTerms(isAhead) {
      ahead.push(isAhead);
      return TERMS;
    },
    onCommitted: (batch, stats) => {
      committed.push({ batch, stats });
      order.push('committed');
    },
    monotonic: () => clock,
  });
  const add = (id: string, size?: number) => {
    const added = commits.add(requestOf(id, size));
    added.then(
      () => order.push(id),
      () => {},
    );
    return added;
  };
  const batch = (n: number) => until(`batch ${n}`, () => batches[n - 1]);
  const pass = (ms: number) => {
    clock += ms;
  };
  return { add, batch, batches, committed, order, ahead, commits, pass };
}

const turn = () => new Promise(setImmediate);

const idOf = async (added: Promise<AppendResult>) => {
  const result = await added;
  return result.stored ? result.event.id : null;
};

test('the age of the oldest commit under way is known', async () => {
  const { add, batch, commits, pass } = manual();
  expect(commits.longestMs).toBe(0);
  const first = add('a');
  const one = await batch(1);
  pass(2000);
  expect(commits.longestMs).toBe(2000);
  const second = Array.from({ length: WORTH_A_COMMIT }, (_, i) => add(`b${i}`));
  const two = await batch(2);
  pass(1000);
  expect(commits.longestMs).toBe(3000);
  one.fail(new Error('the storage failed'));
  await expect(first).rejects.toThrow('the storage failed');
  expect(commits.longestMs).toBe(1000);
  two.finish();
  await Promise.all(second);
  expect(commits.longestMs).toBe(0);
});

test('requests that are apart hold up no others, and their age doesn’t count', async () => {
  const { add, batch, batches, commits, ahead, pass } = manual();
  const apart = add('apart 1');
  await batch(1);
  const shared = [add('a'), add('b')];
  const later = add('apart 2');
  (await batch(2)).finish();
  expect(await Promise.all(shared.map(idOf))).toEqual(['a', 'b']);
  expect(batches.map(({ ids }) => ids)).toEqual([['apart 1'], ['a', 'b']]);
  // The dispatcher doesn't know the deliveries of the commit that still waits.
  expect(ahead).toEqual([false, true]);
  pass(2000);
  expect(commits.longestMs).toBe(0);
  let isSettled = false;
  const settled = commits.settled().then(() => {
    isSettled = true;
  });
  batches[0]?.finish();
  expect(await idOf(apart)).toBe('apart 1');
  expect(isSettled).toBe(false);
  (await batch(3)).finish();
  expect(await idOf(later)).toBe('apart 2');
  await settled;
});

describe('batches', () => {
  test('hold what arrives in one turn; later arrivals go into the next one', async () => {
    const { add, batch, batches } = manual();
    const first = [add('a'), add('b')];
    (await batch(1)).finish.bind(null);
    const second = [add('c'), add('d'), add('e')];
    expect(batches.map(({ ids }) => ids)).toEqual([['a', 'b']]);
    batches[0]?.finish();
    expect(await Promise.all(first.map(idOf))).toEqual(['a', 'b']);
    (await batch(2)).finish();
    expect(await Promise.all(second.map(idOf))).toEqual(['c', 'd', 'e']);
    const third = add('f');
    (await batch(3)).finish();
    expect(await idOf(third)).toBe('f');
    expect(batches.map(({ ids }) => ids.join(''))).toEqual(['ab', 'cde', 'f']);
  });

  test('of a few requests wait for the commit under way', async () => {
    const { add, batch, batches } = manual();
    const all = [add('a')];
    await batch(1);
    for (let i = 0; i < WORTH_A_COMMIT - 1; i++) {
      all.push(add(`b${i}`));
      await turn();
    }
    expect(batches).toHaveLength(1);
    batches[0]?.finish();
    (await batch(2)).finish();
    await Promise.all(all);
    expect(batches[1]?.ids).toHaveLength(WORTH_A_COMMIT - 1);
  });

  test('of many requests go to the store early, and later requests wait', async () => {
    const { add, batch, batches, ahead } = manual();
    const all = [add('a')];
    await batch(1);
    const addTurns = async (name: string, turns: number) => {
      for (let i = 0; i < turns; i++) {
        all.push(add(`${name}${i}`));
        await turn();
      }
    };
    await addTurns('b', WORTH_A_COMMIT);
    expect(batches.map(({ ids }) => ids.length)).toEqual([1, WORTH_A_COMMIT]);
    await addTurns('c', 5 * WORTH_A_COMMIT);
    expect(batches).toHaveLength(2);
    for (const n of [1, 2, 3]) (await batch(n)).finish();
    await Promise.all(all);
    expect(batches[2]?.ids).toHaveLength(5 * WORTH_A_COMMIT);
    expect(ahead).toEqual([false, true, true]);
  });

  test('that go early hold at least a quarter of the requests under way', async () => {
    const { add, batch, batches } = manual();
    const all = Array.from({ length: 128 }, (_, i) => add(`a${i}`));
    await batch(2);
    expect(batches.map(({ ids }) => ids.length)).toEqual([64, 64]);
    for (let i = 0; i < 15; i++) all.push(add(`b${i}`));
    batches[0]?.finish();
    await all[0];
    await turn();
    expect(batches).toHaveLength(2);
    all.push(add('b15'));
    expect((await batch(3)).ids).toHaveLength(16);
    for (const n of [2, 3]) (await batch(n)).finish();
    await Promise.all(all);
  });

  test('split many requests while nothing is under way: half go first, the others follow', async () => {
    const { add, batch, batches } = manual();
    const all = Array.from({ length: 2 * WORTH_A_COMMIT + 1 }, (_, i) => add(`${i}`));
    await batch(2);
    expect(batches.map(({ ids }) => ids.length)).toEqual([WORTH_A_COMMIT + 1, WORTH_A_COMMIT]);
    for (const n of [2, 1]) (await batch(n)).finish();
    await Promise.all(all);
  });

  test('hold at most 512 events', async () => {
    const { add, batch, batches, committed } = manual();
    const all = Array.from({ length: 3 * MAX_BATCH_EVENTS }, (_, i) => add(`${i}`));
    for (const n of [1, 2, 3]) (await batch(n)).finish();
    await Promise.all(all);
    expect(batches.map(({ ids }) => ids.length)).toEqual(Array(3).fill(MAX_BATCH_EVENTS));
    expect(batches.flatMap(({ ids }) => ids)).toEqual(all.map((_, i) => `${i}`));
    expect(committed.map(({ stats }) => stats.waiting)).toEqual([
      2 * MAX_BATCH_EVENTS,
      MAX_BATCH_EVENTS,
      0,
    ]);
  });

  test('are closed once they hold 16 MiB', async () => {
    const { add, batch, batches } = manual();
    const all = [
      add('half', MAX_BATCH_BYTES / 2),
      add('other half', MAX_BATCH_BYTES / 2),
      add('larger than a batch', 3 * MAX_BATCH_BYTES),
      add('small', 0),
    ];
    for (const n of [1, 2, 3]) (await batch(n)).finish();
    await Promise.all(all);
    expect(batches.map(({ ids }) => ids)).toEqual([
      ['half', 'other half'],
      ['larger than a batch'],
      ['small'],
    ]);
  });
});

describe('outcomes', () => {
  test('are answered after the commit was reported', async () => {
    const { add, batch, committed, order } = manual();
    const all = [add('a', 3), add('b', 4)];
    await batch(1);
    expect(order).toEqual([]);
    (await batch(1)).finish();
    await Promise.all(all);
    expect(order).toEqual(['committed', 'a', 'b']);
    expect(committed[0]?.stats).toEqual({ events: 2, bytes: 7, durationMs: 5, waiting: 0 });
  });

  test('of a failed commit are errors for its own requests only', async () => {
    const { add, batch, committed } = manual();
    const failing = [add('a'), add('b')];
    const one = await batch(1);
    const next = add('c');
    one.fail(new Error('disk'));
    const outcomes = await Promise.allSettled(failing);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(committed).toEqual([]);
    (await batch(2)).finish();
    expect(await idOf(next)).toBe('c');
    const later = add('d');
    (await batch(3)).finish();
    expect(await idOf(later)).toBe('d');
  });

  test('are errors too when append throws at once', async () => {
    const commits = new GroupCommit({
      isApart: () => false,
      append: () => {
        throw new Error('no room');
      },
      claimTerms: () => TERMS,
      onCommitted: () => {},
      monotonic: () => 0,
    });
    await expect(commits.add(requestOf('a'))).rejects.toThrow('no room');
    await expect(commits.add(requestOf('b'))).rejects.toThrow('no room');
  });

  test('can be an error for a single request', async () => {
    const commits = new GroupCommit({
      isApart: () => false,
      append: async (requests) => ({
        results: requests.map(({ id }) =>
          id === 'bad'
            ? ({ stored: false, reason: 'endpoint_inactive' } as const)
            : ({ stored: true, event: { id } } as AppendResult),
        ),
        claimed: [],
        unclaimed: new Set<number>(),
      }),
      claimTerms: () => TERMS,
      onCommitted: () => {},
      monotonic: () => 0,
    });
    const results = await Promise.all(['a', 'bad', 'b'].map((id) => commits.add(requestOf(id))));
    expect(results.map(({ stored }) => stored)).toEqual([true, false, true]);
  });
});
