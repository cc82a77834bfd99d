import { describe, expect, test } from 'vitest';
import { register } from '../fixtures/account.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { serverOfFile } from '../fixtures/running-server.ts';

failOnLeaks();
const server = serverOfFile();

const URL_1 = 'https://198.51.100.1/hook';
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
    const rekeyed = { ...moved, secret: '********' };
    expect(await patch({ secret: 'another' })).toEqual(rekeyed);
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
  ])('case %# answers 400, and nothing changes', async (body, issue) => {
    const { account, path, added } = await setup({ secret: SECRET });
    const { status, json } = await account.call('PATCH', path, body);
    expect({ status, code: json.error.code }).toEqual({ status: 400, code: 'invalid_input' });
    expect(json.error.issues).toMatchObject([{ path: issue }]);
    expect((await account.call('GET', path)).json).toEqual(added);
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
