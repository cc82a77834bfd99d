import { expect, test } from 'vitest';
import { eventListRoutes } from '../../../src/api/events/event-list-routes.ts';
import { SearchTurns } from '../../../src/api/events/search-turns.ts';
import { replayRoutes } from '../../../src/api/replays/replay-routes.ts';
import { statusOfError } from '../../../src/ingress/error-response.ts';

const LEFT = new AbortController().signal;
const BY_RULE = { where: 'body.a=1' };

/** A search that ends when it is told to, or with its signal. */
function held() {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const search = (name: string) => (signal: AbortSignal) => {
    started.push(name);
    return new Promise<string>((resolve, reject) => {
      ends.set(name, () => resolve(name));
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { started, search, end };
}

test('an account runs two searches at once, and others don’t wait for them', async () => {
  const searches = new SearchTurns();
  const { started, search, end } = held();
  const runs = ['a1', 'a2', 'a3'].map((name) => searches.run('a', BY_RULE, LEFT, search(name)));
  runs.push(searches.run('b', { type: 'push' }, LEFT, search('b1')));
  expect(started).toEqual(['a1', 'a2', 'b1']);
  await end('a2');
  expect(started).toEqual(['a1', 'a2', 'b1', 'a3']);
  for (const name of ['a1', 'a3', 'b1']) await end(name);
  expect(await Promise.all(runs)).toEqual(['a1', 'a2', 'a3', 'b1']);
});

test('a list without a rule or a type waits for none, and has no end', async () => {
  const searches = new SearchTurns({ longestMs: 1 });
  const { started, search, end } = held();
  void searches.run('a', BY_RULE, LEFT, search('a1')).catch(() => {});
  void searches.run('a', BY_RULE, LEFT, search('a2')).catch(() => {});
  const list = searches.run('a', { q: 'x', status: 'failed' }, LEFT, search('list'));
  expect(started).toContain('list');
  await new Promise((resolve) => setTimeout(resolve, 20));
  await end('list');
  expect(await list).toBe('list');
});

test('at most eight wait; one more is refused, until one that waits leaves', async () => {
  const searches = new SearchTurns();
  const { started, search, end } = held();
  const left = new AbortController();
  const run = (name: string, signal = LEFT) => searches.run('a', BY_RULE, signal, search(name));
  const runs = ['1', '2'].map((name) => run(name));
  const leaving = run('leaving', left.signal);
  runs.push(...['4', '5', '6', '7', '8', '9', '10'].map((name) => run(name)));
  await expect(run('11')).rejects.toMatchObject({
    code: 'overloaded',
    retryAfterS: expect.any(Number),
  });
  left.abort(new Error('the client left'));
  await expect(leaving).rejects.toThrow('the client left');
  runs.push(run('12'));
  for (const name of ['1', '2', '4', '5', '6', '7', '8', '9', '10', '12']) await end(name);
  await Promise.all(runs);
  expect(started).not.toContain('leaving');
  expect(started).not.toContain('11');
});

test('a search that takes too long ends, counted from its own start', async () => {
  const searches = new SearchTurns({ longestMs: 60 });
  const { started, search, end } = held();
  const [one, two] = ['1', '2'].map((name) => searches.run('a', BY_RULE, LEFT, search(name)));
  const waiting = searches.run('a', BY_RULE, LEFT, search('3'));
  const tooLong = { code: 'search_too_long', hint: expect.stringContaining('from, to') };
  await Promise.all([
    expect(one).rejects.toMatchObject(tooLong),
    expect(two).rejects.toMatchObject(tooLong),
  ]);
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(started).toEqual(['1', '2', '3']);
  await end('3');
  expect(await waiting).toBe('3');
});

test('a list has time to stop by itself before it is aborted', async () => {
  const searches = new SearchTurns({ longestMs: 60 });
  const forMs = await searches.run('a', BY_RULE, LEFT, async (_, forMs) => forMs);
  expect(forMs).toBe(50);
  expect(await searches.run('a', {}, LEFT, async (_, forMs) => forMs)).toBeUndefined();
});

test('a list that stops by itself answers with what it found', async () => {
  const events = {
    list: async (_: unknown, __: unknown, { forMs }: { forMs: number }) => ({
      ...{ events: [], total: 0 },
      stopped: { before: 7, lookedAt: forMs, until: 0, tooCostly: null },
    }),
  };
  const [, route] = eventListRoutes({ events, searches: new SearchTurns() } as never);
  const context = {
    principal: { user: { id: 'usr_ada' }, apiToken: null },
    ...{ endpoint: { key: 1 }, signal: LEFT, query: BY_RULE },
  };
  await expect(route?.handle(context as never)).rejects.toMatchObject({
    code: 'search_too_long',
    message: expect.stringContaining('looked at 25000 events, back to 1970-01-01T00:00:00.000Z'),
    hint: expect.stringContaining('cursor'),
    beside: {
      ...{ data: [], cursor: expect.any(String) },
      ...{ looked_at: 25_000, until: '1970-01-01T00:00:00.000Z' },
    },
  });
});

test('a search ends when its client leaves', async () => {
  const searches = new SearchTurns();
  const { search } = held();
  const left = new AbortController();
  const run = searches.run('a', BY_RULE, left.signal, search('1'));
  const reason = new Error('the client left');
  left.abort(reason);
  await expect(run).rejects.toBe(reason);
});

test('lists and bulk replays by rule or type end with 503', async () => {
  const searches = new SearchTurns({ longestMs: 5 });
  const { search } = held();
  const events = { list: (_: unknown, __: unknown, ___: unknown, s: AbortSignal) => search('')(s) };
  const replays = {
    count: (_: unknown, __: unknown, signal: AbortSignal) => search('')(signal),
    startJob: (_: unknown, __: unknown, signal: AbortSignal) => search('')(signal),
  };
  const clock = { now: () => 0 };
  const routes = [
    ...eventListRoutes({ events, searches } as never),
    ...replayRoutes({ replays, clock, searches } as never),
  ];
  const context = {
    principal: { user: { id: 'usr_ada' }, apiToken: null },
    endpoint: { key: 1 },
    signal: LEFT,
    query: { type: 'push' },
  };
  for (const [method, path, body] of [
    ['GET', '/api/events', undefined],
    ['GET', '/api/endpoints/{id}/events', undefined],
    ['POST', '/api/endpoints/{id}/replay', { ...BY_RULE, dry_run: true }],
    ['POST', '/api/endpoints/{id}/replay', BY_RULE],
  ] as const) {
    const route = routes.find((one) => one.method === method && one.path === path);
    const answer = Promise.resolve(route?.handle({ ...context, body } as never));
    const error = await answer.catch((reason: unknown) => reason);
    expect([path, error]).toEqual([path, expect.objectContaining({ code: 'search_too_long' })]);
    expect(statusOfError(error)).toBe(503);
  }
});
