import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { callApi, register } from '../../fixtures/account.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { httpReceiver } from '../../fixtures/receiver.ts';
import { serverOfFile, tempDir } from '../../fixtures/running-server.ts';
import { hookrelay } from '../command-line.ts';

failOnLeaks();
const server = serverOfFile();
// A test runs dozens of processes.

const ok = { code: 0, stderr: '' };

test('register, whoami, logout, login', async () => {
  const home = tempDir();
  const person = `cli-${process.pid}@example.com`;
  const secret = 'correct horse battery';
  server.secrets.push(secret);
  const there = { home, url: server.url };
  const credentials = ['--email', person, '--password-stdin'];

  const registered = await hookrelay(there, ['register', ...credentials], `${secret}\n`);
  expect(registered).toMatchObject({ code: 0, stdout: '' });
  expect(registered.stderr).toBe(`Logged in to ${server.url} as ${person} (free plan).\n`);
  const file = path.join(home, 'hookrelay', 'profiles', 'default.json');
  const first = JSON.parse(readFileSync(file, 'utf8'));

  // From here on the profile knows the server.
  const whoami = await hookrelay({ home }, ['whoami', '--json']);
  expect(whoami.json).toMatchObject({ email: person, plan: 'free', url: server.url });
  expect(whoami.json.ai.engine).toBe('builtin');

  expect(await hookrelay({ home }, ['logout'])).toMatchObject({
    code: 0,
    stdout: '',
    stderr: `Logged out of ${server.url}.\n`,
  });
  expect(existsSync(file)).toBe(false);
  const gone = await callApi(server, 'POST', '/api/auth/refresh', {
    refreshToken: first.refreshToken,
  });
  expect(gone.status).toBe(401);

  const [out, again, wrong, taken] = await Promise.all([
    hookrelay({ home: tempDir() }, ['whoami', '--url', server.url]),
    hookrelay(there, ['logout', '--json']),
    hookrelay(there, ['login', ...credentials], 'wrong'),
    hookrelay(there, ['register', ...credentials], secret),
  ]);
  expect(out).toMatchObject({ code: 1, stdout: '' });
  expect(out.stderr).toBe(
    `hookrelay: nobody is logged in at ${server.url}\n` +
      '  hint: run hookrelay login or hookrelay register, or set HOOKRELAY_TOKEN\n',
  );
  expect(again).toMatchObject({ ...ok, json: { logged_out: false } });
  expect(wrong).toMatchObject({
    code: 1,
    stderr: 'hookrelay: email or password is wrong\n',
  });
  expect(taken).toMatchObject({ code: 1, stdout: '' });
  expect(taken.stderr).toContain('hint: log in instead');
  expect(existsSync(file)).toBe(false);

  // A Windows line end; a profile of its own.
  const args = ['login', ...credentials, '--profile', 'work', '--json'];
  const loggedIn = await hookrelay(there, args, `${secret}\r\n`);
  expect(loggedIn).toMatchObject(ok);
  expect(loggedIn.json).toEqual({
    user: { id: first && whoami.json.id, email: person, plan: 'free' },
    url: server.url,
    profile: 'work',
  });
  const [work, byDefault, byVariable] = await Promise.all([
    hookrelay({ home }, ['whoami', '--profile', 'work']),
    hookrelay({ home, url: server.url }, ['whoami']),
    hookrelay({ home }, ['whoami'], undefined, { HOOKRELAY_PROFILE: 'work' }),
  ]);
  expect(work).toMatchObject(ok);
  expect(work.stdout).toMatch(new RegExp(`^email: +${person}\nplan: +free\nid: +usr_\\w+\n`));
  expect(byDefault.code).toBe(1);
  expect(byVariable).toMatchObject(ok);
});

test('a missing profile is an error that lists the existing ones', async () => {
  const { email, password } = await register(server);
  const home = tempDir();
  const login = ['login', '--email', email, '--password-stdin', '--profile'];
  const none = await hookrelay({ home, url: server.url }, ['whoami', '--profile', 'nope']);
  expect(none).toMatchObject({ code: 2, stdout: '' });
  expect(none.stderr).toBe(
    'hookrelay: there is no profile "nope"\n' +
      '  hint: no one is logged in; hookrelay login --profile nope creates it\n',
  );
  for (const name of ['work', 'home']) {
    expect(await hookrelay({ home, url: server.url }, [...login, name], password)).toMatchObject({
      code: 0,
    });
  }
  const [byFlag, byVariable, logout, tail, byToken] = await Promise.all([
    hookrelay({ home }, ['whoami', '--profile', 'nope']),
    hookrelay({ home }, ['endpoints', 'list'], undefined, { HOOKRELAY_PROFILE: 'nope' }),
    hookrelay({ home }, ['logout', '--profile', 'nope', '--json']),
    hookrelay({ home }, ['tail', '--profile', 'nope', '--url', server.url]),
    // A token needs no profile.
    hookrelay({ home, url: server.url, token: 'hr_x' }, ['whoami'], undefined, {
      HOOKRELAY_PROFILE: 'nope',
    }),
  ]);
  for (const outcome of [byFlag, byVariable, logout, tail]) {
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toBe(
      'hookrelay: there is no profile "nope"\n' +
        '  hint: profiles: home, work; hookrelay login --profile nope creates it\n',
    );
  }
  expect(byToken.stderr).toContain('HOOKRELAY_TOKEN holds it');
});

test('without a terminal nobody is asked', async () => {
  const home = tempDir();
  const outcomes = await Promise.all([
    hookrelay({ home }, ['login']),
    hookrelay({ home }, ['login', '--email', 'a@example.com']),
    hookrelay({ home }, ['register', '--password-stdin'], 'x'),
  ]);
  for (const outcome of outcomes) {
    expect(outcome).toMatchObject({
      code: 2,
      stdout: '',
      stderr:
        'hookrelay: this command asks a question, and needs a terminal\n' +
        '  hint: pass --email and --password-stdin, with the password on stdin\n',
    });
  }
});

test('an unreachable server is an error that names the command to run', async () => {
  const nobody = await httpReceiver();
  await nobody.close();
  const shell = { home: tempDir(), url: nobody.url, token: 'hr_x' };
  const [list, login] = await Promise.all([
    hookrelay(shell, ['endpoints', 'list', '--json']),
    hookrelay(shell, ['login', '--email', 'a@example.com', '--password-stdin'], 'x'),
  ]);
  for (const outcome of [list, login]) {
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
    expect(outcome.stderr).toBe(
      `hookrelay: no hookrelay answers at ${nobody.url}: the connection is refused\n` +
        '  hint: start one with hookrelay serve, or name another with --url or HOOKRELAY_URL\n',
    );
  }
});

test('a logout that the server does not receive is reported, and done locally', async () => {
  const home = tempDir();
  const account = await register(server);
  const nobody = await httpReceiver();
  await nobody.close();
  const { accessToken, refreshToken, email } = account;
  const shell = { home, url: server.url };
  await hookrelay(shell, ['login', '--email', email, '--password-stdin'], account.password);
  const file = path.join(home, 'hookrelay', 'profiles', 'default.json');
  writeFileSync(file, JSON.stringify({ url: nobody.url, email, accessToken, refreshToken }));
  const outcome = await hookrelay({ home }, ['logout']);
  expect(outcome.code).toBe(1);
  expect(outcome.stderr).toContain(
    'Logged out here. The session on the server stays for up to 30 days',
  );
  expect(existsSync(file)).toBe(false);
});

test('tokens with rights: made, listed, refused with what to do', async () => {
  const home = tempDir();
  const account = await register(server);
  const { id } = await account.createEndpoint({ name: 'orders' });
  await account.createEndpoint({ name: 'invoices' });
  const there = { home, url: server.url };
  const { email, password } = account;
  await hookrelay(there, ['login', '--email', email, '--password-stdin'], password);
  const limits = ['--scope', 'read', '--endpoint', 'orders', '--expires', '30d'];
  const created = await hookrelay(there, ['tokens', 'create', 'ci', ...limits, '--json']);
  expect(created.json).toMatchObject({ scopes: ['read'], endpoint_ids: [id], name: 'ci' });
  const { token } = created.json;
  server.secrets.push(token);
  const byToken = { home: tempDir(), url: server.url, token };
  const [listed, whoami, endpoints, refused, audit, wrong, foreign] = await Promise.all([
    hookrelay(there, ['tokens', 'list']),
    hookrelay(byToken, ['whoami']),
    hookrelay(byToken, ['endpoints', 'list', '--json']),
    hookrelay(byToken, ['endpoints', 'pause', 'orders']),
    hookrelay(byToken, ['audit']),
    hookrelay(there, ['tokens', 'create', 'ci', '--expires', 'soon']),
    hookrelay(there, ['tokens', 'create', 'ci', '--endpoint', 'nothing']),
  ]);
  expect(listed.stdout).toMatch(new RegExp(`ci +read +${id} .*Z\n$`));
  expect(whoami.stdout).toMatch(/by: +API token, read only, 1 endpoint, expires .*Z\n/);
  expect(endpoints.json.map(({ name }: { name: string }) => name)).toEqual(['orders']);
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toBe(
    'hookrelay: this API token lacks the scope write\n' +
      '  hint: use a token with that scope: hookrelay tokens create NAME --scope write\n',
  );
  expect(audit.stderr).toContain('limited to some endpoints');
  expect(wrong.code).toBe(2);
  expect(foreign.stderr).toContain('there is no endpoint "nothing"');
});

test('the audit, for people and for programs', async () => {
  const home = tempDir();
  const account = await register(server);
  const { email, password } = account;
  const there = { home, url: server.url };
  await hookrelay(there, ['login', '--email', email, '--password-stdin'], password);
  for (const name of ['orders', 'in\u202evoices']) await account.createEndpoint({ name });
  const [people, program] = await Promise.all([
    hookrelay(there, ['audit']),
    hookrelay(there, ['audit', '--json', '--limit', '1']),
  ]);
  const [titles, newest, second] = people.stdout.split('\n');
  expect(titles).toMatch(/^AT +ACTION +TARGET +BY +ADDRESS +CHANGES$/);
  expect(newest).toMatch(/Z +endpoint\.create +in\\u202evoices +person-/);
  expect(second).toMatch(
    /orders .*127\.0\.0\.1 +name: orders, is_active: true, on_unjudged: deliver$/,
  );
  expect(program.json).toMatchObject({ data: [{ action: 'endpoint.create' }], limit: 1, total: 4 });
});

test('the password is changed, and the other logins end', async () => {
  const home = tempDir();
  const account = await register(server);
  const { email, password } = account;
  const there = { home, url: server.url };
  const next = 'another long password';
  server.secrets.push(next);
  await hookrelay(there, ['login', '--email', email, '--password-stdin'], password);
  const change = (...lines: string[]) =>
    hookrelay(there, ['password', '--password-stdin'], lines.join('\n'));
  const wrong = await change('wrong', next);
  expect(wrong).toMatchObject({ code: 1, stderr: 'hookrelay: the current password is wrong\n' });
  expect((await change(password, 'short')).stderr).toContain('at least 8 bytes');
  expect((await change(password)).code).toBe(2);
  expect(await hookrelay(there, ['password'])).toMatchObject({ code: 2, stdout: '' });
  const nobody = { home: tempDir(), url: server.url };
  expect((await hookrelay(nobody, ['password', '--password-stdin'], 'x')).code).toBe(1);
  expect(await change(password, next, '')).toMatchObject({
    ...{ code: 0, stdout: '' },
    stderr: 'The password is changed. All other logins have ended; API tokens stay.\n',
  });
  expect(await hookrelay(there, ['whoami'])).toMatchObject({ code: 0 });
  expect((await account.call('GET', '/api/me')).status).toBe(401);
  // The account of this machine, which `listen` made, can log in again.
  const machine = path.join(home, 'hookrelay', 'listen', 'default.json');
  mkdirSync(path.dirname(machine));
  const kept = { dataDir: '/srv/a', url: server.url, email, password: next };
  const other = { ...kept, dataDir: '/srv/b', email: 'other@example.com' };
  writeFileSync(machine, JSON.stringify([other, kept]));
  const back = `${next}\n${password}`;
  const json = await hookrelay(there, ['password', '--password-stdin', '--json'], back);
  expect(json.json).toEqual({ changed: true });
  expect(JSON.parse(readFileSync(machine, 'utf8'))).toEqual([{ ...kept, password }, other]);
});

test('API tokens: printed once, used from HOOKRELAY_TOKEN, revoked', async () => {
  const home = tempDir();
  const { email, password } = await register(server);
  const there = { home, url: server.url };
  await hookrelay(there, ['login', '--email', email, '--password-stdin'], password);
  const created = await hookrelay(there, ['tokens', 'create', 'ci']);
  expect(created.code).toBe(0);
  expect(created.stdout).toMatch(/^hr_[\w-]+\n$/);
  const token = created.stdout.trim();
  server.secrets.push(token);
  const [listed, whoami, byToken, named] = await Promise.all([
    hookrelay(there, ['tokens', 'list', '--json']),
    hookrelay({ home: tempDir(), url: server.url, token }, ['whoami']),
    hookrelay({ home: tempDir(), url: server.url, token }, ['tokens', 'list']),
    // An explicitly named profile wins over the environment.
    hookrelay({ home, url: 'http://127.0.0.1:1', token: 'hr_other' }, [
      ...['whoami', '--profile', 'default'],
    ]),
  ]);
  expect(listed.json).toMatchObject([{ name: 'ci' }]);
  expect(listed.stdout).not.toContain(token);
  expect(whoami).toMatchObject(ok);
  expect(whoami.stdout).toMatch(/by: +API token\nai: +builtin\n$/);
  expect(byToken).toMatchObject({ code: 1, stdout: '' });
  expect(byToken.stderr).toContain(
    'an API token cannot manage sessions, API tokens or the password',
  );
  expect(named).toMatchObject(ok);
  expect(named.stdout).toContain(email);

  const { id } = listed.json[0];
  const [revoked, notOne] = await Promise.all([
    hookrelay(there, ['tokens', 'revoke', id]),
    hookrelay(there, ['tokens', 'revoke', '../endpoints']),
  ]);
  expect(revoked).toMatchObject({ code: 0, stdout: '', stderr: `Revoked ${id}.\n` });
  expect(notOne.code).toBe(2);
  const [after, twice, none] = await Promise.all([
    hookrelay({ home: tempDir(), url: server.url, token }, ['whoami']),
    hookrelay(there, ['tokens', 'revoke', id, '--json']),
    hookrelay(there, ['tokens', 'list']),
  ]);
  expect(after).toMatchObject({ code: 1, stdout: '' });
  expect(after.stderr).toContain('HOOKRELAY_TOKEN holds it');
  expect(twice).toMatchObject({ code: 1, stdout: '' });
  expect(none).toMatchObject({ code: 0, stdout: '' });
  expect(none.stderr).toContain('There is no API token.');
});
