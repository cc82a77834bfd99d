import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { type Account, callApi, expectStatus, register } from '../../fixtures/account.ts';
import { channelMessages } from '../../fixtures/channel-messages.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';

/* An address gets alerts once its owner has pressed the button behind the link. */

failOnLeaks();
// Nobody listens there: these tests read the messages in the database.
const server = serverOfFile({
  smtpUrl: 'smtp://127.0.0.1:1',
  smtpFrom: 'alerts@example.com',
  publicUrl: 'https://hooks.example.com',
});

let addresses = 0;
const newAddress = () => `owner-${++addresses}@example.com`;

const add = (account: Account, to: string) =>
  account.call('POST', '/api/channels', { type: 'email', to });

async function made() {
  const account = await register(server);
  const to = newAddress();
  const { id } = expectStatus(201, await add(account, to));
  const path = `/api/channels/${id}`;
  const isConfirmed = async () =>
    expectStatus(200, await account.call('GET', path)).confirmed as boolean;
  return { account, to, id, path, isConfirmed };
}

/** The tokens of the links that were sent, oldest first. */
function tokens(channelId: string): string[] {
  const links = channelMessages(server, channelId).flatMap((body) => {
    const { text } = JSON.parse(body);
    return /https:\/\/hooks\.example\.com\/confirm\?token=([\w-]+)/.exec(text)?.slice(1) ?? [];
  });
  server.secrets.push(...links);
  return links;
}
const newestToken = (channelId: string) => tokens(channelId).at(-1) as string;

const open = (token: string) => callApi(server, 'GET', `/confirm?token=${token}`);
const press = (token: string, headers: Record<string, string> = {}) =>
  callApi(server, 'POST', '/confirm', new URLSearchParams({ token }).toString(), {
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });

/** Makes the confirmation older, by the database. */
function age(channelId: string, ms: number): void {
  const db = new Database(join(server.dataDir, 'hookrelay.db'));
  try {
    db.prepare('UPDATE channels SET confirm_sent_at = confirm_sent_at - ? WHERE id = ?').run(
      ms,
      channelId,
    );
  } finally {
    db.close();
  }
}

test('the link asks, and its button confirms, once', async () => {
  const { account, to, id, isConfirmed } = await made();
  const token = newestToken(id);
  const page = await open(token);
  expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(page.text).toContain(to);
  expect(page.text).toContain(`name="token" value="${token}"`);
  expect(await isConfirmed()).toBe(false);
  const pressed = await press(token, { origin: 'https://hooks.example.com' });
  expect([pressed.status, pressed.text]).toEqual([200, expect.stringContaining(to)]);
  expect(await isConfirmed()).toBe(true);
  const { data } = expectStatus(200, await account.call('GET', '/api/audit?limit=1'));
  expect(data[0]).toMatchObject({
    action: 'channel.confirm',
    actor: { type: 'system', name: to },
    target: { type: 'channel', id },
  });
  for (const again of [await open(token), await press(token)]) {
    expect([again.status, again.text]).toEqual([404, expect.stringContaining('does not work')]);
  }
});

test('the page runs no script, loads nothing, and tells no other site its address', async () => {
  const { id } = await made();
  for (const { headers, text } of [await open(newestToken(id)), await open('none')]) {
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("form-action 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/script-src|unsafe/);
    expect(headers).toMatchObject({
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(text).not.toMatch(/<script|<img|https?:/);
  }
});

test('another site’s page presses no button', async () => {
  const { id, isConfirmed } = await made();
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
  ] as Record<string, string>[]) {
    expect((await press(newestToken(id), headers)).status).toBe(403);
  }
  expect(await isConfirmed()).toBe(false);
});

test('a wrong token, an old one and a large body confirm nothing', async () => {
  const { id, isConfirmed } = await made();
  const token = newestToken(id);
  for (const wrong of ['', 'x', `${token}x`, `${'x'.repeat(43)}`, "'--", '%00']) {
    expect((await open(encodeURIComponent(wrong))).status).toBe(404);
    expect((await press(wrong)).status).toBe(404);
  }
  expect((await press('x'.repeat(2000))).status).toBe(413);
  age(id, 86_400_000 + 1000);
  expect((await open(token)).status).toBe(404);
  expect((await press(token)).status).toBe(404);
  expect(await isConfirmed()).toBe(false);
});

test('another address is asked again, and the old link is dead', async () => {
  const { account, to, id, path, isConfirmed } = await made();
  const old = newestToken(id);
  expectStatus(200, await account.call('PATCH', path, { to }));
  const second = newestToken(id);
  expect(second).not.toBe(old);
  expect((await press(old)).status).toBe(404);
  expect((await press(second)).status).toBe(200);
  expectStatus(200, await account.call('PATCH', path, { to }));
  expect(await isConfirmed()).toBe(true);
  expect(newestToken(id)).toBe(second);
  const changed = expectStatus(200, await account.call('PATCH', path, { to: newAddress() }));
  expect(changed.confirmed).toBe(false);
  // A message that isn't captured when the address changes isn't sent: there may be one less.
  expect([old, second]).not.toContain(newestToken(id));
  expect((await account.call('PATCH', path, { url: 'https://198.51.100.1/' })).status).toBe(400);
});

test('an unconfirmed address is tested only where it is the account’s own', async () => {
  const { account, path, id } = await made();
  const refused = await account.call('POST', `${path}/test`);
  expect([refused.status, refused.json.error.code]).toEqual([409, 'channel_unconfirmed']);
  const own = expectStatus(201, await add(account, account.email));
  expectStatus(202, await account.call('POST', `/api/channels/${own.id}/test`));
  await press(newestToken(id));
  expectStatus(202, await account.call('POST', `${path}/test`));
});

test('an account asks five times an hour, and all accounts ask an address three times', async () => {
  const account = await register(server);
  const codeOf = async (who: Account, to: string) => {
    const { status, json } = await add(who, to);
    return status === 201 ? 'made' : json.error.code;
  };
  for (let i = 0; i < 5; i++) expect(await codeOf(account, newAddress())).toBe('made');
  expect(await codeOf(account, newAddress())).toBe('rate_limited');
  const victim = newAddress();
  for (let i = 0; i < 3; i++) expect(await codeOf(await register(server), victim)).toBe('made');
  const answer = await add(await register(server), ` ${victim.toUpperCase()} `);
  expect([answer.status, answer.json.error.code]).toEqual([429, 'rate_limited']);
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(3000);
});

test('what is refused uses up no confirmation of the hour', async () => {
  const account = await register(server);
  const slack = { type: 'slack', url: 'http://127.0.0.1:1/hooks' };
  const made: string[] = [];
  for (let i = 0; i < 20; i++) {
    made.push(expectStatus(201, await account.call('POST', '/api/channels', slack)).id);
  }
  for (let i = 0; i < 6; i++) {
    const { status, json } = await add(account, newAddress());
    expect([status, json.error.code]).toEqual([409, 'limit_reached']);
  }
  for (const id of made) expectStatus(204, await account.call('DELETE', `/api/channels/${id}`));
  const full = newAddress();
  for (let i = 0; i < 3; i++) expectStatus(201, await add(await register(server), full));
  for (let i = 0; i < 6; i++) expect((await add(account, full)).status).toBe(429);
  for (let i = 0; i < 5; i++) expectStatus(201, await add(account, newAddress()));
});
