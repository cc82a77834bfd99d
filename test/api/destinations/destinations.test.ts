import { describe, expect, test } from 'vitest';
import { register } from '../../fixtures/account.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { SHOWN_DEFAULTS, SHOWN_FRESH } from '../../fixtures/new-destination.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';

failOnLeaks();
const server = serverOfFile();

const URL_1 = 'https://198.51.100.1/hook';
/** Each setting with a value other than its default, as answers show it. */
const SETTINGS = {
  name: 'billing',
  filter: 'method=POST',
  headers: { authorization: '********abcd', 'X-Tenant': '********' },
  state: 'paused',
  path: 'ignore',
  timeout: '5s',
  retry: { attempts: 3, base: '500ms', factor: 1.5, max: '24h', give_up_on: ['4xx', 501] },
  rate: { limit: 10, per: 'minute' },
  concurrency: 8,
  order_by: 'body.customer.id',
  breaker: 'off',
  hold: null,
};
const HEADERS = { authorization: 'Bearer 123 abcd', 'X-Tenant': '7' };
const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

async function setup(input: object = {}) {
  const account = await register(server);
  const endpoint = await account.createEndpoint();
  const list = `/api/endpoints/${endpoint.id}/destinations`;
  const { status, json } = await account.call('POST', list, { url: URL_1, ...input });
  expect(status).toBe(201);
  return { account, list, path: `${list}/${json.id}`, added: json };
}

describe('a destination’s settings', () => {
  test('are set when it is added, and shown', async () => {
    const { account, list, path, added } = await setup({ name: ' billing ' });
    expect(added).toMatchObject({ name: 'billing', url: URL_1 });
    expect((await account.call('GET', path)).json).toEqual(added);
    expect((await account.call('GET', list)).json).toEqual([added]);
  });

  test('have defaults', async () => {
    const { added } = await setup();
    expect(added).toEqual({
      ...SHOWN_DEFAULTS,
      ...SHOWN_FRESH,
      id: expect.stringMatching(/^dst_/),
      url: URL_1,
      created_at: expect.stringMatching(/Z$/),
    });
  });

  test('are all set when it is added, or changed, and null restores the default', async () => {
    const inputs = { ...SETTINGS, headers: HEADERS };
    const { account, path, added } = await setup(inputs);
    expect(added).toMatchObject(SETTINGS);
    const fresh = await setup();
    const patch = async (to: typeof fresh, body: object) => {
      const { status, json } = await to.account.call('PATCH', to.path, body);
      expect(status).toBe(200);
      return json;
    };
    expect(await patch(fresh, inputs)).toEqual({ ...fresh.added, ...SETTINGS });
    for (const [name, value] of Object.entries(SHOWN_DEFAULTS)) {
      // Null is a value of its own there.
      const restored = await patch({ account, path } as typeof fresh, {
        [name]: name === 'hold' ? '72h' : null,
      });
      expect(restored[name]).toEqual(value);
    }
    expect((await account.call('GET', path)).json).toEqual({ ...added, ...SHOWN_DEFAULTS });
  });

  test('show durations in their shortest form', async () => {
    const { added } = await setup({
      timeout: '1.5s',
      hold: '72h',
      retry: { schedule: ['5000ms', '60s', '48h', '0s'], give_up_on: [] },
    });
    expect(added).toMatchObject({
      timeout: '1500ms',
      hold: '3d',
      retry: { schedule: ['5s', '1m', '48h', '0ms'], give_up_on: [] },
    });
  });

  test('a retry without max takes the default', async () => {
    const { added } = await setup({ retry: { attempts: 3, base: '1s', factor: 2 } });
    expect(added).toMatchObject({ retry: { attempts: 3, base: '1s', factor: 2, max: '24h' } });
  });

  test('change only where the patch names them', async () => {
    const { account, list, path, added } = await setup({ secret: SECRET });
    const patch = async (body: object) => {
      const { status, json } = await account.call('PATCH', path, body);
      expect(status).toBe(200);
      expect((await account.call('GET', path)).json).toEqual(json);
      return json;
    };
    expect(await patch({})).toEqual(added);
    const named = { ...added, name: 'billing' };
    expect(await patch({ name: 'billing' })).toEqual(named);
    const moved = { ...named, url: 'https://198.51.100.2/' };
    expect(await patch({ url: 'https://198.51.100.2' })).toEqual(moved);
    const rekeyed = { ...moved, secret: '********cret' };
    expect(await patch({ secret: 'another one that is not a short secret' })).toEqual(rekeyed);
    const { secret: _, ...unsigned } = rekeyed;
    expect(await patch({ secret: null, name: null })).toEqual({ ...unsigned, name: null });
    expect((await account.call('GET', list)).json).toHaveLength(1);
  });

  test.each([
    [{ url: 'ftp://example.com/' }, 'url'],
    [{ url: null }, 'url'],
    [{ secret: '' }, 'secret'],
    [{ secret: 'whsec_!!!' }, 'secret'],
    [{ secret: '********b7oD' }, 'secret'],
    [{ secret: '********' }, 'secret'],
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ name: 7 }, 'name'],
    [{ name: 'ok', nmae: 'typo' }, 'nmae'],
    [{ id: 'dst_mine' }, 'id'],
    [{ health: null }, 'health'],
    [{ state: 'off' }, 'state'],
    [{ path: '/x' }, 'path'],
    [{ timeout: '999ms' }, 'timeout'],
    [{ timeout: '61s' }, 'timeout'],
    [{ timeout: 5 }, 'timeout'],
    [{ timeout: '5' }, 'timeout'],
    [{ retry: 'often' }, 'retry'],
    [{ retry: { attempts: 3, factor: 2, max: '1h' } }, 'retry.base'],
    [{ retry: { attempts: 0, base: '1s', factor: 2, max: '1h' } }, 'retry.attempts'],
    [{ retry: { attempts: 101, base: '1s', factor: 2, max: '1h' } }, 'retry.attempts'],
    [{ retry: { attempts: 3, base: '0s', factor: 2, max: '1h' } }, 'retry.base'],
    [{ retry: { attempts: 3, base: '1s', factor: 0.5, max: '1h' } }, 'retry.factor'],
    [{ retry: { attempts: 3, base: '1s', factor: 2, max: '31d' } }, 'retry.max'],
    [{ retry: { attempts: 3, base: '1s', factor: 2, max: '1h', jitter: 1 } }, 'retry.jitter'],
    [{ retry: { schedule: ['5s', 'x'] } }, 'retry.schedule.1'],
    [{ retry: { schedule: ['5s'], attempts: 2 } }, 'retry.attempts'],
    [{ retry: { schedule: Array(100).fill('1s') } }, 'retry.schedule'],
    [{ retry: { schedule: [], give_up_on: ['2xx'] } }, 'retry.give_up_on.0'],
    [{ retry: { schedule: [], give_up_on: [404, 200] } }, 'retry.give_up_on.1'],
    [{ rate: 10 }, 'rate'],
    [{ rate: { limit: 0, per: 'second' } }, 'rate.limit'],
    [{ rate: { limit: 1.5, per: 'second' } }, 'rate.limit'],
    [{ rate: { limit: 1, per: 'day' } }, 'rate.per'],
    [{ rate: { limit: 1 } }, 'rate.per'],
    [{ rate: { limit: 1, per: 'hour', burst: 5 } }, 'rate.burst'],
    [{ concurrency: 0 }, 'concurrency'],
    [{ concurrency: 257 }, 'concurrency'],
    [{ concurrency: 'all' }, 'concurrency'],
    [{ breaker: true }, 'breaker'],
    [{ hold: '0s' }, 'hold'],
    [{ hold: '366d' }, 'hold'],
    [{ headers: 'a: b' }, 'headers'],
    [{ headers: { host: 'x' } }, 'headers.host'],
    [{ headers: { 'x-a': 'a\nb' } }, 'headers.x-a'],
    [{ headers: { 'x-a': '********' } }, 'headers.x-a'],
    [{ headers: { 'x-a': 'v'.repeat(8190) } }, 'headers'],
    [
      { headers: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`x-${i}`, 'v'])) },
      'headers',
    ],
  ])('case %# answers 400, and nothing changes', async (body, issue) => {
    const { account, path, added } = await setup({ secret: SECRET });
    const { status, json } = await account.call('PATCH', path, body);
    expect({ status, code: json.error.code }).toEqual({ status: 400, code: 'invalid_input' });
    expect(json.error.issues).toMatchObject([{ path: issue }]);
    expect((await account.call('GET', path)).json).toEqual(added);
  });

  test('have an issue for each bad value', async () => {
    const { account, list, path } = await setup();
    const bad = {
      state: 'off',
      timeout: 'x',
      rate: { limit: 0, per: 'day' },
      headers: { host: 'x', te: 'y' },
    };
    const paths = ['headers.host', 'headers.te', 'rate.limit', 'rate.per', 'state', 'timeout'];
    for (const [method, at, body] of [
      ['PATCH', path, bad],
      ['POST', list, { ...bad, url: URL_1 }],
    ] as const) {
      const { status, json } = await account.call(method, at, body);
      const named = json.error.issues.map((issue: { path: string }) => issue.path).sort();
      expect([status, json.error.code, named]).toEqual([400, 'invalid_input', paths]);
    }
  });

  test('unknown members are ignored when it is added, by the first contract', async () => {
    const { added } = await setup({ colour: 'red' });
    expect(added).not.toHaveProperty('colour');
  });

  test('answer 404 for a removed or other endpoint’s destination', async () => {
    const { account, path, added } = await setup();
    const other = await account.createEndpoint();
    const there = `/api/endpoints/${other.id}/destinations/${added.id}`;
    const refused = async (method: string, target: string) => {
      const { status, json } = await account.call(
        method,
        target,
        method === 'GET' ? undefined : {},
      );
      expect([status, json.error.code]).toEqual([404, 'destination_not_found']);
    };
    await refused('GET', there);
    await refused('PATCH', there);
    expect((await account.call('DELETE', path)).status).toBe(204);
    await refused('GET', path);
    await refused('PATCH', path);
  });
});

describe('a destination’s headers', () => {
  test('are merged by name, whatever its case', async () => {
    const { account, path } = await setup({ headers: HEADERS });
    const patch = async (headers: object | null) => {
      const { status, json } = await account.call('PATCH', path, { headers });
      expect(status).toBe(200);
      return json.headers;
    };
    expect(await patch({ 'x-tenant': '8', 'x-b': 'another one' })).toEqual({
      authorization: '********abcd',
      'x-tenant': '********',
      'x-b': '******** one',
    });
    expect(await patch({ AUTHORIZATION: null, 'x-none': null })).toEqual({
      'x-tenant': '********',
      'x-b': '******** one',
    });
    expect(await patch({})).toEqual({ 'x-tenant': '********', 'x-b': '******** one' });
    expect(await patch({ 'x-tenant': null, 'x-b': null })).toBeNull();
    expect(await patch({ 'x-c': '1' })).toEqual({ 'x-c': '********' });
    expect(await patch(null)).toBeNull();
  });

  test('that are set at the same time are both kept', async () => {
    const { account, path } = await setup();
    const names = Array.from({ length: 8 }, (_, i) => `x-${i}`);
    const answers = await Promise.all(
      names.map((name) => account.call('PATCH', path, { headers: { [name]: 'v' } })),
    );
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
    const { headers } = (await account.call('GET', path)).json;
    expect(Object.keys(headers).sort()).toEqual(names);
  });

  test('must be sent again for another origin', async () => {
    const { account, path, added } = await setup({ headers: HEADERS });
    const patch = (body: object) => account.call('PATCH', path, body);
    for (const [url, headers] of [
      ['https://198.51.100.2/', undefined],
      ['http://198.51.100.1/hook', {}],
      ['https://198.51.100.1:8443/', { authorization: 'Bearer again' }],
    ] as const) {
      const { status, json } = await patch({ url, headers });
      expect([status, json.error.code]).toEqual([400, 'headers_required']);
      expect(json.error.issues).toContainEqual({
        path: 'headers.X-Tenant',
        message: 'must be sent again',
      });
    }
    expect((await account.call('GET', path)).json).toEqual(added);
    expect((await patch({ url: 'https://198.51.100.1/elsewhere' })).status).toBe(200);
    const url = 'https://198.51.100.2/';
    const moved = await patch({ url, headers: { Authorization: 'Bearer new', 'x-tenant': null } });
    expect([moved.status, moved.json.headers]).toEqual([200, { Authorization: '******** new' }]);
    const away = await patch({ url: URL_1, headers: null });
    expect([away.status, away.json.headers]).toEqual([200, null]);
    expect((await patch({ url })).status).toBe(200);
  });
});

describe('what is probably a mistake is taken, and the answer says so:', () => {
  const WEAK = { path: 'secret', code: 'weak_secret', message: expect.stringContaining('guessed') };

  test.each([['short'], ['whsec_c2hvcnQ='], ['a'.repeat(64)], ['whsec_'.concat('A'.repeat(64))]])(
    'the secret %s',
    async (secret) => {
      const { account, path, added } = await setup({ secret });
      expect(added.warnings).toEqual([WEAK]);
      expect((await account.call('GET', path)).json.warnings).toBeUndefined();
      const patched = await account.call('PATCH', path, { secret });
      expect(patched).toMatchObject({ status: 200, json: { warnings: [WEAK] } });
      const rotated = await account.call('POST', `${path}/rotate-secret`, { secret });
      expect(rotated).toMatchObject({ status: 200, json: { warnings: [WEAK] } });
      // A change of something other says nothing of the secret.
      const named = await account.call('PATCH', path, { name: 'billing' });
      expect(named.json.warnings).toBeUndefined();
    },
  );

  test('what signing as the provider cannot renew', async () => {
    const { account } = await setup({ secret: SECRET });
    const endpoint = await account.createEndpoint({
      source: { provider: 'linear', secrets: ['lin_wh_1'] },
    });
    const list = `/api/endpoints/${endpoint.id}/destinations`;
    const { json: added } = await account.call('POST', list, { url: URL_1, sign_as: 'provider' });
    const message = expect.stringContaining('webhookTimestamp');
    expect(added.warnings).toEqual([{ path: 'sign_as', code: 'signs_note', message }]);
    const renamed = await account.call('PATCH', `${list}/${added.id}`, { name: 'b' });
    expect(renamed.json.warnings).toBeUndefined();
  });

  test('a URL that another destination of the endpoint has', async () => {
    const { account, list, path, added } = await setup({ secret: SECRET });
    expect(added.warnings).toBeUndefined();
    const { json: second } = await account.call('POST', list, {
      url: 'https://198.51.100.1:443/hook',
    });
    const warning = (id: string) => ({
      path: 'url',
      code: 'same_url',
      message: `is also the URL of ${id}, which gets each event twice`,
    });
    expect(second.warnings).toEqual([warning(added.id)]);
    const same = await account.call('PATCH', path, { url: URL_1 });
    expect(same.json.warnings).toEqual([warning(second.id)]);
    const other = await account.call('PATCH', path, { url: 'https://198.51.100.1/other' });
    expect(other.json.warnings).toBeUndefined();
    // Another endpoint's destinations don't count.
    expect((await setup()).added.warnings).toBeUndefined();
  });

  test('a name that another destination of the endpoint has', async () => {
    const { account, list, path, added } = await setup({ name: 'billing' });
    expect(added.warnings).toBeUndefined();
    const { json: second } = await account.call('POST', list, {
      url: 'https://198.51.100.1/second',
      name: 'billing',
    });
    const warning = (id: string) => ({
      path: 'name',
      code: 'same_name',
      message: `is also the name of ${id}`,
    });
    expect(second.warnings).toEqual([warning(added.id)]);
    // No rename, no warning.
    const same = await account.call('PATCH', path, { name: 'billing', timeout: '9s' });
    expect(same.json.warnings).toBeUndefined();
    expect((await account.call('PATCH', path, { name: 'b' })).json.warnings).toBeUndefined();
    const back = await account.call('PATCH', path, { name: 'billing' });
    expect(back.json.warnings).toEqual([warning(second.id)]);
    expect((await setup({ name: 'billing' })).added.warnings).toBeUndefined();
  });
});
