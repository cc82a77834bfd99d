import { beforeAll, describe, expect, test } from 'vitest';
import type { EndpointAnswer } from '../../../src/api/endpoints/endpoint-answer.ts';
import { type Account, capture, expectStatus, register } from '../../fixtures/account.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { httpReceiver, status } from '../../fixtures/receiver.ts';
import { runServer, serverOfFile } from '../../fixtures/running-server.ts';
import { until } from '../../fixtures/until.ts';

const HOUR_MS = 3_600_000;

/* The contract's event list: its shape, pages and filters. */

failOnLeaks();
const server = serverOfFile();

let account: Account;
let endpoint: EndpointAnswer;
/** Oldest first. */
const captured: { id: string; received_at: string }[] = [];

beforeAll(async () => {
  account = await register(server);
  endpoint = await account.createEndpoint();
  for (let i = 0; i < 7; i++) {
    const id = await capture(endpoint.capture_url, JSON.stringify({ number: `n${i}` }), {
      method: i % 2 ? 'PUT' : 'POST',
    });
    const { received_at } = await account.event(endpoint, id);
    captured.push({ id, received_at });
    // Each event has its own millisecond, so times distinguish them.
    await until('the next millisecond', () => Date.now() > Date.parse(received_at));
  }
});

const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);
const newestFirst = () => captured.map(({ id }) => id).reverse();
const timeOf = (i: number) => Date.parse((captured[i] as { received_at: string }).received_at);

describe('shape', () => {
  test('is data, page, limit and total; items have exactly four keys', async () => {
    const page = await account.list(endpoint);
    expect(Object.keys(page).sort()).toEqual(['data', 'limit', 'page', 'total']);
    expect(page).toMatchObject({ page: 1, limit: 50, total: 7 });
    expect(idsOf(page)).toEqual(newestFirst());
    for (const item of page.data) {
      expect(Object.keys(item)).toEqual(['id', 'status', 'method', 'received_at']);
      expect(item).toMatchObject({
        status: 'received',
        method: expect.stringMatching(/^(POST|PUT)$/),
        received_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      });
    }
  });

  test('?view=summary has more', async () => {
    const { data } = await account.list(endpoint, '?view=summary&limit=1');
    expect(Object.keys(data[0]).sort()).toEqual(
      [
        ...['attempts', 'content_type', 'edited_from', 'endpoint_id', 'event_type'],
        ...['id', 'method', 'path'],
        ...['provider', 'received_at', 'size', 'source_ip', 'status'],
        ...['duplicate_conflict', 'duplicate_of', 'unjudged', 'verification'],
        ...['response_code', 'latency_ms', 'retries', 'delivery_counts', 'held_by'],
      ].sort(),
    );
  });

  test('an endpoint without events has an empty page', async () => {
    const empty = await account.createEndpoint();
    expect(await account.list(empty)).toEqual({ data: [], page: 1, limit: 50, total: 0 });
  });
});

describe('pages', () => {
  test('hold every event once', async () => {
    const seen: string[] = [];
    for (const page of [1, 2, 3, 4]) {
      const answer = await account.list(endpoint, `?page=${page}&limit=3`);
      expect(answer).toMatchObject({ page, limit: 3, total: 7 });
      expect(answer.data).toHaveLength([3, 3, 1, 0][page - 1] as number);
      seen.push(...idsOf(answer));
    }
    expect(seen).toEqual(newestFirst());
  });

  test.each(['1', '1000'])('limit=%s is accepted', async (limit) => {
    const answer = await account.list(endpoint, `?limit=${limit}`);
    expect(answer.limit).toBe(Number(limit));
    expect(answer.data).toHaveLength(Math.min(7, Number(limit)));
  });

  test('the highest page number is accepted', async () => {
    const last = Number.MAX_SAFE_INTEGER;
    expect(await account.list(endpoint, `?page=${last}&limit=1000`)).toEqual({
      data: [],
      page: last,
      limit: 1000,
      total: 7,
    });
  });

  test.each([
    ...['limit=0', 'limit=1001', 'limit=-1', 'limit=1.5', 'limit=1e2', 'limit=abc', 'limit=0x10'],
    ...['limit=%205', 'limit=NaN', 'limit=99999999999999999999', 'page=0', 'page=-1', 'page=1.0'],
    ...['page=9007199254740992', 'page=abc', 'page=Infinity', 'page=+1', 'view=full'],
  ])('%s answers 400', async (query) => {
    const answer = await account.call('GET', `/api/endpoints/${endpoint.id}/events?${query}`);
    const { error } = expectStatus(400, answer);
    expect(error.code).toBe('invalid_input');
    expect(error.issues).toEqual([
      { path: query.split('=')[0], message: expect.stringMatching(/./) },
    ]);
  });

  test('empty parameters count as absent', async () => {
    const query = '?q=&status=&from=&to=&method=&page=&limit=&view=';
    expect(await account.list(endpoint, query)).toEqual(await account.list(endpoint));
  });

  test('unknown parameters are ignored', async () => {
    const answer = await account.list(endpoint, '?sort=asc&__proto__=x&constructor=y&limit=2');
    expect(idsOf(answer)).toEqual(newestFirst().slice(0, 2));
  });
});

describe('from and to', () => {
  const from = async (value: string) => (await account.list(endpoint, `?from=${value}`)).total;

  test('from is inclusive and to is exclusive', async () => {
    const [third, fifth] = [captured[2]?.received_at, captured[4]?.received_at];
    expect(idsOf(await account.list(endpoint, `?from=${third}&to=${fifth}`))).toEqual(
      newestFirst().slice(3, 5),
    );
    expect(await from(new Date(timeOf(6) + 1).toISOString())).toBe(0);
    expect((await account.list(endpoint, `?to=${captured[0]?.received_at}`)).total).toBe(0);
  });

  test('fractions of a millisecond are floored', async () => {
    const iso = new Date(timeOf(2)).toISOString();
    for (const more of ['9', '999', '999999999999']) {
      expect(await from(iso.replace('Z', `${more}Z`))).toBe(5);
    }
  });

  test('every millisecond differs', async () => {
    for (let ms = 0; ms < 1000; ms += 37) {
      const at = new Date(Date.UTC(2020, 5, 1, 12, 0, 0, ms)).toISOString();
      expect((await account.list(endpoint, `?from=${at}&to=${at}`)).total).toBe(0);
    }
  });

  test('a date alone is midnight UTC', async () => {
    const today = new Date(timeOf(0)).toISOString().slice(0, 10);
    const tomorrow = new Date(timeOf(6) + 86_400_000).toISOString().slice(0, 10);
    expect(await from(today)).toBe(7);
    expect(await from(tomorrow)).toBe(0);
  });

  /** The same moment at another offset, as `+02:00` or however `zone` writes it. */
  const shifted = (ms: number, zone: string) =>
    new Date(ms + 2 * 3_600_000).toISOString().replace('Z', zone);

  test.each(['%2B02:00', '%2b0200', '%2B02', '+02:00', '%2002:00'])(
    'the offset written %s',
    async (zone) => {
      expect(await from(shifted(timeOf(2), zone))).toBe(5);
      expect(await from(shifted(timeOf(2) + 1, zone))).toBe(4);
    },
  );

  // A + that wasn't encoded arrives as a blank, in every notation of the offset.
  test.each(['+0200', '+02'])('the offset written %s, unencoded', async (zone) => {
    expect(await from(shifted(timeOf(2), zone))).toBe(5);
  });

  test.each([
    ...['2026', '2026-01', '2026-13-01', '2026-02-30', '2026-01-01T25:00:00Z', 'yesterday'],
    ...['1767225600', '1767225600000', '2026-01-01T00:61:00Z', '2026-01-01T00:00:00+25:00'],
    ...['2026-01-01Z', "2026-01-01'--", '2026-01-01T00:00:00ZZ', '%00', '2026-01-01T00:00:00.Z'],
  ])('from=%s answers 400', async (value) => {
    for (const name of ['from', 'to']) {
      const path = `/api/endpoints/${endpoint.id}/events?${name}=${value}`;
      const { error } = expectStatus(400, await account.call('GET', path));
      expect(error.issues[0].path).toBe(name);
    }
  });
});

describe('filters', () => {
  test('method matches in any case', async () => {
    expect((await account.list(endpoint, '?method=PUT')).total).toBe(3);
    expect((await account.list(endpoint, '?method=put')).total).toBe(3);
    expect((await account.list(endpoint, '?method=DELETE')).total).toBe(0);
    const answer = await account.call('GET', `/api/endpoints/${endpoint.id}/events?method=P%20T`);
    expectStatus(400, answer);
  });

  test('q finds text in bodies only', async () => {
    expect(idsOf(await account.list(endpoint, '?q=n3'))).toEqual([captured[3]?.id]);
    expect((await account.list(endpoint, '?q=number')).total).toBe(7);
    expect((await account.list(endpoint, '?q=NUMBER')).total).toBe(0);
    expect((await account.list(endpoint, '?q=POST')).total).toBe(0);
    expect((await account.list(endpoint, `?q=n3&method=POST`)).total).toBe(0);
    const page = await account.list(endpoint, '?q=number&limit=2&page=2');
    expect(idsOf(page)).toEqual(newestFirst().slice(2, 4));
    expect(page.total).toBe(7);
  });

  test('status matches each of the four, and nothing else', async () => {
    const answer = await account.call('GET', `/api/endpoints/${endpoint.id}/events?status=lost`);
    const { error } = expectStatus(400, answer);
    expect(error.issues[0].path).toBe('status');

    // The failed event stays failed: its next attempt is an hour away.
    const statuses = await runServer({ retryBase: HOUR_MS, retryMax: HOUR_MS });
    const owner = await register(statuses);
    const target = await httpReceiver();
    target.respond = (request, res) => {
      const wanted = request.body.toString();
      if (wanted === 'delivered') res.end();
      else status(wanted === 'dead_letter' ? 410 : 503)(request, res);
    };
    const hooks = await owner.createEndpoint();
    const received = await capture(hooks.capture_url, 'received');
    await owner.addDestination(hooks, target.url);
    const ids = {
      received,
      delivered: await capture(hooks.capture_url, 'delivered'),
      failed: await capture(hooks.capture_url, 'failed'),
      dead_letter: await capture(hooks.capture_url, 'dead_letter'),
    };
    await target.received(3);
    for (const [wanted, id] of Object.entries(ids)) {
      const page = await until(`one is ${wanted}`, async () => {
        const found = await owner.list(hooks, `?status=${wanted}`);
        return found.total === 1 && found;
      });
      expect(page.data).toEqual([expect.objectContaining({ id, status: wanted })]);
    }
    expect((await owner.list(hooks)).total).toBe(4);
  });
});
