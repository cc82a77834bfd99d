import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { Issue } from '../../src/core/issues/issue.ts';
import { capture, expectStatus, register } from '../fixtures/account.ts';
import { request } from '../fixtures/http-request.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { httpReceiver, ok, type Respond, status } from '../fixtures/receiver.ts';
import { serverOfFile } from '../fixtures/running-server.ts';
import { storedIssues, untilIssue } from '../fixtures/stored-issues.ts';
import { until } from '../fixtures/until.ts';

/* Issues of a whole server: what opens them, what counts, and what closes them. */

failOnLeaks();
const usual = serverOfFile({ retryAttempts: 3 });
/** Opens breakers and backlogs soon, and gives nothing up. */
const hurried = serverOfFile({
  ...{ breakerFailures: 3, breakerAfter: 0, breakerProbe: 60_000 },
  ...{ retryAttempts: 100, retryMax: 100, backlogAfter: 300 },
});

const isBad = (body: Buffer) => body.toString() === 'bad';
const failsBad: Respond = (seen, res) => (isBad(seen.body) ? status(503) : ok)(seen, res);

async function setup(respond: Respond, server = usual) {
  const target = await httpReceiver(respond);
  const account = await register(server);
  const endpoint = await account.createEndpoint();
  const destination = await account.addDestination(endpoint, target.url);
  /** All of the account, forming ones too. */
  const issues = () => storedIssues(server.dataDir).filter(({ userId }) => userId === account.id);
  return {
    ...{ target, server, account, endpoint, destination, issues },
    untilIssue: (fields: Partial<Issue>) =>
      untilIssue(server.dataDir, { ...fields, userId: account.id }),
  };
}

describe('a failing destination', () => {
  test('opens an issue when a delivery dies, with all failures since the first', async () => {
    const { endpoint, account, issues, untilIssue } = await setup(status(503));
    const id = await capture(endpoint.capture_url);
    const issue = await untilIssue({ state: 'open', count: 3 });
    const attempts = await account.attempts(endpoint, id);
    expect(attempts).toHaveLength(3);
    const times = attempts.map(({ attempted_at }) => Date.parse(attempted_at));
    expect(issue).toMatchObject({
      ...{ kind: 'delivery', subject: 'http_503', userId: account.id, eventIds: [id] },
      ...{ firstAt: Math.min(...times), lastAt: Math.max(...times), notified: null },
    });
    expect(issue.notifyAt).toBeGreaterThanOrEqual(issue.lastAt);
    expect(issues()).toHaveLength(1);
  });

  test('opens one when its breaker opens, before any delivery is dead', async () => {
    const { endpoint, untilIssue } = await setup(status(503), hurried);
    const ids = [];
    for (let i = 0; i < 3; i++) ids.push(await capture(endpoint.capture_url));
    const issue = await untilIssue({ kind: 'delivery', state: 'open' });
    expect([...issue.eventIds].sort()).toEqual(ids.sort());
  });

  test('closes it when nothing waits and a delivery succeeds', async () => {
    const { endpoint, untilIssue } = await setup(failsBad);
    await capture(endpoint.capture_url, 'bad');
    await untilIssue({ state: 'open', count: 3 });
    await capture(endpoint.capture_url, 'good');
    await untilIssue({ state: 'resolved', count: 3, notifyAt: null });
  });

  test('closes it after twenty successes in a row while a delivery is open', async () => {
    const held: ServerResponse[] = [];
    const respond: Respond = (seen, res) => {
      if (seen.body.toString() === 'held') held.push(res);
      else failsBad(seen, res);
    };
    const { target, endpoint, untilIssue } = await setup(respond);
    await capture(endpoint.capture_url, 'bad');
    await untilIssue({ state: 'open', count: 3 });
    await capture(endpoint.capture_url, 'held');
    await until('a delivery is under way', () => held.length === 1);
    for (let i = 0; i < 19; i++) await capture(endpoint.capture_url, 'good');
    await untilIssue({ state: 'open', successes: 19 });
    await capture(endpoint.capture_url, 'good');
    await untilIssue({ state: 'resolved' });
    for (const res of held) res.end('ok');
    await target.received(24);
  });

  test('forgets a failure that a retry made good', async () => {
    const isFirst = () => target.requests.length === 1;
    const respond: Respond = (seen, res) => (isFirst() ? status(503) : ok)(seen, res);
    const { target, endpoint, account, issues, untilIssue } = await setup(respond);
    const dead = await account.createEndpoint();
    await account.addDestination(dead, (await httpReceiver(status(503))).url);
    await capture(endpoint.capture_url);
    await target.received(2);
    // Attempts are read in their order: with its issue, the earlier ones are read.
    await capture(dead.capture_url);
    const issue = await untilIssue({ state: 'open', count: 3 });
    await until('the other course is gone', () => issues().length === 1);
    expect(issues()).toMatchObject([{ id: issue.id }]);
  });

  test('that is removed ends its issue, and nobody is told', async () => {
    const it = await setup(status(503));
    await capture(it.endpoint.capture_url);
    await it.untilIssue({ state: 'open', count: 3 });
    const path = `/api/endpoints/${it.endpoint.id}/destinations/${it.destination.id}`;
    expectStatus(204, await it.account.call('DELETE', path));
    expect(it.issues()).toMatchObject([{ state: 'resolved', notifyAt: null }]);
  });
});

test('a backlog opens an issue, and closes it when it is through', async () => {
  const held: ServerResponse[] = [];
  let isHolding = true;
  const respond: Respond = (seen, res) => {
    if (isHolding) held.push(res);
    else ok(seen, res);
  };
  const { endpoint, destination, untilIssue } = await setup(respond, hurried);
  const ids = [];
  for (let i = 0; i < 3; i++) ids.push(await capture(endpoint.capture_url));
  const issue = await untilIssue({ kind: 'backlog', state: 'open' });
  expect(issue.destinationKey).toBeGreaterThan(0);
  expect(destination.id).toBeTruthy();
  expect(ids).toContain(issue.eventIds[0]);
  isHolding = false;
  for (const res of held) res.end('ok');
  await untilIssue({ kind: 'backlog', state: 'resolved' });
});

test('half of the requests failing verification opens an issue, twenty that pass close it', async () => {
  const secret = 'the secret of the source';
  const { server, endpoint, account, untilIssue } = await setup(ok);
  server.secrets.push(secret);
  const source = { provider: 'github', secrets: [secret] };
  expectStatus(200, await account.call('PATCH', `/api/endpoints/${endpoint.id}`, { source }));
  const send = async (count: number, key: string) => {
    for (let i = 0; i < count; i++) {
      const body = `{"n":${i},"key":"${key.length}"}`;
      const signature = `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;
      const headers = {
        ...{ 'content-type': 'application/json', 'x-github-event': 'push' },
        ...{ 'x-github-delivery': `${key.length}-${i}`, 'x-hub-signature-256': signature },
      };
      await request(endpoint.capture_url, { method: 'POST', body, headers });
    }
  };
  await send(10, secret);
  // More than a look at the newest requests sees.
  await send(60, 'another secret');
  await untilIssue({ kind: 'verification', state: 'open', count: 60 });
  await send(20, secret);
  await untilIssue({ kind: 'verification', state: 'resolved' });
});

test('conflicts open one issue, which counts them', async () => {
  const { endpoint, account, untilIssue } = await setup(ok);
  const dedupe = { by: ['body.id'] };
  expectStatus(200, await account.call('PATCH', `/api/endpoints/${endpoint.id}`, { dedupe }));
  const send = (body: string) =>
    capture(endpoint.capture_url, body, { headers: { 'content-type': 'application/json' } });
  await send('{"id":1,"n":1}');
  await send('{"id":1,"n":1}');
  const second = await send('{"id":1,"n":2}');
  await untilIssue({ kind: 'conflict', state: 'open', count: 1 });
  const third = await send('{"id":1,"n":3}');
  const issue = await untilIssue({ kind: 'conflict', state: 'open', count: 2 });
  expect(issue.eventIds).toEqual([third, second]);
});
