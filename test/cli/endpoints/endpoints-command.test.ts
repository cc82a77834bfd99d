import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { capture } from '../../fixtures/account.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { httpReceiver } from '../../fixtures/receiver.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';
import { accountShell, hookrelay } from '../command-line.ts';

failOnLeaks();
const server = serverOfFile();
// A test runs dozens of processes.

const ok = { code: 0, stderr: '' };

test('endpoints are created, listed, read, renamed, paused, resumed and deleted', async () => {
  const { run, account } = await accountShell(server);
  const none = await run('endpoints', 'list');
  expect(none).toMatchObject({ code: 0, stdout: '' });
  expect(none.stderr).toContain('hookrelay endpoints create NAME');
  const [orders, voice] = await Promise.all([
    run('endpoints', 'create', 'orders', '--json'),
    run(
      'endpoints',
      'create',
      'voice 日本',
      '--response-body',
      '<R/>',
      '--response-type',
      'text/xml',
    ),
  ]);
  expect(orders).toMatchObject(ok);
  expect(orders.json).toMatchObject({ name: 'orders', is_active: true, response: null });
  expect(voice.stdout).toMatch(/^name: +voice 日本\nid: .*\nanswers: +200 text\/xml <R\/>\n$/s);

  const { id, capture_url: url, public_token } = orders.json;
  const [byName, byId, byUrl, byToken, table, list] = await Promise.all([
    run('endpoints', 'get', 'orders', '--json'),
    run('endpoints', 'get', id, '--json'),
    run('endpoints', 'get', `${url}/some/path?x`, '--json'),
    run('endpoints', 'get', public_token, '--json'),
    run('endpoints', 'list'),
    run('endpoints', 'list', '--json'),
  ]);
  for (const outcome of [byName, byId, byUrl, byToken]) expect(outcome.json).toEqual(orders.json);
  expect(table.stdout).toMatch(/^NAME +STATE +CAPTURE URL +ID +CREATED\n/);
  // The whole URL, also in a pipe.
  expect(table.stdout).toContain(url);
  expect(list.json.map(({ name }: { name: string }) => name).sort()).toEqual([
    'orders',
    'voice 日本',
  ]);

  const paused = await run('endpoints', 'pause', 'orders', '--json');
  expect(paused.json).toMatchObject({ id, is_active: false });
  const [resumed, other] = await Promise.all([
    run('endpoints', 'resume', url),
    run('endpoints', 'rename', 'voice 日本', 'orders 2', '--json'),
  ]);
  expect(resumed.stdout).toMatch(/^state: +active$/m);
  expect(other.json).toMatchObject({ name: 'orders 2' });

  const twin = await account.createEndpoint({ name: 'orders' });
  const [ambiguous, unknown, unsure, wrongName] = await Promise.all([
    run('endpoints', 'pause', 'orders'),
    run('endpoints', 'get', 'Orders'),
    run('endpoints', 'delete', id),
    run('endpoints', 'create', ''),
  ]);
  expect(ambiguous).toMatchObject({ code: 2, stdout: '' });
  expect(ambiguous.stderr).toContain(id);
  expect(ambiguous.stderr).toContain(twin.id);
  expect(unknown).toMatchObject({ code: 1, stdout: '' });
  expect(unknown.stderr).toContain('there is no endpoint "Orders"');
  expect(unsure).toMatchObject({ code: 2, stdout: '' });
  expect(unsure.stderr).toContain('hint: add --yes');
  expect(wrongName).toMatchObject({ code: 1, stderr: 'hookrelay: name: must not be empty\n' });

  const [deleted, deletedJson] = await Promise.all([
    run('endpoints', 'delete', id, '--yes'),
    run('endpoints', 'delete', twin.id, '--yes', '--json'),
  ]);
  expect(deleted).toMatchObject({ code: 0, stdout: '', stderr: `Deleted orders (${id}).\n` });
  expect(deletedJson.json).toEqual({ id: twin.id, deleted: true });
  expect((await account.call('GET', '/api/endpoints')).json).toMatchObject([{ name: 'orders 2' }]);
});

test('a secret comes from a flag or stdin, or is generated and shown once', async () => {
  const { run, shell, account } = await accountShell(server);
  const receiver = await httpReceiver();
  const endpoint = await account.createEndpoint({ name: 'orders' });
  const add = ['destinations', 'add', 'orders'];
  const [made, byFlag, byStdin, none] = await Promise.all([
    run(...add, `${receiver.url}/made`, '--generate-secret', '--json'),
    run(...add, `${receiver.url}/flag`, '--secret', 'a long secret 1234', '--json'),
    hookrelay(shell, [...add, `${receiver.url}/stdin`, '--secret-stdin'], 'from stdin 5678\n'),
    run(...add, `${receiver.url}/none`),
  ]);
  const secret = made.json.secret as string;
  server.secrets.push(secret, 'a long secret 1234', 'from stdin 5678');
  expect(Buffer.from(secret.replace(/^whsec_/, ''), 'base64')).toHaveLength(32);
  expect(byFlag.json.secret).toBe('********1234');
  expect(byStdin.stdout).toMatch(/^secret: +\*{8}5678$/m);
  expect(none.stdout).toMatch(/^secret: +none$/m);

  // The secret shown is the one that signs.
  await capture(endpoint.capture_url, '{"a":1}');
  const requests = await receiver.received(4);
  const signed = requests.find(({ target }) => target === '/made');
  new Webhook(secret).verify(
    signed?.body.toString() as string,
    signed?.headers as Record<string, string>,
  );

  const [list, table, both, empty, badUrl] = await Promise.all([
    run('destinations', 'list', 'orders', '--json'),
    run('destinations', 'list', endpoint.id),
    run(...add, receiver.url, '--secret', 'x', '--generate-secret'),
    hookrelay(shell, [...add, receiver.url, '--secret-stdin'], '\n'),
    run(...add, 'ftp://example.com'),
  ]);
  expect(list.json).toHaveLength(4);
  expect(list.stdout).not.toContain(secret);
  expect(table.stdout).toMatch(/^ID +NAME +URL +STATE +WAITING +SECRET +ADDED\n(dst_.*\n){4}$/);
  expect(both).toMatchObject({ code: 2, stdout: '' });
  expect(both.stderr).toContain("'--secret <secret>' cannot be used with option");
  expect(empty).toMatchObject({ code: 1, stderr: 'hookrelay: the secret is empty\n' });
  expect(badUrl).toMatchObject({ code: 1, stdout: '' });

  const [byUrl, byId] = await Promise.all([
    run('destinations', 'remove', 'orders', `${receiver.url}/none`),
    run('destinations', 'remove', 'orders', made.json.id, '--cancel-pending', '--json'),
  ]);
  expect(byUrl.stderr).toContain(`Removed ${receiver.url}/none (dst_`);
  expect(byId.json).toEqual({ id: made.json.id, removed: true });
  const [again, traversal] = await Promise.all([
    run('destinations', 'remove', 'orders', made.json.id),
    run('destinations', 'remove', 'orders', '..'),
  ]);
  expect(again).toMatchObject({ code: 1, stdout: '' });
  expect(traversal).toMatchObject({ code: 1, stdout: '' });
  expect((await run('endpoints', 'get', 'orders')).code).toBe(0);
});

test('a destination is shown and changed; fields without a flag stay', async () => {
  const { run, shell, account } = await accountShell(server);
  const endpoint = await account.createEndpoint({ name: 'orders' });
  const { url } = await httpReceiver();
  const added = await run(
    'destinations',
    'add',
    'orders',
    `${url}/1`,
    '--name',
    'billing',
    '--json',
  );
  expect(added.json).toMatchObject({ name: 'billing', url: `${url}/1` });
  const path = `/api/endpoints/${endpoint.id}/destinations/${added.json.id}`;
  const stored = async () => (await account.call('GET', path)).json;
  // `update` is the former name of `edit`.
  const update = ['destinations', 'update', 'orders'];

  const shown = await run('destinations', 'get', 'orders', 'billing');
  expect(shown.stdout).toMatch(
    /^id: +dst_\w+\nname: +billing\nurl: +http\S+\/1\nsecret: +none\nstate: +active\nhealth: +healthy\nwaiting: nothing\nadded: +\S+\n$/,
  );
  const moved = await run(...update, 'billing', '--new-url', `${url}/2`, '--json');
  expect(moved.json).toEqual({ ...added.json, url: `${url}/2` });
  const made = await run(...update, `${url}/2`, '--generate-secret');
  const secret = /^secret: +(whsec_\S+)$/m.exec(made.stdout)?.[1] as string;
  server.secrets.push(secret, 'from stdin 5678');
  expect(made.stderr).toContain('It is not shown again.');
  expect((await stored()).secret).toBe(`********${secret.slice(-4)}`);
  await hookrelay(shell, [...update, 'billing', '--secret-stdin'], 'from stdin 5678\n');
  expect(await stored()).toEqual({ ...moved.json, secret: '********5678' });

  const reset = await run(...update, added.json.id, '--no-secret', '--no-name', '--json');
  expect(reset.json).toEqual({ ...moved.json, name: null });
  const [bad, gone, masked] = await Promise.all([
    run(...update, added.json.id, '--name', ''),
    run(...update, 'billing', '--name', 'x'),
    run(...update, added.json.id, '--secret', '********5678'),
  ]);
  expect(bad).toMatchObject({ code: 1, stdout: '' });
  expect(gone.stderr).toContain('there is no destination "billing"');
  expect(masked.stderr).toContain('secret: is masked');
  expect(await stored()).toEqual(reset.json);
});

test('an endpoint is edited; parts of its answer without a flag stay', async () => {
  const { run, account } = await accountShell(server);
  const { id } = await account.createEndpoint({ name: 'orders' });
  const edit = (...flags: string[]) => run('endpoints', 'edit', id, ...flags, '--json');
  const made = await edit(
    '--name',
    'shop',
    '--response-body',
    '<R/>',
    '--response-type',
    'text/xml',
  );
  const response = { status: 200, content_type: 'text/xml', body: '<R/>' };
  expect(made.json).toMatchObject({ id, name: 'shop', is_active: true, response });
  const changed = await edit('--response-status', '202', '--state', 'paused');
  expect(changed.json).toEqual({
    ...made.json,
    is_active: false,
    response: { ...response, status: 202 },
  });
  const redirected = await edit(
    ...['--response-status', '302', '--response-body', ''],
    ...['--response-header', 'Location: https://a.example/', '--response-header', 'X-A: b'],
  );
  expect(redirected.json.response).toEqual({
    status: 302,
    content_type: 'text/xml',
    body: '',
    headers: { Location: 'https://a.example/', 'X-A': 'b' },
  });
  const other = await edit('--response-header', 'location: /thanks', '--response-header', 'x-a:');
  expect(other.json.response.headers).toEqual({ location: '/thanks' });
  const shown = await run('endpoints', 'get', id);
  expect(shown.stdout).toMatch(/^answers: +302 text\/xml$/m);
  expect(shown.stdout).toMatch(/^answers with: +location: \/thanks$/m);
  const twice = await edit('--response-header', 'x-a: 1', '--response-header', 'X-A: 2');
  expect(twice.code).toBe(2);
  // A body that the status can't have goes with it.
  await edit('--response-status', '200', '--response-body', '<R/>');
  const empty = await edit('--response-status', '204', '--response-header', 'location:');
  expect(empty.json.response).toEqual({ status: 204, content_type: null, body: '' });
  const wrong = await edit('--response-status', '301');
  expect(wrong).toMatchObject({ code: 1, stdout: '' });
  expect(wrong.stderr).toContain('response.headers.location: is missing');
  const reset = await edit('--no-response', '--state', 'active');
  expect(reset.json).toEqual({ ...made.json, response: null });
});

test('an endpoint keeps events for its own time, or as long as the server does', async () => {
  const { run } = await accountShell(server);
  const made = await run('endpoints', 'create', 'orders', '--retention', '168h');
  expect(made).toMatchObject(ok);
  expect(made.stdout).toMatch(/^retention: +7d$/m);
  expect((await run('endpoints', 'list')).stdout).toMatch(/ RETENTION\n.* 7d\n$/);
  const changed = await run('endpoints', 'edit', 'orders', '--retention', '90m', '--json');
  expect(changed.json).toMatchObject({ retention: '90m' });
  const restored = await run('endpoints', 'edit', 'orders', '--retention', 'default');
  expect(restored.stdout).not.toContain('retention');
  const short = await run('endpoints', 'edit', 'orders', '--retention', '1s');
  expect(short).toMatchObject({
    code: 1,
    stderr: 'hookrelay: retention: must be from 1m to 3650d\n',
  });
});

test('an endpoint holds what its filters cannot judge', async () => {
  const { run } = await accountShell(server);
  const made = await run('endpoints', 'create', 'orders', '--on-unjudged', 'hold');
  expect(made.stdout).toMatch(/^unjudged: +held until you retry them$/m);
  expect((await run('endpoints', 'list')).stdout).toContain('UNJUDGED');
  const changed = await run('endpoints', 'edit', 'orders', '--on-unjudged', 'deliver', '--json');
  expect(changed.json).toMatchObject({ on_unjudged: 'deliver' });
  const wrong = await run('endpoints', 'edit', 'orders', '--on-unjudged', 'drop');
  expect(wrong).toMatchObject({ code: 2, stdout: '' });
});

test('a second endpoint of one name is refused, unless --same-name makes it', async () => {
  const { run } = await accountShell(server);
  const { id } = (await run('endpoints', 'create', 'orders', '--json')).json;
  const refusal = {
    code: 1,
    stdout: '',
    stderr:
      `hookrelay: another endpoint has the name "orders": ${id}\n` +
      '  hint: use that one, choose another name, or add --same-name\n',
  };
  expect(await run('endpoints', 'create', 'orders')).toMatchObject(refusal);
  await run('endpoints', 'create', 'voice');
  expect(await run('endpoints', 'rename', 'voice', 'orders')).toMatchObject(refusal);
  expect(await run('endpoints', 'edit', 'voice', '--name', 'orders')).toMatchObject(refusal);
  // Its own name is no other one's.
  expect(await run('endpoints', 'rename', 'orders', 'orders')).toMatchObject({ code: 0 });
  const twin = await run('endpoints', 'create', 'orders', '--same-name', '--json');
  expect(twin).toMatchObject({
    code: 0,
    stderr: '',
    json: { warnings: [{ path: 'name', code: 'same_name', message: expect.stringContaining(id) }] },
  });
  const ambiguous = await run('endpoints', 'get', 'orders');
  for (const one of [id, twin.json.id]) expect(ambiguous.stderr).toContain(one);
});
