import {
  createHmac,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  timingSafeEqual,
  verify,
} from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { beforeAll, describe, expect, test } from 'vitest';
import type { EndpointAnswer } from '../../src/api/endpoints/endpoint-answer.ts';
import { sendRequest } from '../../src/cli/trigger/send-request.ts';
import { requestTarget } from '../../src/cli/trigger/trigger-target.ts';
import { HookrelayError } from '../../src/core/errors.ts';
import { findSample } from '../../src/providers/find-sample.ts';
import { SAMPLES } from '../../src/providers/samples.ts';
import { type ComposedSample, composeSample } from '../../src/providers/sampling/compose-sample.ts';
import type { Sample } from '../../src/providers/sampling/sample.ts';
import { type Account, register } from '../fixtures/account.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { ManualClock } from '../fixtures/manual-clock.ts';
import { serverOfFile } from '../fixtures/running-server.ts';

/*
 * The receivers' verification, written from the providers' documentation and not
 * from the signing code. Every sample must pass its provider's verification as a
 * real server stored it.
 */

/** A request as a receiver has it. */
interface Received {
  url: string;
  /** Keyed by lower-case name. */
  headers: Map<string, string>;
  body: Buffer;
}

const TOLERANCE_S = 300;

function header({ headers }: Received, name: string): string {
  const value = headers.get(name);
  if (value === undefined) throw new Error(`there is no ${name}`);
  return value;
}

function same(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

function isRecent(seconds: string, nowMs: number): boolean {
  return /^\d+$/.test(seconds) && Math.abs(nowMs / 1000 - Number(seconds)) < TOLERANCE_S;
}

type Verify = (request: Received, secret: string, nowMs: number) => boolean;

const VERIFICATIONS = {
  // "Validating webhook deliveries": sha256= and the hex HMAC of the payload.
  github(request, secret) {
    const digest = createHmac('sha256', secret).update(request.body).digest('hex');
    const old = createHmac('sha1', secret).update(request.body).digest('hex');
    return (
      same(header(request, 'x-hub-signature-256'), `sha256=${digest}`) &&
      same(header(request, 'x-hub-signature'), `sha1=${old}`)
    );
  },
  // "Verify webhook signatures manually": split at commas, then at =; sign timestamp, dot, body.
  stripe(request, secret, nowMs) {
    const parts = header(request, 'stripe-signature')
      .split(',')
      .map((part) => part.split('=') as [string, string]);
    const timestamp = parts.find(([name]) => name === 't')?.[1] ?? '';
    const signed = Buffer.concat([Buffer.from(`${timestamp}.`), request.body]);
    const expected = createHmac('sha256', secret).update(signed).digest('hex');
    return (
      isRecent(timestamp, nowMs) &&
      parts.some(([name, value]) => name === 'v1' && same(value, expected))
    );
  },
  // "Validate the origin of your webhook": base64 of the HMAC of the raw body.
  shopify(request, secret) {
    const digest = createHmac('sha256', Buffer.from(secret, 'utf8')).update(request.body);
    const given = Buffer.from(header(request, 'x-shopify-hmac-sha256'), 'base64');
    return timingSafeEqual(given, digest.digest());
  },
  // "Verifying requests from Slack": v0, timestamp and body, joined by colons.
  slack(request, secret, nowMs) {
    const timestamp = header(request, 'x-slack-request-timestamp');
    const base = ['v0', timestamp, request.body.toString('utf8')].join(':');
    const expected = `v0=${createHmac('sha256', secret).update(base, 'utf8').digest('hex')}`;
    return isRecent(timestamp, nowMs) && same(header(request, 'x-slack-signature'), expected);
  },
  // "Validate payloads by using a secret token": it is the token itself.
  gitlab: (request, secret) => header(request, 'x-gitlab-token') === secret,
  // "Validating Signatures from Twilio": the full URL, then sorted names and values, HMAC-SHA1.
  twilio(request, secret) {
    const fields = Object.fromEntries(new URLSearchParams(request.body.toString('utf8')));
    const data = Object.keys(fields)
      .sort()
      .reduce((text, name) => text + name + fields[name], request.url);
    const expected = createHmac('sha1', secret).update(Buffer.from(data, 'utf8')).digest('base64');
    return same(header(request, 'x-twilio-signature'), expected);
  },
  // "Verify the signature": ECDSA over SHA-256 of the timestamp and the raw payload.
  sendgrid(request, publicKey, nowMs) {
    const timestamp = header(request, 'x-twilio-email-event-webhook-timestamp');
    return (
      isRecent(timestamp, nowMs) &&
      verifySendGrid(
        publicKey,
        timestamp,
        request.body,
        header(request, 'x-twilio-email-event-webhook-signature'),
      )
    );
  },
  // The specification's own library, which reads the clock itself.
  standard(request, secret) {
    new Webhook(secret).verify(request.body.toString('utf8'), Object.fromEntries(request.headers));
    return true;
  },
} satisfies Record<string, Verify>;

type Name = keyof typeof VERIFICATIONS;

/** Verifies a sample as a receiver does. Throws for a provider without a verification here. */
function verificationOf({ provider }: Sample): Verify {
  if (!Object.hasOwn(VERIFICATIONS, provider)) throw new Error(`no verification of ${provider}`);
  return VERIFICATIONS[provider as Name];
}

function signerOf(provider: Name) {
  const sample = SAMPLES.find((one) => one.provider === provider) as Sample;
  return sample.signature.signer;
}

function verifySendGrid(
  publicKey: string,
  timestamp: string,
  payload: Buffer,
  signature: string,
): boolean {
  const key = createPublicKey({
    key: Buffer.from(publicKey, 'base64'),
    format: 'der',
    type: 'spki',
  });
  const signed = Buffer.concat([Buffer.from(timestamp), payload]);
  return verify('sha256', signed, key, Buffer.from(signature, 'base64'));
}

function received(url: string, { headers, body }: ComposedSample): Received {
  const pairs: [string, string][] = [];
  for (let i = 0; i < headers.length; i += 2) {
    pairs.push([(headers[i] as string).toLowerCase(), headers[i + 1] as string]);
  }
  return { url, headers: new Map(pairs), body };
}

const URL_OF_RECEIVER = 'https://hooks.example.com/in/abc?x=1&y=%20';
const clock = new ManualClock();

function compose(sample: Sample, overrides: Partial<Parameters<typeof composeSample>[1]> = {}) {
  return composeSample(sample, {
    url: URL_OF_RECEIVER,
    secret: null,
    overrides: [],
    add: false,
    nowMs: clock.now(),
    randomBytes,
    ...overrides,
  });
}

describe('vectors of the documentation', () => {
  const sign = (
    provider: Name,
    body: string,
    secret: string,
    request: { url?: string; timestampS?: number; deliveryId?: string } = {},
  ) =>
    Object.fromEntries(
      signerOf(provider).sign(
        {
          method: 'POST',
          url: '',
          timestampS: 0,
          deliveryId: '',
          ...request,
          body: Buffer.from(body),
        },
        secret,
      ),
    );

  test('GitHub', () => {
    // https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries#testing-the-webhook-payload-validation
    const headers = sign('github', 'Hello, World!', "It's a Secret to Everybody");
    expect(headers['X-Hub-Signature-256']).toBe(
      'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    );
  });

  test('Slack', () => {
    // https://docs.slack.dev/authentication/verifying-requests-from-slack
    const body =
      'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c';
    const secret = '8f742231b10e8888abcd99yyyzzz85a5';
    expect(sign('slack', body, secret, { timestampS: 1531420618 })).toEqual({
      'X-Slack-Request-Timestamp': '1531420618',
      'X-Slack-Signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
    });
  });

  test.each([
    // https://www.twilio.com/docs/usage/security#validating-requests
    ['https://mycompany.com/myapp.php?foo=1&bar=2', '+12349013030', '0/KCTR6DLpKmkAf8muzZqo1nDgQ='],
    // The same page in earlier years, and the tests of Twilio's own libraries.
    ['https://mycompany.com/myapp.php?foo=1&bar=2', '+14158675309', 'RSOYDt4T1cUTdK1PDd93/VVr8B8='],
  ])('Twilio, %s from %s', (url, caller, signature) => {
    const fields = {
      To: '+18005551212',
      Digits: '1234',
      From: caller,
      Caller: caller,
      CallSid: 'CA1234567890ABCDE',
    };
    const body = new URLSearchParams(fields).toString();
    expect(sign('twilio', body, '12345', { url })).toEqual({ 'X-Twilio-Signature': signature });
  });

  test('Standard Webhooks', () => {
    // The tests of the specification's libraries.
    const headers = sign(
      'standard',
      '{"test": 2432232314}',
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      { deliveryId: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestampS: 1614265330 },
    );
    expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  // https://github.com/sendgrid/sendgrid-nodejs/blob/main/packages/eventwebhook/src/eventwebhook.spec.js
  test("SendGrid: this file's verification accepts a real signature, and nothing else", () => {
    const key =
      'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE83T4O/n84iotIvIW4mdBgQ/7dAfSmpqIM8kF9mN1flpVKS3GRqe62gw+2fNNRaINXvVpiglSI8eNEc6wEA3F+g==';
    const signature =
      'MEUCIGHQVtGj+Y3LkG9fLcxf3qfI10QysgDWmMOVmxG0u6ZUAiEAyBiXDWzM+uOe5W0JuG+luQAbPIqHh89M15TluLtEZtM=';
    const event = {
      email: 'hello@world.com',
      event: 'dropped',
      reason: 'Bounced Address',
      sg_event_id: 'ZHJvcC0xMDk5NDkxOS1MUnpYbF9OSFN0T0doUTRrb2ZTbV9BLTA',
      sg_message_id: 'LRzXl_NHStOGhQ4kofSm_A.filterdrecv-p3mdw1-756b745b58-kmzbl-18-5F5FC76C-9.0',
      'smtp-id': '<LRzXl_NHStOGhQ4kofSm_A@ismtpd0039p1iad1.sendgrid.net>',
      timestamp: 1600112492,
    };
    const payload = Buffer.from(`${JSON.stringify([event])}\r\n`);
    expect(verifySendGrid(key, '1600112502', payload, signature)).toBe(true);
    expect(verifySendGrid(key, '1600112503', payload, signature)).toBe(false);
    expect(verifySendGrid(key, '1600112502', payload.subarray(0, -2), signature)).toBe(false);
  });
});

describe.each(SAMPLES)('$name', (sample) => {
  const verifyAs = verificationOf(sample);
  // The library of Standard Webhooks reads the clock itself.
  const nowMs = sample.provider === 'standard' ? Date.now() : clock.now();
  const keyOf = (composed: ComposedSample, secret: string) => composed.verificationKey ?? secret;

  test("passes its provider's verification, with the test secret and with another", () => {
    const another = 'whsec_bm90IHRoZSB0ZXN0IHNlY3JldCBhdCBhbGw=';
    const own = sample.provider === 'gitlab' ? 'glw-another' : another;
    for (const secret of [null, own]) {
      const composed = compose(sample, { nowMs, secret });
      const key = keyOf(composed, secret ?? sample.signature.signer.testSecret);
      const request = received(URL_OF_RECEIVER, composed);
      expect(verifyAs(request, key, nowMs)).toBe(true);
      expect(request.headers.has(composed.signatureHeader.toLowerCase())).toBe(true);
    }
  });

  test('is refused after a change of any signed byte', () => {
    const composed = compose(sample, { nowMs });
    const key = keyOf(composed, sample.signature.signer.testSecret);
    const isAccepted = (request: Received) => {
      try {
        return verifyAs(request, key, nowMs);
      } catch {
        return false;
      }
    };
    const request = received(URL_OF_RECEIVER, composed);
    expect(isAccepted(request)).toBe(true);
    const changed = Buffer.from(request.body);
    const at = changed.indexOf('a');
    changed[at] = 0x62;
    // GitLab's token authenticates only the sender.
    expect(isAccepted({ ...request, body: changed })).toBe(sample.provider === 'gitlab');
    const elsewhere = { ...request, url: 'https://other.example.com/' };
    expect(isAccepted(elsewhere)).toBe(sample.provider !== 'twilio');
  });
});

describe('secrets', () => {
  test('a GitLab signing token signs as Standard Webhooks does', () => {
    const secret = signerOf('standard').testSecret;
    const nowMs = Date.now();
    const composed = compose(findSample('gitlab.push'), { secret, nowMs });
    const request = received(URL_OF_RECEIVER, composed);
    expect(composed.signatureHeader).toBe('webhook-signature');
    expect(VERIFICATIONS.standard(request, secret)).toBe(true);
    expect(request.headers.get('webhook-id')).toBe(request.headers.get('idempotency-key'));
    expect(request.headers.has('x-gitlab-token')).toBe(false);
  });

  test('SendGrid accepts a private key as PEM and as base64, or any text', () => {
    const sample = findSample('sendgrid.events');
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
    const shown = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
    const forms = [
      privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
      privateKey.export({ type: 'sec1', format: 'pem' }) as string,
      privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
    ];
    for (const secret of forms) {
      const composed = compose(sample, { secret });
      expect(composed.verificationKey).toBe(shown);
      const request = received(URL_OF_RECEIVER, composed);
      expect(VERIFICATIONS.sendgrid(request, shown, clock.now())).toBe(true);
    }
    const keys = ['one', 'one', 'two'].map((secret) => compose(sample, { secret }).verificationKey);
    expect(keys[0]).toBe(keys[1]);
    expect(keys[2]).not.toBe(keys[1]);
    // The documented secret, which receivers may have stored.
    expect(compose(sample).verificationKey).toBe(
      'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEBrtcUFhw4xZUHFMc3yU9r/IZ+pyZO1kWzzdsXneTLepFt4slUKJ0KaFWo/Nkuh8ccArlFP+SDrTDReC31uuiGA==',
    );
  });

  test.each([
    ['github.push', '', 'the secret is empty'],
    ['gitlab.push', 'a\nb', 'the secret holds characters that cannot be sent in a header'],
    ['standard.user.created', 'whsec_AAE', 'the secret must be whsec_ and standard base64'],
    ['gitlab.push', 'whsec_-_-_', 'the secret must be whsec_ and standard base64'],
    ['sendgrid.events', '-----BEGIN PRIVATE KEY-----\nAA\n', 'the secret is not a private key'],
    ['sendgrid.events', 'P-384', 'the key is not an elliptic-curve key on P-256'],
    ['sendgrid.events', 'Ed25519', 'the key is not an elliptic-curve key on P-256'],
  ])('%s refuses %j', (name, given, message) => {
    let secret = given;
    if (given === 'P-384') {
      const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp384r1' });
      secret = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    } else if (given === 'Ed25519') {
      const { privateKey } = generateKeyPairSync('ed25519');
      secret = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    }
    const attempt = () => compose(findSample(name), { secret });
    expect(attempt).toThrow(HookrelayError);
    expect(attempt).toThrow(message);
  });
});

describe('at a real server', () => {
  failOnLeaks();
  const server = serverOfFile();
  let account: Account;
  let endpoint: EndpointAnswer;

  beforeAll(async () => {
    account = await register(server);
    endpoint = await account.createEndpoint();
  });

  const EVENT_TYPES: Record<string, string> = {
    'github.push': 'push',
    'github.pull_request': 'pull_request',
    'github.issues': 'issues',
    'github.release': 'release',
    'github.ping': 'ping',
    'shopify.orders.create': 'orders/create',
    'shopify.products.update': 'products/update',
    'gitlab.push': 'Push Hook',
    'gitlab.merge_request': 'Merge Request Hook',
    'slack.message': 'message',
    'slack.url_verification': 'url_verification',
    'twilio.message': 'message',
    'twilio.call': 'call',
    'standard.user.created': 'user.created',
  };
  /** Stripe's samples have the names of its types. */
  const typeOf = ({ name, provider }: Sample) =>
    provider === 'stripe' ? name.slice('stripe.'.length) : (EVENT_TYPES[name] ?? null);

  test.each(SAMPLES)('$name is recognised, and verifies as stored', async (sample) => {
    const url = endpoint.capture_url;
    const nowMs = Date.now();
    const { signatureHeader, verificationKey, ...request } = compose(sample, { url, nowMs });
    const answer = await sendRequest({ ...requestTarget(url), ...request });
    expect(answer.status).toBe(200);
    const eventId = answer.eventId as string;

    const event = await account.event(endpoint, eventId);
    expect(event).toMatchObject({
      provider: sample.provider === 'standard' ? 'standard-webhooks' : sample.provider,
      event_type: typeOf(sample),
      method: 'POST',
      path: '',
      body_encoding: sample.format === 'form' ? 'text' : 'json',
    });
    const names = event.raw_headers.map(([name]: [string]) => name);
    expect(names).toContain(signatureHeader);

    const raw = await account.call('GET', `/api/endpoints/${endpoint.id}/events/${eventId}/raw`);
    expect(raw.body).toEqual(request.body);
    const stored = {
      url,
      headers: new Map(Object.entries(event.headers as Record<string, string>)),
      body: raw.body,
    };
    const key = verificationKey ?? sample.signature.signer.testSecret;
    expect(verificationOf(sample)(stored, key, Date.now())).toBe(true);
    if (sample.name === 'slack.url_verification') {
      expect(answer.text).toBe(JSON.parse(raw.text).challenge);
    }
  });
});

test('the test secret of Standard Webhooks has the specified length', () => {
  const [, encoded = ''] = signerOf('standard').testSecret.split('whsec_');
  const length = Buffer.from(encoded, 'base64').length;
  expect(length).toBeGreaterThanOrEqual(24);
  expect(length).toBeLessThanOrEqual(64);
});
