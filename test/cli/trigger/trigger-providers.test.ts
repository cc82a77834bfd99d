import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EndpointAnswer } from '../../../src/api/endpoints/endpoint-answer.ts';
import { signAs } from '../../../src/cli/trigger/sign-as.ts';
import type { TriggerFlags } from '../../../src/cli/trigger/trigger-flags.ts';
import { prove } from '../../../src/providers/prove.ts';
import { PROVIDERS, providerOf } from '../../../src/providers/providers.ts';
import { SAMPLES } from '../../../src/providers/samples.ts';
import { STAMPS } from '../../../src/providers/stamps.ts';
import { type Account, capture, register } from '../../fixtures/account.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { httpReceiver, type Received } from '../../fixtures/receiver.ts';
import { serverOfFile, tempDir } from '../../fixtures/running-server.ts';
import { hookrelay, type Outcome, type Shell } from '../command-line.ts';
import { triggerHere } from './trigger-here.ts';

/*
 * What trigger sends as a provider, a source of this provider verifies: each provider's on
 * the request that arrives, and some at a real endpoint.
 */

failOnLeaks();
const server = serverOfFile();

const SIGNING = PROVIDERS.filter(({ name, signature }) => signature || STAMPS.has(name)).map(
  ({ name }) => name,
);
/** Secrets that aren't the test secret. Each provider takes a pair of them. */
const SECRETS: readonly (readonly [string, string])[] = [
  ['a1'.repeat(32), 'b2'.repeat(32)],
  ['whsec_c2Vjb25kLXNlY3JldC1vZi0yNC1ieQ==', 'whsec_dGhpcmQtc2VjcmV0LW9mLTI0LWJ5dA=='],
  ['v1,whsec_c2Vjb25kLXNlY3JldC1vZi0yNC1ieQ==', 'v1,whsec_dGhpcmQtc2VjcmV0LW9mLTI0LWJ5dA=='],
];
/** Their endpoints are real: a proof in the body, in the URL or in a password, and one of each kind of key. */
const AT_AN_ENDPOINT = [
  ...['adyen', 'discord', 'figma', 'gitlab', 'mailgun', 'mandrill', 'microsoft-graph', 'postmark'],
  ...['sendgrid', 'standard-webhooks', 'stripe', 'telegram', 'twilio'],
];
const PASSWORDS = ['user:the-password-1', 'user:the-password-2'] as const;
const [TEXT = '', STANDARD = ''] = SECRETS.map(([secret]) => secret);
/** Bodies with a place for the proof, where any body won't do. */
const BODIES: Record<string, string> = {
  adyen:
    '{"live":"true","notificationItems":[{"NotificationRequestItem":{"eventCode":"REFUND","amount":{"value":5,"currency":"EUR"}}}]}',
  'microsoft-graph': '{"value":[{"changeType":"created"},{"changeType":"deleted"}]}',
  twilio: 'MessageSid=SM1&Body=hi+there',
  // An empty batch is Mandrill's check of the URL.
  mandrill: 'mandrill_events=%5B%7B%22event%22%3A%22open%22%7D%5D',
};
const typeOf = (body: string) =>
  body.startsWith('{') ? 'application/json' : 'application/x-www-form-urlencoded';
const BODY = '{"id":"ours_1",  "type":"ours", "big":12345678901234567890}';
/** The proof stands in the body, so the body is printed again. */
const CHANGED = ['adyen', 'figma', 'mailgun', 'microsoft-graph'];

const HOME = tempDir(afterAll);
let shell: Shell;
let account: Account;
let endpoint: EndpointAnswer;

beforeAll(async () => {
  account = await register(server);
  const { json } = await account.call('POST', '/api/tokens', { name: 'cli' });
  server.secrets.push(json.token);
  shell = { home: HOME, url: server.url, token: json.token };
  endpoint = await account.createEndpoint({ name: 'hooks' });
});

const run = (...args: string[]) => hookrelay(shell, ['trigger', ...args]);

async function verifyBy(provider: string, secret: string): Promise<void> {
  const answer = await account.call('PATCH', `/api/endpoints/${endpoint.id}`, {
    source: { provider, secrets: [secret] },
  });
  expect(answer.json).toMatchObject({ source: { provider } });
}

/** Two secrets that sign, and the key that verifies what the first one signs. */
function keysOf(name: string): { secret: string; other: string; key: string } {
  const { proof, signature } = providerOf(name) ?? {};
  const keyOf = signature?.signer?.verificationKey ?? ((secret: string) => secret);
  const pair =
    name === 'postmark'
      ? PASSWORDS
      : SECRETS.find(([secret]) => proof?.problem(keyOf(secret)) === null);
  if (!pair) throw new Error(`${name} takes none of the secrets`);
  const [secret, other] = pair;
  return { secret, other, key: keyOf(secret) };
}

async function eventOf({ json }: Outcome) {
  expect(json).toMatchObject({ status: 200, event_id: expect.stringMatching(/^evt_/) });
  return account.event(endpoint, json.event_id);
}

const proven = (provider: string, state = providerOf(provider)?.proof?.grade) => ({
  verification: { state, provider, secret: 1, reason: null },
});

test('every provider with a signature can sign', () => {
  expect(SIGNING.length).toBeGreaterThan(100);
  for (const name of SIGNING) {
    expect([name, providerOf(name)?.signature?.signer ?? STAMPS.get(name)]).not.toContain(
      undefined,
    );
  }
});

/** The grade of what a provider's secrets here sign. */
function gradeOf(name: string) {
  // A token of GitLab covers nothing, unless it is a signing token.
  return name === 'gitlab' ? 'authenticated' : providerOf(name)?.proof?.grade;
}

test('every provider verifies what it is sent, and refuses another secret', async () => {
  const receiver = await httpReceiver();
  const to = `${receiver.url}/hooks?a=b`;
  const verdictOf = (
    provider: string,
    key: string,
    { rawHeaders, body, at }: Pick<Received, 'rawHeaders' | 'body' | 'at'>,
  ) =>
    prove({ provider, enforce: false, url: null, in: null, scheme: null }, [key], {
      ...{ method: 'POST', rawHeaders, body, query: 'a=b', urls: [to], receivedAt: at },
    });
  /** What the source says of the request that trigger sends. */
  const sentAs = async (name: string, key: string, sample: string, flags: TriggerFlags) => {
    const { error, stderr } = await triggerHere(sample, { ...flags, to });
    expect([name, error]).toEqual([name, null]);
    const request = receiver.requests.at(-1) as Received;
    const verdict = verdictOf(name, key, request);
    return { verdict, body: request.body.toString(), stderr: stderr.join('\n') };
  };

  /** What the source says of a captured request that is signed again. */
  const signedAgain = (name: string, secret: string, key: string, body: string) => {
    const nowMs = Date.now();
    const { headers, body: signed } = signAs(
      {
        ...{ method: 'POST', url: to, headers: ['content-type', typeOf(body)] },
        ...{ body: Buffer.from(body), eventId: 'evt_1', nowMs },
      },
      { provider: name, secret, otherwise: '' },
    );
    return verdictOf(name, key, { rawHeaders: headers, body: signed, at: nowMs });
  };

  for (const name of SIGNING) {
    const { secret, other, key } = keysOf(name);
    const { verification } = proven(name, gradeOf(name));
    const body = BODIES[name] ?? BODY;
    const own = await sentAs(name, key, name, { body, secret });
    expect([name, own.verdict]).toEqual([name, verification]);
    if (!CHANGED.includes(name)) expect([name, own.body]).toEqual([name, body]);
    expect(own.stderr).not.toContain(secret);
    const { verdict } = await sentAs(name, key, name, { body, secret: other });
    expect([name, verdict.state, verdict.reason]).toEqual([name, 'failed', 'signature_mismatch']);
    expect([name, signedAgain(name, secret, key, body)]).toEqual([name, verification]);

    if (SAMPLES.some((sample) => sample.name.startsWith(`${name}.`))) continue;
    // A minimal body with the type that is named.
    const signer = providerOf(name)?.signature?.signer;
    const testSecret = (signer ?? STAMPS.get(name))?.testSecret as string;
    const testKey = signer?.verificationKey?.(testSecret) ?? testSecret;
    const minimal = await sentAs(name, testKey, `${name}.Order.made`, {});
    expect([name, minimal.verdict]).toEqual([name, verification]);
    expect(decodeURIComponent(minimal.body)).toContain('"Order.made"');
    expect(minimal.stderr).toContain(`signed with the test secret ${testSecret}, in `);
    expect(minimal.stderr).toContain('the body is minimal; --body-file FILE sends your own');
  }
});

describe.each(AT_AN_ENDPOINT)('%s', (name) => {
  const grade = gradeOf(name);

  test('signs a body of one’s own, and its endpoint verifies it', async () => {
    const { secret, other, key } = keysOf(name);
    await verifyBy(name, key);
    const body = BODIES[name] ?? BODY;
    const flags = ['--body', body, '--to', 'hooks', '--json', '--secret'];
    const sent = await run(name, ...flags, secret);
    expect(sent.stderr).not.toContain(secret);
    const event = await eventOf(sent);
    expect(event).toMatchObject(proven(name, grade));
    const raw = await account.call('GET', `/api/endpoints/${endpoint.id}/events/${event.id}/raw`);
    if (!CHANGED.includes(name)) expect(raw.body.toString()).toBe(body);
    if (name === 'twilio' || name === 'mandrill') {
      expect(event.content_type).toBe('application/x-www-form-urlencoded');
    }
    const forged = await eventOf(await run(name, ...flags, other));
    expect(forged.verification).toMatchObject({ state: 'failed', reason: 'signature_mismatch' });
  });

  test('the endpoint’s copy is signed again', async () => {
    const { secret, key } = keysOf(name);
    await verifyBy(name, key);
    const body = BODIES[name] ?? BODY;
    const unsigned = await capture(endpoint.capture_url, body, {
      headers: { 'content-type': typeOf(body) },
    });
    const again = await run('--from-event', unsigned, '--secret', secret, '--json');
    expect(await eventOf(again)).toMatchObject(proven(name, grade));
  });

  if (!SAMPLES.some((sample) => sample.name.startsWith(`${name}.`))) {
    test('sends a minimal body with the type that is named', async () => {
      const { signature } = providerOf(name) ?? {};
      const stamp = STAMPS.get(name);
      const signer = signature?.signer;
      const secret = (signer ?? stamp)?.testSecret as string;
      await verifyBy(name, signer?.verificationKey?.(secret) ?? secret);
      const sent = await run(`${name}.Order.made`, '--to', 'hooks', '--json');
      expect(sent.stderr).toContain(`signed with the test secret ${secret}, in `);
      expect(sent.stderr).toContain('the body is minimal; --body-file FILE sends your own\n');
      expect(sent.json).toMatchObject({ provider: name, type: 'Order.made' });
      const event = await eventOf(sent);
      expect(event).toMatchObject(proven(name, grade));
      const raw = await account.call('GET', `/api/endpoints/${endpoint.id}/events/${event.id}/raw`);
      expect(decodeURIComponent(raw.body.toString())).toContain('"Order.made"');
    });
  }
});

test('GitLab’s signing tokens sign', async () => {
  const token = STANDARD;
  await verifyBy('gitlab', token);
  const sent = await run('gitlab.push', '--secret', token, '--body', '{}', '--json');
  expect(await eventOf(sent)).toMatchObject(proven('gitlab', 'verified'));
});

test('private keys in PEM sign, others are refused', async () => {
  const pair = generateKeyPairSync('ed25519');
  const { x } = pair.publicKey.export({ format: 'jwk' });
  const pem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  await verifyBy('discord', Buffer.from(x as string, 'base64url').toString('hex'));
  const sent = await run('discord', '--secret', pem, '--json');
  expect(await eventOf(sent)).toMatchObject(proven('discord'));
  const rsa = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const other = rsa.export({ type: 'pkcs8', format: 'pem' }).toString();
  const refused = await run('discord', '--secret', other);
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toContain('hint: openssl genpkey -algorithm ed25519\n');
});

test('a sample sends a body of one’s own with its headers', async () => {
  const { url, received } = await receiverOf();
  const file = join(tempDir(), 'body.bin');
  const bytes = Buffer.from([0x7b, 0xff, 0x00, 0x0a, 0x7d]);
  writeFileSync(file, bytes);
  await run('github.push', '--to', url, '--body-file', file, '--header', 'x-github-event: ping');
  const [request] = await received(1);
  expect(request?.body.equals(bytes)).toBe(true);
  expect(request?.headers).toMatchObject({
    'x-github-event': 'ping',
    'x-hub-signature-256': expect.stringMatching(/^sha256=\w{64}$/),
  });
  const piped = await hookrelay(
    shell,
    ['trigger', 'zoom', '--to', url, '--body-file', '-', '--header', 'content-type: text/x'],
    'piped',
  );
  expect(piped.code).toBe(0);
  const [, second] = await received(2);
  expect(second?.body.toString()).toBe('piped');
  expect(second?.headers['content-type']).toBe('text/x');
});

async function receiverOf() {
  const receiver = await httpReceiver();
  return { url: receiver.url, received: (count: number) => receiver.received(count) };
}

test('an own header with the delivery’s id is the one that is signed', async () => {
  await verifyBy('twitch', TEXT);
  const header = ['--header', 'Twitch-Eventsub-Message-Id: mine-1'];
  const sent = await run('twitch', ...header, '--secret', TEXT, '--json');
  const event = await eventOf(sent);
  expect(event).toMatchObject(proven('twitch'));
  expect(event.headers['twitch-eventsub-message-id']).toBe('mine-1');
});

test('the minimal body is the provider’s layout, and overrides change it', async () => {
  const { url, received } = await receiverOf();
  const sent = await run(
    ...['pagerduty.incident.triggered', '--to', url],
    ...['--override', 'event.data.id=P1', '--add', '--override', 'event.id=E1'],
  );
  expect(sent.code).toBe(0);
  const [request] = await received(1);
  expect(JSON.parse(request?.body.toString() ?? '')).toEqual({
    event: { id: 'E1', event_type: 'incident.triggered', data: { id: 'P1' } },
  });
});

describe('errors', () => {
  test.each([
    [['paypal.test'], "hookrelay can't sign as paypal does", 'hookrelay trigger --list'],
    [['zoon.x'], 'there is no sample "zoon.x"', 'did you mean zoom?'],
    [['github.psuh'], 'there is no sample "github.psuh"', 'did you mean github.push?\n'],
    [['github'], 'there is no sample "github"', 'hookrelay trigger github --body TEXT\n'],
    [
      ['--body', '{}'],
      'no provider is named that signs the body',
      'hookrelay trigger PROVIDER --body',
    ],
    [['zoom', '--body', '{}', '--add'], '--override and --add change a sample', ''],
    [['zoom', '--body', '{}', '--body-file', 'x'], "'--body <text>' cannot be used with", ''],
    [['zoom', '--header', 'no colon'], "--header: expected 'name: value'", ''],
    [['--from-event', 'evt_01kxyz', '--body', '{}'], '--from-event excludes a sample, --body', ''],
    [['zoom', '--body-file', '/nonexistent/x'], 'cannot read /nonexistent/x (ENOENT)', ''],
    [['figma', '--body', '[]'], 'passcode of the body, so the body must be a JSON object', ''],
    [['adyen', '--body', '{}'], 'the body has no notificationItems to sign', ''],
    [['adyen', '--secret', 'no'], 'the secret must be hexadecimal digits', ''],
    [['microsoft-graph', '--body', '{}'], "the body's value has no notification", ''],
    [['postmark', '--secret', 'token'], 'must be the user', "--to 'URL?token=TOKEN'"],
    [['telegram', '--secret', 'ä\u2028'], 'characters that cannot be sent in a header', ''],
  ])('%j', async (args, message, hint) => {
    const { code, stdout, stderr } = await run(...args, '--to', 'http://127.0.0.1:1/');
    expect({ code: code === 1 || code === 2, stdout }).toEqual({ code: true, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).toContain(hint);
  });
});

test('--list has two groups, and one list as JSON', async () => {
  const { stdout } = await run('--list');
  const [samples = '', others = ''] = stdout.split('\n\n');
  const first = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.split(' ')[0]);
  expect(first(samples)).toEqual(SAMPLES.map(({ name }) => name));
  expect(others).toMatch(/^SIGNS YOUR OWN BODY +SIGNATURE\n/);
  expect(first(others)).toEqual(SIGNING.toSorted());
  const { json } = await run('--list', '--json');
  expect(json.length).toBe(SAMPLES.length + SIGNING.length);
  expect(json.at(-1)).toMatchObject({ name: 'zoom', signature_header: 'x-zm-signature' });
});
