import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { EventSummaryAnswer } from '../../src/api/events/event-answer.ts';
import { ApiError } from '../../src/dashboard/model/api-error.ts';
import { EventList } from '../../src/dashboard/model/event-list.ts';
import type { ListQuery } from '../../src/dashboard/model/list-filter.ts';

/* A list whose search the server stops again and again, against a server of a few lines. */

const PATIENCE_MS = 60_000;
const FILTER = {
  ...{ status: '', method: '', from: '', to: '', q: '', ignore_case: '', type: '' },
  ...{ where: 'body.n>0', verification: '', duplicates: '', waiting: '' },
};
const UNTIL = '2026-01-31T00:00:00.000Z';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

async function until(what: string, look: () => unknown): Promise<void> {
  for (let waited = 0; waited < PATIENCE_MS; waited += 50) {
    if (look()) return;
    await vi.advanceTimersByTimeAsync(50);
  }
  throw new Error(`not after ${PATIENCE_MS} ms: ${what}`);
}

const events = (first: number, count: number) =>
  Array.from({ length: count }, (_, i) => ({ id: `evt_${first + i}` }) as EventSummaryAnswer);

/** Each answer waits for its turn: `answer` gives it. */
function heldServer() {
  const asked: { query: ListQuery; settle: PromiseWithResolvers<never> }[] = [];
  const list = new EventList((query) => {
    const settle = Promise.withResolvers<never>();
    asked.push({ query, settle });
    return settle.promise;
  }, FILTER);
  onTestFinished(() => list.close());
  let answered = 0;
  const next = async () => {
    await until('the list asks', () => asked.length > answered);
    return asked[answered++] as (typeof asked)[number];
  };
  return {
    list,
    async stops(
      data: EventSummaryAnswer[],
      cursor: string,
      issues: { path: string; message: string }[] = [],
    ) {
      const { query, settle } = await next();
      const beside = { data, cursor, looked_at: 1000, until: UNTIL };
      settle.reject(new ApiError(503, 'search_too_long', 'no', null, issues, beside));
      return query;
    },
    async gives(data: EventSummaryAnswer[], total: number) {
      const { query, settle } = await next();
      settle.resolve({ data, total, page: query.page } as never);
      return query;
    },
    async fails() {
      const { settle } = await next();
      settle.reject(new ApiError(503, 'overloaded', 'no'));
    },
    asked,
  };
}

const shown = (list: EventList) => Array.from({ length: list.total }, (_, i) => list.row(i)?.id);
const ids = (found: EventSummaryAnswer[]) => found.map(({ id }) => id);

test('shows what was found so far and how far the search came, and goes on', async () => {
  const server = heldServer();
  const { list } = server;
  await server.stops([], 'a');
  await until('it says that it goes on', () => list.isLoaded);
  // Nothing found so far is not nothing.
  expect([list.total, list.search.reach]).toEqual([
    0,
    { state: 'going', lookedAt: 1000, until: UNTIL, unknown: [], error: null },
  ]);
  const first = events(0, 3);
  const unknown = { path: 'where', message: 'takes too many steps on event evt_x' };
  expect((await server.stops(first, 'b', [unknown])).cursor).toBe('a');
  await until('they are shown', () => list.total === 3);
  expect(shown(list)).toEqual(ids(first));
  expect([0, 1, 2].map((row) => list.isNew(row))).toEqual([false, false, false]);
  expect(list.search.reach).toMatchObject({ lookedAt: 2000, unknown: [unknown.message] });
  const second = events(3, 4);
  const last = await server.gives(second, 4);
  expect(last).toMatchObject({ cursor: 'b', where: 'body.n>0', page: 1 });
  await until('all are shown', () => list.total === 7);
  await until('rows have come', () => list.row(6));
  expect(shown(list)).toEqual(ids([...first, ...second]));
  expect(list.search.reach?.state).toBe('done');
  // An arrival doesn't begin it again; a person does.
  const asked = server.asked.length;
  list.onArrival(events(99, 1)[0] as EventSummaryAnswer);
  await vi.advanceTimersByTimeAsync(2000);
  expect(server.asked).toHaveLength(asked);
  list.search.again();
  expect((await server.gives(first, 3)).cursor).toBeUndefined();
  await until('it is the new one', () => list.total === 3);
  expect(list.search.reach).toBeNull();
});

test('a search that fails or is stopped keeps what it found, and goes on when asked to', async () => {
  const server = heldServer();
  const { list } = server;
  await server.stops(events(0, 2), 'a');
  await server.fails();
  await until('it failed', () => list.search.reach?.state === 'stopped');
  expect(list.search.reach?.error?.code).toBe('overloaded');
  await until('what it found stays', () => list.total === 2 && list.row(1));
  list.search.goOn();
  expect((await server.stops([], 'b')).cursor).toBe('a');
  list.search.stop();
  expect(list.search.reach).toMatchObject({ state: 'stopped', error: null });
});

test('rows beyond what came with the end are fetched from there', async () => {
  const server = heldServer();
  const { list } = server;
  await server.stops(events(0, 10), 'a');
  await server.gives(events(10, 1000), 2500);
  await until('the end is known', () => list.total === 2510);
  list.want(1500, 1520);
  const query = await server.gives(events(1010, 1000), 2500);
  expect(query).toMatchObject({ cursor: 'a', page: 2, limit: 1000 });
  await until('it is there', () => list.row(1510));
  expect(list.row(1510)?.id).toBe('evt_1510');
});
