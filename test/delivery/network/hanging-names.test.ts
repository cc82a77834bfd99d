import { expect, test } from 'vitest';
import { callApi, capture, expectStatus, register } from '../../fixtures/account.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { asksOnly, nameServer } from '../../fixtures/name-server.ts';
import { httpReceiver } from '../../fixtures/receiver.ts';
import { runServer } from '../../fixtures/running-server.ts';
import { until } from '../../fixtures/until.ts';

/*
 * The name server answers for one name and never for forty others.
 * test/faults/network.faults.ts, which needs root, does the same with the system's
 * own configuration and with figures.
 */

failOnLeaks();

/** More names than libuv has threads. */
const HANGING = 40;
/** Hanging attempts are given up after this: anything that ends earlier did not wait for them. */
const ATTEMPT_TIMEOUT_MS = 3000;

test('capture, login and other names go on beside names that are never answered', async () => {
  const names = await nameServer((name, type) => {
    if (name !== 'healthy.example.com') return null;
    return type === 'A' ? ['127.0.0.1'] : [];
  });
  asksOnly(names);
  const receiver = await httpReceiver();
  const server = await runServer({ attemptTimeout: ATTEMPT_TIMEOUT_MS, retryBase: 60_000 });
  const account = await register(server);
  const healthy = await account.createEndpoint();
  const { port } = new URL(receiver.url);
  await account.addDestination(healthy, `http://healthy.example.com:${port}/`);
  const crowd = await account.createEndpoint();
  for (let i = 0; i < HANGING; i++) {
    await account.addDestination(crowd, `http://hang-${i}.example.com/`);
  }
  const hanging = await capture(crowd.capture_url);
  await until('all of them hang', () => new Set(names.asked).size === HANGING);

  const id = await capture(healthy.capture_url);
  const { email, password } = account;
  expectStatus(200, await callApi(server, 'POST', '/api/auth/login', { email, password }));
  await until('it is delivered', async () => {
    return (await account.event(healthy, id)).status === 'delivered';
  });
  expect(await account.attempts(crowd, hanging)).toEqual([]);
});
