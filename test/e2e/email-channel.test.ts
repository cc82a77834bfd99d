import { expect, test } from 'vitest';
import { callApi, expectStatus, register } from '../fixtures/account.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { mailServer } from '../fixtures/mail-server.ts';
import { runServer } from '../fixtures/running-server.ts';
import { until } from '../fixtures/until.ts';

failOnLeaks();

/** The text of a quoted-printable message (RFC 2045, section 6.7). */
const decoded = (raw: string) =>
  raw
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));

test('an address confirms by the link in its mailbox, and gets a test', async () => {
  const mail = await mailServer();
  const server = await runServer({
    smtpUrl: `smtp://127.0.0.1:${mail.port}`,
    smtpFrom: 'alerts@example.com',
  });
  const account = await register(server);
  const input = { type: 'email', to: 'Ops@Example.com' };
  const made = expectStatus(201, await account.call('POST', '/api/channels', input));
  expect(made).toMatchObject({ type: 'email', to: 'ops@example.com', confirmed: false });
  const [question] = await until('the confirmation arrives', async () => {
    return mail.received.length > 0 && mail.received;
  });
  expect(question?.to).toEqual(['ops@example.com']);
  const [, token = ''] = /\/confirm\?token=([\w-]+)/.exec(decoded(question?.raw ?? '')) ?? [];
  server.secrets.push(token);

  const page = await callApi(server, 'GET', `/confirm?token=${token}`);
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('ops@example.com')]);
  const body = new URLSearchParams({ token }).toString();
  expect((await callApi(server, 'POST', '/confirm', body)).status).toBe(200);

  const path = `/api/channels/${made.id}`;
  expectStatus(202, await account.call('POST', `${path}/test`));
  await until('the test arrives', async () => mail.received.length === 2);
  expect(mail.received[1]?.headers.get('subject')).toContain('test');
  const shown = await until('its delivery is on record', async () => {
    const channel = expectStatus(200, await account.call('GET', path));
    return channel.last_delivery?.state === 'succeeded' && channel;
  });
  expect(shown).toMatchObject({ confirmed: true, last_delivery: { attempts: 1, error: null } });
});
