import tls from 'node:tls';
import { expect, test } from 'vitest';
import { selfSigned, serve } from '../../delivery/receivers.ts';
import { callApi, capture, register } from '../../fixtures/account.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { asksOnly, nameServer } from '../../fixtures/name-server.ts';
import { PRIVATE_HOSTS } from '../../fixtures/private-hosts.ts';
import { runServer, tempDir } from '../../fixtures/running-server.ts';
import { until } from '../../fixtures/until.ts';

/*
 * Destinations of a server without --allow-private-destinations, which other tests'
 * servers have. test/delivery tests what is refused and why. These tests show that
 * a composed server refuses it.
 */

failOnLeaks();

test('a private destination is refused when it is added, in every spelling', async () => {
  const names = await nameServer((_, type) => (type === 'A' ? ['8.8.8.8', '10.0.0.1'] : []));
  asksOnly(names);
  const server = await runServer({ allowPrivateDestinations: false });
  const account = await register(server);
  const endpoint = await account.createEndpoint();
  const urls = [
    ...PRIVATE_HOSTS.map((host) => `https://${host}/`),
    'https://inside.example.com/',
    'http://8.8.8.8/',
  ];
  const path = `/api/endpoints/${endpoint.id}/destinations`;
  for (const url of urls) {
    const { status, json } = await account.call('POST', path, { url });
    const seen = [url, status, json.error?.code, json.error?.issues?.[0]?.path];
    expect(seen).toEqual([url, 400, 'invalid_input', 'url']);
  }
  expect(names.asked).toContain('inside.example.com');
  expect((await account.call('GET', path)).json).toEqual([]);
});

test('a private destination from before is not connected to when they are no longer allowed', async () => {
  const listener = tls.createServer(selfSigned('localhost'));
  listener.on('tlsClientError', () => {});
  const inside = await serve(listener, () => {}, 'secureConnection', null);
  const dataDir = tempDir();
  const lax = await runServer({ dataDir });
  const account = await register(lax);
  const endpoint = await account.createEndpoint();
  for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]', 'localhost']) {
    await account.addDestination(endpoint, `https://${host}:${inside.port}/`);
  }
  await account.addDestination(endpoint, `http://127.0.0.1:${inside.port}/`);
  await lax.stop();

  const strict = await runServer({ dataDir, allowPrivateDestinations: false, retryAttempts: 1 });
  const id = await capture(`${strict.url}/in/${endpoint.public_token}`);
  const path = `/api/endpoints/${endpoint.id}/events/${id}/deliveries`;
  const { authorization } = account;
  const attempts = await until('all are attempted', async () => {
    const answer = await callApi(strict, 'GET', path, undefined, { headers: { authorization } });
    return answer.json.length === 4 && answer.json;
  });
  const codes = attempts.map((attempt: { error: { code: string } }) => attempt.error.code);
  expect(codes).toEqual(Array(4).fill('blocked_address'));
  expect(inside.connections).toBe(0);
});
