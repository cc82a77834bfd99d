import { beforeAll, expect, test } from 'vitest';
import type { EndpointAnswer } from '../../../src/api/endpoints/endpoint-answer.ts';
import { type Account, callApi, capture, expectStatus, register } from '../../fixtures/account.ts';
import { departures } from '../../fixtures/described-answer.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';

failOnLeaks();
const server = serverOfFile();

/** More values than are parsed for a rule. */
const COSTLY = `[${'0,'.repeat(1_000_000)}0]`;
const WHERE = 'body.n>0';

let account: Account;
let endpoint: EndpointAnswer;
/** Ids of what was captured, oldest first: the fourth is costly. */
const ids: string[] = [];

beforeAll(async () => {
  account = await register(server);
  endpoint = await account.createEndpoint();
  for (const body of ['{"n":1}', '{"n":0}', '{"n":2}', COSTLY, '{"n":3}']) {
    ids.push(await capture(endpoint.capture_url, body));
  }
});

const search = (query: Record<string, string>, path = `/api/endpoints/${endpoint.id}/events`) =>
  account.call('GET', `${path}?${new URLSearchParams({ where: WHERE, ...query })}`);

test('says what it found and how far it came, and goes on by its cursor', async () => {
  for (const path of ['/api/events', `/api/endpoints/${endpoint.id}/events`]) {
    const stopped = await search({ view: 'summary', page: '7' }, path);
    const { error, data, cursor, ...reach } = expectStatus(503, stopped);
    expect(error).toMatchObject({
      code: 'search_too_long',
      message: expect.stringContaining(`too many steps on event ${ids[3]}`),
      hint: expect.stringContaining('cursor'),
    });
    expect(data).toMatchObject([{ id: ids[4], size: 7 }]);
    const { received_at: until } = await account.event(endpoint, ids[3] as string);
    expect(reach).toEqual({ looked_at: 2, until });
    const rest = expectStatus(200, await search({ cursor, limit: '1', page: '2' }, path));
    expect(rest).toMatchObject({ data: [{ id: ids[0] }], page: 2, limit: 1, total: 2 });
    const document = (await callApi(server, 'GET', '/api/openapi.json')).json;
    const operation = document.paths[path.replace(endpoint.id, '{id}')].get;
    expect(operation.parameters.map(({ name }: { name: string }) => name)).toContain('cursor');
    expect(operation.responses[503].content).toBeDefined();
    expect(
      departures(
        operation,
        { contentType: 'application/json', ...stopped },
        (ref) => document.components.schemas[ref.split('/').at(-1) as string],
      ),
    ).toEqual([]);
  }
});

test('says so too where a page around an event is asked for', async () => {
  const { data, cursor } = expectStatus(503, await search({ around: ids[0] as string }));
  expect(data).toMatchObject([{ id: ids[4] }]);
  expect(expectStatus(200, await search({ cursor })).total).toBe(2);
});

test('a bulk replay by such a search says which event stops it', async () => {
  const path = `/api/endpoints/${endpoint.id}/replay`;
  const answer = await account.call('POST', path, { where: WHERE, dry_run: true });
  expect(expectStatus(503, answer)).toMatchObject({
    error: { code: 'search_too_long', message: expect.stringContaining(ids[3] as string) },
  });
});

test('a cursor is of one search', async () => {
  const { cursor } = expectStatus(503, await search({}));
  const refused: [query: Record<string, string>, path?: string][] = [
    [{ cursor: 'x' }],
    [{ cursor: Buffer.from('1.abc').toString('base64url') }],
    [{ cursor, where: 'body.n>1' }],
    [{ cursor, method: 'POST' }],
    [{ cursor }, '/api/events'],
    [{ cursor, around: ids[0] as string }],
  ];
  for (const [query, path] of refused) {
    const { error } = expectStatus(400, await search(query, path));
    expect([query, error]).toEqual([query, expect.objectContaining({ code: 'invalid_input' })]);
    expect(error.issues).toMatchObject([{ path: 'cursor' }]);
  }
});
