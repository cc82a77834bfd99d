import { expect, test } from 'vitest';
import { type Account, expectStatus, register } from '../fixtures/account.ts';
import { openStream } from '../fixtures/event-stream.ts';
import { runServer } from '../fixtures/running-server.ts';
import { until } from '../fixtures/until.ts';

/** What an account does until it is refused, and the flag that sets the limit. */
const CASES: [flag: string, act: (account: Account, endpointId: string) => Promise<unknown>][] = [
  ['--max-endpoints', (account) => account.call('POST', '/api/endpoints', { name: 'one more' })],
  [
    '--max-destinations',
    (account, id) =>
      account.call('POST', `/api/endpoints/${id}/destinations`, { url: 'http://127.0.0.1:1/' }),
  ],
  ['--max-tokens', (account) => account.call('POST', '/api/tokens', { name: 'one more' })],
];

test.each(CASES)(
  'past %s an account gets an error, and its neighbour does not',
  async (flag, act) => {
    const server = await runServer({ maxEndpoints: 2, maxDestinations: 2, maxTokens: 2 });
    for (let accounts = 0; accounts < 2; accounts++) {
      const account = await register(server);
      const endpoint = await account.createEndpoint();
      const answers = [];
      for (let i = 0; i < 3; i++) answers.push(await act(account, endpoint.id));
      expect(answers[0]).toMatchObject({ status: 201 });
      expect(answers.at(-1)).toMatchObject({
        status: 409,
        json: { error: { code: 'limit_reached', hint: expect.stringContaining(flag) } },
      });
    }
  },
);

test('an account may have so many streams, and a closed one frees its place', async () => {
  const server = await runServer({ maxStreams: 2 });
  const account = await register(server);
  const neighbour = await register(server);
  const first = await openStream(server, '/api/stream', account.authorization);
  const endpoint = await account.createEndpoint();
  await openStream(server, `/api/endpoints/${endpoint.id}/stream`, account.authorization);
  const refused = expectStatus(409, await account.call('GET', '/api/stream'));
  expect(refused.error).toMatchObject({
    code: 'limit_reached',
    hint: expect.stringContaining('--max-streams'),
  });
  await openStream(server, '/api/stream', neighbour.authorization);
  first.close();
  await until('there is room', async () => {
    const { text } = await account.call('GET', '/metrics');
    return /^hookrelay_live_streams 2$/m.test(text);
  });
  await openStream(server, '/api/stream', account.authorization);
});

test('a login past the limit of sessions ends the oldest one', async () => {
  const server = await runServer({ maxSessions: 2 });
  const account = await register(server);
  const credentials = { email: account.email, password: account.password };
  const login = () => account.call('POST', '/api/auth/login', credentials);
  expectStatus(200, await login());
  expect((await account.call('GET', '/api/me')).status).toBe(200);
  const last = expectStatus(200, await login());
  const sessions = await account.call('GET', '/api/sessions', undefined, {
    headers: { authorization: `Bearer ${last.accessToken}` },
  });
  expect(sessions.json).toHaveLength(2);
  expect((await account.call('GET', '/api/me')).status).toBe(401);
});
