import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Profile } from '../../../src/cli/client/profile.ts';
import { callApi, register } from '../../fixtures/account.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { serverOfFile, tempDir } from '../../fixtures/running-server.ts';
import { hookrelay, hookrelayProcess } from '../command-line.ts';

failOnLeaks();
const server = serverOfFile();

/** Concurrent commands: more than the machine has cores. */
const AT_ONCE = 4;
const ROUNDS = 2;

test('many concurrent commands with an expired token stay logged in', async () => {
  const home = tempDir();
  const { email, password } = await register(server);
  const credentials = ['--email', email, '--password-stdin', '--url', server.url];
  await hookrelay({ home }, ['login', ...credentials], password);
  const file = path.join(home, 'hookrelay', 'profiles', 'default.json');
  const read = () => JSON.parse(readFileSync(file, 'utf8')) as Profile;

  for (let round = 0; round < ROUNDS; round++) {
    const before = read();
    writeFileSync(file, JSON.stringify({ ...before, accessToken: `expired-${round}` }));
    const outcomes = await Promise.all(
      Array.from({ length: AT_ONCE }, () => hookrelayProcess({ home }, ['whoami', '--json'])),
    );
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ code: 0, stderr: '' });
      expect(outcome.json.email).toBe(email);
    }
    const after = read();
    server.secrets.push(after.accessToken, after.refreshToken);
    expect(after.refreshToken).not.toBe(before.refreshToken);
    // No older answer was written last: the profile has the one live token, which
    // still answers for the old one. Any other token would end the session in 30 s.
    const { json } = await callApi(server, 'POST', '/api/auth/refresh', {
      refreshToken: before.refreshToken,
    });
    expect(json.refreshToken).toBe(after.refreshToken);
  }

  const { accessToken, refreshToken } = read();
  const sessions = await callApi(server, 'GET', '/api/sessions', undefined, {
    headers: { authorization: `Bearer ${accessToken}` },
  });
  // One session from the registration, and the one that all commands shared.
  expect(sessions.json).toHaveLength(2);
  const current = sessions.json.find(({ current }: { current: boolean }) => current);
  expect(current.user_agent).toMatch(/^hookrelay\/\d/);

  await callApi(server, 'POST', '/api/auth/logout', { refreshToken });
  const ended = await hookrelay({ home }, ['whoami']);
  expect(ended).toMatchObject({ code: 1, stdout: '' });
  expect(ended.stderr).toBe('hookrelay: the session has ended\n  hint: run hookrelay login\n');
});
