import { describe, expect, test } from 'vitest';
import { callApi, expectStatus, register } from '../../fixtures/account.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { Terminal } from '../command-line.ts';
import { captureLoad, DataDir, serveData } from '../local-server.ts';

failOnLeaks();

const PASSWORD = 'correct horse battery';

function create(data: DataDir, email: string, ...flags: string[]) {
  return data.run(['users', 'create', '--email', email, '--password-stdin', ...flags], PASSWORD);
}

describe('without a server', () => {
  test('accounts are created, listed and changed', async () => {
    const data = new DataDir();
    const created = await create(data, ' Ada@Example.com ', '--plan', 'pro', '--json');
    expect(created.code).toBe(0);
    expect(created.json).toMatchObject({ email: 'ada@example.com', plan: 'pro' });
    expect(created.stderr).toBe(`Created a database in ${data.path}.\n`);
    expect(created.stdout + created.stderr).not.toContain(PASSWORD);

    const planOfEnvironment = await data.run(
      ['users', 'create', '--email', 'grace@example.com', '--password-stdin'],
      `${PASSWORD}\n`,
      { HOOKRELAY_DEFAULT_PLAN: 'starter' },
    );
    expect(planOfEnvironment.code).toBe(0);
    const set = await data.run(['users', 'set-plan', 'ADA@example.com', 'free']);
    expect(set).toMatchObject({ code: 0, stdout: '' });

    expect(await data.json('users', 'list')).toEqual([
      {
        id: created.json.id,
        email: 'ada@example.com',
        plan: 'free',
        created_at: expect.stringMatching(/^\d{4}-.*Z$/),
        endpoints: 0,
        events: 0,
        last_seen_at: null,
      },
      expect.objectContaining({ email: 'grace@example.com', plan: 'starter' }),
    ]);
  });

  test('an impossible change is an error with its reason and the remedy', async () => {
    const data = new DataDir();
    const nothing = await data.run(['users', 'list']);
    expect(nothing).toMatchObject({ code: 1, stdout: '' });
    expect(nothing.stderr).toContain(`there is no hookrelay database in ${data.path}`);
    expect(nothing.stderr).toContain('hint: ');

    await create(data, 'ada@example.com');
    const cases: [string[], string | undefined, number, string][] = [
      [['create', '--email', 'ada@example.com', '--password-stdin'], PASSWORD, 1, 'already exists'],
      [['create', '--email', 'b@example.com', '--password-stdin'], 'short', 1, 'at least 8 bytes'],
      [['create', '--email', 'b@example.com'], undefined, 2, '--password-stdin'],
      [['create', '--email', 'nonsense', '--password-stdin'], PASSWORD, 2, 'an email address'],
      [['set-plan', 'nobody@example.com', 'pro'], undefined, 1, 'no account nobody@example.com'],
      [['set-plan', 'ada@example.com', 'gold'], undefined, 2, 'free, starter or pro'],
      [['reset-password', 'nobody@example.com', '--password-stdin'], PASSWORD, 1, 'no account'],
      [['list', '--database', 'postgres://127.0.0.1:1/x'], undefined, 1, 'cannot be reached'],
    ];
    const outcomes = await Promise.all(
      cases.map(([args, stdin]) => data.run(['users', ...args], stdin)),
    );
    for (const [i, outcome] of outcomes.entries()) {
      const [args, , code, text] = cases[i] as (typeof cases)[number];
      expect(outcome, args.join(' ')).toMatchObject({ code, stdout: '' });
      expect(outcome.stderr).toContain(text);
      expect(outcome.stderr).not.toContain(PASSWORD);
    }
    expect(await data.json('users', 'list')).toHaveLength(1);
  });

  test('the password is asked for at a terminal, twice and unseen', async () => {
    const data = new DataDir();
    await create(data, 'ada@example.com');
    const args = ['users', 'reset-password', 'ada@example.com', '--data-dir', data.path];
    const terminal = new Terminal({ home: data.home }, args);
    (await terminal.seen('New password: ')).type('another secret\r');
    (await terminal.seen('Repeat it: ')).type('another secret\r');
    expect(await terminal.ended()).toBe(0);
    expect(terminal.screen).toContain('ada@example.com has a new password');
    expect(terminal.screen).not.toContain('another secret');
  });
});

describe('beside a server under load', () => {
  test('a new plan counts at once, and a new password ends the sessions', async () => {
    const data = new DataDir();
    const server = await serveData(data);
    const account = await register(server);
    const endpoint = await account.createEndpoint();
    const apiToken = expectStatus(201, await account.call('POST', '/api/tokens', { name: 'ci' }));
    const load = await captureLoad(endpoint.capture_url);

    for (const plan of ['starter', 'pro', 'free']) {
      expect((await data.run(['users', 'set-plan', account.email, plan])).code).toBe(0);
      expect((await account.call('GET', '/api/me')).json.plan).toBe(plan);
    }

    const reset = await data.run(
      ['users', 'reset-password', account.email, '--password-stdin', '--json'],
      'a new passphrase',
    );
    expect(reset.json).toEqual({ email: account.email, sessions_ended: 1, api_tokens: 1 });
    expect(reset.stderr).toContain('The account keeps 1 API token.');
    expect((await account.call('GET', '/api/me')).status).toBe(401);
    const { refreshToken, email, password } = account;
    const post = (path: string, body: object) => callApi(server, 'POST', path, body);
    expect((await post('/api/auth/refresh', { refreshToken })).status).toBe(401);
    expect((await post('/api/auth/login', { email, password })).status).toBe(401);
    expect((await post('/api/auth/login', { email, password: 'a new passphrase' })).status).toBe(
      200,
    );
    const headers = { authorization: `Bearer ${apiToken.token}` };
    expect((await callApi(server, 'GET', '/api/me', undefined, { headers })).status).toBe(200);

    await load.goesOn(10);
    await load.stop();
    const [listed] = await data.json('users', 'list');
    expect(listed).toMatchObject({ email, endpoints: 1, events: load.acknowledged.length });
    expect(listed.last_seen_at).not.toBeNull();
    await server.stop();
    expect(server.output()).not.toContain('a new passphrase');
  });
});
