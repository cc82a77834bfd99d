import { expect } from 'vitest';
import { callApi, expectStatus, register } from '../../fixtures/account.ts';
import { httpReceiver, ok } from '../../fixtures/receiver.ts';
import { type Served, spawnHere } from '../../fixtures/served-process.ts';
import { until } from '../../fixtures/until.ts';
import type { DataDir } from '../local-server.ts';

type Env = Record<string, string>;

/**
 * Plays a lost secret on one backend: a server seals, the secret goes, `serve` names `rekey`, rekey
 * drops what was sealed, and a server goes on with the rest.
 *
 * @param lose makes the secret unusable, and returns the variables of all later commands
 */
export async function playLostSecret(data: DataDir, env: Env, lose: () => Env): Promise<void> {
  const receiver = await httpReceiver(ok);
  const flags = ['--port', '0', '--allow-private-destinations', '--data-dir', data.path];
  const serve = async (variables: Env): Promise<Served> => {
    const served = spawnHere(flags, variables);
    await served.ready();
    return served;
  };
  const before = await serve(env);
  const account = await register(before);
  const endpoint = await account.createEndpoint({ name: 'orders' });
  const path = `/api/endpoints/${endpoint.id}`;
  const sealed = expectStatus(
    201,
    await account.call('POST', `${path}/destinations`, {
      ...{ url: receiver.url, secret: 'a-long-signing-secret-of-mine' },
      headers: { 'x-api-key': 'abc' },
    }),
  );
  const plain = expectStatus(
    201,
    await account.call('POST', `${path}/destinations`, { url: `${receiver.url}/plain` }),
  );
  const source = { provider: 'github', secrets: ['a-long-github-secret'], enforce: false };
  expectStatus(200, await account.call('PATCH', path, { source }));
  const token = expectStatus(201, await account.call('POST', '/api/tokens', { name: 'ci' }));
  before.kill('SIGTERM');
  await before.exited();

  const later = lose();
  const refused = spawnHere(flags, later);
  await refused.exited();
  expect(refused.stderr).toContain('hookrelay rekey --drop-sealed');
  expect(refused.stderr).toContain('secret_mismatch');
  // Without a terminal it needs --yes, and changes nothing.
  expect((await data.run(['rekey', '--drop-sealed'], undefined, later)).code).toBe(2);
  const rekeyed = await data.run(['rekey', '--drop-sealed', '--yes', '--json'], undefined, later);
  expect({ code: rekeyed.code, stderr: rekeyed.stderr }).toMatchObject({ code: 0 });
  expect(JSON.parse(rekeyed.stdout)).toMatchObject({
    rekeyed: true,
    destinations: [{ id: sealed.id, endpoint_id: endpoint.id, secret: true, headers: true }],
    sources: [{ endpoint_id: endpoint.id, provider: 'github' }],
    channels: [],
    sessions: 1,
  });
  // A repeated run has nothing to do.
  const again = await data.run(['rekey', '--drop-sealed', '--yes', '--json'], undefined, later);
  expect(JSON.parse(again.stdout)).toEqual({ rekeyed: false });

  const after = await serve(later);
  const ended = await callApi(after, 'POST', '/api/auth/refresh', {
    refreshToken: account.refreshToken,
  });
  expect(ended.status).toBe(401);
  const headers = { authorization: `Bearer ${token.token}` };
  const call = (method: string, where: string, body?: unknown) =>
    callApi(after, method, where, body, { headers });
  const one = expectStatus(200, await call('GET', `${path}/destinations/${sealed.id}`));
  expect(one).toMatchObject({ state: 'paused' });
  expect(one.secret).toBeUndefined();
  const kept = expectStatus(200, await call('GET', path));
  expect(kept.source).toMatchObject({ provider: 'github' });
  // The capture is stored, the other destination gets it, and the paused one waits.
  const url = new URL(endpoint.capture_url);
  await fetch(`${after.url}${url.pathname}`, { method: 'POST', body: '{"n":1}' });
  await until('the other destination got it', () => receiver.requests.length === 1);
  expect(receiver.requests[0]?.target).toContain('plain');
  const change = { secret: 'another-long-signing-secret', state: 'active' };
  expectStatus(200, await call('PATCH', `${path}/destinations/${sealed.id}`, change));
  await until('the resumed one got it too', () => receiver.requests.length === 2);
  expect(receiver.requests[1]?.headers).toMatchObject({
    'webhook-signature': expect.stringMatching(/^v1,/),
  });
  expect(plain.id).not.toBe(sealed.id);
  after.kill('SIGTERM');
  await after.exited();
}
