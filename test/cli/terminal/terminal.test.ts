import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { displayWidth } from '../../../src/cli/terminal/display-width.ts';
import { capture, register } from '../../fixtures/account.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { httpReceiver } from '../../fixtures/receiver.ts';
import { serverOfFile, tempDir } from '../../fixtures/running-server.ts';
import { until } from '../../fixtures/until.ts';
import { accountShell, hookrelay, Terminal } from '../command-line.ts';

failOnLeaks();
const server = serverOfFile();

const CTRL_C = '\x03';
const CTRL_D = '\x04';

test('the password is asked for and never shown', async () => {
  const home = tempDir();
  const email = `terminal-${process.pid}@example.com`;
  const password = 'swordfish 日本 \u007f\u0015swordfish 42';
  server.secrets.push('swordfish 42');
  const registering = new Terminal({ home, url: server.url }, ['register']);
  await registering.seen('Email: ');
  registering.type(`${email}\r`);
  await registering.seen('Password: ');
  // A typing error, cleared by Ctrl-U, and typed again.
  registering.type(`${password}\r`);
  await registering.seen('Repeat it: ');
  registering.type('swordfish 42\r');
  expect(await registering.ended()).toBe(0);
  expect(registering.lines).toEqual([
    `Email: ${email}`,
    'Password:',
    'Repeat it:',
    `Logged in to ${server.url} as ${email} (free plan).`,
    '',
  ]);
  expect(registering.screen).not.toContain('fish');
  const file = path.join(home, 'hookrelay', 'profiles', 'default.json');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ email, url: server.url });

  const login = new Terminal({ home, url: server.url }, ['login', '--profile', 'again']);
  await login.seen('Email: ');
  login.type(`${email}\r`);
  await login.seen('Password: ');
  login.type('swordfish 42\r');
  expect(await login.ended()).toBe(0);
  expect(existsSync(path.join(path.dirname(file), 'again.json'))).toBe(true);
});

test('two different passwords create no account', async () => {
  const home = tempDir();
  const terminal = new Terminal({ home, url: server.url }, [
    'register',
    '--email',
    'x@example.com',
  ]);
  await terminal.seen('Password: ');
  terminal.type('first password\r');
  await terminal.seen('Repeat it: ');
  terminal.type('other password\r');
  expect(await terminal.ended()).toBe(1);
  expect(terminal.lines.slice(-2)).toEqual(['hookrelay: the passwords differ', '']);
  expect(existsSync(path.join(home, 'hookrelay'))).toBe(false);
});

test('Ctrl-C at a prompt exits 130, Ctrl-D 1, and the terminal is restored', async () => {
  const shell = { home: tempDir(), url: server.url };
  const [atEmail, atPassword, atEnd] = [
    new Terminal(shell, ['login']),
    new Terminal(shell, ['login', '--email', 'a@example.com']),
    new Terminal(shell, ['login']),
  ];
  await Promise.all([
    atEmail.seen('Email: '),
    atPassword.seen('Password: '),
    atEnd.seen('Email: '),
  ]);
  atEmail.type(`half${CTRL_C}`);
  atPassword.type(`half${CTRL_C}`);
  atEnd.type(CTRL_D);
  expect(await Promise.all([atEmail.ended(), atPassword.ended(), atEnd.ended()])).toEqual([
    130, 130, 1,
  ]);
  expect(atEmail.lines).toEqual(['Email: half', '']);
  expect(atPassword.lines).toEqual(['Password:', '']);
  expect(atEnd.lines).toEqual(['Email:', 'hookrelay: nothing was entered', '']);
});

test('an endpoint is deleted by typing its name', async () => {
  const { shell, account } = await accountShell(server);
  const { id, capture_url } = await account.createEndpoint({ name: 'orders' });
  await capture(capture_url);
  const wrong = new Terminal(shell, ['endpoints', 'delete', id]);
  await wrong.seen('Type the name to delete it: ');
  wrong.type('yes\r');
  expect(await wrong.ended()).toBe(1);
  expect(wrong.lines).toEqual([
    'This permanently deletes orders and its 1 event.',
    'Type the name to delete it: yes',
    'hookrelay: the name differs: nothing is deleted',
    '',
  ]);
  expect((await account.call('GET', `/api/endpoints/${id}`)).status).toBe(200);

  const right = new Terminal(shell, ['endpoints', 'delete', 'orders']);
  await right.seen('Type the name to delete it: ');
  right.type('orders\r');
  expect(await right.ended()).toBe(0);
  expect((await account.call('GET', `/api/endpoints/${id}`)).status).toBe(404);
});

test('a bulk replay is counted and confirmed', async () => {
  const { shell, account } = await accountShell(server);
  const receiver = await httpReceiver();
  const endpoint = await account.createEndpoint({ name: 'orders' });
  await capture(endpoint.capture_url);
  await capture(endpoint.capture_url);
  await account.addDestination(endpoint, receiver.url);
  const [no, yes] = [
    new Terminal(shell, ['replay', '--endpoint', 'orders']),
    new Terminal(shell, ['replay', '--endpoint', 'orders', '--method', 'POST']),
  ];
  const question = 'Replay 2 events of orders to 1 destination? [y/N] ';
  await Promise.all([no.seen(question), yes.seen(question)]);
  no.type('\r');
  expect(await no.ended()).toBe(1);
  expect(no.lines.slice(-2)).toEqual(['hookrelay: nothing is replayed', '']);
  expect(receiver.requests).toEqual([]);
  yes.type('y\r');
  expect(await yes.ended()).toBe(0);
  const [queued, follow, cancel] = yes.lines.slice(-4);
  const id = /^2 events queued as (job_\w+)$/.exec(queued as string)?.[1];
  expect(follow).toBe(`  hint: hookrelay replays get orders ${id} --follow`);
  expect(cancel).toBe(`        hookrelay replays cancel orders ${id}`);
  await receiver.received(2);
});

test('tables fit the terminal, and are coloured as NO_COLOR and FORCE_COLOR say', async () => {
  const { shell, account, run } = await accountShell(server);
  const { capture_url } = await account.createEndpoint({ name: 'a very long name '.repeat(9) });
  const id = await capture(`${capture_url}/${'long/'.repeat(60)}`, '{}', {
    headers: { 'x-github-event': 'push', 'x-github-delivery': '1' },
  });
  const widths = [200, 80, 40];
  const lists = widths.map(
    (columns) => new Terminal(shell, ['events', 'list', capture_url], { columns }),
  );
  const endpoints = new Terminal(shell, ['endpoints', 'list'], { columns: 100 });
  const plain = new Terminal(shell, ['events', 'list', capture_url], { env: { NO_COLOR: '1' } });
  for (const terminal of [...lists, endpoints, plain]) expect(await terminal.ended()).toBe(0);
  for (const [i, { lines, screen }] of lists.entries()) {
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(widths[i] as number);
    expect(screen).toContain(id);
    expect(screen).toContain('\u001b[2m');
  }
  expect(lists[1]?.lines[0]).toMatch(/^ID +STATUS +METHOD +RECEIVED +TYPE/);
  expect(lists[1]?.lines[1]).toMatch(/received +POST +(now|\d+s ago) +github push$/);
  expect(lists[2]?.lines[0]).toBe(`id: ${id}`);
  expect(endpoints.lines[1]).toContain(capture_url);
  expect(plain.screen).not.toContain('\u001b');
  const list = ['endpoints', 'list'];
  const [piped, forced] = [
    await run(...list),
    await hookrelay(shell, list, '', { FORCE_COLOR: '1' }),
  ];
  expect(piped.stdout).not.toContain('\u001b');
  expect(forced.stdout).toContain('\u001b[2m');
});

test('the URL of a destination is never cut', async () => {
  const { shell, account, run } = await accountShell(server);
  await account.createEndpoint({ name: 'orders' });
  const urls = [45, 90].map((length) => `http://127.0.0.1:9/${'x'.repeat(length - 19)}`);
  for (const url of urls) {
    expect((await run('destinations', 'add', 'orders', url)).code).toBe(0);
  }
  const terminal = new Terminal(shell, ['destinations', 'list', 'orders']);
  expect(await terminal.ended()).toBe(0);
  for (const url of urls) expect(terminal.screen).toContain(url);
});

test('raw bytes are not written to a terminal, text is', async () => {
  const { shell, account } = await accountShell(server);
  const { capture_url } = await account.createEndpoint();
  const binary = await capture(capture_url, Buffer.from([65, 0, 255]));
  const escapes = await capture(capture_url, 'a\u001b]0;owned\u0007b');
  const text = await capture(capture_url, '{\r\n\t"café": "日本"\n}\n');
  const [refused, alsoRefused, shown, forced] = [
    new Terminal(shell, ['events', 'raw', binary]),
    new Terminal(shell, ['events', 'raw', escapes]),
    new Terminal(shell, ['events', 'raw', text]),
    new Terminal(shell, ['events', 'raw', escapes, '--force']),
  ];
  expect(await refused.ended()).toBe(1);
  expect(await alsoRefused.ended()).toBe(1);
  expect(await shown.ended()).toBe(0);
  expect(await forced.ended()).toBe(0);
  for (const { lines } of [refused, alsoRefused]) {
    expect(lines).toEqual([
      'hookrelay: a terminal cannot show this body: it is binary or has control characters',
      '  hint: redirect it to a file, or add --force',
      '',
    ]);
  }
  expect(shown.screen).toContain('"café": "日本"');
  expect(forced.screen).toBe('a\u001b]0;owned\u0007b');
});

test('a waiting command says so on stderr, and leaves no trace', async () => {
  const token = 'hr_x';
  const me = { id: 'usr_1', email: 'ada@example.com', plan: 'free', session_id: null };
  let answer = () => {};
  const slow = await httpReceiver((_request, res) => {
    res.setHeader('connection', 'close');
    answer = () => res.end(JSON.stringify(me));
  });
  const shell = { home: tempDir(), url: slow.url, token };
  const waiting = new Terminal(shell, ['whoami', '--json']);
  await waiting.seen(`waiting for ${slow.url} 1 s`);
  answer();
  expect(await waiting.ended()).toBe(0);
  // After the last clearing of the line there is only the data.
  expect(JSON.parse(waiting.screen.split('\r\u001b[K').at(-1) as string)).toMatchObject(me);

  slow.respond = (_request, res) => {
    res.setHeader('connection', 'close').end(JSON.stringify(me));
  };
  const quick = new Terminal(shell, ['whoami', '--json']);
  expect(await quick.ended()).toBe(0);
  expect(quick.screen).not.toContain('waiting');
});

test('Ctrl-C ends a waiting command', async () => {
  const slow = await httpReceiver(() => {});
  const terminal = new Terminal({ home: tempDir(), url: slow.url, token: 'hr_x' }, ['whoami']);
  await until('the request is there', () => slow.requests.length > 0);
  terminal.type(CTRL_C);
  expect(await terminal.ended()).toBe(130);
});

test('a password is not sent over plain http without a warning', async () => {
  const { email } = await register(server);
  const terminal = new Terminal({ home: tempDir(), url: 'http://hooks.example.com' }, [
    ...['login', '--email', email],
  ]);
  await terminal.seen('Password: ');
  terminal.type(CTRL_C);
  expect(await terminal.ended()).toBe(130);
  expect(terminal.lines.join(' ')).toContain('http://hooks.example.com is not https');
});
