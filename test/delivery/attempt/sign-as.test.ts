import { verifySlackRequest } from '@slack/bolt';
import Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import type { Source } from '../../../src/core/proof/source.ts';
import type { Verification } from '../../../src/core/proof/verification.ts';
import { ManualClock } from '../../fixtures/manual-clock.ts';
import { httpReceiver, type Received } from '../../fixtures/receiver.ts';
import { attempt, deliveryTo } from '../made-attempts.ts';

/* Attempts that are signed as the provider signs, at receivers with the provider's library. */

const DAY_MS = 86_400_000;
const OLD_SECRET = 'whsec_old';
const NEW_SECRET = 'whsec_new';
const BODY = Buffer.from('{"id":"evt_stripe","object":"event","amount":12345678901234567890}');

const { webhooks } = new Stripe('sk_test_1');

const verified = (provider: string): Verification => ({
  ...{ state: 'verified', provider, secret: 1, reason: null },
});

const signerOf = (provider: string) => ({
  endpointId: 'ep_1',
  publicToken: 'token',
  source: {
    ...{ provider, enforce: false, url: null, in: null, scheme: null },
    sealedSecrets: Buffer.from('source'),
  } satisfies Source,
});

/** Opens the source of the endpoint, and nothing else. */
const opening = (secrets: readonly string[]) => (bytes: Uint8Array, id: string) =>
  Buffer.from(bytes).toString() === 'source' && id === 'ep_1' ? JSON.stringify(secrets) : null;

function signedByStripe(at: number): string[] {
  const timestamp = Math.floor(at / 1000);
  const payload = BODY.toString();
  const signature = webhooks.generateTestHeaderString({ payload, secret: OLD_SECRET, timestamp });
  return ['Content-Type', 'application/json', 'Stripe-Signature', signature];
}

const construct = ({ body, headers }: Received, secret: string, now: number) =>
  webhooks.constructEvent(
    ...([body, headers['stripe-signature'] as string, secret, 300, undefined, now] as const),
  );

test('Stripe’s library accepts an attempt a day later, with each of the secrets', async () => {
  const target = await httpReceiver();
  const clock = new ManualClock();
  const request = {
    ...{ body: BODY, rawHeaders: signedByStripe(clock.now()), verification: verified('stripe') },
  };
  clock.advance(DAY_MS);
  const openSecret = opening([OLD_SECRET, NEW_SECRET]);
  const given = { clock, openSecret };
  const begun = deliveryTo(target.url);
  await attempt(begun, request, given);
  const made = await attempt({ ...begun, signer: signerOf('stripe') }, request, given);
  expect(made).toMatchObject({ attempt: { error: null }, next: { state: 'succeeded' } });

  const [passedOn, signed] = (await target.received(2)) as [Received, Received];
  const age = 'Timestamp outside the tolerance zone';
  expect(() => construct(passedOn, OLD_SECRET, clock.now())).toThrow(age);
  for (const secret of [OLD_SECRET, NEW_SECRET]) {
    expect(construct(signed, secret, clock.now())).toMatchObject({ id: 'evt_stripe' });
  }
  expect(() => construct(signed, 'whsec_other', clock.now())).toThrow('No signatures found');
  const names = signed.rawHeaders.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase());
  expect(names.filter((name) => name === 'stripe-signature')).toHaveLength(1);
  expect(signed.headers['x-hookrelay-verification']).toBe('verified; provider=stripe');
  expect(made?.attempt.requestHeaders).toContainEqual([
    'Stripe-Signature',
    signed.headers['stripe-signature'],
  ]);
});

test('Slack’s library accepts an attempt a day later', async () => {
  const target = await httpReceiver();
  const clock = new ManualClock();
  const old = String(Math.floor(clock.now() / 1000));
  const rawHeaders = ['x-slack-request-timestamp', old, 'x-slack-signature', 'v0=old'];
  clock.advance(DAY_MS);
  const request = { body: BODY, rawHeaders, verification: verified('slack') };
  const given = { clock, openSecret: opening(['of the app', 'another']) };
  const begun = deliveryTo(target.url);
  await attempt(begun, request, given);
  await attempt({ ...begun, signer: signerOf('slack') }, request, given);
  const [passedOn, signed] = (await target.received(2)) as [Received, Received];
  const verify = ({ body, headers }: Received) =>
    verifySlackRequest({
      signingSecret: 'of the app',
      body: body.toString(),
      headers: headers as never,
      nowMilliseconds: clock.now(),
    });
  expect(() => verify(passedOn)).toThrow('is stale');
  expect(() => verify(signed)).not.toThrow();
});

test('a scheme that covers the URL gets the URL of the attempt', async () => {
  const target = await httpReceiver();
  const body = Buffer.from('MessageSid=SM1&Body=hi');
  const request = { body, path: '/sub', query: 'a=b', verification: verified('twilio') };
  const given = { openSecret: opening(['token']) };
  const begun = deliveryTo(`${target.url}/hooks?k=v`);
  await attempt({ ...begun, signer: signerOf('twilio') }, request, given);
  const [{ headers }] = (await target.received(1)) as [Received];
  const { validateRequest } = (await import('twilio')).default;
  const params = { MessageSid: 'SM1', Body: 'hi' };
  const signature = headers['x-twilio-signature'] as string;
  const url = `${target.url}/hooks/sub?k=v&a=b`;
  expect(validateRequest('token', signature, url, params)).toBe(true);
  expect(validateRequest('token', signature, `${target.url}/hooks`, params)).toBe(false);
});

test('the destination’s own headers don’t replace the signature', async () => {
  const target = await httpReceiver();
  const begun = deliveryTo(target.url);
  const destination = { ...begun.destination, sealedHeaders: Buffer.from('headers') };
  const source = opening([OLD_SECRET]);
  await attempt(
    { ...begun, destination, signer: signerOf('stripe') },
    { body: BODY, verification: verified('stripe') },
    {
      openSecret: (bytes, id) =>
        id === 'dst_1' ? '{"stripe-signature":"mine","x-own":"1"}' : source(bytes, id),
    },
  );
  const [signed] = (await target.received(1)) as [Received];
  expect(signed.headers['x-own']).toBe('1');
  expect(construct(signed, OLD_SECRET, Date.now())).toMatchObject({ id: 'evt_stripe' });
});

describe('an attempt that can’t be signed is not sent, and its delivery dies', () => {
  const edited: Verification = {
    ...{ state: 'unverified', provider: 'stripe', secret: null, reason: 'edited' },
  };
  const wrong = { ...edited, state: 'failed', reason: 'signature_mismatch' } as const;
  const token: Verification = { ...verified('token'), state: 'authenticated' };
  const without = { ...signerOf('stripe'), source: null };
  const standard = 'standard-webhooks';
  test.each([
    ['an event of an endpoint without a source', { state: 'unverified', provider: null }, 'stripe'],
    ['an edited copy', edited, 'stripe'],
    ['a forgery', wrong, 'stripe'],
    ['an event with a token', token, 'token'],
    ['an event of another provider', verified('slack'), 'stripe'],
    ['an event whose source is gone', verified('stripe'), without],
    ['secrets that can’t be opened', verified('stripe'), { ...signerOf('stripe'), endpointId: '' }],
    ['a second signature in the same headers', verified(standard), standard],
  ] as const)('%s', async (_, verification, signer) => {
    const target = await httpReceiver();
    const begun = deliveryTo(target.url);
    const isStandard = signer === standard;
    const made = await attempt(
      {
        ...begun,
        ...(isStandard && {
          destination: { ...begun.destination, sealedSecret: Buffer.from('own') },
        }),
        signer: typeof signer === 'string' ? signerOf(signer) : signer,
      },
      { verification: { secret: null, reason: null, ...verification } },
      {
        openSecret: (bytes, id) =>
          id === 'dst_1'
            ? 'own secret'
            : opening(['whsec_c2Vjb25kLXNlY3JldC1vZi0yNC1ieQ=='])(bytes, id),
      },
    );
    expect(made).toMatchObject({
      attempt: { error: { code: 'not_verified' }, responseCode: null, requestHeaders: null },
      reach: 'not_sent',
      next: { state: 'dead' },
    });
    expect(target.requests).toEqual([]);
  });
});
