import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { httpReceiver, status } from '../../fixtures/receiver.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';
import { accountShell } from '../command-line.ts';

failOnLeaks();
const server = serverOfFile();

test('a webhook channel is added, tested, listed and removed', async () => {
  const receiver = await httpReceiver();
  const { run, account } = await accountShell(server);
  const none = await run('channels', 'list');
  expect(none.stderr).toContain('hookrelay channels add email ADDRESS');
  const endpoint = await account.createEndpoint({ name: 'orders' });
  const flags = ['--kinds', 'delivery, silence', '--endpoint', 'orders'];
  const made = await run('channels', 'add', 'webhook', `${receiver.url}/hooks`, ...flags);
  expect(made.code).toBe(0);
  expect(made.stderr).toBe('Keep the secret now: it is not shown again.\n');
  expect(made.stdout).toMatch(new RegExp(`^tells: +delivery, silence of ${endpoint.id}$`, 'm'));
  const [id = ''] = /chn_\w+/.exec(made.stdout) ?? [];
  const [, secret = ''] = /^secret: +(\S+)$/m.exec(made.stdout) ?? [];
  server.secrets.push(secret);

  const tested = await run('channels', 'test', id);
  expect(tested).toMatchObject({ code: 0, stdout: '' });
  expect(tested.stderr).toMatch(/^Sent to http:\S+\/hooks in [\d.]+ m?s\.\n$/);
  const [request] = await receiver.received(1);
  const { headers, body, target } = request as NonNullable<typeof request>;
  expect(target).toBe('/hooks');
  const verified = new Webhook(secret).verify(body, headers as Record<string, string>);
  expect(verified).toMatchObject({ type: 'channel.test', data: { channel_id: id } });

  const json = await run('channels', 'test', id, '--json');
  expect(json.json).toMatchObject({
    message_id: expect.stringMatching(/^msg_/),
    delivery: { state: 'succeeded', error: null },
  });
  const list = await run('channels', 'list');
  expect(list.stdout).toMatch(/^ID +TYPE +TO +STATE +TELLS +LAST MESSAGE\n/);
  expect(list.stdout).toMatch(/ webhook +http:\S+ +healthy +.* succeeded /);
  expect(list.stdout).not.toContain(secret);
  const removed = await run('channels', 'remove', id, '--json');
  expect(removed.json).toEqual({ id, removed: true });
  expect((await run('channels', 'list', '--json')).json).toEqual([]);
});

test('a channel is edited: its URL, its secret and what it tells', async () => {
  const receiver = await httpReceiver();
  const { run, account } = await accountShell(server);
  const orders = await account.createEndpoint({ name: 'orders' });
  const billing = await account.createEndpoint({ name: 'billing' });
  const made = await run('channels', 'add', 'webhook', 'http://127.0.0.1:1/', '--json');
  const { id, secret } = made.json;
  server.secrets.push(secret);
  const edit = (...flags: string[]) => run('channels', 'edit', id, ...flags);

  const narrowed = await edit('--kinds', 'drift, silence', '--endpoint', 'orders', '--json');
  expect(narrowed.json).toMatchObject({
    id,
    kinds: ['silence', 'drift'],
    endpoint_ids: [orders.id],
  });
  const both = await edit('--endpoint', 'orders', '--endpoint', 'billing', '--json');
  expect(both.json.endpoint_ids).toEqual([orders.id, billing.id]);
  // What no flag names stays.
  expect(both.json.kinds).toEqual(['silence', 'drift']);
  const widened = await edit('--all-kinds', '--all-endpoints');
  expect(widened).toMatchObject({ code: 0, stderr: '' });
  expect(widened.stdout).toMatch(/^tells: +all issues$/m);

  const moved = await edit('--new-url', `${receiver.url}/hooks`, '--generate-secret');
  expect(moved).toMatchObject({
    code: 0,
    stderr: 'Keep the secret now: it is not shown again.\n',
  });
  const [, next = ''] = /^secret: +(whsec_\S+)$/m.exec(moved.stdout) ?? [];
  server.secrets.push(next);
  expect(next).not.toBe(secret);
  expect(await run('channels', 'test', id)).toMatchObject({ code: 0 });
  const [request] = await receiver.received(1);
  const { headers, body } = request as NonNullable<typeof request>;
  new Webhook(next).verify(body, headers as Record<string, string>);
  const chosen = await edit('--secret', 'a secret of my own');
  expect(chosen).toMatchObject({ code: 0, stderr: '' });
  expect(chosen.stdout).not.toContain('a secret of my own');

  for (const [flags, why] of [
    [[], 'there is nothing to change'],
    [['--kinds', 'drift', '--all-kinds'], 'cannot be used with'],
    [['--endpoint', 'orders', '--all-endpoints'], 'cannot be used with'],
    [['--kinds', 'outage'], 'Expected kinds'],
  ] as const) {
    const refused = await edit(...flags);
    expect(refused.code, why).toBe(2);
    expect(refused.stderr).toContain(why);
  }
  const foreign = await edit('--to', 'ada@example.com');
  expect(foreign.code).toBe(1);
  expect(foreign.stderr).toContain('does not belong to a webhook channel');
});

test('a test that fails says why', async () => {
  const receiver = await httpReceiver(status(500));
  const { run } = await accountShell(server);
  const made = await run('channels', 'add', 'slack', receiver.url, '--json');
  expect(made.json).toMatchObject({ type: 'slack', url: `${receiver.url}/********` });
  const tested = await run('channels', 'test', made.json.id);
  expect(tested).toMatchObject({ code: 1, stdout: '' });
  expect(tested.stderr).toMatch(/the message did not arrive: .*500/);
  expect(tested.stderr).toMatch(/hint: /);
});

test('a chosen secret is not announced', async () => {
  const { run } = await accountShell(server);
  const made = await run(
    ...['channels', 'add', 'webhook', 'http://127.0.0.1:1/', '--secret', 'chosen secret'],
  );
  expect([made.code, made.stderr]).toEqual([0, '']);
});

test('wrong kinds are wrong usage, and email needs a mail server', async () => {
  const { run } = await accountShell(server);
  const wrong = await run('channels', 'add', 'slack', 'http://127.0.0.1:1/', '--kinds', 'outage');
  expect(wrong.code).toBe(2);
  const email = await run('channels', 'add', 'email', 'ada@example.com');
  expect(email.code).toBe(1);
  expect(email.stderr).toContain('--smtp-url');
});
