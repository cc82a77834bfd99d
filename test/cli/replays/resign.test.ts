import Stripe from 'stripe';
import twilio from 'twilio';
import { expect, test } from 'vitest';
import { capture, expectStatus } from '../../fixtures/account.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { httpReceiver, type Received } from '../../fixtures/receiver.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';
import { accountShell } from '../command-line.ts';

/* Commands that sign captured events as their provider does. */

failOnLeaks();
const server = serverOfFile();

const SECRET = 'whsec_the_endpoints_secret';
const BODY = '{"id":"evt_1","object":"event"}';
const { getExpectedTwilioSignature } = twilio;
const { webhooks } = new Stripe('sk_test_1');

async function setup() {
  const { run, account } = await accountShell(server);
  const endpoint = await account.createEndpoint({ name: 'orders' });
  const source = { provider: 'stripe', secrets: [SECRET] };
  expectStatus(200, await account.call('PATCH', `/api/endpoints/${endpoint.id}`, { source }));
  const target = await httpReceiver();
  const old = webhooks.generateTestHeaderString({
    ...{ payload: BODY, secret: SECRET },
    timestamp: Math.floor(Date.now() / 1000) - 200,
  });
  const headers = { 'Stripe-Signature': old, 'x-hookrelay-verification': 'verified' };
  const id = await capture(endpoint.capture_url, BODY, { headers });
  const forged = await capture(endpoint.capture_url, BODY);
  return { run, account, endpoint, target, id, forged, old };
}

const signatures = ({ rawHeaders }: Received) =>
  rawHeaders.filter((_, i) => rawHeaders[i - 1]?.toLowerCase() === 'stripe-signature');

test('replay --to passes the signature on, and with --resign makes a new one', async () => {
  const { run, target, id, old } = await setup();
  expect(await run('replay', id, '--to', target.url)).toMatchObject({ code: 0 });
  expect(await run('replay', id, '--to', target.url, '--resign')).toMatchObject({ code: 0 });
  const [passedOn, signed] = (await target.received(2)) as [Received, Received];
  expect(signatures(passedOn)).toEqual([old]);
  const [signature, ...others] = signatures(signed);
  expect(others).toEqual([]);
  expect(signature).not.toBe(old);
  expect(webhooks.constructEvent(signed.body, signature as string, SECRET, 60)).toMatchObject({
    id: 'evt_1',
  });
  for (const { headers } of [passedOn, signed]) {
    expect(headers['x-hookrelay-verification']).toBe('verified; provider=stripe');
  }
});

test('replay --to --resign sends nothing that was not verified', async () => {
  const { run, target, forged } = await setup();
  const refused = await run('replay', forged, '--to', target.url, '--resign');
  expect(refused.code).not.toBe(0);
  expect(refused.stdout + refused.stderr).toContain('only verified events are signed');
  expect(target.requests).toEqual([]);
  expect(await run('replay', forged, '--to', target.url)).toMatchObject({ code: 0 });
  const [{ headers }] = (await target.received(1)) as [Received];
  expect(headers['x-hookrelay-verification']).toBe(
    'failed; provider=stripe; reason=signature_missing',
  );
});

test('--resign needs --to, and not with --secret', async () => {
  const { run, id } = await setup();
  const alone = await run('replay', id, '--resign');
  expect(alone.stderr).toContain('--resign needs --to');
  const both = await run('replay', id, '--to', '3000', '--resign', '--secret', 'x');
  expect(both.stderr).toContain('--resign and --secret exclude each other');
});

test('trigger --from-event signs with a secret of one’s own', async () => {
  const { run, target, forged, endpoint } = await setup();
  const sent = await run('trigger', '--from-event', forged, '--to', target.url, '--secret', 'mine');
  expect(sent).toMatchObject({ code: 0 });
  const [signed] = (await target.received(1)) as [Received];
  const [signature, ...others] = signatures(signed);
  expect(others).toEqual([]);
  expect(webhooks.constructEvent(signed.body, signature as string, 'mine')).toMatchObject({
    id: 'evt_1',
  });
  const { run: other, account } = await accountShell(server);
  const plain = await account.createEndpoint({ name: endpoint.name });
  const unknown = await capture(plain.capture_url, 'x');
  const refused = await other('trigger', '--from-event', unknown, '--secret', 'mine');
  expect(refused.stderr).toContain("the event's provider is unknown");
});

test('--resign sends nothing to a URL that may not be signed, and says what to do', async () => {
  const { run, endpoint, account } = await setup();
  const secret = 'the token';
  const source = { provider: 'twilio', secrets: [secret], url: 'https://shop.example.com/' };
  expectStatus(200, await account.call('PATCH', `/api/endpoints/${endpoint.id}`, { source }));
  const id = await capture(endpoint.capture_url, 'Body=hi', {
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': getExpectedTwilioSignature(secret, source.url, { Body: 'hi' }),
    },
  });
  const refused = await run('replay', id, '--to', 'https://198.51.100.1/sms', '--resign');
  expect(refused.code).not.toBe(0);
  expect(refused.stdout + refused.stderr).toContain('add the URL as a destination');
});
