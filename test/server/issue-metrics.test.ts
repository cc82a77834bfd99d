import { expect, test } from 'vitest';
import { register } from '../fixtures/account.ts';
import { runServer } from '../fixtures/running-server.ts';
import { storedIssue } from '../fixtures/stored-issue.ts';

test('open issues are counted by kind in /metrics', async () => {
  const server = await runServer();
  const account = await register(server);
  const endpoint = await account.createEndpoint();
  const openOf = async (kind: string) => {
    const { text } = await account.call('GET', '/metrics');
    return Number(
      new RegExp(`^hookrelay_issues_open\\{kind="${kind}"\\} (\\d+)$`, 'm').exec(text)?.[1],
    );
  };
  expect(await openOf('drift')).toBe(0);
  for (const subject of ['a', 'b']) storedIssue(server, endpoint.id, { kind: 'drift', subject });
  storedIssue(server, endpoint.id, { kind: 'drift', subject: 'c', state: 'acknowledged' });
  storedIssue(server, endpoint.id, { kind: 'conflict', state: 'resolved' });
  expect([await openOf('drift'), await openOf('conflict')]).toEqual([2, 0]);
  await account.call('DELETE', `/api/endpoints/${endpoint.id}`);
  expect(await openOf('drift')).toBe(0);
});
