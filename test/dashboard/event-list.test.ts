import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { queryText } from '../../src/api/client/call-target.ts';
import type { StreamedAttempt } from '../../src/api/deliveries/attempt-answer.ts';
import type { EventSummaryAnswer } from '../../src/api/events/event-answer.ts';
import { ApiError } from '../../src/dashboard/model/api-error.ts';
import { EventList } from '../../src/dashboard/model/event-list.ts';
import type { ListFilter, ListQuery } from '../../src/dashboard/model/list-filter.ts';
import { NO_DELIVERIES } from '../fixtures/no-deliveries.ts';

/*
 * The list against a server of a few lines, whose answers come late and out of order. The
 * pauses between the list's own fetches pass when a test waits.
 */

/** Longest wait, ms of the list's own time. */
const PATIENCE_MS = 60_000;
const STEP_MS = 50;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Waits until `look` returns a truthy value, and returns it. */
async function until<T>(what: string, look: () => T): Promise<T> {
  for (let waited = 0; waited < PATIENCE_MS; waited += STEP_MS) {
    const seen = look();
    if (seen) return seen;
    await vi.advanceTimersByTimeAsync(STEP_MS);
  }
  throw new Error(`not after ${PATIENCE_MS} ms: ${what}`);
}

const NO_FILTER: ListFilter = {
  ...{ status: '', method: '', from: '', to: '', q: '', ignore_case: '', type: '', where: '' },
  ...{ verification: '', duplicates: '', waiting: '' },
};

/** Events in order of arrival, and pages of them as the API returns them. */
class FakeServer {
  ids: number[] = [];
  asked: number[] = [];
  /** The rows that were asked for, in order. */
  spans: { from: number; to: number }[] = [];
  /** Answers wait for this. */
  gate: (page: number) => Promise<void> = async () => {};

  readonly fetchPage = async ({ around, limit, page: asked = 1 }: ListQuery) => {
    const newest = this.ids.toReversed();
    const at = newest.findIndex((id) => `evt_${id}` === around);
    if (around !== undefined && at === -1) throw new ApiError(404, 'event_not_found', 'no');
    const page = around === undefined ? asked : Math.floor(at / limit) + 1;
    this.asked.push(page);
    this.spans.push({ from: (page - 1) * limit, to: page * limit });
    const data = newest.slice((page - 1) * limit, page * limit).map((id) => event(id));
    const answer = { data, total: this.ids.length, page, limit };
    await this.gate(page);
    return answer;
  };

  add(count: number): void {
    const next = (this.ids.at(-1) ?? -1) + 1;
    for (let i = 0; i < count; i++) this.ids.push(next + i);
  }
}

const event = (id: number) =>
  ({
    ...{ id: `evt_${id}`, status: 'received', attempts: 0 },
    ...{ delivery_counts: { ...NO_DELIVERIES, pending: 1 }, held_by: null },
    ...{ response_code: null, latency_ms: null, retries: 0 },
  }) as EventSummaryAnswer;

async function listOf(server: FakeServer, filter = NO_FILTER) {
  const list = new EventList(server.fetchPage, filter);
  onTestFinished(() => list.close());
  await until('it is loaded', () => list.isLoaded);
  return list;
}

const shown = (list: EventList, first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, i) => list.row(first + i)?.id);

test('only the visible rows are fetched', async () => {
  const server = new FakeServer();
  server.add(100_000);
  const list = await listOf(server);
  expect(list.total).toBe(100_000);
  expect(list.row(0)?.id).toBe('evt_99999');
  list.want(50_000, 50_020);
  await until('it is there', () => list.row(50_020));
  expect(shown(list, 50_000, 50_001)).toEqual(['evt_49999', 'evt_49998']);
  list.want(99_990, 99_999);
  await until('the end is there', () => list.row(99_999)?.id === 'evt_0');
  expect(server.asked.length).toBeLessThan(9);
});

test('arrivals move rows, and no row is lost or doubled', async () => {
  const server = new FakeServer();
  server.add(250);
  const list = await listOf(server);
  list.want(100, 180);
  await until('they are there', () => list.row(180));
  expect(list.indexOf('evt_100')).toBe(149);
  server.add(30);
  list.refreshHead();
  await until('they are counted', () => list.total === 280);
  expect(list.indexOf('evt_100')).toBe(179);
  list.want(0, 279);
  await until('all are there', () => list.row(279) && list.row(200));
  const all = shown(list, 0, 279);
  expect(all).toEqual(server.ids.toReversed().map((id) => `evt_${id}`));
  expect(list.isNew(0)).toBe(true);
  expect(list.isNew(30)).toBe(false);
});

test('a late answer does not overwrite a newer one', async () => {
  const server = new FakeServer();
  server.add(300);
  const list = await listOf(server);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  server.gate = (page) => (page === 3 ? released : Promise.resolve());
  list.want(200, 220);
  await until('it is asked for', () => server.asked.includes(3));
  server.add(150);
  list.refreshHead();
  await until('they are counted', () => list.total === 450);
  release();
  await until('it is there', () => list.row(350));
  expect(list.total).toBe(450);
  expect(list.row(350)?.id).toBe('evt_99');
  expect(list.indexOf('evt_99')).toBe(350);
});

test('the list is read again after events were deleted from the middle', async () => {
  const server = new FakeServer();
  server.add(150);
  const list = await listOf(server);
  list.want(0, 149);
  await until('all are there', () => list.row(149));
  server.ids.splice(0, 100);
  list.refreshHead();
  await until('it is read again', () => list.total === 50);
  expect(shown(list, 0, 49)).toEqual(server.ids.toReversed().map((id) => `evt_${id}`));
  expect(list.row(50)).toBeUndefined();
});

test('an event in the middle is found with the rows around it', async () => {
  const server = new FakeServer();
  server.add(50_000);
  const list = await listOf(server);
  list.locate('evt_20000');
  expect(list.isLocating('evt_20000')).toBe(true);
  await until('it is there', () => list.indexOf('evt_20000') === 29_999);
  expect(shown(list, 29_998, 29_999)).toEqual(['evt_20001', 'evt_20000']);
  expect(list.isLocating('evt_20000')).toBe(false);
  // One request, however often somebody asks for what the list doesn't have.
  list.locate('evt_nope');
  list.locate('evt_nope');
  await until('it is missing', () => !list.isLocating('evt_nope'));
  expect(list.indexOf('evt_nope')).toBe(-1);
  expect(list.error).toBeNull();
});

test('a scroll fetches ahead, what is in view first, and the nearest before the far', async () => {
  const server = new FakeServer();
  server.add(10_000);
  const list = await listOf(server);
  await until('the start is there', () => list.row(199));
  server.spans = [];
  list.want(5000, 5020, 150);
  await until('what is ahead is there', () => list.row(5170));
  expect(server.spans.map(({ from }) => from)).toEqual([5000, 5100]);
  server.spans = [];
  list.want(4000, 4020, -150);
  await until('what is ahead is there', () => list.row(3850));
  expect(server.spans.map(({ from }) => from)).toEqual([4000, 3900, 3800]);
});

test('a fast scroll fetches few large pages', async () => {
  const server = new FakeServer();
  server.add(10_000);
  const list = await listOf(server);
  await until('the start is there', () => list.row(199));
  server.spans = [];
  list.want(6000, 6020, 800);
  await until('what is ahead is there', () => list.row(6820));
  list.want(6000, 6020, -800);
  await until('what is ahead is there', () => list.row(5200));
  expect(server.spans[0]).toEqual({ from: 6000, to: 6100 });
  expect(server.spans.length).toBeLessThan(8);
  expect(Array.from({ length: 1600 }, (_, i) => list.row(5200 + i)?.id)).toEqual(
    Array.from({ length: 1600 }, (_, i) => `evt_${9999 - 5200 - i}`),
  );
});

test('at rest the rows around the view are fetched, but not those of a search', async () => {
  const server = new FakeServer();
  server.add(1000);
  const list = await listOf(server);
  list.want(500, 520);
  await until('they are there', () => list.row(400) && list.row(620));
  const search = new FakeServer();
  search.add(1000);
  const found = await listOf(search, { ...NO_FILTER, q: 'x' });
  found.want(500, 520);
  await until('it is there', () => found.row(520));
  expect(search.asked).toEqual([1, 6]);
});

test('a row that says the same stays the same object', async () => {
  const server = new FakeServer();
  server.add(3);
  const list = await listOf(server);
  const before = list.row(0);
  list.onArrival(event(3));
  const arrived = list.row(0);
  server.add(1);
  const asked = server.asked.length;
  await until('a page confirms it', () => server.asked.length > asked && list.total === 4);
  list.refreshHead();
  await until('another page confirms it', () => server.asked.length > asked + 1);
  expect(list.row(0)).toBe(arrived);
  expect(list.row(1)).toBe(before);
});

test('an event of the stream is a row at once, and the next page confirms it', async () => {
  const server = new FakeServer();
  server.add(250);
  const list = await listOf(server);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  server.gate = () => released;
  // This page is of the moment before the events.
  list.want(100, 120);
  await until('it is asked for', () => server.asked.includes(2));
  server.add(3);
  // The stream may bring them in another order than the list.
  for (const id of [251, 250, 252]) list.onArrival(event(id));
  expect(list.total).toBe(253);
  expect(list.row(0)?.id).toBe('evt_252');
  expect(list.isNew(1)).toBe(true);
  release();
  await until('it is confirmed', () => list.row(2)?.id === 'evt_250');
  list.want(0, 252);
  await until('all are there', () => list.row(252) && list.row(150));
  expect(shown(list, 0, 252)).toEqual(server.ids.toReversed().map((id) => `evt_${id}`));
  // It came in a page already.
  list.onArrival(event(252));
  expect(list.total).toBe(253);
});

test('a list with a filter takes no row from the stream', async () => {
  const server = new FakeServer();
  server.add(3);
  const list = await listOf(server, { ...NO_FILTER, q: 'x' });
  list.onArrival(event(3));
  expect(list.total).toBe(3);
  server.add(1);
  await until('the server has it', () => list.total === 4);
});

test('of many rows, those near the view stay', async () => {
  const server = new FakeServer();
  server.add(40_000);
  const list = await listOf(server);
  for (let first = 0; first < 25_000; first += 1000) {
    list.want(first, first + 999);
    await until('they are there', () => list.row(first) && list.row(first + 999));
  }
  expect(list.row(24_500)).toBeDefined();
  expect(list.row(300)).toBeUndefined();
  expect(list.loaded().length).toBeLessThan(20_200);
});

test('an attempt changes its visible row; a list filtered by status is read again', async () => {
  const server = new FakeServer();
  server.add(3);
  const news = { event_id: 'evt_1', event_status: 'delivered', attempt: 2, response_code: null };
  const attempt = news as StreamedAttempt;
  const list = await listOf(server);
  list.onAttempt(attempt);
  expect(list.row(1)).toMatchObject({
    ...{ id: 'evt_1', status: 'delivered', attempts: 2 },
    ...{ response_code: null, retries: 1 },
  });
  const filtered = await listOf(server, { ...NO_FILTER, status: 'received' });
  server.ids.splice(1, 1);
  filtered.onAttempt(attempt);
  await until('it is gone', () => filtered.total === 2);
  expect(shown(filtered, 0, 1)).toEqual(['evt_2', 'evt_0']);
});

test('every filter that is set goes to the server', async () => {
  const server = new FakeServer();
  const queries: string[] = [];
  const list = new EventList(
    (query) => {
      queries.push(queryText({ ...query }));
      return server.fetchPage(query);
    },
    { ...NO_FILTER, type: 'order paid', where: 'body.a="x & y"' },
  );
  onTestFinished(() => list.close());
  await until('it is loaded', () => list.isLoaded);
  expect(Object.fromEntries(new URLSearchParams(queries[0]))).toEqual({
    view: 'summary',
    limit: '100',
    page: '1',
    type: 'order paid',
    where: 'body.a="x & y"',
  });
});

test.each([
  ['invalid_input', 400],
  ['search_too_long', 503],
])('after %s, arrivals fetch nothing', async (code, status) => {
  const failing = async (error: ApiError) => {
    const asked = { count: 0 };
    const list = new EventList(
      async () => {
        asked.count++;
        throw error;
      },
      { ...NO_FILTER, where: 'body.' },
    );
    onTestFinished(() => list.close());
    await until('it failed', () => list.error);
    return { list, asked };
  };
  const stopped = await failing(new ApiError(status, code, 'no'));
  // Started later, so its fetches are later too.
  const other = await failing(new ApiError(503, 'overloaded', 'no'));
  stopped.list.onArrival(event(1));
  other.list.onArrival(event(1));
  await until('the other fetches again', () => other.asked.count === 2);
  expect(stopped.asked.count).toBe(1);
  stopped.list.refreshHead();
  await until('it fetches when somebody asks', () => stopped.asked.count === 2);
});
