import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { callApi, capture, expectStatus, register } from '../fixtures/account.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { httpReceiver, status } from '../fixtures/receiver.ts';
import { tempDir } from '../fixtures/running-server.ts';
import { serveIn } from '../fixtures/served-process.ts';

/*
 * A secret shown once is nowhere in plain text afterwards: not in the database, its
 * log, the search index or a backup, nor in errors and metrics. (test/serve.test.ts
 * checks the program's own log.)
 */

failOnLeaks();

const PROGRAM = fileURLToPath(new URL('../../bin/hookrelay.mjs', import.meta.url));

test('no password, token or signing secret is stored in plain text or shown again', async () => {
  const dataDir = tempDir();
  const served = await serveIn(dataDir, ['--allow-private-destinations', '--retry-attempts', '1']);
  const secrets: string[] = [];
  const account = await register({ url: served.url, secrets });
  const endpoint = await account.createEndpoint();
  const target = await httpReceiver(status(500));
  const signing = ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD', 'a plain signing secret'];
  for (const secret of signing) await account.addDestination(endpoint, target.url, secret);
  secrets.push(...signing, 'C2FVsBQIhrscChlQIMV+b5sSYspob7oD');
  const token = expectStatus(201, await account.call('POST', '/api/tokens', { name: 'ci' }));
  secrets.push(token.token);
  const { refreshToken } = account;
  const next = expectStatus(200, await account.call('POST', '/api/auth/refresh', { refreshToken }));
  secrets.push(next.accessToken, next.refreshToken);
  const id = await capture(endpoint.capture_url, 'x');
  await target.received(2);
  expect(secrets.length).toBeGreaterThan(6);

  const answers = [
    await callApi(served, 'GET', '/metrics'),
    await account.call('GET', `/api/endpoints/${endpoint.id}/destinations`),
    await account.call('GET', '/api/tokens'),
    await account.call('GET', '/api/sessions'),
    await account.call('GET', `/api/events/${id}`),
    await account.call('GET', `/api/endpoints/${endpoint.id}/events/${id}/deliveries`),
    await account.call('POST', '/api/auth/refresh', { refreshToken: `${refreshToken}x` }),
    await account.call('GET', `/api/endpoints/${token.token}`),
    await callApi(served, 'POST', '/api/auth/login', { email: 1, password: account.password }),
  ];
  for (const { text } of answers) expectNone(Buffer.from(text), secrets, text.slice(0, 200));

  const backup = join(tempDir(), 'backup.db');
  const made = spawnSync(process.execPath, [PROGRAM, 'backup', backup, '--data-dir', dataDir]);
  expect(made.status, made.stderr.toString()).toBe(0);
  served.kill('SIGTERM');
  await served.exited();
  const files = [backup, ...readdirSync(dataDir).map((name) => join(dataDir, name))];
  const key = readFileSync(join(dataDir, 'secret.key'), 'utf8').trim();
  for (const file of files) {
    const bytes = readFileSync(file);
    expectNone(bytes, secrets, file);
    if (!file.endsWith('secret.key')) expectNone(bytes, [key], file);
  }
  // The search itself works: it finds text that isn't secret.
  expect(readFileSync(backup).includes(account.email)).toBe(true);
});

function expectNone(bytes: Buffer, secrets: readonly string[], where: string): void {
  for (const secret of secrets) expect([where, bytes.includes(secret)]).toEqual([where, false]);
}
