import { expect, onTestFinished, test } from 'vitest';
import { capture, register } from '../fixtures/account.ts';
import { tempMigratedDatabase } from '../fixtures/postgres-database.ts';
import { hang, httpReceiver, ok } from '../fixtures/receiver.ts';
import { until } from '../fixtures/until.ts';
import { NodeCluster } from './node-cluster.ts';

/** Timeout of an attempt, 2 s, plus a minute and a tick of the other node. */
const TAKEOVER_MS = 120_000;

test('a node that slept longer than its leases changes nothing that others have claimed', {
  timeout: 300_000,
}, async () => {
  const target = await httpReceiver(hang);
  const nodes = new NodeCluster((await tempMigratedDatabase()).url);
  const asleep = await nodes.start(0);
  onTestFinished(() => asleep.kill('SIGCONT'));
  const account = await register(nodes.entry);
  const endpoint = await account.createEndpoint();
  await account.addDestination(endpoint, `${target.url}/hook`);
  const first = await capture(`${asleep.url}/in/${endpoint.public_token}`);
  await target.received(1);
  // One attempt is under way and others wait: an untried destination has one slot.
  const waiting = await capture(`${asleep.url}/in/${endpoint.public_token}`);
  asleep.kill('SIGSTOP');
  const stoppedAt = Date.now();

  target.respond = ok;
  await nodes.start(1);
  const numbersOf = async (event: string) =>
    (await account.attempts(endpoint, event)).map(({ attempt }) => attempt as number);
  await until(
    'the other has taken both',
    async () =>
      (await numbersOf(first)).includes(1) &&
      (await account.list(endpoint, '?status=delivered')).total === 2,
    TAKEOVER_MS,
  );
  const taken = target.requests.length;
  asleep.kill('SIGCONT');
  await until('its attempt is on record', async () => (await numbersOf(first)).length === 2);

  const attempts = await account.attempts(endpoint, first);
  expect(attempts.map(({ attempt }) => attempt).sort()).toEqual([1, 2]);
  // The late attempt has the higher number, but was made first.
  const late = attempts.find(({ attempt }) => attempt === 2);
  expect(Date.parse(late.attempted_at)).toBeLessThanOrEqual(stoppedAt);
  const other = attempts.find(({ attempt }) => attempt === 1);
  expect(Date.parse(other.attempted_at)).toBeGreaterThan(stoppedAt);
  expect((await account.list(endpoint, '?status=delivered')).total).toBe(2);
  expect(await numbersOf(waiting)).toEqual([1]);
  expect(target.requests).toHaveLength(taken);
});
