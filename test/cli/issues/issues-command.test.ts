import { expect, test } from 'vitest';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';
import { storedIssue } from '../../fixtures/stored-issue.ts';
import { accountShell } from '../command-line.ts';

failOnLeaks();
const server = serverOfFile();

const ok = { code: 0, stderr: '' };

test('issues are listed, shown, acknowledged, resolved and ignored', async () => {
  const { run, account } = await accountShell(server);
  const none = await run('issues', 'list');
  expect(none).toMatchObject({ code: 0, stdout: '', stderr: 'No issue is open.\n' });
  const endpoint = await account.createEndpoint({ name: 'orders' });
  const other = await account.createEndpoint({ name: 'billing' });
  const eventIds = ['evt_00000000000000000000000001'];
  const id = storedIssue(server, endpoint.id, { count: 7, eventIds });
  const drift = storedIssue(server, other.id, { kind: 'drift', subject: 'a.b' });

  const table = await run('issues', 'list');
  expect(table).toMatchObject(ok);
  expect(table.stdout).toMatch(/^ID +STATE +KIND +COUNT +LAST +TITLE\n/);
  expect(table.stdout).toMatch(new RegExp(`^${id} +open +conflict +7 .*orders`, 'm'));
  const filtered = await run(
    'issues',
    'list',
    '--endpoint',
    'billing',
    '--kind',
    'drift',
    '--json',
  );
  expect(filtered.json).toMatchObject({ total: 1, data: [{ id: drift }] });

  const shown = await run('issues', 'get', id);
  expect(shown).toMatchObject(ok);
  for (const name of ['title', 'state', 'cause', 'to do', 'count', 'endpoint', 'events']) {
    expect(shown.stdout).toMatch(new RegExp(`^${name}: +\\S`, 'm'));
  }
  const json = await run('issues', 'get', id, '--json');
  expect(json.json).toMatchObject({ id, count: 7, event_ids: eventIds });

  const acked = await run('issues', 'ack', id, drift);
  expect(acked).toMatchObject({ code: 0, stdout: '' });
  expect(acked.stderr).toMatch(new RegExp(`^Acknowledged ${id}: .*\nAcknowledged ${drift}: .*\n$`));
  expect(await run('issues', 'list')).toMatchObject({
    ...{ code: 0, stdout: '' },
    stderr:
      'No issue is open. 2 are acknowledged: ' + 'hookrelay issues list --state acknowledged\n',
  });
  const others = await run('issues', 'list', '--kind', 'conflict', '--endpoint', 'billing');
  expect(others.stderr).toBe('No issue is open.\n');
  const ignored = await run('issues', 'ignore', drift, '--json');
  expect(ignored.lines).toMatchObject([{ id: drift, state: 'ignored' }]);
  const resolved = await run('issues', 'resolve', id, '--json');
  expect(resolved.lines).toMatchObject([{ id, state: 'resolved' }]);
  expect((await run('issues', 'list', '--json')).json.total).toBe(0);
  const all = await run('issues', 'list', '--state', 'all', '--limit', '1');
  expect(all.stderr).toBe('2 issues in all, page 1 of 2; next: --page 2\n');
});

test('an unknown issue is a failure, and another id wrong usage', async () => {
  const { run } = await accountShell(server);
  const unknown = await run('issues', 'get', 'iss_00000000000000000000000000');
  expect(unknown).toMatchObject({ code: 1, stdout: '' });
  expect(unknown.stderr).toContain('there is no such issue');
  expect((await run('issues', 'ack', 'evt_00000000000000000000000000')).code).toBe(2);
  expect((await run('issues', 'list', '--state', 'done')).code).toBe(2);
});

test('an endpoint expects events', async () => {
  const { run } = await accountShell(server);
  const made = await run('endpoints', 'create', 'orders', '--expect-every', '900s', '--json');
  expect(made.json.expect_every).toBe('15m');
  const shown = await run('endpoints', 'get', 'orders');
  expect(shown.stdout).toMatch(/^expects: +an event every 15m$/m);
  expect((await run('endpoints', 'list')).stdout).toMatch(/EXPECTS/);
  const edited = await run('endpoints', 'edit', 'orders', '--expect-every', '1h', '--json');
  expect(edited.json.expect_every).toBe('1h');
  const none = await run('endpoints', 'edit', 'orders', '--no-expect-every', '--json');
  expect(none.json.expect_every).toBeNull();
  expect((await run('endpoints', 'edit', 'orders', '--expect-every', '400d')).code).toBe(1);
  expect((await run('endpoints', 'edit', 'orders', '--expect-every', '7')).code).toBe(2);
});
